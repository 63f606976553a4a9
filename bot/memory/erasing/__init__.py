"""Erasing: taking things out of every table, for good, and keeping work that had read them from bringing them back."""
