"""How people are named where a model reads them."""

import unicodedata

from bot.domain.message import Person
from bot.domain.text import one_line

NAME_LIMIT = 40
_MARKS = str.maketrans("", "", "():")


def shown_name(person: Person) -> str:
    """Return a name that cannot break out of its line, turn it round or pose as an id; `somebody` when nothing of it is left."""
    plain = unicodedata.normalize("NFKC", person.display_name)
    name = one_line("".join(char for char in plain if char.isspace() or not _is_unseen(char)), NAME_LIMIT).translate(_MARKS)
    return name.strip() or "somebody"


def named(person: Person) -> str:
    """Return who somebody is: `Ana (id 123)`."""
    return f"{shown_name(person)} (id {person.id})"


def _is_unseen(char: str) -> bool:
    """Say whether a character is a control or a format mark, such as those that turn the direction of writing."""
    return unicodedata.category(char) in {"Cc", "Cf"}
