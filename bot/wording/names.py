"""What commands are called in each language."""

from collections.abc import Collection, Mapping
from functools import cache

from bot.wording.catalogues import COMMAND_NAME, catalogue, languages, nearest_language
from bot.wording.say import language


def command_word(word: str, tag: str = "") -> str:
    """Return one word of a command, such as `memory`, in a language or the present one."""
    return catalogue(nearest_language(tag) if tag else language()).text(word, COMMAND_NAME)


def english_words(typed: str) -> Collection[str]:
    """Return the words of commands that a typed one stands for: of the present language, else of any, itself if of none."""
    word = typed.casefold()
    here = _english_of(language()).get(word, ())
    return here or frozenset(english for known in languages() for english in _english_of(known).get(word, ())) or (typed,)


@cache
def _english_of(name: str) -> Mapping[str, Collection[str]]:
    found: dict[str, set[str]] = {}
    for (context, english), (said, *_) in catalogue(name).texts.items():
        if context == COMMAND_NAME:
            found.setdefault(said.casefold(), set()).add(english)
    return found
