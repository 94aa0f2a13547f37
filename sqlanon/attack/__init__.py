"""Attacks: what an adversary learns from releases."""
