"""Telling whoever runs the bot what they should read."""

import sys


def tell_terminal(text: str) -> None:
    """Show a text to somebody at a terminal; where nobody sits at one, the log has it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{text}\n")
