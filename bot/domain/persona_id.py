"""What personas are known by: small letters, digits and dashes, for they also stand in URLs, commands and the database."""

import hashlib
import re
import unicodedata
from collections.abc import Container

MOST_ID = 32


def persona_id_of(name: str, *, otherwise: str = "persona") -> str:
    """Return an id made of a name; where no letter of it can stand in one, `otherwise` with a few signs of its own."""
    latin = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", latin)[:MOST_ID].strip("-")
    return slug or f"{otherwise}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def free_id(wanted: str, taken: Container[str]) -> str:
    """Return an id that is not taken: the wanted one, or else the first free one of `rose-2`, `rose-3` and so on."""
    number, free = 1, wanted
    while free in taken:
        number += 1
        ending = f"-{number}"
        free = f"{wanted[: MOST_ID - len(ending)].rstrip('-')}{ending}"
    return free
