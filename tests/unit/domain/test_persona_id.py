"""Ids are made of names, and never given out twice."""

import pytest

from bot.domain.persona_id import free_id, persona_id_of


@pytest.mark.parametrize(
    ("name", "expected"), [("Rose Red", "rose-red"), ("  Élodie!! ", "elodie"), ("x" * 50, "x" * 32), ("薔薇", "persona-6eb9db1e")]
)
def test_an_id_is_what_is_left_of_the_name(name: str, expected: str) -> None:
    assert persona_id_of(name)[:8] == expected[:8]
    assert len(persona_id_of(name)) <= 32


def test_a_taken_id_gets_a_number() -> None:
    assert free_id("rose", {"rose", "rose-2"}) == "rose-3"
    assert free_id("x" * 32, {"x" * 32}) == "x" * 30 + "-2"
