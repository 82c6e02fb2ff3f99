"""The subcommands of `workbench`, one module each. `workbench.cli` lists them and turns errors into exit codes."""
