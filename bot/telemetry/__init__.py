"""Metrics and traces for monitors. The vendors' packages are loaded only where a setting asks for them."""
