"""A look at the bot's account for operators, without connecting: whose token it is, and what it may hear."""

import asyncio

from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from bot.platforms.telegram.request import UNREADABLE, Calls
from bot.platforms.telegram.rights import Introduction, introduction

API_BASE = "https://api.telegram.org"


async def examine(token: str, *, api_base: str | None, seconds: float) -> Introduction | str:
    """Return what Telegram says, or in words why it says nothing; an empty text where it does not take the token."""
    bot = Bot(token, base_url=f"{(api_base or API_BASE).rstrip('/')}/bot", request=Calls())
    try:
        async with asyncio.timeout(seconds):
            await bot.initialize()
            return introduction(bot.bot)
    except InvalidToken:
        return ""
    except (TelegramError, TimeoutError, *UNREADABLE) as problem:
        return f"Telegram cannot be reached ({type(problem).__name__})"
    finally:
        await bot.shutdown()
