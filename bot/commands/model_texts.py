"""What `/model` says."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.persona import Persona
from bot.ports.model import ModelStanding
from bot.wording.lists import listed
from bot.wording.say import figure, say, say_count


def model_page(persona: Persona, name: str, lines: Iterable[str], window: int, names: Sequence[str]) -> str:
    """Show who speaks with what."""
    heading = say("{persona} speaks here with {model}", persona=shown(persona.name), model=_named(name))
    size = say(
        "A prompt may have {window} tokens, {reply} of them for the answer.",
        window=figure(window),
        reply=figure(persona.model.max_reply_tokens),
    )
    how = say("`/model use` chooses another for this persona here: {names}.", names=listed(_named(each) for each in names))
    return f"**{heading}**\n\n" + "\n".join(lines) + f"\n\n{size} {how}"


def model_line(standing: ModelStanding, now: datetime, *, stands_in: bool) -> str:
    """Show one model: what it can, and how it does."""
    can = listed(
        [
            say("calls tools") if standing.takes_tools else say("calls no tools"),
            say("sees images") if standing.takes_images else say("sees no images"),
        ]
    )
    if standing.rests_until is not None:
        minutes = max(ceil((standing.rests_until - now).total_seconds() / 60), 1)
        state = say_count(minutes, "rests for {number} minute after trouble", "rests for {number} minutes after trouble")
    elif standing.failures:
        state = say_count(standing.failures, "failed {number} time in a row", "failed {number} times in a row")
    else:
        state = say("ready")
    role = f" ({say('stands in')})" if stands_in else ""
    return f"- {_named(standing.name)}{role}: {can} — {state}"


def unknown_model(typed: str, near: str, names: Sequence[str]) -> str:
    """Refuse a model that is not set up."""
    choices = listed(_named(name) for name in names)
    if near:
        return say(
            "No model “{typed}” is set up. Did you mean {near}? There are {names}.", typed=echo(typed), near=_named(near), names=choices
        )
    return say("No model “{typed}” is set up. There are {names}; whoever runs me adds others.", typed=echo(typed), names=choices)


def model_already(persona: Persona, name: str) -> str:
    """Answer a choice that changes nothing."""
    return say("{persona} speaks here with {model} already.", persona=shown(persona.name), model=_named(name))


def model_is_set(persona: Persona, name: str) -> str:
    """Confirm a choice."""
    return say(
        "{persona} speaks with {model} everywhere in this server or chat from now on. `/model use default` takes that back.",
        persona=shown(persona.name),
        model=_named(name),
    )


def _named(name: str) -> str:
    plain = name.replace("`", "'")
    return f"`{plain}`"
