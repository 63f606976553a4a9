"""`baku memory timeline` and `baku memory simulate`."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.chat import CONSOLE_PERSON_ID, ConversationKind, MemoryScope, audience_of, console_conversation
from bot.domain.memory import EditOrigin, End, Forget, MemoryEdit, Pin, Remember
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.storage.store import SqlStore
from tests.unit.cli.conftest import Baku

ADA = Person(CONSOLE_PERSON_ID, "Ada")
SCOPE = MemoryScope("baku", audience_of(console_conversation(), ConversationKind.DIRECT, ADA.id))


@pytest.fixture
def memories(folder: Path) -> None:
    """Let Baku remember four facts for a while."""
    edits: list[tuple[float, MemoryEdit]] = [(30 + n, Remember(n, f"Ada likes \x1b[31m tea {n}", ADA)) for n in (4, 3, 2, 1)]
    edits += [(20, Pin(2, pinned=True)), (10, End(3)), (1, Forget(4, for_good=False))]

    async def write() -> None:
        store = SqlStore(f"sqlite:///{folder}/data/baku.db")
        await store.open()
        for days, edit in edits:
            async with store.write() as tx:
                editor = MemoryEditor(tx, SCOPE, MemoryPolicy(), datetime.now(UTC) - timedelta(days=days))
                await editor.apply(edit, EditOrigin("operator", "a test", ADA))
        await store.close()

    asyncio.run(write())


@pytest.mark.usefixtures("memories")
def test_timeline_draws_a_line_for_each_memory_the_strongest_first(baku: Baku) -> None:
    shown = baku("memory", "timeline")

    heading, *lines = shown.out.splitlines()
    assert "34 days ago … now" in heading
    assert [line.split()[0] for line in lines] == ["2", "1", "3", "4"]
    assert [re.search("[▁-█]+", line) is not None for line in lines] == [True] * 4
    endings = ("working, pinned", "working", "ended 10 days ago", "forgotten yesterday")
    assert [line.endswith(ending) for line, ending in zip(lines, endings, strict=True)] == [True] * 4
    assert "\x1b" not in shown.out


@pytest.mark.usefixtures("memories")
def test_timeline_says_how_many_it_leaves_out(baku: Baku) -> None:
    assert baku("memory", "timeline", "--limit", "1").out.splitlines()[-1] == "3 more: --limit 4 shows all."


def test_timeline_of_nothing_says_so(baku: Baku) -> None:
    assert baku("memory", "timeline", "--persona", "iris").out == "iris remembers nothing there.\n"


@pytest.mark.usefixtures("memories")
def test_simulation_shows_what_becomes_of_the_memories_and_changes_none(baku: Baku) -> None:
    before = baku("memory", "list").out

    shown = baku("memory", "simulate", "--days", "40")

    lines = shown.out.splitlines()[-3:]
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert "forgotten in" in lines[0]
    assert lines[1].endswith("working, pinned")
    assert baku("memory", "list").out == before


def test_simulation_tries_another_policy(baku: Baku) -> None:
    usual, fast = baku("memory", "simulate"), baku("memory", "simulate", "--set", "preset=seed", "--set", "decay_per_day=0.1")

    assert "never used: deep after 26, archived after 35, forgotten after 37 days" in usual.out
    assert "never used: deep after 4, archived after 7, forgotten after 8 days" in fast.out


@pytest.mark.parametrize("change", ["nope=1", "decay_per_day=much", "forget_below=0.9", "decay_per_day"])
def test_value_that_does_not_fit_is_explained(baku: Baku, change: str) -> None:
    refused = baku("memory", "simulate", "--set", change)

    assert refused.code == 1
    assert refused.err.startswith("error: ")
    assert "--set decay_per_day=0.05" in refused.err


def test_chart_is_kept_as_a_picture_that_needs_nothing_from_elsewhere(baku: Baku, folder: Path) -> None:
    baku("memory", "simulate", "--svg", "fading.svg")

    picture = (folder / "fading.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "url(" not in picture.replace("url(#", "")


@pytest.mark.parametrize("command", ["timeline", "simulate"])
@pytest.mark.parametrize(("option", "value"), [("--persona", "nobody"), ("--conversation", "nowhere")])
def test_unknown_persona_or_place_is_explained(baku: Baku, command: str, option: str, value: str) -> None:
    assert baku("memory", command, option, value).code == 1
