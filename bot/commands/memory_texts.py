"""What `/memory` says."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.commands.escape import shown
from bot.commands.reason_texts import told_reason
from bot.commands.texts import echo, local_moment
from bot.domain.memory import Level, Memory, RecallNote
from bot.domain.text import one_line
from bot.wording.lists import listed
from bot.wording.say import figure, later, say, say_count, translated

LEVEL_NAMES = {Level.WORKING: later("working"), Level.DEEP: later("deep"), Level.ARCHIVE: later("archived")}
_BAR = 5
"""Segments of an importance."""
_BEGINNING = 90
"""Characters of a text that is only to be recognised."""


def nobodys_memory() -> str:
    """Answer somebody who writes as nobody in particular."""
    return say(
        "You are writing anonymously or as a channel: many people may share that name, so no memories are kept for it. Write as yourself."
    )


def memory_is_off(name: str) -> str:
    """Refuse to store for a persona that does not remember."""
    return say("{name}'s memory is switched off, so nothing is stored. `/persona list` shows who else could speak here.", name=shown(name))


def unused_memory(name: str) -> str:
    """Warn above memories that a persona holds but does not use."""
    return say("{name}'s memory is switched off: it uses none of these.", name=shown(name)) + "\n\n"


def no_memories(name: str, *, enabled: bool) -> str:
    """Answer a list with nothing in it."""
    if not enabled:
        return say("{name}'s memory is switched off, and nothing is stored about you here.", name=shown(name))
    return say("{name} remembers nothing about you here yet. Tell it something, or type `/memory add I like tea`.", name=shown(name))


def no_more_memories(after: int) -> str:
    """Answer a page behind the last one."""
    return say("There is nothing after #{after}. `/memory list` starts from the beginning.", after=after)


def memory_list(name: str, lines: Iterable[str], *, example: int, more_after: int | None) -> str:
    """List memories, with what can be done about them."""
    more = [say("`/memory list after:{after}` shows more.", after=more_after)] if more_after is not None else []
    how = say(
        "`/memory edit {example} new text` changes one, `/memory forget {example}` deletes one, `/memory pin {example}` keeps one.",
        example=example,
    )
    heading = say("What {name} remembers about you here", name=shown(name))
    return f"**{heading}**\n\n" + "\n".join(lines) + "\n\n" + " ".join([*more, how])


def memory_line(memory: Memory, importance: float, now: datetime, link: str) -> str:
    """Show one memory in a list: number, importance as a bar, text, level, age and where it was said."""
    pin = " 📌" if memory.pinned else ""
    ended = [say("no longer true")] if memory.ended_at else []
    about = [translated(LEVEL_NAMES[memory.level]), *ended, age(memory.created_at, now), *_source(link)]
    return f"- `#{memory.number}` {bar(importance)}{pin} {shown(memory.text)} ({listed(about)})"


def whole_memory(memory: Memory, importance: float, zone: ZoneInfo, link: str) -> str:
    """Show all that is known of one memory."""
    about = shown(memory.subject.display_name) if memory.subject else say("nobody in particular")
    level = f"{translated(LEVEL_NAMES[memory.level])} {bar(importance)}"
    lines = [
        say("Said by: {who}", who=shown(memory.author.display_name)),
        say("About: {who}", who=about),
        say("Level: {level} 📌 pinned", level=level) if memory.pinned else say("Level: {level}", level=level),
        say("Since: {moment}", moment=local_moment(memory.created_at, zone)),
        say("Last changed: {moment}", moment=local_moment(memory.updated_at, zone)) if memory.updated_at != memory.created_at else "",
        say("Last used: {moment}", moment=local_moment(memory.used_at, zone)) if memory.used_at else "",
        say("No longer true since: {moment}", moment=local_moment(memory.ended_at, zone)) if memory.ended_at else "",
        say("Read it again: {link}", link=link) if link else say("The message it rests on has no address, or is no longer kept."),
    ]
    heading = say("Memory `#{number}`", number=memory.number)
    return f"**{heading}**\n\n> {shown(memory.text)}\n\n" + "\n".join(f"- {line}" for line in lines if line)


def bar(importance: float) -> str:
    """Return an importance as five segments."""
    full = int(importance * _BAR + 0.5)
    return "▰" * full + "▱" * (_BAR - full)


def age(since: datetime, now: datetime) -> str:
    """Return how old something is, in the largest unit that it has one of."""
    days = max((now - since).days, 0)
    if days >= 365:
        return say_count(days // 365, "{number} year old", "{number} years old")
    if days >= 30:
        return say_count(days // 30, "{number} month old", "{number} months old")
    if days >= 7:
        return say_count(days // 7, "{number} week old", "{number} weeks old")
    return say_count(days, "{number} day old", "{number} days old") if days else say("new")


def nothing_found(words: str) -> str:
    """Answer a search without results."""
    return say("Nothing about “{words}” is remembered here. Try other words; `/memory list` shows all.", words=echo(words))


def found(words: str, lines: Iterable[str]) -> str:
    """Show a search's results, best first."""
    return f"**{say('Found for “{words}”', words=echo(words))}**\n\n" + "\n".join(lines)


def added(number: int, text: str) -> str:
    """Confirm a new memory."""
    return say("Remembered as `#{number}`: {text}", number=number, text=shown(text))


def known_already(text: str) -> str:
    """Confirm a memory that was there already."""
    return say("I knew that already, and hold it more firmly now: {text}", text=shown(text))


def changed(number: int, text: str) -> str:
    """Confirm a changed memory."""
    return say("Changed. `#{number}` is now: {text}", number=number, text=shown(text))


def already_so(number: int) -> str:
    """Answer a change that changes nothing."""
    return say("`#{number}` says exactly that already.", number=number)


def no_such_memory(number: int) -> str:
    """Refuse a number that is not there, or not the asker's."""
    return say("You have no memory #{number} here. `/memory list` shows yours with their numbers.", number=number)


def ask_to_forget(number: int, text: str) -> str:
    """Ask before deleting."""
    return say(
        "Forget `#{number}` for good?\n\n> {text}\n\nWith it go the messages of yours that it comes from, and what I said or "
        "summed up about them. This cannot be undone.",
        number=number,
        text=shown(text),
    )


FORGET_LABEL = later("Forget it")


def forgotten(number: int, told: str, *, is_own_word: bool) -> str:
    """Confirm a deletion, and say what it took and what it does not reach."""
    others = "" if is_own_word else say("Somebody else had told me; their own message stays, as it is theirs.")
    return "\n\n".join(part for part in (say("Forgotten: `#{number}` is deleted.", number=number), others, told) if part)


# Pinning


def pinned(number: int, text: str) -> str:
    """Confirm that a memory stays."""
    return say("📌 `#{number}` does not fade any more: {text}\n\n`/memory unpin {number}` lets it.", number=number, text=shown(text))


def pinned_already(number: int) -> str:
    """Answer a pin on a pin."""
    return say("`#{number}` is pinned already; `/memory unpin {number}` lets it fade again.", number=number)


def claim_not_pinned(number: int) -> str:
    """Refuse to pin what the asker says of somebody else."""
    return say("`#{number}` is something you say of somebody else; only they can keep it from fading.", number=number)


def too_many_pinned(most: int) -> str:
    """Refuse one pin too many."""
    return say(
        "You have pinned {most} memories here, and more would crowd out all others. `/memory unpin` with a number frees a place.", most=most
    )


def unpinned(number: int, text: str) -> str:
    """Confirm that a memory fades again."""
    return say("`#{number}` fades again unless it is used: {text}", number=number, text=shown(text))


def not_pinned(number: int) -> str:
    """Answer an unpin where there is no pin."""
    return say("`#{number}` is not pinned; `/memory pin {number}` keeps it from fading.", number=number)


# Where an answer and a memory came from


def recalled_line(memory: Memory, note: RecallNote) -> str:
    """Show one memory that stood in a prompt."""
    used = f" ✓ {say('used')}" if note.used else ""
    return f"- `#{memory.number}` {shown(memory.text)} — {shown(told_reason(note.reason))}{used}"


def recalled(name: str, lines: Sequence[str], past: Sequence[str], *, is_last: bool) -> str:
    """Show the memories that stood in a prompt, that of the last answer or of another, and what of the conversation's past did."""
    about_you = (
        say("What {name} had in mind about you at the last answer here", name=shown(name))
        if is_last
        else say("What {name} had in mind about you at that answer", name=shown(name))
    )
    of_before = say("What came back to {name} of this conversation", name=shown(name))
    return "\n\n".join(f"**{heading}**\n\n" + "\n".join(under) for heading, under in ((about_you, lines), (of_before, past)) if under)


def said_line(at: datetime, speaker: str, text: str) -> str:
    """Show how a message of the past begins."""
    return f"- {at:%Y-%m-%d %H:%M}, {shown(speaker)}: {say('“{text}”', text=shown(one_line(text, _BEGINNING)))}"


def told_line(at: datetime, title: str) -> str:
    """Show the title of what was written about a stretch of the past."""
    return "- " + say("{day}, in short: “{title}”", day=f"{at:%Y-%m-%d}", title=shown(one_line(title, _BEGINNING)))


def with_reason(line: str, reason: str) -> str:
    """Add why something came back."""
    return f"{line} — {shown(told_reason(reason))}"


def nothing_recalled(name: str, *, is_last: bool) -> str:
    """Answer when none of the asker's memories stood in a prompt, or when it is not known any more."""
    if not is_last:
        return say("{name} had none of your memories in mind at that answer, or it is too long ago to tell.", name=shown(name))
    return say("{name} had none of your memories in mind at the last answer here. `/memory list` shows all there are.", name=shown(name))


def memory_history(number: int, text: str, lines: Iterable[str], note: str = "") -> str:
    """Show how a memory came to be."""
    return f"**{say('How `#{number}` came to be', number=number)}**{note}\n\n> {shown(text)}\n\n" + "\n".join(lines)


def history_line(moment: str, who: str, reason: str, changes: Sequence[str], link: str) -> str:
    """Show one change: when, who, why, and what."""
    what = "; ".join(changes) or say("nothing that shows")
    return f"- {moment}, {shown(who)} ({listed([shown(reason), *_source(link)])}): {what}"


def made_or_gone(before: Memory | None, after: Memory | None, *, with_text: bool) -> str:
    """Say that a memory was added or forgotten."""
    if after is not None:
        return say("added “{text}”", text=shown(after.text)) if with_text else say("added")
    return say("forgotten") if before is not None else say("its text is gone")


def text_change(before: str, after: str, *, with_texts: bool) -> str:
    """Say how a text changed."""
    return say("“{before}” became “{after}”", before=shown(before), after=shown(after)) if with_texts else say("its text changed")


def level_change(before: Level, after: Level) -> str:
    """Say how a level changed."""
    return f"{translated(LEVEL_NAMES[before])} → {translated(LEVEL_NAMES[after])}"


def importance_change(before: float, after: float) -> str:
    """Say how an importance changed."""
    return say("importance {before} → {after}", before=figure(before, 2), after=figure(after, 2))


def _source(link: str) -> list[str]:
    return [f"[{say('source')}]({link})"] if link else []
