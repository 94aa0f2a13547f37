"""What everything else is built on: the macros in a connection, sources and statements, files in and out."""
