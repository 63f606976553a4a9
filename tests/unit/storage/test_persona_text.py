"""A persona as the text of a persona file, and back."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.chat import ConversationKind, audience_of
from bot.domain.message import Person
from bot.domain.persona import PRESETS, Example, MemoryMode, ModelChoice, Timestamps
from bot.domain.steps import Step, StepKind, Steps
from bot.errors import PersonaError
from bot.storage.persona_files import load_personas
from bot.storage.persona_text import persona_from, text_of
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import GROUP, a_persona


def test_every_shipped_persona_comes_back_as_it_was() -> None:
    for persona in load_personas(Path("personas"), "").by_id.values():
        assert persona_from(persona.id, text_of(persona)) == persona


def test_whatever_an_admin_may_set_comes_back_as_it_was() -> None:
    persona = replace(
        a_persona(voice="Line one\n---\nline: two # no comment"),
        name="- Iris: 'the' \"first\"",
        greeting="yes",
        summary="null",
        language="ja-JP",
        time_zone="Asia/Tokyo",
        examples=(Example("1.5", "{{x}}\nmore"),),
        model=ModelChoice("org/model:free", 0.3, 50),
        memory=replace(PRESETS["seed"], max_working=7, mode=MemoryMode.TAGS, timestamps=Timestamps.RELATIVE, pull=False),
        steps=Steps(readers=(Step(StepKind.RECENT, count=-1), Step(StepKind.SUMMARY)), writers=()),
        tools=("dice",),
        triggers=("おい", "hey you"),
    )

    assert persona_from("iris", text_of(persona)) == persona


def test_a_persona_without_a_voice_is_refused() -> None:
    with pytest.raises(PersonaError, match="voice"):
        text_of(a_persona(voice="  "))


async def test_a_persona_of_a_space_that_cannot_be_read_any_more_is_left_out(sqlite_url: str) -> None:
    audience = audience_of(GROUP, ConversationKind.GROUP, "1")
    store = SqlStore(sqlite_url)
    await store.open()
    async with store.write() as tx:
        await tx.personas.put(GROUP, audience, a_persona(), by=Person("1", "Ada"), at=START, reason="test")
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE space_personas SET text = '---\nunknown: key\n---\nVoice'")
    async with store.read() as tx:
        assert await tx.personas.get(GROUP.platform, GROUP.space_id, "iris") is None
        assert await tx.personas.all(GROUP.platform, GROUP.space_id) == []
    await store.close()
