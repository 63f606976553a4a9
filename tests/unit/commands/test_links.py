"""A message's address, where its platform gives one."""

import pytest

from bot.commands.links import message_link
from bot.domain.chat import CONSOLE, DISCORD, TELEGRAM, ConversationKey


@pytest.mark.parametrize(
    ("conversation", "link"),
    [
        pytest.param(ConversationKey(DISCORD, "1", "2"), "https://discord.com/channels/1/2/9", id="channel"),
        pytest.param(ConversationKey(DISCORD, "1", "2", "3"), "https://discord.com/channels/1/3/9", id="thread"),
        pytest.param(ConversationKey(DISCORD, "5", "5"), "https://discord.com/channels/@me/5/9", id="direct chat"),
        pytest.param(ConversationKey(TELEGRAM, "-10012", "-10012"), "https://t.me/c/12/9", id="supergroup"),
        pytest.param(ConversationKey(TELEGRAM, "-10012", "-10012", "4"), "https://t.me/c/12/4/9", id="topic"),
        pytest.param(ConversationKey(TELEGRAM, "-77", "-77"), "", id="plain group"),
        pytest.param(ConversationKey(TELEGRAM, "77", "77"), "", id="private chat"),
        pytest.param(ConversationKey(CONSOLE, "main", "main"), "", id="terminal"),
    ],
)
def test_a_message_is_linked_where_it_stands(conversation: ConversationKey, link: str) -> None:
    assert message_link(conversation, "9") == link


def test_a_message_that_is_not_sent_yet_has_no_address() -> None:
    assert message_link(ConversationKey(DISCORD, "1", "2"), "") == ""
