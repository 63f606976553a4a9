"""Which conversation an operator means."""

from collections.abc import Iterable, Sequence

from bot.domain.chat import CONSOLE, DISCORD, TELEGRAM, ConversationKey, parse_key
from bot.domain.nearest import nearest
from bot.domain.text import storable
from bot.errors import ConfigError
from bot.ports.store import Store

MOST_KNOWN = 10_000
"""Conversations of a platform that are looked at, those that were heard last."""
MOST_LISTED = 10
NOBODY_SPOKE = "Nobody has said anything yet."


async def known_conversations(store: Store, *, platforms: Iterable[str] = ()) -> Sequence[ConversationKey]:
    """Return the conversations in which somebody has said something: those of each platform together, the newest first."""
    async with store.read() as tx:
        return [
            message.conversation
            for platform in dict.fromkeys([CONSOLE, DISCORD, TELEGRAM, *platforms])
            for message in await tx.messages.last_heard(platform, limit=MOST_KNOWN)
        ]


async def meant_conversation(store: Store, typed: str) -> ConversationKey | None:
    """Return the conversation that was typed; without a word the only one there is, None when there is none at all.

    Raises ConfigError, with what could have been meant, when nobody has said anything in it, or when there are several.
    """
    typed = storable(typed)
    key = _key(typed) if typed else None
    known = await known_conversations(store, platforms=[key.platform] if key else ())
    if key in known:
        return key
    if typed:
        raise ConfigError(_unknown(typed, [str(each) for each in known]))
    if len(known) > 1:
        raise ConfigError(f"There are {len(known)} conversations; say which one:\n{_listed(map(str, known[:MOST_LISTED]))}{_more(known)}")
    return known[0] if known else None


def _key(typed: str) -> ConversationKey | None:
    """Return the key that was typed, with or without the colon before an empty thread."""
    for text in (typed, f"{typed}:"):
        try:
            return parse_key(text)
        except ValueError:
            continue
    return None


def _unknown(typed: str, known: Sequence[str]) -> str:
    if not known:
        return f"There is no conversation {typed!r}. {NOBODY_SPOKE}"
    near = nearest(typed, known)
    if near:
        return f"There is no conversation {typed!r}. Did you mean {near}?"
    return f"There is no conversation {typed!r}; it is written as platform:space:channel:thread. There are:\n" + (
        f"{_listed(known[:MOST_LISTED])}{_more(known)}"
    )


def _listed(keys: Iterable[str]) -> str:
    return "\n".join(f"  {key}" for key in keys)


def _more(known: Sequence[object]) -> str:
    return f"\n  … and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
