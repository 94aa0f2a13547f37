"""What a table would disclose, how risky its records are, and what a release is still good for."""
