"""The judge: what whoever says holds, fails or not known asks."""
