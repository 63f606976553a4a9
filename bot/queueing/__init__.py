"""Carriers of "look at this conversation"."""
