"""Releases of a table that grows and shrinks: making them, and checking them together."""
