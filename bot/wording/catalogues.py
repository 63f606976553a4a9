"""The translations, one .po file a language, each read when it is first needed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

FOLDER = Path(__file__).parent
ENGLISH = "en"
COMMAND_NAME = "command name"
"""The context of a command's words: `memory`, `list`."""
SAMPLE_NUMBER = "1,234.5"
NUMBER_FORMAT = "number format"
"""The context of SAMPLE_NUMBER, which each language writes in its own way."""

_PRIMARY = re.compile(r"[a-z]{2,3}(?![a-z0-9])")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language's translations."""

    texts: Mapping[tuple[str, str], Sequence[str]]
    """By context, mostly empty, and English text: its translation, of counted things one for each form."""
    form: Callable[[int], int]
    """Which form a number takes."""

    def text(self, english: str, context: str = "") -> str:
        """Return the translation, the English text where there is none."""
        return self.texts.get((context, english), (english,))[0]

    def counted(self, number: int, one: str, many: str) -> str:
        """Return the translation for that many things, the English text where there is none."""
        forms = self.texts.get(("", one))
        return forms[self.form(number)] if forms else _in_english(number, one, many)


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are translations for."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.po")))


def nearest_language(tag: str) -> str:
    """Return the language of a BCP 47 tag, or of a locale such as `ja_JP`: English when it is none of ours."""
    primary = _PRIMARY.match(tag.lower())
    return primary[0] if primary and primary[0] in languages() else ENGLISH


@cache
def catalogue(language: str) -> Catalogue:
    """Return the translations of one of our languages; English has none."""
    if language not in languages():
        return Catalogue({}, lambda _number: 0)
    from babel.messages.pofile import read_po

    with (FOLDER / f"{language}.po").open(encoding="utf-8") as file:
        read = read_po(file, locale=language, abort_invalid=True)
    texts: dict[tuple[str, str], Sequence[str]] = {}
    for message in read:
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        if message.id and forms and all(forms) and not message.fuzzy:
            english = message.id if isinstance(message.id, str) else message.id[0]
            texts[message.context or "", english] = forms
    return Catalogue(texts, c2py(read.plural_expr))


def _in_english(number: int, one: str, many: str) -> str:
    return one if number == 1 else many
