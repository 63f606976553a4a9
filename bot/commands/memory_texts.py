"""What `/memory` says, in English."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.memory import Level, Memory, RecallNote
from bot.domain.text import one_line

LEVEL_NAMES = {Level.WORKING: "working", Level.DEEP: "deep", Level.ARCHIVE: "archived"}
_BAR = 5
"""Segments of an importance."""
_BEGINNING = 90
"""Characters of a text that is only to be recognised."""


def nobodys_memory() -> str:
    """Answer somebody who writes as nobody in particular."""
    return (
        "You are writing anonymously or as a channel: many people may share that name, so no memories are kept for it. Write as yourself."
    )


def memory_is_off(name: str) -> str:
    """Refuse to store for a persona that does not remember."""
    return f"{shown(name)}'s memory is switched off, so nothing is stored. `/persona list` shows who else could speak here."


def unused_memory(name: str) -> str:
    """Warn above memories that a persona holds but does not use."""
    return f"{shown(name)}'s memory is switched off: it uses none of these.\n\n"


def no_memories(name: str, *, enabled: bool) -> str:
    """Answer a list with nothing in it."""
    if not enabled:
        return f"{shown(name)}'s memory is switched off, and nothing is stored about you here."
    return f"{shown(name)} remembers nothing about you here yet. Tell it something, or type `/memory add I like tea`."


def no_more_memories(after: int) -> str:
    """Answer a page behind the last one."""
    return f"There is nothing after #{after}. `/memory list` starts from the beginning."


def memory_list(name: str, lines: Iterable[str], *, example: int, more_after: int | None) -> str:
    """List memories, with what can be done about them."""
    more = f"`/memory list after:{more_after}` shows more. " if more_after is not None else ""
    how = f"{more}`/memory edit {example} new text` changes one, `/memory forget {example}` deletes one, `/memory pin {example}` keeps one."
    return f"**What {shown(name)} remembers about you here**\n\n" + "\n".join(lines) + f"\n\n{how}"


def memory_line(memory: Memory, importance: float, now: datetime, link: str) -> str:
    """Show one memory in a list: number, importance as a bar, text, level, age and where it was said."""
    pin = " 📌" if memory.pinned else ""
    about = [LEVEL_NAMES[memory.level], *(["no longer true"] if memory.ended_at else []), age(memory.created_at, now), *_source(link)]
    return f"- `#{memory.number}` {bar(importance)}{pin} {shown(memory.text)} ({', '.join(about)})"


def whole_memory(memory: Memory, importance: float, zone: ZoneInfo, link: str) -> str:
    """Show all that is known of one memory."""
    about = memory.subject.display_name if memory.subject else "nobody in particular"
    pinned, ended = (" 📌 pinned" if memory.pinned else ""), memory.ended_at
    lines = [
        f"- Said by: {shown(memory.author.display_name)}",
        f"- About: {shown(about)}",
        f"- Level: {LEVEL_NAMES[memory.level]} {bar(importance)}{pinned}",
        f"- Since: {memory.created_at.astimezone(zone):%Y-%m-%d %H:%M}",
        *([f"- Last changed: {memory.updated_at.astimezone(zone):%Y-%m-%d %H:%M}"] if memory.updated_at != memory.created_at else []),
        *([f"- Last used: {memory.used_at.astimezone(zone):%Y-%m-%d %H:%M}"] if memory.used_at else []),
        *([f"- No longer true since: {ended.astimezone(zone):%Y-%m-%d %H:%M}"] if ended else []),
        f"- Read it again: {link}" if link else "- The message it rests on has no address, or is no longer kept.",
    ]
    return f"**Memory `#{memory.number}`**\n\n> {shown(memory.text)}\n\n" + "\n".join(lines)


def bar(importance: float) -> str:
    """Return an importance as five segments."""
    full = int(importance * _BAR + 0.5)
    return "▰" * full + "▱" * (_BAR - full)


def age(since: datetime, now: datetime) -> str:
    """Return how old something is, in the largest unit that it has one of."""
    days = max((now - since).days, 0)
    for unit, length in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        count = days // length
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} old"
    return "new"


def nothing_found(words: str) -> str:
    """Answer a search without results."""
    return f"Nothing about “{echo(words)}” is remembered here. Try other words; `/memory list` shows all."


def found(words: str, lines: Iterable[str]) -> str:
    """Show a search's results, best first."""
    return f"**Found for “{echo(words)}”**\n\n" + "\n".join(lines)


def added(number: int, text: str) -> str:
    """Confirm a new memory."""
    return f"Remembered as `#{number}`: {shown(text)}"


def known_already(text: str) -> str:
    """Confirm a memory that was there already."""
    return f"I knew that already, and hold it more firmly now: {shown(text)}"


def changed(number: int, text: str) -> str:
    """Confirm a changed memory."""
    return f"Changed. `#{number}` is now: {shown(text)}"


def already_so(number: int) -> str:
    """Answer a change that changes nothing."""
    return f"`#{number}` says exactly that already."


def no_such_memory(number: int) -> str:
    """Refuse a number that is not there, or not the asker's."""
    return f"You have no memory #{number} here. `/memory list` shows yours with their numbers."


def ask_to_forget(number: int, text: str) -> str:
    """Ask before deleting."""
    return (
        f"Forget `#{number}` for good?\n\n> {shown(text)}\n\nWith it go the messages of yours that it comes from, and what I said or "
        "summed up about them. This cannot be undone."
    )


FORGET_LABEL = "Forget it"


def forgotten(number: int, told: str, *, is_own_word: bool) -> str:
    """Confirm a deletion, and say what it took and what it does not reach."""
    others = "" if is_own_word else "\n\nSomebody else had told me; their own message stays, as it is theirs."
    return f"Forgotten: `#{number}` is deleted.{others}\n\n{told}"


# Pinning


def pinned(number: int, text: str) -> str:
    """Confirm that a memory stays."""
    return f"📌 `#{number}` does not fade any more: {shown(text)}\n\n`/memory unpin {number}` lets it."


def pinned_already(number: int) -> str:
    """Answer a pin on a pin."""
    return f"`#{number}` is pinned already; `/memory unpin {number}` lets it fade again."


def claim_not_pinned(number: int) -> str:
    """Refuse to pin what the asker says of somebody else."""
    return f"`#{number}` is something you say of somebody else; only they can keep it from fading."


def too_many_pinned(most: int) -> str:
    """Refuse one pin too many."""
    return f"You have pinned {most} memories here, and more would crowd out all others. `/memory unpin` with a number frees a place."


def unpinned(number: int, text: str) -> str:
    """Confirm that a memory fades again."""
    return f"`#{number}` fades again unless it is used: {shown(text)}"


def not_pinned(number: int) -> str:
    """Answer an unpin where there is no pin."""
    return f"`#{number}` is not pinned; `/memory pin {number}` keeps it from fading."


# Where an answer and a memory came from


def recalled_line(memory: Memory, note: RecallNote) -> str:
    """Show one memory that stood in a prompt."""
    used = " ✓ used" if note.used else ""
    return f"- `#{memory.number}` {shown(memory.text)} — {shown(note.reason)}{used}"


def recalled(name: str, lines: Sequence[str], past: Sequence[str]) -> str:
    """Show the memories that stood in a prompt, and what of the conversation's past did."""
    about_you = f"**What {shown(name)} had in mind about you at the last answer here**\n\n" + "\n".join(lines) if lines else ""
    of_before = f"**What came back to {shown(name)} of this conversation**\n\n" + "\n".join(past) if past else ""
    return "\n\n".join(part for part in (about_you, of_before) if part)


def said_line(at: datetime, speaker: str, text: str) -> str:
    """Show how a message of the past begins."""
    return f"- {at:%Y-%m-%d %H:%M}, {shown(speaker)}: “{shown(one_line(text, _BEGINNING))}”"


def told_line(at: datetime, title: str) -> str:
    """Show the title of what was written about a stretch of the past."""
    return f"- {at:%Y-%m-%d}, in short: “{shown(one_line(title, _BEGINNING))}”"


def with_reason(line: str, reason: str) -> str:
    """Add why something came back."""
    return f"{line} — {shown(reason)}"


def nothing_recalled(name: str) -> str:
    """Answer when none of the asker's memories stood in the last prompt."""
    return f"{shown(name)} had none of your memories in mind at the last answer here. `/memory list` shows all there are."


def memory_history(number: int, text: str, lines: Iterable[str]) -> str:
    """Show how a memory came to be."""
    return f"**How `#{number}` came to be**\n\n> {shown(text)}\n\n" + "\n".join(lines)


def history_line(moment: str, who: str, reason: str, changes: Sequence[str], link: str) -> str:
    """Show one change: when, who, why, and what."""
    what = "; ".join(changes) or "nothing that shows"
    return f"- {moment}, {shown(who)} ({', '.join([shown(reason), *_source(link)])}): {what}"


def made_or_gone(before: Memory | None, after: Memory | None, *, with_text: bool) -> str:
    """Say that a memory was added or forgotten."""
    if after is not None:
        return f"added “{shown(after.text)}”" if with_text else "added"
    return "forgotten" if before is not None else "its text is gone"


def text_change(before: str, after: str, *, with_texts: bool) -> str:
    """Say how a text changed."""
    return f"“{shown(before)}” became “{shown(after)}”" if with_texts else "its text changed"


def level_change(before: Level, after: Level) -> str:
    """Say how a level changed."""
    return f"{LEVEL_NAMES[before]} → {LEVEL_NAMES[after]}"


def importance_change(before: float, after: float) -> str:
    """Say how an importance changed."""
    return f"importance {before:.2f} → {after:.2f}"


def _source(link: str) -> list[str]:
    return [f"[source]({link})"] if link else []
