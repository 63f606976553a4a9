"""What `/dream` says."""

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
from bot.wording.lists import listed
from bot.wording.say import figure, later, say, say_count, translated

_STEPS: Mapping[str, str] = {
    Step.DECAYED: later("faded"),
    Step.REINFORCED: later("strengthened"),
    Step.PROMOTED: later("came back"),
    Step.MERGED: later("merged"),
    Step.CROWDED_OUT: later("crowded out"),
    Step.RETAINED: later("kept from being forgotten"),
    Step.FORGOTTEN: later("forgotten"),
    Step.ENDED: later("no longer true"),
    Step.REWRITTEN: later("rewritten"),
}
_REASONS: Mapping[str, str] = {
    TOO_MUCH: later("it would have lost more than a quarter of the memories in use"),
    NO_SOURCE: later("it named no memory as its source"),
    OVER_BUDGET: later("it cost more tokens than a dream may"),
    INTERRUPTED: later("it was cut off in the middle; the next dream goes on from there, and `/dream undo` takes back what was done"),
    TOKENS_SPENT: later("the tokens that I may use here are used up; the next night makes up for it"),
    SWITCHED_OFF: later("dreams are switched off here; `/dream on` switches them on"),
}


# What a dream did


def dream_page(
    name: str, record: JobRecord, moment: str, lines: Sequence[str], page: Sequence[str], *, dry: bool = False, note: str = ""
) -> str:
    """Show a dream: how it ended, counts, its diary, and as many of its changes as fit."""
    whose = say("{name}'s dream of {moment}", name=shown(name), moment=moment) if moment else say("{name}'s dream", name=shown(name))
    heading = f"**{whose}**{note} {_ended(record, dry=dry)}"
    diary = f"> {shown(record.diary)}" if record.diary else ""
    more = say("… and {number} more", number=len(lines) - len(page)) if len(page) < len(lines) and not note else ""
    undo = say("`/dream undo` takes it back.") if record.state is JobState.DONE and lines and not dry else ""
    changes = "\n".join([*page, *([more] if more else [])])
    counts = counts_line(record) if record.state is not JobState.SKIPPED else ""
    return "\n\n".join(part for part in (heading, counts, diary, changes, undo) if part)


def counts_line(record: JobRecord) -> str:
    """Return what happened to how many memories, and what the model cost."""
    counts = record.counts or {}
    steps = [say("{number} {step}", number=counts[step], step=translated(word)) for step, word in _STEPS.items() if counts.get(step)]
    asked, tokens, rejected = counts.get("calls", 0), figure(counts.get("tokens", 0)), counts.get("rejected", 0)
    cost = [
        say_count(
            asked,
            "The model was asked {number} time ({tokens} tokens)",
            "The model was asked {number} times ({tokens} tokens)",
            tokens=tokens,
        )
        if asked
        else "",
        say_count(rejected, "{number} of its proposals was refused", "{number} of its proposals were refused") if rejected else "",
        say("{number} seconds", number=figure(record.seconds, 1)),
    ]
    done = listed(steps) or say("Nothing had to change")
    return say("{done}. {cost}.", done=done, cost="; ".join(part for part in cost if part))


def planned_line(number: int, step: Step, reason: str) -> str:
    """Show one change that a dream would make."""
    return f"- `#{number}` {translated(_STEPS[step])}: {shown(reason)}"


def change_line(number: int, reason: str, text: str, changes: Sequence[str]) -> str:
    """Show one change that a dream made; the text is empty where it is not the asker's to see."""
    quoted = f" {say('“{text}”', text=shown(text))}" if text else ""
    what = f": {'; '.join(changes)}" if changes else ""
    return f"- `#{number}`{quoted} — {shown(reason)}{what}"


def no_dream_yet(name: str) -> str:
    """Answer when there was no dream to tell of."""
    return say(
        "{name} has not dreamt about this place yet. `/dream now` lets it, `/dream schedule` says when it does by itself.", name=shown(name)
    )


def still_dreaming(name: str) -> str:
    """Say where to read of a dream that takes longer than anybody should wait."""
    return say("{name} is still dreaming. `/dream report` tells of it when it is over.", name=shown(name))


def too_soon(name: str, again: str, hours: float) -> str:
    """Refuse a dream soon after another."""
    return say(
        "{name} has just dreamt about this place. Another dream may come from {again} on (`/memory policy dream_hours` is {hours}).",
        name=shown(name),
        again=again,
        hours=f"{hours:g}",
    )


def unknown_way(typed: str) -> str:
    """Refuse a word that is not `dry`."""
    return say("“{typed}” means nothing here: `/dream now` dreams, `/dream now dry` only shows what would happen.", typed=echo(typed))


def undone(result: Undone) -> str:
    """Confirm that a dream was taken back."""
    parts = [say_count(result.restored, "1 memory is as before it", "{number} memories are as before it")]
    if result.skipped:
        parts.append(
            say_count(
                result.skipped,
                "1 memory is as it is, because it was changed since",
                "{number} memories are as they are, because they were changed since",
            )
        )
    if result.lost:
        parts.append(say_count(result.lost, "1 memory is gone for good", "{number} memories are gone for good"))
    return say("The dream is taken back: {parts}.", parts="; ".join(parts))


def nothing_to_undo() -> str:
    """Refuse to take back what is taken back already."""
    return say("The last dream here is taken back already, or changed nothing. `/dream report` tells more.")


# When dreams come


def schedule_page(schedule: NightSchedule, coming: datetime, *, is_new: bool) -> str:
    """Say when dreams come."""
    values = {"schedule": schedule, "coming": _moment(coming)}
    if is_new:
        return say("I dream from now on once a night at {schedule}. The next dream about this place: {coming}.", **values)
    how = say("`/dream schedule 4:30 Europe/Berlin` changes that for this server or direct chat, `/dream off` ends it.")
    line = say("I dream once a night at {schedule}. The next dream about this place: {coming}.", **values)
    return f"{line}\n\n{how}"


def off_at_present(schedule: NightSchedule) -> str:
    """Say when dreams would come."""
    return say("Dreams are switched off here; they would come at {schedule}. `/dream on` switches them on.", schedule=schedule)


def no_time(typed: str) -> str:
    """Refuse what is no time of day."""
    return say("“{typed}” is no time of day. Type one such as `3:00` or `11pm`, and after it a time zone if you like.", typed=echo(typed))


def no_zone(typed: str, near: str) -> str:
    """Refuse what is no time zone."""
    if near:
        return say("“{typed}” is no time zone. Did you mean `{near}`?", typed=echo(typed), near=near)
    return say("“{typed}” is no time zone. Type one such as `Europe/Berlin` or `UTC`.", typed=echo(typed))


def switched_on(schedule: NightSchedule, coming: datetime) -> str:
    """Confirm that dreams come again."""
    return say(
        "I dream here again, once a night at {schedule}. The next dream about this place: {coming}.",
        schedule=schedule,
        coming=_moment(coming),
    )


def switched_off() -> str:
    """Confirm that no more dreams come."""
    return say("I dream here no more. Memories still fade, but nothing is merged or forgotten by itself. `/dream on` takes that back.")


def switched_already(*, on: bool) -> str:
    """Answer a switch that is where it should be."""
    return say("I dream here already; `/dream schedule` says when.") if on else say("I do not dream here anyway; `/dream on` changes that.")


# The diary


def unknown_diary_place(typed: str) -> str:
    """Refuse a place that is neither."""
    return say("“{typed}” is no place: `here` has the diary posted in this channel, `off` nowhere.", typed=echo(typed))


def diary_is_on() -> str:
    """Confirm where the diary is posted."""
    return say("After each dream about this conversation I post a few lines here. Dreams without a language model leave no diary.")


def diary_is_off() -> str:
    """Confirm that the diary is posted no longer."""
    return say("I keep my dream diary to myself. `/dream report` still shows it.")


def _ended(record: JobRecord, *, dry: bool) -> str:
    reason = translated(_REASONS.get(record.reason, record.reason))
    match record.state:
        case JobState.DONE:
            return say("would do this:") if dry else say("is done.")
        case JobState.SKIPPED:
            return say("was skipped: {reason}.", reason=reason)
        case JobState.REFUSED:
            return say("was refused as a whole, and nothing was changed: {reason}.", reason=reason)
        case JobState.FAILED:
            return say("failed: {reason}.", reason=reason)
        case JobState.UNDONE:
            return say("was taken back.")


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
