"""A look at the bot's account for operators, without connecting: whose token it is, and what it may read."""

import asyncio
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.platforms.discord.rights import invite_link
from bot.platforms.discord.trouble import OUT_OF_REACH

API_BASE = "https://discord.com/api/v10"
READS_MESSAGES = discord.ApplicationFlags(gateway_message_content=True, gateway_message_content_limited=True)
"""The Message Content Intent, as bots in many servers and those in few have it."""
_REFUSED = 401


@dataclass(frozen=True, slots=True)
class Examined:
    """What Discord says of the bot."""

    name: str
    reads_messages: bool
    """The Message Content Intent is on."""
    invite_link: str


async def examine(token: str, *, api_base: str | None, seconds: float) -> Examined | str:
    """Return what Discord says, or in words why it says nothing; an empty text where it does not take the token."""
    address = f"{api_base or API_BASE}/oauth2/applications/@me"
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(headers={"Authorization": f"Bot {token}"}) as session,
            session.get(address, allow_redirects=False) as answer,
        ):
            if answer.status == _REFUSED:
                return ""
            if answer.status != 200:
                return f"Discord answers {answer.status}"
            return _examined(await answer.json())
    except (*OUT_OF_REACH, ValueError, LookupError, TypeError) as problem:
        return f"Discord cannot be reached ({type(problem).__name__})"


def _examined(application: Any) -> Examined:
    reads = bool(int(application["flags"]) & READS_MESSAGES.value)
    return Examined(str(application["name"]), reads, invite_link(int(application["id"])))
