"""The picture in the README, drawn from a conversation that takes place: `python -m tests.docs.picture` draws it anew."""

import asyncio
import io
import re
import tempfile
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.markdown import Markdown
from rich.terminal_theme import MONOKAI
from rich.text import Text
from typing_extensions import override

from bot.app.build import chat_app
from bot.config.settings import Settings
from bot.conversation.host import ConversationHost
from bot.domain.chat import CONSOLE_PERSON_ID, console_conversation
from bot.domain.message import Person
from bot.platforms.console.adapter import ConsolePlatform
from bot.platforms.console.completion import Completion
from bot.platforms.console.terminal import Terminal
from bot.ports.clock import Clock
from tests.docs.pages import ROOT

PICTURE = ROOT / "docs" / "pictures" / "chat.svg"
SESSIONS = (
    ("My cat is called Mochi.", "On Sundays I play the cello in a very small orchestra.", "/memory list", "/quit"),
    ("What is my cat called?", "Actually my cat is called Momo.", "What's my cat's name?", "/quit"),
)
_WIDTH = 92
_FONTS_FROM_ELSEWHERE = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_A_DAY = re.compile(r"\b\d{1,2} [A-Z][a-z]+(?=:)")
_A_DATE = re.compile(r"\d{4}-\d\d-\d\d")
T = TypeVar("T")


class Camera(Terminal):
    """Types what it was given and records what is shown, every day as the same day."""

    def __init__(self, paper: Console, typed: Sequence[str]) -> None:
        self._paper = paper
        self._typed = iter(typed)
        self._name, self._line = "", ""

    @property
    @override
    def interactive(self) -> bool:
        return True

    @override
    @contextmanager
    def opened(self, completion: Completion) -> Iterator[None]:
        yield

    @override
    async def read(self, question: str = "") -> str | None:
        line = next(self._typed, None)
        if line is not None:
            self._paper.print(Text.assemble(("You: ", "bold"), line))
        return line

    @override
    async def attend(self, work: Awaitable[T]) -> T | None:
        return await work

    @override
    def write(self, text: str) -> None:
        *ended, self._line = (self._line + text).split("\n")
        for line in ended:
            self._paper.print(Text.assemble((self._name, "bold cyan"), _A_DAY.sub("3 May", line)))
            self._name = ""

    @override
    def write_name(self, name: str) -> None:
        self._name = f"{name}: "

    @override
    def write_hint(self, text: str) -> None:
        self._paper.print(Text(text, style="dim"))

    @override
    def write_markdown(self, text: str) -> None:
        self._paper.print(Markdown(_A_DATE.sub("2026-05-03", text), hyperlinks=False))


async def drawn(folder: Path) -> str:
    """Return the picture of the conversation, which keeps its data in a folder."""
    paper = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    for number, typed in enumerate(SESSIONS):
        paper.print(Text.assemble("\n" if number else "", ("$ ", "dim"), "make chat"))
        await _talk(folder, Camera(paper, typed))
    svg = _FONTS_FROM_ELSEWHERE.sub("", paper.export_svg(title="Baku", theme=MONOKAI, unique_id="chat"))
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines() if line.strip())


async def _talk(folder: Path, camera: Camera) -> None:
    settings = Settings(
        openai_api_key=None,
        openai_base_url=None,
        db=str(folder / "baku.db"),
        personas=ROOT / "personas",
        default_persona="baku",
        plugins=folder / "plugins",
        spacy_model="none",
    )

    def console(host: ConversationHost, clock: Clock) -> ConsolePlatform:
        return ConsolePlatform(camera, host, clock, user=Person(CONSOLE_PERSON_ID, "you"))

    async with chat_app(settings, console, console_conversation()) as app:
        await app.run()


def main() -> None:
    """Draw the picture anew."""
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(asyncio.run(drawn(Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
