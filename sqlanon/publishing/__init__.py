"""Publishing: a gate that attacks a release before it goes out, and a register of what is out."""
