"""What `/summary` says, in English."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from bot.commands.escape import shown
from bot.commands.paging import pieces
from bot.domain.past import Chunk, RollingSummary
from bot.domain.persona import Persona
from bot.memory.policy import RULES

REGENERATE_LABEL = "Write anew"
_LONGEST_LINE = 600
"""Characters of a summary's line, before people's markup in it is escaped; longer ones go on in the next line."""


# What there is


def summary_page(lines: Sequence[str], *, standing: str, page: int, pages: int) -> str:
    """Show a page of what a conversation has been about."""
    count = f" (page {page} of {pages})" if pages > 1 else ""
    more = f"`/summary show {page + 1}` shows more." if page < pages else ""
    heading = f"**What this conversation has been about**{count}"
    return "\n\n".join(part for part in (heading, "\n".join(lines), standing, more) if part)


def rolling_lines(summary: RollingSummary, zone: tzinfo) -> list[str]:
    """Show the rolling summary, in lines that pages can be made of."""
    lines = [f"> {shown(piece)}" for line in summary.text.splitlines() for piece in pieces(line.strip(), _LONGEST_LINE)]
    return [f"As of {_moment(summary.at, zone)}:", *lines]


def chunk_lines(chunk: Chunk, zone: tzinfo) -> list[str]:
    """Show one chunk: when it was, how long, and its summary."""
    first, *rest = pieces(" ".join(chunk.summary.split()), _LONGEST_LINE) or [""]
    messages = f"{chunk.messages} messages" if chunk.messages != 1 else "1 message"
    return [f"- **{span(chunk, zone)}** ({messages}): {shown(first)}", *(f"  {shown(piece)}" for piece in rest)]


def span(chunk: Chunk, zone: tzinfo) -> str:
    """Return when a chunk began and ended; the second day only where it is another one."""
    began, ended = chunk.began_at.astimezone(zone), chunk.ended_at.astimezone(zone)
    same_day = began.date() == ended.date()
    return f"{began:%Y-%m-%d %H:%M} – {ended:%H:%M}" if same_day else f"{began:%Y-%m-%d %H:%M} – {ended:%Y-%m-%d %H:%M}"


def standing(done: int, planned: int) -> str:
    """Say how many summaries there are, and how many are still to come."""
    waiting = f"; {planned} more {'waits' if planned == 1 else 'wait'} to be written" if planned else ""
    return f"{done} {'summary' if done == 1 else 'summaries'} of what was said{waiting}."


def parked(count: int, spans: Sequence[str]) -> str:
    """Say what was given up, and what to do about it."""
    more = f" and {count - len(spans)} more" if count > len(spans) else ""
    return f"After three failures I gave up on {', '.join(spans)}{more}; `/summary regenerate` tries again."


def rolling_failed(failures: int) -> str:
    """Tell that the summary of the whole conversation is not written at present."""
    return f"The summary of the whole conversation has failed {failures} times in a row; it is tried again after the next answer."


def unfinished(done: int, total: int) -> str:
    """Tell that writing anew was broken off, or goes on in another process."""
    return f"A new version is not complete yet ({done} of {total} so far); `/summary regenerate` goes on with it."


def no_such_page(pages: int) -> str:
    """Refuse a page behind the last one."""
    return f"There {'is 1 page' if pages == 1 else f'are {pages} pages'}. `/summary show` begins with the first."


def nothing_yet(persona: Persona) -> str:
    """Answer when nothing is summarised yet."""
    enough = f"{persona.memory.chunk_messages + persona.memory.chunk_lookback} messages"
    return f"Nothing is summarised here yet. {shown(persona.name)} begins by itself when there are about {enough}. Just go on talking."


def needs_model(persona: Persona) -> str:
    """Answer where no model can summarise."""
    return (
        f"{shown(persona.name)} speaks with the offline model, which cannot summarise. "
        "Whoever runs me can set OPENAI_API_KEY or OPENAI_BASE_URL; `baku doctor` shows what is set."
    )


def past_is_off(persona: Persona) -> str:
    """Answer where the past is switched off."""
    return f"{shown(persona.name)} does not summarise what was said here. Admins switch it on with `/memory policy past on`."


# Writing anew


def ask_to_regenerate(*, goes_on: bool) -> str:
    """Ask before everything is summarised anew."""
    how = "go on reading this conversation again" if goes_on else "read this whole conversation again"
    return f"Shall I {how} and write all summaries anew? It costs about as many tokens as it has; the old ones stay until it is done."


def begun() -> str:
    """Say that it has begun."""
    return "I am reading everything again and write here when it is done. `/summary regenerate` tells how far I am."


def progress(done: int, total: int) -> str:
    """Say how far writing anew has come, in questions to the model."""
    if not total:
        return "I am at it, and still looking what there is to read. Ask again in a moment."
    return f"I am at it: {done} of about {total} steps are done ({100 * done // total} %). The old summaries are shown until then."


def wrong_size(given: int) -> str:
    """Refuse a size that no chunk may have."""
    return f"{given} is no size of a chunk: it is {RULES['chunk_tokens'].allowed} (tokens)."


def nothing_to_read() -> str:
    """Answer when nobody has said anything."""
    return "Nobody has said anything here yet, so there is nothing to summarise."


def _moment(at: datetime, zone: tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}"
