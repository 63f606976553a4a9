"""Plain values and pure rules. Standard library only."""
