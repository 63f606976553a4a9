"""The operator writes all that is held on somebody into a file."""

import asyncio
import json
import stat
from pathlib import Path
from zipfile import ZipFile

import pytest

from bot.cli.export import CHOOSE_ONE
from bot.domain.message import MessageState
from bot.testing.factories import BO, GROUP, incoming
from tests.unit.cli.conftest import Baku
from tests.unit.cli.test_past import store_of


@pytest.fixture
def said(folder: Path) -> None:
    async def record() -> None:
        store = store_of(folder)
        await store.open()
        async with store.write() as tx:
            await tx.messages.record(incoming("mine", message_id="1", conversation=GROUP), MessageState.DONE)
            await tx.messages.record(incoming("theirs", message_id="2", author=BO, conversation=GROUP), MessageState.DONE)
        await store.close()

    asyncio.run(record())


@pytest.mark.parametrize(
    ("options", "texts"),
    [
        (("--person", "discord:ada"), ["mine"]),
        (("--conversation", str(GROUP)), ["mine", "theirs"]),
        (("--space", "discord:club"), ["mine", "theirs"]),
    ],
)
@pytest.mark.usefixtures("said")
def test_one_file_holds_what_was_asked_for(baku: Baku, folder: Path, options: tuple[str, str], texts: list[str]) -> None:
    done = baku("memory", "export", *options, "--out", "all.zip")

    assert done.out == f"{len(texts)} messages and 0 memories are in all.zip.\n"
    with ZipFile(folder / "all.zip") as archive:
        data = json.loads(archive.read("export.json"))
    assert [message["text"] for talk in data["conversations"] for message in talk["messages"]] == texts
    assert stat.S_IMODE((folder / "all.zip").stat().st_mode) == 0o600


@pytest.mark.usefixtures("said")
def test_nothing_is_overwritten_and_nothing_is_written_about_nobody(baku: Baku, folder: Path) -> None:
    (folder / "all.zip").write_text("mine")

    again = baku("memory", "export", "--person", "discord:ada", "--out", "all.zip")
    nobody = baku("memory", "export", "--person", "discord:nobody", "--out", "none.zip")

    assert "nothing is ever overwritten" in again.err
    assert (folder / "all.zip").read_text() == "mine"
    assert nobody.out == "Nothing is held on that. No file was made.\n"
    assert not (folder / "none.zip").exists()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), CHOOSE_ONE),
        (("--person", "discord:ada", "--space", "discord:club"), CHOOSE_ONE),
        (("--person", "ada"), "names nobody; write it as platform:id"),
        (("--conversation", "discord:club:nowhere:"), "There is no conversation"),
    ],
)
@pytest.mark.usefixtures("said")
def test_what_is_not_clear_is_refused_with_what_to_do(baku: Baku, options: tuple[str, ...], problem: str) -> None:
    done = baku("memory", "export", *options, "--out", "all.zip")

    assert done.code == 1
    assert problem in done.err
