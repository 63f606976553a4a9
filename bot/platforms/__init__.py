"""The chat platforms that Baku speaks on, one folder each."""
