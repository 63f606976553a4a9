"""What `/dream` says, in English."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.job import JobRecord, JobState
from bot.domain.night import NightSchedule
from bot.memory.dreams.apply import Undone
from bot.memory.dreams.checks import NO_SOURCE, OVER_BUDGET, TOO_MUCH
from bot.memory.dreams.dream import INTERRUPTED, SWITCHED_OFF
from bot.memory.dreams.plan import Step
from bot.memory.spending import TOKENS_SPENT

_STEPS: Mapping[str, str] = {
    Step.DECAYED: "faded",
    Step.REINFORCED: "strengthened",
    Step.PROMOTED: "came back",
    Step.MERGED: "merged",
    Step.CROWDED_OUT: "crowded out",
    Step.RETAINED: "kept from being forgotten",
    Step.FORGOTTEN: "forgotten",
    Step.ENDED: "no longer true",
    Step.REWRITTEN: "rewritten",
}
_REASONS: Mapping[str, str] = {
    TOO_MUCH: "it would have lost more than a quarter of the memories in use",
    NO_SOURCE: "it named no memory as its source",
    OVER_BUDGET: "it cost more tokens than a dream may",
    INTERRUPTED: "it was cut off in the middle; the next dream goes on from there, and `/dream undo` takes back what was done",
    TOKENS_SPENT: "the tokens that I may use here are used up; the next night makes up for it",
    SWITCHED_OFF: "dreams are switched off here; `/dream on` switches them on",
}


# What a dream did


def dream_page(name: str, record: JobRecord, moment: str, lines: Sequence[str], page: Sequence[str], *, dry: bool = False) -> str:
    """Show a dream: how it ended, counts, its diary, and as many of its changes as fit."""
    heading = f"**{shown(name)}'s dream{f' of {moment}' if moment else ''}** {_ended(record, dry=dry)}"
    diary = f"> {shown(record.diary)}" if record.diary else ""
    more = f"… and {len(lines) - len(page)} more" if len(page) < len(lines) else ""
    undo = "`/dream undo` takes it back." if record.state is JobState.DONE and lines and not dry else ""
    changes = "\n".join([*page, *([more] if more else [])])
    counts = counts_line(record) if record.state is not JobState.SKIPPED else ""
    return "\n\n".join(part for part in (heading, counts, diary, changes, undo) if part)


def counts_line(record: JobRecord) -> str:
    """Return what happened to how many memories, and what the model cost."""
    counts = record.counts or {}
    steps = [f"{counts[step]} {word}" for step, word in _STEPS.items() if counts.get(step)]
    asked = [f"the model was asked {counts['calls']} times ({counts.get('tokens', 0):,} tokens)"] if counts.get("calls") else []
    rejected = [f"{counts['rejected']} of its proposals were refused"] if counts.get("rejected") else []
    took = [f"{record.seconds:.1f} seconds"]
    return f"{', '.join(steps) or 'Nothing had to change'}. {'; '.join([*asked, *rejected, *took]).capitalize()}."


def planned_line(number: int, step: Step, reason: str) -> str:
    """Show one change that a dream would make."""
    return f"- `#{number}` {_STEPS[step]}: {shown(reason)}"


def change_line(number: int, reason: str, text: str, changes: Sequence[str]) -> str:
    """Show one change that a dream made; the text is empty where it is not the asker's to see."""
    quoted = f" “{shown(text)}”" if text else ""
    what = f": {'; '.join(changes)}" if changes else ""
    return f"- `#{number}`{quoted} — {shown(reason)}{what}"


def no_dream_yet(name: str) -> str:
    """Answer when there was no dream to tell of."""
    return f"{shown(name)} has not dreamt about this place yet. `/dream now` lets it, `/dream schedule` says when it does by itself."


def too_soon(name: str, again: str, hours: float) -> str:
    """Refuse a dream soon after another."""
    often = f"`/memory policy dream_hours` is {hours:g}"
    return f"{shown(name)} has just dreamt about this place. Another dream may come from {again} on ({often})."


def unknown_way(typed: str) -> str:
    """Refuse a word that is not `dry`."""
    return f"“{echo(typed)}” means nothing here: `/dream now` dreams, `/dream now dry` only shows what would happen."


def undone(result: Undone) -> str:
    """Confirm that a dream was taken back."""
    parts = [f"{_memories(result.restored)} as before it"]
    if result.skipped:
        parts.append(f"{_memories(result.skipped)} as they are, because they were changed since")
    if result.lost:
        parts.append(f"{_memories(result.lost)} gone for good")
    return f"The dream is taken back: {'; '.join(parts)}."


def nothing_to_undo() -> str:
    """Refuse to take back what is taken back already."""
    return "The last dream here is taken back already, or changed nothing. `/dream report` tells more."


# When dreams come


def schedule_page(schedule: NightSchedule, coming: datetime, *, is_new: bool) -> str:
    """Say when dreams come."""
    how = "" if is_new else "\n\n`/dream schedule 4:30 Europe/Berlin` changes that for this server or direct chat, `/dream off` ends it."
    return f"I dream {'from now on ' if is_new else ''}once a night at {schedule}. The next dream about this place: {_moment(coming)}.{how}"


def off_at_present(schedule: NightSchedule) -> str:
    """Say when dreams would come."""
    return f"Dreams are switched off here; they would come at {schedule}. `/dream on` switches them on."


def no_time(typed: str) -> str:
    """Refuse what is no time of day."""
    return f"“{echo(typed)}” is no time of day. Type one such as `3:00` or `11pm`, and after it a time zone if you like."


def no_zone(typed: str, near: str) -> str:
    """Refuse what is no time zone."""
    hint = f"Did you mean `{near}`?" if near else "Type one such as `Europe/Berlin` or `UTC`."
    return f"“{echo(typed)}” is no time zone. {hint}"


def switched_on(schedule: NightSchedule, coming: datetime) -> str:
    """Confirm that dreams come again."""
    return f"I dream here again, once a night at {schedule}. The next dream about this place: {_moment(coming)}."


def switched_off() -> str:
    """Confirm that no more dreams come."""
    return "I dream here no more. Memories still fade, but nothing is merged or forgotten by itself. `/dream on` takes that back."


def switched_already(*, on: bool) -> str:
    """Answer a switch that is where it should be."""
    return "I dream here already; `/dream schedule` says when." if on else "I do not dream here anyway; `/dream on` changes that."


# The diary


def unknown_diary_place(typed: str) -> str:
    """Refuse a place that is neither."""
    return f"“{echo(typed)}” is no place: `here` has the diary posted in this channel, `off` nowhere."


def diary_is_on() -> str:
    """Confirm where the diary is posted."""
    return "After each dream about this conversation I post a few lines here. Dreams without a language model leave no diary."


def diary_is_off() -> str:
    """Confirm that the diary is posted no longer."""
    return "I keep my dream diary to myself. `/dream report` still shows it."


def _ended(record: JobRecord, *, dry: bool) -> str:
    reason = _REASONS.get(record.reason, record.reason)
    match record.state:
        case JobState.DONE:
            return "would do this:" if dry else "is done."
        case JobState.SKIPPED:
            return f"was skipped: {reason}."
        case JobState.REFUSED:
            return f"was refused as a whole, and nothing was changed: {reason}."
        case JobState.FAILED:
            return f"failed: {reason}."
        case JobState.UNDONE:
            return "was taken back."


def _memories(count: int) -> str:
    return "1 memory is" if count == 1 else f"{count} memories are"


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
