"""`baku memory erase`: what it takes for granted, and what it prints."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.erase import meant
from bot.cli.main import app
from bot.domain.chat import ConversationKey
from bot.domain.erasing import ErasureTarget, OneConversation, OnePerson, OneSpace
from bot.domain.message import MessageState
from bot.errors import ConfigError
from bot.storage.store import SqlStore
from bot.testing.factories import GROUP, incoming


@pytest.fixture
async def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database in which Ada has said something."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "kept.db"
    store = SqlStore(f"sqlite:///{path}")
    await store.open()
    async with store.write() as tx:
        await tx.messages.record(incoming("I bake quokkaberry pies", conversation=GROUP), MessageState.HEARD)
    await store.close()
    return path


@pytest.mark.parametrize(
    ("given", "target"),
    [
        pytest.param({"person": "discord:12"}, OnePerson("discord", "12"), id="person"),
        pytest.param({"conversation": "discord:1:2:"}, OneConversation(ConversationKey("discord", "1", "2")), id="conversation"),
        pytest.param({"space": "telegram:-1001"}, OneSpace("telegram", "-1001"), id="space"),
    ],
)
def test_one_thing_is_meant(given: dict[str, str], target: ErasureTarget) -> None:
    assert meant(**{"person": "", "conversation": "", "space": "", **given}) == target


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"person": "discord:1", "space": "discord:1"}, id="two things"),
        pytest.param({"person": "discord"}, id="no id"),
        pytest.param({"conversation": "here"}, id="no conversation"),
    ],
)
def test_anything_else_is_refused_with_what_to_write(given: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"platform:|PLATFORM:"):
        meant(**{"person": "", "conversation": "", "space": "", **given})


def test_it_prints_how_much_went_and_leaves_no_byte(database: Path) -> None:
    result = CliRunner().invoke(app, ["memory", "erase", "--person", "discord:ada", "--yes", "--db", str(database)])

    assert result.exit_code == 0
    assert "messages" in result.output
    assert "Out of reach" in result.output
    assert b"quokkaberry" not in database.read_bytes()


def test_without_a_yes_nothing_is_erased(database: Path) -> None:
    result = CliRunner().invoke(app, ["memory", "erase", "--person", "discord:ada", "--db", str(database)], input="n\n")

    assert result.exit_code == 1
    assert b"quokkaberry" in b"".join(file.read_bytes() for file in database.parent.glob("kept.db*"))


def test_nothing_there_is_said(database: Path) -> None:
    result = CliRunner().invoke(app, ["memory", "erase", "--space", "discord:nowhere", "--yes", "--db", str(database)])

    assert f"Nothing of it was in the database {database}." in result.output
