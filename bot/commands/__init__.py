"""Commands, defined once for all platforms."""
