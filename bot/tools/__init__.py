"""Tools that the model may call while it answers."""
