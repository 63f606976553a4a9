"""The operator reads a conversation anew, and makes it findable."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.domain.chat import ConversationKey, ConversationKind, console_conversation
from bot.domain.message import IncomingMessage, MessageState, Person
from bot.domain.past import Chunk, ChunkState
from bot.storage.store import SqlStore
from tests.emulators.openai.answers import Say
from tests.emulators.openai.server import OpenAIEmulator
from tests.unit.cli.conftest import Baku

HERE = console_conversation()
CLUB = ConversationKey("discord", "club", "lounge")
ADA = Person("console-user", "Ada")
BEGAN = datetime(2026, 5, 3, 10, tzinfo=UTC)
ANSWER = '{"title": "Tea", "summary": "Ada told of tea.", "entities": ["Ada"], "key_phrases": ["tea"]}'


def store_of(folder: Path) -> SqlStore:
    return SqlStore(f"sqlite:///{folder}/data/baku.db")


def talk(folder: Path, *, count: int = 40, conversation: ConversationKey = HERE) -> None:
    """Let Ada say something, twenty words at a time."""

    async def write() -> None:
        store = store_of(folder)
        await store.open()
        async with store.write() as tx:
            for number in range(count):
                text, at = f"{number}: " + "I like tea and cake. " * 4, BEGAN + timedelta(minutes=number)
                kind = ConversationKind.DIRECT if conversation == HERE else ConversationKind.GROUP
                message = IncomingMessage(conversation, kind, f"m{number}", ADA, text, at, addressed_to_bot=True)
                await tx.messages.record(message, MessageState.DONE)
        await store.close()

    asyncio.run(write())


def chunks(folder: Path) -> tuple[list[Chunk], int | None]:
    """Return the chunks that are shown, and the generation that is being built."""

    async def read() -> tuple[list[Chunk], int | None]:
        store = store_of(folder)
        await store.open()
        async with store.read() as tx:
            state = await tx.pasts.state(HERE)
            found = list(await tx.pasts.chunks(HERE, state.generation, limit=1000))
        await store.close()
        return found, state.building

    return asyncio.run(read())


@contextmanager
def endpoint(*, seconds: float = 0.0) -> Iterator[OpenAIEmulator]:
    """Serve a model that summarises everything alike, in a thread."""
    emulator, ready, done = OpenAIEmulator(brain=lambda _: Say(ANSWER)), threading.Event(), threading.Event()
    emulator.seconds_before_answer = seconds

    async def serve() -> None:
        async with emulator:
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield emulator
    finally:
        done.set()
        thread.join()


@pytest.fixture(autouse=True)
def words_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_EMBEDDER", "hashing")
    monkeypatch.setenv("BAKU_SPACY_MODEL", "none")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIEmulator]:
    with endpoint() as emulator:
        monkeypatch.setenv("OPENAI_BASE_URL", emulator.base_url)
        yield emulator


@pytest.mark.usefixtures("model")
def test_a_conversation_is_read_anew_with_lines_that_tell_how_far_it_is(baku: Baku, folder: Path) -> None:
    talk(folder)

    done = baku("memory", "regenerate", "--chunk-tokens", "200")

    found, building = chunks(folder)
    lines = done.out.splitlines()
    assert done.code == 0, done.err
    assert lines[-1] == f"Done: {len(found)} chunks with a summary. `baku memory chunks {HERE}` shows them."
    assert 3 < len(lines) <= 12
    assert all(line.startswith(f"{HERE}: ") and " of " in line for line in lines[:-1])
    assert {chunk.state for chunk in found} == {ChunkState.DONE}
    assert building is None
    assert sum(chunk.messages for chunk in found) == 35, "the last five stay outside"


def test_ctrl_c_keeps_what_is_written_and_the_same_command_goes_on(baku: Baku, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(folder)
    command = ("memory", "regenerate", str(HERE), "--chunk-tokens", "200")
    with endpoint(seconds=0.2) as slow:
        environment = {**os.environ, "OPENAI_BASE_URL": slow.base_url, "PYTHONPATH": str(Path(__file__).parents[3])}
        running = subprocess.Popen(
            [sys.executable, "-m", "bot", *command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        asyncio.run(slow_requests(slow, 3))
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    before, building = chunks(folder)

    with endpoint() as quick:
        monkeypatch.setenv("OPENAI_BASE_URL", quick.base_url)
        done = baku(*command)
    after, unfinished = chunks(folder)

    assert (running.returncode, err) == (130, "")
    assert out.splitlines()[-1] == "Stopped. What is written is kept: the same command goes on from there."
    assert (before, building) == ([], 1)
    assert done.code == 0
    assert {chunk.generation for chunk in after} == {1}
    assert unfinished is None


async def slow_requests(emulator: OpenAIEmulator, count: int) -> None:
    async with asyncio.timeout(60):
        while len(emulator.requests) < count:  # noqa: ASYNC110 - the emulator runs in another thread's loop
            await asyncio.sleep(0.02)


def test_with_the_offline_model_it_says_what_to_set(baku: Baku, folder: Path) -> None:
    talk(folder)

    refused = baku("memory", "regenerate")

    assert refused.code == 1
    assert refused.err == (
        "error: baku speaks with the offline model, which cannot summarise. Set OPENAI_API_KEY or OPENAI_BASE_URL in .env.\n"
    )


@pytest.mark.usefixtures("model")
def test_while_somebody_else_writes_there_it_says_so(baku: Baku, folder: Path) -> None:
    talk(folder)

    async def hold() -> None:
        store = store_of(folder)
        await store.open()
        async with store.write() as tx:
            await tx.leases.take(f"past:{HERE}", "another:1:x", lasts=timedelta(minutes=5))
        await store.close()

    asyncio.run(hold())
    refused = baku("memory", "regenerate")

    assert (refused.code, refused.out) == (
        1,
        f"Somebody else is writing about {HERE} just now, perhaps `baku run`. Try again in a minute.\n",
    )


@pytest.mark.usefixtures("model")
def test_a_model_that_says_nothing_leaves_the_old_and_says_so(baku: Baku, folder: Path, model: OpenAIEmulator) -> None:
    talk(folder)
    model.rules.models = ("another",)

    failed = baku("memory", "regenerate")

    assert failed.code == 1
    assert "The model gave no answer: " in failed.out
    assert failed.out.endswith("the same command goes on from there.\n")


def test_everything_is_made_findable_once(baku: Baku, folder: Path) -> None:
    talk(folder, count=3)
    talk(folder, count=2, conversation=CLUB)

    first, again = baku("memory", "index", "--all"), baku("memory", "index", "--all")

    assert first.code == again.code == 0
    assert [line for line in first.out.splitlines() if "findable" in line] == [
        f"Made findable in {HERE} 3 by words, 3 by meaning (hashing@1-512).",
        f"Made findable in {CLUB} 2 by words, 2 by meaning (hashing@1-512).",
    ]
    assert f"Made findable in {CLUB} 0 by words, 0 by meaning (hashing@1-512)." in again.out


def test_without_an_embedder_words_alone_are_indexed(baku: Baku, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_EMBEDDER", "none")
    talk(folder, count=3)

    assert baku("memory", "index").out == f"Made findable in {HERE} 3 by words, none by meaning (there is no embedder).\n"


def test_a_conversation_and_all_of_them_are_not_asked_for_at_once(baku: Baku) -> None:
    assert baku("memory", "index", str(HERE), "--all").err == "error: Name a conversation or say --all, not both.\n"


def test_where_nobody_spoke_there_is_nothing_to_do(baku: Baku) -> None:
    assert baku("memory", "index").out == "Nobody has said anything yet.\n"
    assert baku("memory", "regenerate").err == "error: Nobody has said anything yet. There is nothing to regenerate.\n"
