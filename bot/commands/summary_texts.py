"""What `/summary` says."""

from collections.abc import Sequence
from datetime import tzinfo

from bot.commands.escape import shown
from bot.commands.paging import pieces
from bot.commands.texts import local_moment
from bot.domain.past import Chunk, RollingSummary
from bot.domain.persona import Persona
from bot.memory.policy import RULES
from bot.wording.lists import listed
from bot.wording.say import figure, later, say, say_count

REGENERATE_LABEL = later("Write anew")
_LONGEST_LINE = 600
"""Characters of a summary's line, before people's markup in it is escaped; longer ones go on in the next line."""


# What there is


def summary_page(lines: Sequence[str], note: str, *, standing: str) -> str:
    """Show a page of what a conversation has been about."""
    heading = f"**{say('What this conversation has been about')}**{note}"
    return "\n\n".join(part for part in (heading, "\n".join(lines), standing) if part)


def rolling_lines(summary: RollingSummary, zone: tzinfo) -> list[str]:
    """Show the rolling summary, in lines that pages can be made of."""
    lines = [f"> {shown(piece)}" for line in summary.text.splitlines() for piece in pieces(line.strip(), _LONGEST_LINE)]
    return [say("As of {moment}:", moment=local_moment(summary.at, zone)), *lines]


def chunk_lines(chunk: Chunk, zone: tzinfo) -> list[str]:
    """Show one chunk: when it was, how long, and its summary."""
    first, *rest = pieces(" ".join(chunk.summary.split()), _LONGEST_LINE) or [""]
    messages = say_count(chunk.messages, "{number} message", "{number} messages")
    return [f"- **{span(chunk, zone)}** ({messages}): {shown(first)}", *(f"  {shown(piece)}" for piece in rest)]


def span(chunk: Chunk, zone: tzinfo) -> str:
    """Return when a chunk began and ended; the second day only where it is another one."""
    began, ended = chunk.began_at.astimezone(zone), chunk.ended_at.astimezone(zone)
    same_day = began.date() == ended.date()
    return f"{began:%Y-%m-%d %H:%M} – {ended:%H:%M}" if same_day else f"{began:%Y-%m-%d %H:%M} – {ended:%Y-%m-%d %H:%M}"


def standing(done: int, planned: int) -> str:
    """Say how many summaries there are, and how many are still to come."""
    line = say_count(done, "{number} summary of what was said", "{number} summaries of what was said")
    waiting = say_count(planned, "{number} more waits to be written", "{number} more wait to be written")
    return say("{done}; {waiting}.", done=line, waiting=waiting) if planned else say("{done}.", done=line)


def parked(count: int, spans: Sequence[str]) -> str:
    """Say what was given up, and what to do about it."""
    if count > len(spans):
        return say(
            "After three failures I gave up on {spans} and {more} more; `/summary regenerate` tries again.",
            spans=listed(spans),
            more=count - len(spans),
        )
    return say("After three failures I gave up on {spans}; `/summary regenerate` tries again.", spans=listed(spans))


def rolling_failed(failures: int) -> str:
    """Tell that the summary of the whole conversation is not written at present."""
    return say(
        "The summary of the whole conversation has failed {failures} times in a row; it is tried again after the next answer.",
        failures=failures,
    )


def unfinished(done: int, total: int) -> str:
    """Tell that writing anew was broken off, or goes on in another process."""
    return say(
        "A new version is not complete yet ({done} of {total} so far); `/summary regenerate` goes on with it.", done=done, total=total
    )


def no_such_page(pages: int) -> str:
    """Refuse a page behind the last one."""
    return say_count(
        pages,
        "There is {number} page. `/summary show` begins with the first.",
        "There are {number} pages. `/summary show` begins with the first.",
    )


def nothing_yet(persona: Persona) -> str:
    """Answer when nothing is summarised yet."""
    return say(
        "Nothing is summarised here yet. {name} begins by itself when there are about {enough} messages. Just go on talking.",
        name=shown(persona.name),
        enough=figure(persona.memory.chunk_messages + persona.memory.chunk_lookback),
    )


def needs_model(persona: Persona) -> str:
    """Answer where no model can summarise."""
    return say(
        "{name} speaks with the offline model, which cannot summarise. Whoever runs me can set OPENAI_API_KEY or "
        "OPENAI_BASE_URL; `baku doctor` shows what is set.",
        name=shown(persona.name),
    )


def past_is_off(persona: Persona) -> str:
    """Answer where the past is switched off."""
    return say("{name} does not summarise what was said here. Admins switch it on with `/memory policy past on`.", name=shown(persona.name))


# Writing anew


def ask_to_regenerate(*, goes_on: bool) -> str:
    """Ask before everything is summarised anew."""
    if goes_on:
        return say(
            "Shall I go on reading this conversation again and write all summaries anew? It costs about as many tokens as it has; "
            "the old ones stay until it is done."
        )
    return say(
        "Shall I read this whole conversation again and write all summaries anew? It costs about as many tokens as it has; "
        "the old ones stay until it is done."
    )


def begun() -> str:
    """Say that it has begun."""
    return say("I am reading everything again and write here when it is done. `/summary regenerate` tells how far I am.")


def progress(done: int, total: int) -> str:
    """Say how far writing anew has come, in questions to the model."""
    if not total:
        return say("I am at it, and still looking what there is to read. Ask again in a moment.")
    return say(
        "I am at it: {done} of about {total} steps are done ({percent} %). The old summaries are shown until then.",
        done=done,
        total=total,
        percent=100 * done // total,
    )


def wrong_size(given: int) -> str:
    """Refuse a size that no chunk may have."""
    return say("{given} is no size of a chunk: it is {allowed} (tokens).", given=given, allowed=RULES["chunk_tokens"].allowed)


def nothing_to_read() -> str:
    """Answer when nobody has said anything."""
    return say("Nobody has said anything here yet, so there is nothing to summarise.")
