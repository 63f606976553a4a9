"""Finding names in text."""
