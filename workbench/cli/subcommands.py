"""What a command describes itself to on the command line."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Subcommands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where `workbench COMMAND` gets its commands from; argparse has no public name for it."""
