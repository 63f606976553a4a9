"""Baku: a self-hosted chat bot framework whose personas remember."""

__version__ = "0.1.0"
