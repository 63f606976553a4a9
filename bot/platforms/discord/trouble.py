"""What goes wrong with a connection, and what to tell the operator."""

import traceback
import zlib
from collections.abc import Iterator

import aiohttp
import discord

from bot.errors import LoginRefused

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, zlib.error)
"""What discord.py raises for an event that it cannot parse. It ends the connection, so a new one is made."""

OUT_OF_REACH = (aiohttp.ClientError, OSError, RuntimeError)
"""What is raised when Discord does not answer. A timeout is an OSError; a RuntimeError says that the session is closed."""

PASSING = (discord.DiscordException, *OUT_OF_REACH, *UNREADABLE)
"""What may be over at the next try."""

_MISSING_PERMISSIONS = 50013
_BAD_TOKEN_CODE = 4004
_NOT_ALLOWED_CODE = 4014
_BAD_INTENTS_CODES = (4013, _NOT_ALLOWED_CODE)

BAD_TOKEN = "Discord does not take the token. Copy a new one from the Bot page of discord.com/developers into DISCORD_TOKEN."  # noqa: S105  # an advice, no secret
NO_CONTENT_INTENT = (
    "Discord does not let this bot read messages: it hears only direct chats, mentions, and replies that ping it."
    " Switch on “Message Content Intent” on the Bot page of discord.com/developers, then start the bot again."
)
BAD_INTENTS = "Discord does not take what this bot asks to hear of. Update Baku."


def login_problem(problem: BaseException) -> LoginRefused | None:
    """Return the refusal that no new try will change, or None when one may."""
    match problem:
        case discord.LoginFailure():
            return LoginRefused(BAD_TOKEN)
        case discord.PrivilegedIntentsRequired():
            return LoginRefused(BAD_INTENTS)
        case discord.ConnectionClosed() if problem.code == _BAD_TOKEN_CODE:
            return LoginRefused(BAD_TOKEN)
        case discord.ConnectionClosed() if problem.code in _BAD_INTENTS_CODES:
            return LoginRefused(BAD_INTENTS)
        case _:
            return None


def lacks_a_right(problem: BaseException | None) -> bool:
    """Say whether Discord refuses something because the bot's roles do not allow it."""
    return isinstance(problem, discord.Forbidden) and problem.code == _MISSING_PERMISSIONS


def lacks_content_intent(problem: BaseException) -> bool:
    """Say whether Discord refuses to tell what is said: everything else works without."""
    is_closed = isinstance(problem, discord.ConnectionClosed) and problem.code == _NOT_ALLOWED_CODE
    return is_closed or isinstance(problem, discord.PrivilegedIntentsRequired)


def trace_of(error: BaseException | None) -> str:
    """Return where an error came from, without its text or values: those may hold a token or what people wrote."""
    return "".join(line for link in _chain(error) for line in (*traceback.format_tb(link.__traceback__), f"{type(link).__name__}\n"))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error after what led to it."""
    if error is None:
        return
    yield from _chain(error.__cause__ or error.__context__)
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _chain(inner)
    yield error
