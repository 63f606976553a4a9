"""Character cards and persona packs: files from anywhere, read as a whole or refused."""
