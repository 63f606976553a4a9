"""The texts that the code says, found by reading it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter

_MODULE = "bot.wording.say"
_TEXTS = {"say": 1, "later": 1, "say_count": 2}
"""How many texts each function takes; `say_count` has the number before them."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text to be translated."""

    english: str
    many: str = ""
    """The English for several things, where there are two."""
    context: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the English texts."""
        return (self.english, self.many) if self.many else (self.english,)


def texts_in(tree: ast.AST) -> Iterator[tuple[int, Text]]:
    """Yield every text with its line. Raises ValueError for one that is no literal, because no translation could be found for it."""
    ours = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == _MODULE for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours & _TEXTS.keys():
            first = 1 if node.func.id == "say_count" else 0
            parts = node.args[first : first + _TEXTS[node.func.id]]
            literals = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if len(literals) < _TEXTS[node.func.id]:
                raise ValueError(f"line {node.lineno}: what {node.func.id} says must be a literal; put what varies into {{fields}}")
            yield node.lineno, Text(*literals)


def fields(template: str) -> set[str]:
    """Return the fields of a template as they are written, with whatever stands behind a name."""
    return {
        name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
        for _, name, form, conversion in Formatter().parse(template)
        if name is not None
    }
