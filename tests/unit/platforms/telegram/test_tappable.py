import pytest

from bot.domain.command import Answer, Command, CommandCall
from bot.domain.message import StyleKind
from bot.platforms.telegram.render import render
from bot.platforms.telegram.split import split
from bot.platforms.telegram.tappable import tappable, tappable_names


async def nothing(call: CommandCall) -> Answer:
    return Answer("")


NAMES = tappable_names([Command(path, "", nothing) for path in (("memory", "list"), ("memory", "add"), ("help",), ("記憶",))])


@pytest.mark.parametrize(
    ("markdown", "text", "code"),
    [
        ("See `/memory list`, **then** `/help`.", "See /memory_list, then /help.", 0),
        ("😀 `/memory add <text>` and `/memory`", "😀 /memory_add <text> and /memory", 0),
        pytest.param("`/memory add I like tea`", "/memory add I like tea", 1, id="values are for copying"),
        pytest.param("`/dance now` and `memory list`", "/dance now and memory list", 2, id="no command"),
        pytest.param("`/help`で `/記憶`", "/helpで /記憶", 2, id="Telegram would not link it"),
    ],
)
def test_commands_in_code_letters_can_be_tapped(markdown: str, text: str, code: int) -> None:
    (part,) = split(render(markdown))

    linked = tappable(part, NAMES)

    assert linked.text == text
    assert [span.kind for span in linked.spans].count(StyleKind.CODE) == code
    assert [span for span in linked.spans if span.kind is not StyleKind.CODE] == [
        span for span in part.spans if span.kind is not StyleKind.CODE
    ]
