"""Finding names in texts and what these say of them; the text of PDF files."""
