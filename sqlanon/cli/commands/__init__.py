"""The commands, by topic. sqlanon/cli/app.py says which module has which, and imports the one that is needed."""
