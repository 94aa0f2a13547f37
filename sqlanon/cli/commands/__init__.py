"""The commands, by topic: sqlanon/cli/app.py imports the module of the one that is called."""
