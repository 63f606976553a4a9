"""What a persona makes of its memories at night: planned first, checked, then stored, and undoable."""
