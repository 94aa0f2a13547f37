"""Publishing again and again: a gate, a register of what is out, and releases that stand together."""
