"""Whole conversations on a real terminal."""

import signal
import time
from pathlib import Path

import pytest

from tests.emulators.openai.answers import Say, Silence
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
        await screen.shows(PROMPT)
        screen.type(CTRL_D)

        assert await screen.ends() == 0
