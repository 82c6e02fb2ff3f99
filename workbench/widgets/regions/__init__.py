"""The regions of the screen: each shows one part of the present."""
