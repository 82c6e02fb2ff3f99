"""Many runs of many variants of a design: every combination of some settings, with every seed, and which is best. SW-1 to SW-5."""
