"""Numbers for scripts, notebooks and the command line: one object for each game, one for each answer."""
