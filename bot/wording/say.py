"""Saying something in the language of whoever reads it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bot.wording.catalogues import ENGLISH, NUMBER_FORMAT, SAMPLE_NUMBER, catalogue, nearest_language

_language = ContextVar("language", default=ENGLISH)


@contextmanager
def in_language(tag: str) -> Iterator[None]:
    """Speak a BCP 47 language inside the block, English where there are no translations."""
    token = _language.set(nearest_language(tag))
    try:
        yield
    finally:
        _language.reset(token)


def language() -> str:
    """Return the language that is spoken at present, such as `ja`."""
    return _language.get()


def say(template: str, /, **values: object) -> str:
    """Return the text in the present language, with values in its named `{fields}` as they are: escape them before.

    The template is English and a literal: it is how translations are found.
    """
    return catalogue(language()).text(template).format(**values)


def say_count(number: int, one: str, many: str, /, **values: object) -> str:
    """Return the text for that many things; `{number}` stands for them, written as the language writes numbers."""
    return catalogue(language()).counted(number, one, many).format(number=figure(number), **values)


def later(text: str) -> str:
    """Return the text as it is: a literal that is said later, by `translated`."""
    return text


def translated(text: str, tag: str = "") -> str:
    """Return a text that has no fields, such as a command's summary, in a language or the present one."""
    return catalogue(nearest_language(tag) if tag else language()).text(text)


def figure(number: float, decimals: int = 0) -> str:
    """Return a number as the present language writes it: 1,234.5 or 1.234,5."""
    sample = catalogue(language()).text(SAMPLE_NUMBER, NUMBER_FORMAT)
    return f"{number:,.{decimals}f}".translate({ord(","): sample[1], ord("."): sample[-2]})
