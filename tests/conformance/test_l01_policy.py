"""The memory policy: its defaults, its preset, and that every value can be set by the persona and by the server."""

from pathlib import Path

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.persona import MemoryPolicy
from bot.memory.policy import PRESET, RULES, PolicyValue
from bot.storage.persona_files import load_personas
from bot.testing.bot import make_bot
from bot.testing.factories import DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel

DEFAULTS = {
    "working_tokens": 1024,
    "handle_tokens": 256,
    "new_importance": 0.75,
    "tag_boost": 0.10,
    "update_boost": 0.25,
    "decay_per_day": 0.02,
    "demote_below": 0.25,
    "archive_below": 0.05,
    "forget_below": 0.02,
    "dream_hours": 1.0,
    "max_working": 40,
    "max_handles": 30,
}
SEED = {**DEFAULTS, "working_tokens": 512, "decay_per_day": 0.05, "demote_below": 0.40, "archive_below": 0.10}
OTHERS: dict[str, PolicyValue] = {
    "enabled": False,
    "mode": "tags",
    "working_tokens": 700,
    "handle_tokens": 100,
    "max_working": 12,
    "max_handles": 9,
    "new_importance": 0.5,
    "tag_boost": 0.2,
    "update_boost": 0.3,
    "load_margin": 0.15,
    "memories_a_day": 7,
    "decay_per_day": 0.01,
    "demote_below": 0.3,
    "archive_below": 0.04,
    "forget_below": 0.01,
    "reinforce": 0.07,
    "pull": False,
    "max_pulled": 2,
    "dream": False,
    "dream_hours": 6.5,
    "history_messages": 60,
    "history_tokens": 3000,
    "history_hours": 30.5,
    "timestamps": "relative",
    "past": False,
    "chunk_messages": 12,
    "chunk_tokens": 900,
    "chunk_lookback": 3,
    "summary_after": 4,
    "summary_batch": 2,
    "condense": 6,
    "condense_buffer": 9,
    "past_tokens": 500,
    "max_excerpts": 4,
    "entity_tokens": 90,
}


def policy_in(folder: Path, memory: str) -> MemoryPolicy:
    """Return the policy of a persona file."""
    (folder / "iris.md").write_text(f"---\nname: Iris\ngreeting: Hello.\n{memory}\n---\nYou are calm.", encoding="utf-8")
    return load_personas(folder, "iris").get("iris").memory


@pytest.mark.parametrize(
    ("memory", "expected"), [pytest.param("", DEFAULTS, id="defaults"), pytest.param("memory: {preset: seed}", SEED, id="seed")]
)
def test_l01_defaults_and_the_seed_preset(tmp_path: Path, memory: str, expected: dict[str, float]) -> None:
    policy = policy_in(tmp_path, memory)

    assert {name: getattr(policy, name) for name in expected} == expected


def test_l01_the_table_overrides_every_value() -> None:
    assert set(OTHERS) == set(RULES) - {PRESET}
    assert [name for name, value in OTHERS.items() if value == getattr(MemoryPolicy(), name)] == []


@pytest.mark.parametrize("name", OTHERS)
def test_l01_a_persona_overrides_a_value(tmp_path: Path, name: str) -> None:
    policy = policy_in(tmp_path, f"memory: {{preset: seed, {name}: {str(OTHERS[name]).lower()}}}")

    assert getattr(policy, name) == OTHERS[name]


@pytest.mark.parametrize("name", OTHERS)
async def test_l01_a_server_overrides_a_value(name: str) -> None:
    value = str(OTHERS[name]).lower()

    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command(f"memory policy {name} {value}", conversation=GROUP, admin=True)
        shown = await bot.command(f"memory policy {name}", conversation=GROUP, admin=True)

    assert answer.text.startswith(f"`{name}` is {value} here from now on")
    assert f"Here it is {value} (**set here**)" in shown.text


@pytest.mark.parametrize("place", [GROUP, DIRECT])
async def test_l01_what_is_set_holds_in_the_next_prompt_there_and_nowhere_else(place: ConversationKey) -> None:
    model = ScriptedModel("Hello.", "Hello.")

    async with make_bot(model) as bot:
        await bot.command("memory policy enabled off", conversation=place, admin=True)
        for conversation in (GROUP, DIRECT):
            await bot.say("hi", conversation=conversation)

    assert [bool(prompt.tools) for prompt in model.prompts] == [place is not GROUP, place is not DIRECT]
