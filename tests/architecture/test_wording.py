"""Every text that people read has a translation in every language, with the same fields in it."""

import re
from collections.abc import Mapping
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message

from bot.wording.catalogues import COMMAND_NAME, FOLDER, languages
from bot.wording.files import read
from bot.wording.harvest import Text, fields
from bot.wording.names import command_word
from scripts.words import all_texts, shipped_commands

IN_WORK: frozenset[str] = frozenset()
"""Languages whose translators are not done yet: what is there must fit, but may be less than all."""

_NAME = re.compile(r"[-_\w\u0300-\u036f]{1,32}")


@cache
def texts() -> Mapping[Text, list[str]]:
    return all_texts()


@cache
def catalog(language: str) -> Catalog:
    return read(FOLDER / f"{language}.po")


def entry(language: str, text: Text) -> Message | None:
    found = catalog(language).get(text.english, text.context or None)
    return found if found is not None and (found.id == text.english if not text.many else found.id == text.forms) else None


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def test_no_text_has_other_fields_than_names() -> None:
    assert {text.english for text in texts() for form in text.forms for field in fields(form) if not field.isidentifier()} == set()


@pytest.mark.parametrize("language", languages())
def test_a_file_has_the_texts_of_the_code_and_no_others(language: str) -> None:
    known = {(message.id if isinstance(message.id, str) else message.id[0], message.context or "") for message in catalog(language)}

    assert known - {("", "")} == {(text.english, text.context) for text in texts()}, "Run `make words`, then translate what is new."


@pytest.mark.parametrize("language", languages())
def test_every_text_is_translated(language: str) -> None:
    messages = {text: entry(language, text) for text in texts()}

    missing = [text.english for text, message in messages.items() if message is None or message.fuzzy or not all(forms(message))]

    assert language in IN_WORK or missing == []


@pytest.mark.parametrize("language", languages())
def test_translations_have_the_fields_of_their_texts(language: str) -> None:
    wrong = [
        form
        for text in texts()
        if (message := entry(language, text)) is not None
        for form in forms(message)
        if form and fields(form) != fields(text.many or text.english) and not (text.many and fields(form) == fields(text.english))
    ]

    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_commands_have_names_that_platforms_take(language: str) -> None:
    said = {text.english: forms(message)[0] for text in texts() if text.context == COMMAND_NAME and (message := entry(language, text))}

    assert [name for name in said.values() if name and not (_NAME.fullmatch(name) and name == name.lower())] == []


@pytest.mark.parametrize("language", languages())
def test_no_two_commands_have_one_name(language: str) -> None:
    """Nor has one the English name of another: both are understood."""
    words = {(path[:depth], path[depth]) for path in (command.path for command in shipped_commands()) for depth in range(len(path))}
    names: dict[tuple[tuple[str, ...], str], set[str]] = {}
    for group, word in words:
        for name in (word, command_word(word, language)):
            names.setdefault((group, name), set()).add(word)

    assert {name: meant for name, meant in names.items() if len(meant) > 1} == {}
