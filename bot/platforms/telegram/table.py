"""Tables for a place that has none."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.text import is_wide

Row = Sequence[str]
_WIDEST = 40
"""What a telephone shows of fixed-width text without wrapping."""


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a table as plain text, its header first."""

    header: Row
    rows: Sequence[Row]

    @property
    def fits(self) -> bool:
        """Say whether it can be drawn with fixed-width letters on a small screen."""
        return sum(self._widths()) + 3 * (len(self.header) - 1) <= _WIDEST

    def drawn(self) -> str:
        """Return the table in aligned columns."""
        widths = self._widths()
        rule = "─┼─".join("─" * width for width in widths)
        lines = [_line(row, widths) for row in self.rows]
        return "\n".join([_line(self.header, widths), rule, *lines])

    def _widths(self) -> list[int]:
        columns = zip(self.header, *self.rows, strict=True)
        return [max(_width(cell) for cell in column) for column in columns]


def _line(row: Row, widths: Sequence[int]) -> str:
    cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
    return " │ ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(2 if is_wide(character) else 1 for character in text)
