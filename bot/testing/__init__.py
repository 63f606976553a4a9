"""Test doubles, factories and contract suites, for plugin authors too."""
