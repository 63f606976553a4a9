"""The pictures of chats on Discord show what happens there."""

from html import unescape

import pytest

from tests.docs.chat_drawing import drawing
from tests.docs.chats import drawn, picture
from tests.docs.pages import Page
from tests.docs.shots import SESSIONS, Shot


@pytest.mark.parametrize("name", SESSIONS)
async def test_a_picture_shows_the_chat_that_takes_place(name: str) -> None:
    assert picture(name).read_text(encoding="utf-8") == await drawn(name), "draw it anew: .venv/bin/python -m tests.docs.chats"


@pytest.mark.parametrize(("name", "page"), [("discord-chat", "README.md"), ("discord-setup", "docs/operations.md")])
def test_a_picture_is_small_needs_nothing_from_elsewhere_and_is_shown(name: str, page: str) -> None:
    text = picture(name).read_text(encoding="utf-8")

    assert len(text) < 60_000
    assert "href" not in text
    assert f"pictures/{name}.svg)" in Page(page).text


def test_what_people_write_is_drawn_as_text() -> None:
    made = drawing("# tea", [Shot("Ada", "3 May, 10:00", "<b>**1 < 2** & `x`", is_bot=True, buttons=((("Yes & no", True),),))], "<data>")

    assert "<b>" not in made
    assert {text in unescape(made) for text in ("<b>", "1 < 2", ">x<", "Yes & no")} == {True}
