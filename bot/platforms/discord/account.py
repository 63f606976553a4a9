"""Who the bot is on Discord."""

from dataclasses import dataclass

import discord


@dataclass(frozen=True, slots=True)
class Account:
    """The bot's user, and its application, which owns the webhooks that personas speak through."""

    id: int
    application_id: int

    def wrote(self, message: discord.Message) -> bool:
        """Say whether the bot wrote a message: itself, or through a webhook of its own."""
        is_own_webhook = message.webhook_id is not None and message.application_id == self.application_id
        return message.author.id == self.id or is_own_webhook


def account_of(client: discord.Client) -> Account:
    """Return who a client is that has logged in."""
    assert client.user is not None, "it has logged in"
    return Account(client.user.id, client.application_id or client.user.id)
