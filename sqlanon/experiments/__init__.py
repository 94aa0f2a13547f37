"""Experiments that can be run again: those of Ganta, Kasiviswanathan and Smith 2008, and the demonstration."""
