"""Moving all that a bot keeps from its file to a server."""
