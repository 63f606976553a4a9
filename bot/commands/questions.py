"""What a command lacks is asked for, one thing after the other, on platforms that have no forms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.commands.options import checked_options
from bot.domain.command import Choice, Command, CommandCall, Option, OptionKind
from bot.ports.platform import Inbox
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


async def offered(inbox: Inbox, call: CommandCall, option: Option) -> Sequence[Choice]:
    """Return what can be chosen for an option; nothing where that is too much to be shown."""
    choices = await inbox.suggest(call, option.name, "") if option.suggest else ()
    return choices if len(choices) <= MOST_OFFERED else ()


def ways_out(option: Option) -> str:
    """Return what may be done instead of answering."""
    return say("/cancel stops.") if option.required else say("/skip leaves it out, /cancel stops.")


def how_to_answer(option: Option, *, by_reply: bool, choices: Sequence[object] = (), prefilled: bool = False) -> str:
    """Return how the question is answered: by a reply or by the next message, and what may be done instead."""
    copied = say("Above is what it says now, to copy and change.") if prefilled else ""
    answering = _answering(option, by_reply=by_reply, has_choices=bool(choices))
    may_be_file = say("A text file will do too.") if option.is_long else ""
    return " ".join(filter(None, [copied, answering, may_be_file, ways_out(option)]))


def _answering(option: Option, *, by_reply: bool, has_choices: bool) -> str:
    if option.kind is OptionKind.FILE:
        return say("Send it in reply to this message.") if by_reply else say("Send it here now.")
    if has_choices:
        return say("Press one, or reply to this message.") if by_reply else say("Press one, or write it here.")
    return say("Reply to this message.") if by_reply else say("Write it here now.")
