"""Anonymizers: what can be asked of them, their runs, and the checks of what they release."""
