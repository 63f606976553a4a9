"""What `/persona invite`, `dismiss` and `nickname` say."""

from collections.abc import Sequence

from bot.commands.escape import shown
from bot.domain.persona import Persona
from bot.wording.lists import listed
from bot.wording.say import figure, say


def invited(persona: Persona, host: Persona, *, answers_here: bool, shows: bool) -> str:
    """Confirm a guest."""
    name = shown(persona.name)
    if not answers_here:
        return say(
            "**{name}** is a guest there from now on. Nothing changes in this place: it has a list of guests of its own, or is that "
            "persona's already.",
            name=name,
        )
    text = say(
        "**{name}** answers here too from now on, with a memory of its own: whatever calls it by name, or replies to it. All else is for "
        "**{host}**.",
        name=name,
        host=shown(host.name),
    )
    return text if shows else f"{text}\n\n{may_not_show()}"


def may_not_show() -> str:
    """Say what it takes for personas to speak under names and pictures of their own."""
    return say(
        "Its name will stand above its answers. With the right **Manage Webhooks** in this channel I could let it speak under its own name "
        "and picture."
    )


def is_here_already(persona: Persona) -> str:
    """Refuse a guest that is there."""
    return say("**{name}** answers there already.", name=shown(persona.name))


def too_many_guests(most: int) -> str:
    """Refuse one more guest."""
    return say("A place takes at most {most} guests. Let one go with `/persona dismiss` first.", most=figure(most))


def is_no_guest(persona: Persona) -> str:
    """Refuse to let go of who is no guest."""
    return say(
        "**{name}** is no guest there. `/persona list` shows who is; `/persona use` chooses whose place it is.", name=shown(persona.name)
    )


def dismissed(persona: Persona, left: Sequence[Persona], *, stays: bool) -> str:
    """Confirm that a guest goes."""
    name = shown(persona.name)
    if stays:
        return say("**{name}** is no guest there any more. In this place it still answers.", name=name)
    names = listed(f"**{shown(each.name)}**" for each in left)
    return say("**{name}** answers here no longer; what it remembers stays. Here now: {names}.", name=name, names=names)


# The bot's own name in a server


def follows(name: str) -> str:
    """Confirm that the bot's name follows who speaks."""
    return say("My name in this server follows the persona that speaks everywhere in it. I am **{name}** here now.", name=shown(name))


def follows_no_longer() -> str:
    """Confirm that the bot bears its own name."""
    return say("I go by my own name in this server again.")


def is_called(name: str) -> str:
    """Tell of a new name."""
    return say("I am **{name}** in this server now.", name=shown(name))


def nickname_state(*, is_on: bool) -> str:
    """Show whether the bot's name follows who speaks."""
    if is_on:
        return say("My name in this server follows the persona that speaks everywhere in it. `/persona nickname off` ends that.")
    return say("I go by my own name in this server. With `/persona nickname on` it follows the persona that speaks everywhere in it.")


def no_nicknames() -> str:
    """Refuse where there are no nicknames."""
    return say("Only in a Discord server can I go by another name.")


def may_not_rename() -> str:
    """Say what it takes to bear another name."""
    return say("Discord does not let me change my name here. Give me the right **Change Nickname**, then say `/persona nickname on` again.")


def cannot_rename_now() -> str:
    """Say that the name comes later."""
    return say("Discord does not take my new name just now. Say `/persona nickname on` again in a moment.")


def on_or_off() -> str:
    """Refuse what is neither."""
    return say("Write `on` or `off`.")
