"""How orders are worded, a file a language. All patterns read a text as `reading.read` gives it: one case, no accents."""
