"""What a persona remembers: recalling it, and changing it."""
