"""The documents that search can find: their slots, words and vectors, packed."""
