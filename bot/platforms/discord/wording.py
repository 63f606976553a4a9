"""Words for what a message shows beside its text: cards, previews of links, polls, layouts, titles of threads; pure, and bounded."""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

import discord

from bot.domain.text import one_line

LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 300
MOST_PREVIEWS = 5
LONGEST_CARD = 4000
"""Characters of another bot's cards and layouts together."""
DEEPEST = 4
"""How far layouts are followed into one another."""
NOT_AVAILABLE = "[message not available]"

_POLL_RESULT = "poll_result"


def previews(embeds: Iterable[discord.Embed]) -> Iterator[str]:
    """Yield a line for each link whose preview says something."""
    for embed in list(embeds)[:MOST_PREVIEWS]:
        title = one_line(embed.title or embed.author.name or "", LONGEST_TITLE)
        description = one_line(embed.description or "", LONGEST_DESCRIPTION)
        if words := " – ".join(filter(None, [title, description])):
            site = one_line(embed.provider.name or _host(embed.url), LONGEST_TITLE)
            yield f"[link preview: {words}{f' ({site})' if site else ''}]"


def cards(embeds: Iterable[discord.Embed]) -> Iterator[str]:
    """Yield what the cards of a bot or webhook say, and previews of links that it wrote."""
    for embed in embeds:
        if embed.type == "rich":
            fields = (f"{field.name}: {field.value}" for field in embed.fields)
            yield from filter(None, [embed.author.name, embed.title, embed.description, *fields])
        else:
            yield from previews([embed])


def layout(parts: Iterable[object], depth: int = 0) -> Iterator[str]:
    """Yield the texts of a message that is laid out of components."""
    if depth > DEEPEST:
        return
    for part in parts:
        match part:
            case discord.TextDisplay():
                yield part.content
            case discord.SectionComponent() | discord.Container():
                yield from layout(part.children, depth + 1)
            case discord.MediaGalleryComponent():
                yield from (
                    f"[picture{f': {one_line(item.description, LONGEST_TITLE)}' if item.description else ''}]" for item in part.items
                )
            case discord.FileComponent():
                yield f"[file: {one_line(part.name or 'without a name', LONGEST_TITLE)}]"
            case _:
                pass


def bounded(lines: Iterable[str]) -> str:
    """Return lines as one text that is not longer than a card may be."""
    text = "\n".join(lines)
    return text if len(text) <= LONGEST_CARD else text[: LONGEST_CARD - 1] + "…"


def poll_line(poll: discord.Poll) -> str:
    """Return what a poll asks, and what came of it when it has ended."""
    question = one_line(poll.question or "", LONGEST_DESCRIPTION)
    if not poll.is_finalised():
        return f"[poll: {question} – {', '.join(answer.text for answer in poll.answers)}]"
    return f"[poll ended: {question} – {', '.join(f'{answer.text} {answer.vote_count}' for answer in poll.answers)}]"


def poll_result_line(embeds: Sequence[discord.Embed]) -> str:
    """Return what Discord's own notice of a poll's end says; empty when it says nothing."""
    found = next((embed for embed in embeds if embed.type == _POLL_RESULT), None)
    if found is None:
        return ""
    told = {field.name: field.value or "" for field in found.fields}
    question = one_line(told.get("poll_question_text", ""), LONGEST_DESCRIPTION)
    winner = one_line(told.get("victor_answer_text", ""), LONGEST_TITLE)
    total = told.get("total_votes", "0")
    came = f"“{winner}” won with {told.get('victor_answer_votes', '?')} of {total} votes" if winner else f"no winner among {total} votes"
    return f"[poll ended: {question} – {came}]"


def title_line(thread: discord.Thread) -> str:
    """Return what a thread is called, and how a forum's post is tagged."""
    title = one_line(thread.name, LONGEST_TITLE)
    if not isinstance(thread.parent, discord.ForumChannel):
        return f"[began the thread “{title}”]"
    tags = ", ".join(one_line(tag.name, LONGEST_TITLE) for tag in thread.applied_tags)
    return f"[forum post “{title}”{f', tagged {tags}' if tags else ''}]"


def stickers(shown: Iterable[discord.StickerItem]) -> Iterator[str]:
    """Yield a line for each sticker."""
    return (f"[sticker: {one_line(sticker.name, LONGEST_TITLE)}]" for sticker in shown)


def _host(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:  # no address that can be read
        return ""
