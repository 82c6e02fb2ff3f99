"""Property tests are played in one of two ways, chosen by Hypothesis' own option `--hypothesis-profile`. See `laws`."""

import laws

laws.register_profiles()
