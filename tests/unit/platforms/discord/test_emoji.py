"""Emoji of a server, by name."""

import pytest

from bot.platforms.discord.emoji import with_server_emoji


class Emoji:
    """As discord.py has it, for what is asked here."""

    def __init__(self, name: str, number: int, *, available: bool = True) -> None:
        self.name, self.id, self.available = name, number, available

    def is_usable(self) -> bool:
        return self.available

    def __str__(self) -> str:
        return f"<:{self.name}:{self.id}>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("hi :tea: there", "hi <:tea:1> there"),
        ("hi <:tea:1>", "hi <:tea:1>"),
        ("hi <:tea:999> <a:unknown:7>", "hi <:tea:1> :unknown:"),
        ("`:tea:` and ```\n:tea:\n```", "`:tea:` and ```\n:tea:\n```"),
        ("at 12:30:45 :gone: :smile:", "at 12:30:45 :gone: :smile:"),
        ("https://x.example/:tea:", "https://x.example/:tea:"),
        (":tea:" + "x" * 1994, ":tea:" + "x" * 1994),
    ],
)
def test_emoji_that_may_be_used_are_shown_and_no_number_leaks(text: str, shown: str) -> None:
    emoji = [Emoji("tea", 1), Emoji("gone", 2, available=False)]

    assert with_server_emoji(text, emoji) == shown
