"""Whole conversations through pipes: lines in, replies out."""

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.emulators.openai.answers import Say, Silence
from tests.emulators.openai.server import OpenAIEmulator
from tests.scenario.console_stage import PATIENCE, piped, started

GREETING = "Oh, a visitor."


async def test_what_was_told_in_one_run_is_known_in_the_next(tmp_path: Path) -> None:
    told = await piped(tmp_path, "My cat is called Mochi.\n")
    asked = await piped(tmp_path, "What is my cat called?\n")

    assert (told.code, told.err, asked.code, asked.err) == (0, "", 0, "")
    assert told.out.startswith(GREETING)
    assert "Mochi" in asked.out
    assert GREETING not in asked.out


async def test_each_line_gets_its_reply_before_the_next_is_read(tmp_path: Path) -> None:
    async with OpenAIEmulator() as model:
        done = await piped(tmp_path, "one\n\ntwo\nthree", OPENAI_BASE_URL=model.base_url)

        assert done.out.splitlines()[1:] == ["You said: one", "You said: two", "You said: three"]
        assert [request.messages[-1]["content"] for request in model.requests] == ["one", "two", "three"]


async def test_the_conversation_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with OpenAIEmulator() as model:
        await piped(tmp_path, "I like tea\n", OPENAI_BASE_URL=model.base_url)
        await piped(tmp_path, "and jam\n", OPENAI_BASE_URL=model.base_url)

        assert "You said: I like tea" in model.requests[1].text


async def test_another_session_is_another_conversation(tmp_path: Path) -> None:
    async with OpenAIEmulator() as model:
        await piped(tmp_path, "I like tea\n", OPENAI_BASE_URL=model.base_url)
        other = await piped(tmp_path, "hello\n", "--session", "other", OPENAI_BASE_URL=model.base_url)

        assert other.out.startswith(GREETING)
        assert "You said: I like tea" not in model.requests[1].text


async def test_the_persona_that_was_asked_for_stays(tmp_path: Path) -> None:
    async with OpenAIEmulator() as model:
        first = await piped(tmp_path, "hi\n", "--persona", "marlow", OPENAI_BASE_URL=model.base_url)
        await piped(tmp_path, "hi again\n", OPENAI_BASE_URL=model.base_url)

        assert GREETING not in first.out
        assert all("Marlow" in request.text for request in model.requests)


async def test_of_two_personas_in_one_conversation_the_one_that_is_called_answers_under_its_name(tmp_path: Path) -> None:
    async with OpenAIEmulator() as model:
        done = await piped(tmp_path, "/persona invite marlow here no\nMarlow, hello\nhello\n", OPENAI_BASE_URL=model.base_url)

        names = [line for line in done.out.splitlines() if line.startswith("**")]
        assert names[-2:] == ["**Marlow**", "**Baku**"]


async def test_a_persona_that_is_not_there_is_explained(tmp_path: Path) -> None:
    refused = await piped(tmp_path, "hi\n", "--persona", "nobody")

    assert refused.code == 1
    assert refused.err.startswith("error: There is no persona 'nobody'; choose one of: baku")
    assert "Traceback" not in refused.err


async def test_a_memory_is_forgotten_after_the_next_line_says_yes(tmp_path: Path) -> None:
    done = await piped(tmp_path, "My cat is called Mochi.\n/memory forget 1\ny\n/memory list\n")

    assert "[y/N]" in done.out
    assert "Mochi" not in done.out.rpartition("[y/N]")[2]


async def test_a_reply_that_nobody_read_is_said_at_the_next_start(tmp_path: Path) -> None:
    async with OpenAIEmulator(Say("Unheard.")) as model:
        model.seconds_before_answer = 0.3
        process = await started(tmp_path, OPENAI_BASE_URL=model.base_url)
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdout.readline()
        process.stdin.write(b"hi\n")
        process.stdout._transport.close()  # type: ignore[attr-defined] # there is no public way to hang up on one pipe
        process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            code = await process.wait()
        again = await piped(tmp_path, "", OPENAI_BASE_URL=model.base_url)

    assert code == 0
    assert again.out.splitlines() == ["Unheard."]


async def test_a_request_to_stop_ends_it_at_once(tmp_path: Path) -> None:
    async with OpenAIEmulator(Silence()) as model:
        process = await started(tmp_path, OPENAI_BASE_URL=model.base_url)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"hi\n")
        await model.wait_for_requests(1)
        before = time.monotonic()

        process.send_signal(signal.SIGTERM)
        code = await process.wait()

        assert code == 0
        assert time.monotonic() - before < 3
        assert await process.stderr.read() == b""


async def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    process = await started(tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    await process.stdout.readline()

    process.send_signal(signal.SIGINT)

    assert await process.wait() == 130
    assert await process.stderr.read() == b""


@pytest.mark.usefixtures("sqlite_url")
async def test_a_damaged_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "baku.db").write_bytes(b"no database" * 1000)

    refused = await piped(tmp_path, "hi\n")

    assert refused.code == 1
    assert refused.err.startswith("error: ")
    assert "damaged" in refused.err
    assert "Traceback" not in refused.err
