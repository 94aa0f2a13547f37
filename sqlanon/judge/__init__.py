"""The judge: what releases tell together, of whom, and whether that is tolerated."""
