"""Texts are found in the code."""

import ast

import pytest

from bot.wording.harvest import Text, fields, texts_in

IMPORT = "from bot.wording.say import later, say, say_count\n"


def test_every_text_is_found_with_its_line() -> None:
    code = IMPORT + 'x = say("Hello, " "{name}.", name=a) + later("there")\ny = say_count(n, "a cat", "{number} cats")'

    assert set(texts_in(ast.parse(code))) == {(2, Text("Hello, {name}.")), (2, Text("there")), (3, Text("a cat", "{number} cats"))}


@pytest.mark.parametrize("call", ['say(f"Hello {name}")', "say(TEXT)", 'say("a" + "b")', 'say_count(n, "one")', "say()"])
def test_a_text_that_is_no_literal_is_refused(call: str) -> None:
    with pytest.raises(ValueError, match="must be a literal"):
        list(texts_in(ast.parse(IMPORT + call)))


def test_another_function_of_that_name_is_none_of_ours() -> None:
    assert list(texts_in(ast.parse("def say(x): ...\nsay(text)"))) == []


def test_fields_are_told_with_their_format() -> None:
    assert fields("{a} and {{b}} and {c:,} {d!r}") == {"a", "c:,", "d!r"}
