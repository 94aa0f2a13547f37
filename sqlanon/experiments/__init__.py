"""Experiments to repeat: those of Ganta, Kasiviswanathan and Smith 2008, and the demonstration."""
