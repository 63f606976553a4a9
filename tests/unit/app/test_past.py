"""What an operator's work on pasts is given."""

import os
from pathlib import Path

import pytest

from bot.app.build import work_app
from bot.config.loading import load_settings
from bot.domain.chat import console_conversation
from bot.testing.factories import DIRECT


@pytest.fixture(autouse=True)
def installation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("BAKU_", "OPENAI_", "DISCORD_", "TELEGRAM_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BAKU_SPACY_MODEL", "none")
    monkeypatch.setenv("BAKU_EMBEDDER", "hashing")
    monkeypatch.setenv("BAKU_DB", database_url)
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "baku.md").write_text("---\nname: Baku\ngreeting: Hello.\n---\nYou are calm.\n")


async def test_the_store_is_open_and_the_embedder_is_the_chosen_one() -> None:
    async with work_app(load_settings()) as app:
        async with app.store.read() as tx:
            state = await tx.pasts.state(console_conversation())
        indexer = app.past.indexer(app.personas.get(None), DIRECT)

    assert state.generation == 0
    assert app.past.world.embedder is not None
    assert indexer.embedder is app.past.world.embedder
    assert indexer.model is None


async def test_the_offline_model_summarises_nothing() -> None:
    async with work_app(load_settings()) as app:
        assert app.past.model_of(app.personas.get(None)) is None


async def test_an_endpoints_model_summarises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")

    async with work_app(load_settings()) as app:
        model = app.past.model_of(app.personas.get(None))

    assert model is not None
    assert model.name != "offline"


async def test_without_an_embedder_words_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_EMBEDDER", "none")

    async with work_app(load_settings()) as app:
        assert app.past.world.embedder is None
