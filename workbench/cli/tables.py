def add(subcommands): pass
