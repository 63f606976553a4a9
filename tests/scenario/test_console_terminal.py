"""Whole conversations on a real terminal."""

import signal
import time
from pathlib import Path

import pytest

from tests.emulators.openai.answers import Say, Silence, refusal
from tests.emulators.openai.server import OpenAIEmulator
from tests.scenario.console_stage import on_a_terminal

ENTER, CTRL_C, CTRL_D, TAB = "\r", "\x03", "\x04", "\t"
PROMPT = "You:"


async def test_a_reply_is_streamed_behind_the_name_of_the_persona(tmp_path: Path) -> None:
    async with (
        OpenAIEmulator(Say("Good evening to you.", size=2)) as model,
        on_a_terminal(tmp_path, OPENAI_BASE_URL=model.base_url) as screen,
    ):
        await screen.shows("Baku: Oh, a visitor.")
        await screen.shows(PROMPT)
        screen.type(f"hello{ENTER}")
        await screen.shows("Baku: Good evening to you.")
        await screen.shows(PROMPT)
        screen.type(CTRL_D)

        assert await screen.ends() == 0


@pytest.mark.parametrize("leaving", [pytest.param(CTRL_C, id="Ctrl-C"), pytest.param(CTRL_D, id="Ctrl-D"), f"/quit{ENTER}"])
async def test_leaving_at_the_prompt_is_clean(tmp_path: Path, leaving: str) -> None:
    async with on_a_terminal(tmp_path) as screen:
        await screen.shows(PROMPT)
        screen.type(leaving)

        assert await screen.ends() == 0
        assert "Traceback" not in screen.text


async def test_ctrl_c_during_a_reply_returns_to_the_prompt(tmp_path: Path) -> None:
    async with OpenAIEmulator(Silence()) as model, on_a_terminal(tmp_path, OPENAI_BASE_URL=model.base_url) as screen:
        await screen.shows(PROMPT)
        screen.type(f"hello{ENTER}")
        await model.wait_for_requests(1)
        await screen.shows("Baku: ")
        screen.type(CTRL_C)
        await screen.shows(PROMPT)
        before = time.monotonic()
        screen.type(CTRL_C)

        assert await screen.ends() == 0
        assert time.monotonic() - before < 3
        assert "Traceback" not in screen.text


async def test_a_request_to_stop_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    async with on_a_terminal(tmp_path) as screen:
        await screen.shows(PROMPT)
        screen.interrupt(signal.SIGTERM)

        assert await screen.ends() == 0
        assert "Traceback" not in screen.text


async def test_commands_are_completed(tmp_path: Path) -> None:
    async with on_a_terminal(tmp_path) as screen:
        await screen.shows(PROMPT)
        screen.type("/memory l")
        await screen.shows("/memory list")
        screen.type(f"{TAB}{ENTER}")
        await screen.shows("remembers nothing")
        await screen.shows(PROMPT)
        screen.type(CTRL_D)

        assert await screen.ends() == 0


async def test_what_the_log_says_follows_the_answer_in_plain_words(tmp_path: Path) -> None:
    async with (
        OpenAIEmulator(refusal(401, "Incorrect API key provided.")) as model,
        on_a_terminal(tmp_path, OPENAI_BASE_URL=model.base_url) as screen,
    ):
        await screen.shows(PROMPT)
        screen.type(f"hello{ENTER}")
        await screen.shows("Baku: I can")
        await screen.shows("error: ")
        await screen.shows(PROMPT)
        screen.type(CTRL_D)

        assert await screen.ends() == 0
        assert "[error" not in screen.text


async def test_who_says_hello_is_not_greeted_twice(tmp_path: Path) -> None:
    async with on_a_terminal(tmp_path) as screen:
        await screen.shows("Baku: Oh, a visitor.")
        await screen.shows(PROMPT)
        screen.type(f"hello{ENTER}")
        await screen.shows("Baku: Hello!")
        await screen.shows(PROMPT)
        screen.type(CTRL_D)

        assert await screen.ends() == 0
        assert screen.text.count("Oh, a visitor.") == 1
        assert screen.text.count("offline model") == 1
