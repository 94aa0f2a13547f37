"""The public macros as functions, written by `make reference`."""
