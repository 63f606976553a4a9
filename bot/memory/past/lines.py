"""Messages as the background's model reads them: a line each, with its speaker, as data."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, unescape

from bot.domain.message import Role, StoredMessage
from bot.domain.naming import named, shown_name
from bot.domain.text import one_line
from bot.ports.tokens import TokenCounter

QUOTE_LIMIT = 300
CUT = " [… cut: the message is longer than fits here]"


def line_of(message: StoredMessage) -> str:
    """Return a message with its speaker: `Ana (id 123): hello`; a persona's own under its name alone, which no person's line has.

    Further lines of a message are indented, so that nobody can forge the line of somebody else.
    """
    who = shown_name(message.author) if is_own(message) else named(message.author)
    return f"{who}: " + "\n  ".join((_quoted(message) + message.text).splitlines())


def is_own(message: StoredMessage) -> bool:
    """Say whether a persona said it."""
    return message.role is Role.ASSISTANT


def lines_of(messages: Iterable[StoredMessage], *, most_tokens: int, tokens: TokenCounter) -> str:
    """Return messages as escaped lines; one that is longer than `most_tokens` is cut, with a visible mark."""
    return "\n".join(escape(cut(line_of(message), most_tokens, tokens)) for message in messages)


def plain(answer: str) -> str:
    """Return what a model wrote after reading escaped text, without the escapes that it took over."""
    return unescape(answer).strip()


def cut(text: str, limit: int, tokens: TokenCounter) -> str:
    """Return a text that takes `limit` tokens at most, cut with a visible mark when it is longer."""
    size = tokens.count(text)
    if size <= limit:
        return text
    room = max(limit - tokens.count(CUT), 1)
    kept = text
    while size > room and len(kept) > 1:
        kept = kept[: max(int(len(kept) * room / size * 0.98), 1)]
        size = tokens.count(kept)
    return kept.rstrip() + CUT


def _quoted(message: StoredMessage) -> str:
    if message.quote is None:
        return ""
    return f"[in reply to {named(message.quote.author)}: {one_line(message.quote.text, QUOTE_LIMIT)}]\n"
