"""Small talk, as the offline model knows it."""

import time

import pytest

from bot.llm.offline_talk import Talk, talk_in


@pytest.mark.parametrize(
    ("said", "talk"),
    [
        ("Thanks a lot!", Talk.THANKS),
        ("See you tomorrow", Talk.FAREWELL),
        ("Are you a real person?", Talk.IDENTITY),
        ("元気ですか？", Talk.WELLBEING),
        ("Könntest du mir helfen", None),
        ("Kannst du mir einen Brief schreiben?", Talk.REQUEST),
        ("👍", Talk.ASSENT),
        ("hahaha ok", Talk.ASSENT),
        ("I'm so very tired today", Talk.MOOD),
    ],
)
def test_small_talk_is_known_by_its_kind(said: str, talk: Talk | None) -> None:
    assert talk_in(said) is talk


@pytest.mark.parametrize(
    "said",
    [
        "My cat is called Mochi.",
        "I'm Ana",
        "I am a nurse",
        "I like tea",
        "I know Noor from school",
        "I'm busy on Tuesdays and Thursdays",
        "Ich bin Lehrer",
        "Wie heißt meine Katze?",
        "私の猫の名前はもちです。",
        "Do you remember my cat?",
    ],
)
def test_what_tells_or_asks_something_is_no_small_talk(said: str) -> None:
    assert talk_in(said) is None


@pytest.mark.parametrize("said", ["ha" * 5000 + "x", "ok " * 5000 + "x!", "I am " + "so " * 5000, "no" * 5000])
def test_long_lines_are_read_at_once(said: str) -> None:
    before = time.perf_counter()

    talk_in(said)

    assert time.perf_counter() - before < 1
