import asyncio
import io
from pathlib import Path

import pytest

from bot.domain.chat import CONSOLE_PERSON_ID, ConversationKind, MemoryScope, audience_of, console_conversation
from bot.domain.memory import EditOrigin, Remember
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy
from bot.memory.edit import MemoryEditor
from bot.storage.store import SqlStore
from bot.testing.clock import START
from tests.unit.cli.conftest import Baku


def remember(folder: Path, persona_id: str, text: str) -> None:
    """Let a persona remember a text about whoever sits at the terminal."""
    scope = MemoryScope(persona_id, audience_of(console_conversation(), ConversationKind.DIRECT, CONSOLE_PERSON_ID))
    origin = EditOrigin("operator", "a test", Person(CONSOLE_PERSON_ID, "Ada"))

    async def write() -> None:
        store = SqlStore(f"sqlite:///{folder}/data/baku.db")
        await store.open()
        async with store.write() as tx:
            number = await tx.memories.reserve_number(scope)
            await MemoryEditor(tx, scope, MemoryPolicy(), START).apply(Remember(number, text, None), origin)
        await store.close()

    asyncio.run(write())


def test_the_list_marks_the_default_persona(baku: Baku) -> None:
    lines = baku("persona", "list").out.splitlines()

    assert not any(line.endswith(" ") for line in lines)
    assert [line.split()[:3] for line in lines] == [["id", "name", "language"], ["baku", "(default)", "Baku"], ["iris", "Iris", "en"]]


def test_sound_files_are_counted(baku: Baku) -> None:
    checked = baku("persona", "check")

    assert (checked.code, checked.out) == (0, "2 personas in personas, no mistakes.\n")


def test_every_mistake_has_its_file_and_line(baku: Baku, folder: Path) -> None:
    (folder / "personas" / "iris.md").write_text("---\nnmae: Iris\ngreeting: Hi.\n---\n")

    checked = baku("persona", "check")

    assert checked.code == 1
    assert all(line.startswith("personas/iris.md:") for line in checked.out.splitlines())
    assert "personas/iris.md:2: " in checked.out


def test_a_copy_has_all_memories_and_goes_its_own_way(baku: Baku, folder: Path) -> None:
    remember(folder, "iris", "Likes tea")

    copied = baku("persona", "duplicate", "iris", "otto")
    remember(folder, "otto", "Likes jam")

    assert "1 memory" in copied.out
    assert "Likes jam" in baku("memory", "list", "--persona", "otto").out
    assert "Likes jam" not in baku("memory", "list", "--persona", "iris").out


def test_a_copy_never_replaces_a_persona(baku: Baku, folder: Path) -> None:
    refused = baku("persona", "duplicate", "iris", "baku")

    assert refused.code == 1
    assert "Baku" in (folder / "personas" / "baku.md").read_text()


def test_a_copy_never_takes_over_an_earlier_personas_memories(baku: Baku, folder: Path) -> None:
    remember(folder, "otto", "Likes jam")

    refused = baku("persona", "duplicate", "iris", "otto")

    assert "baku persona delete otto" in refused.err
    assert not (folder / "personas" / "otto.md").exists()


def test_a_copy_of_nobody_leaves_nothing_behind(baku: Baku, folder: Path) -> None:
    remember(folder, "nobody", "Likes jam")

    refused = baku("persona", "duplicate", "nobody", "otto")

    assert "there is no persona 'nobody'" in refused.err
    assert refused.code == 1
    assert "no persona 'otto'" in baku("memory", "list", "--persona", "otto").err


def test_a_deleted_persona_takes_its_memories_along(baku: Baku, folder: Path) -> None:
    remember(folder, "iris", "Likes tea")

    deleted = baku("persona", "delete", "iris", "--yes")

    assert deleted.out == "iris is deleted, with 1 memory.\n"
    assert not (folder / "personas" / "iris.md").exists()
    assert baku("persona", "delete", "iris", "--yes").code == 1


def test_memories_of_a_file_deleted_by_hand_can_be_cleared_away(baku: Baku, folder: Path) -> None:
    remember(folder, "iris", "Likes tea")
    (folder / "personas" / "iris.md").unlink()

    assert baku("persona", "delete", "iris", "--yes").out == "iris is deleted, with 1 memory.\n"


def test_deleting_asks_first(baku: Baku, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))

    refused = baku("persona", "delete", "iris")

    assert refused.code == 1
    assert "Delete 'iris' and all it remembers?" in refused.out + refused.err
    assert (folder / "personas" / "iris.md").exists()


def test_the_default_persona_stays(baku: Baku, folder: Path) -> None:
    refused = baku("persona", "delete", "baku", "--yes")

    assert "BAKU_DEFAULT_PERSONA" in refused.err
    assert (folder / "personas" / "baku.md").exists()


def test_memories_are_listed_with_number_and_time(baku: Baku, folder: Path) -> None:
    remember(folder, "baku", "Likes [bold]tea[/bold]\x1b[2J")

    listed = baku("memory", "list").out.splitlines()[1].split()

    assert listed == ["1", "Likes", "[bold]tea[/bold]␛[2J", "2026-05-03", "10:00:00"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param((), "baku remembers nothing there.", id="empty"),
        pytest.param(("--persona", "nobody"), "error: There is no persona 'nobody'", id="unknown persona"),
        pytest.param(("--conversation", "x"), "platform:space:channel:thread", id="no conversation"),
    ],
)
def test_a_question_about_nothing_is_explained(baku: Baku, arguments: tuple[str, ...], said: str) -> None:
    shown = baku("memory", "list", *arguments)

    assert said in shown.out + shown.err


def test_migrating_says_what_was_done_where(baku: Baku, folder: Path) -> None:
    made, again = baku("migrate"), baku("migrate")

    assert made.out.startswith(f"The database {folder}/data/baku.db is made")
    assert again.out == f"The database {folder}/data/baku.db is up to date.\n"
