"""What the operator's commands print."""

import sys

from rich.console import Console, RenderableType
from rich.table import Table

_WIDTH_OFF_SCREEN = 1000


def table(*headings: str) -> Table:
    """Return a table without lines."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(heading, header_style="bold")
    return made


def show(shown: RenderableType) -> None:
    """Print a table or drawing as wide as the terminal, or a line for each row where there is none, and no blanks behind the lines."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH_OFF_SCREEN, highlight=False)
    with console.capture() as printed:
        console.print(shown)
    print("\n".join(line.rstrip() for line in printed.get().splitlines()))
