"""The picture in the README shows what happens."""

from pathlib import Path

from tests.docs.pages import Page
from tests.docs.picture import PICTURE, drawn


async def test_the_picture_shows_the_conversation_that_takes_place(tmp_path: Path) -> None:
    assert PICTURE.read_text(encoding="utf-8") == await drawn(tmp_path), "draw it anew: .venv/bin/python -m tests.docs.picture"


def test_the_picture_is_small_and_needs_nothing_from_elsewhere() -> None:
    picture = PICTURE.read_text(encoding="utf-8")

    assert len(picture) < 60_000
    assert "url(" not in picture.replace("url(#", "")
    assert "](docs/pictures/chat.svg)" in Page("README.md").text
