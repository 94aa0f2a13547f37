"""Anonymizers: their parameters, their runs, and the checks of what they release."""
