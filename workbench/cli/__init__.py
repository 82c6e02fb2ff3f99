"""The command `workbench`: one module for each subcommand, and `entry`, which parses the command line."""

from workbench.cli.entry import main

__all__ = ["main"]
