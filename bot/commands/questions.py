"""What a command lacks is asked for, one thing after the other, on platforms that have no forms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.commands.options import checked_options
from bot.domain.command import Command, Option, OptionKind
from bot.wording.say import say, translated

MOST_OFFERED = 8
"""Choices that are offered as buttons; where there are more, people write."""


def lacking(command: Command, given: Mapping[str, str | int], *, has_file: bool = False) -> tuple[Option, ...]:
    """Return what to ask for, in order: what the command needs, a file, and long texts as a form would show them."""
    missing = tuple(option for option in command.options if option.name not in given and not (option.kind is OptionKind.FILE and has_file))
    long = [option for option in command.options if option.is_long]
    wants_long = any(option.is_long and option.required for option in missing) or all(option in missing for option in long)
    return tuple(option for option in missing if option.required or option.kind is OptionKind.FILE or (option.is_long and wants_long))


def value_of(command: Command, option: Option, answer: str) -> str | int:
    """Return the value that an answer gives to an option. Raises ValueError with what to write instead."""
    alone = replace(command, options=(replace(option, required=True),))
    return checked_options(alone, {option.name: answer})[option.name]


def question(command: Command, option: Option) -> str:
    """Return the question for an option in Markdown, such as “`/persona create`: **What shall it be called?**”."""
    return f"`/{command.name}`: **{translated(option.question or option.summary)}**"


def how_to_answer(option: Option, *, by_reply: bool, offered: Sequence[object] = (), prefilled: bool = False) -> str:
    """Return how the question is answered: by a reply or by the next message, and what may be done instead."""
    return " ".join(
        filter(None, [_prefilled(prefilled=prefilled), _answering(option, by_reply=by_reply, offered=bool(offered)), _ways_out(option)])
    )


def _prefilled(*, prefilled: bool) -> str:
    return say("Above is what it says now, to copy and change.") if prefilled else ""


def _answering(option: Option, *, by_reply: bool, offered: bool) -> str:
    if option.kind is OptionKind.FILE:
        return say("Send it in reply to this message.") if by_reply else say("Send it here now.")
    if offered:
        return say("Press one, or reply to this message.") if by_reply else say("Press one, or write it here.")
    return say("Reply to this message.") if by_reply else say("Write it here now.")


def _ways_out(option: Option) -> str:
    may_be_file = say("A text file will do too.") if option.is_long else ""
    ways = say("/cancel stops.") if option.required else say("/skip leaves it out, /cancel stops.")
    return " ".join(filter(None, [may_be_file, ways]))
