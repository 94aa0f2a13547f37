"""The command line: app.py starts it, commands/ has the commands, options.py what they take."""
