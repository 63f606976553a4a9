"""What people read, in their language: English stands in the code, translations in one file a language."""
