"""What the operator's commands print."""

import sys

from rich.console import Console
from rich.table import Table

_WIDTH_OFF_SCREEN = 1000


def console() -> Console:
    """Return where to print: as wide as the terminal, or wide enough for a line each when there is none."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH_OFF_SCREEN, highlight=False)


def table(*headings: str) -> Table:
    """Return a table without lines."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(heading, header_style="bold")
    return made
