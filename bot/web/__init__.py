"""The web API, for this machine only."""
