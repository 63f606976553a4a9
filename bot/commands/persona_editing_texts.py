"""What `/persona` says where personas are made and changed."""

from collections.abc import Sequence

from bot.commands.escape import shown
from bot.commands.persona_values import TEXTS, VALUES, value_in
from bot.commands.texts import echo
from bot.domain.persona import Persona, PersonaVersion
from bot.wording.lists import listed
from bot.wording.say import figure, say, translated


def created(persona: Persona) -> str:
    """Confirm a new persona."""
    return say(
        "**{name}** is there now. `/persona use {id}` lets it speak, `/persona preview {id}` tries it first, "
        "`/persona edit {id}` and `/persona set {id}` change it.",
        name=shown(persona.name),
        id=persona.id,
    )


def unknown_text(typed: str) -> str:
    """Refuse a text that a persona does not have."""
    return say("A persona has no text “{typed}”. Choose one of {names}.", typed=echo(typed), names=listed(f"`{name}`" for name in TEXTS))


def no_text(name: str) -> str:
    """Ask for the text that is missing."""
    return say("Write the new text behind the command: {meaning}.", meaning=translated(TEXTS[name]))


def changed(persona: Persona, name: str) -> str:
    """Confirm a change."""
    return say(
        "`{what}` of **{name}** is changed and live at once; what it remembers stays. `/persona undo {id}` takes that back.",
        what=name,
        name=shown(persona.name),
        id=persona.id,
    )


def unchanged(persona: Persona, name: str) -> str:
    """Answer a change to what is there already."""
    return say("`{what}` of **{name}** is that already.", what=name, name=shown(persona.name))


def unknown_value(typed: str, near: str) -> str:
    """Refuse a value that a persona does not have."""
    if near:
        return say("A persona has no value “{typed}”. Did you mean `{near}`?", typed=echo(typed), near=near)
    return say("A persona has no value “{typed}”. `/persona set` with a persona alone shows all.", typed=echo(typed))


def value_page(persona: Persona) -> str:
    """Show all single values."""
    none = say("the usual one")
    lines = [f"- `{name}` {shown(value_in(persona, name)) or none}" for name in VALUES]
    how = say("`/persona set {id}` with a name explains it, with a name and a value sets it.", id=persona.id)
    return f"**{shown(persona.name)}** (`{persona.id}`)\n\n" + "\n".join(lines) + f"\n\n{how}"


def one_value(persona: Persona, name: str) -> str:
    """Explain one value."""
    return say(
        "**{name}** — {meaning}: {allowed}. Now it is {value}.",
        name=name,
        meaning=translated(VALUES[name].meaning),
        allowed=translated(VALUES[name].allowed),
        value=shown(value_in(persona, name)) or say("the usual one"),
    )


def wrong_value(name: str, typed: str) -> str:
    """Refuse a value that does not fit."""
    return say("`{name}` is {allowed}, not “{typed}”.", name=name, allowed=translated(VALUES[name].allowed), typed=echo(typed))


def version_line(version: PersonaVersion) -> str:
    """Show one version in a list."""
    by = shown(version.by.display_name) or "–"
    return f"- #{version.number} · {version.at:%Y-%m-%d %H:%M} · {by} · {shown(version.reason)}"


def history_page(persona_id: str, lines: Sequence[str], note: str = "") -> str:
    """Show a persona's versions, newest first."""
    if not lines:
        return say("`{id}` was never changed here.", id=persona_id)
    how = say("`/persona undo {id}` goes back by one.", id=persona_id)
    return f"**{persona_id}** (UTC){note}\n\n" + "\n".join(lines) + f"\n\n{how}"


def undone(persona_id: str, number: int) -> str:
    """Confirm a step back."""
    if number:
        return say("`{id}` is as it was in version {number}; what it remembers stays.", id=persona_id, number=figure(number))
    return say("`{id}` is as it was before anybody changed it here.", id=persona_id)


def nothing_to_undo(persona_id: str) -> str:
    """Answer where there is no earlier version."""
    return say("`{id}` has no earlier version here.", id=persona_id)


def really_reset(persona: Persona, *, is_installed: bool) -> str:
    """Ask before a persona is taken back."""
    if is_installed:
        return say("Take back all that was changed of **{name}** here? Its memories stay.", name=shown(persona.name))
    return say("Take **{name}** away from here? Places where it speaks go back to another persona.", name=shown(persona.name))


def is_reset(persona: Persona, *, is_installed: bool) -> str:
    """Confirm that a persona was taken back."""
    if is_installed:
        return say(
            "**{name}** is as installed again. `/persona undo {id}` brings your version back.", name=shown(persona.name), id=persona.id
        )
    return say("**{name}** is gone from here. `/persona undo {id}` brings it back.", name=shown(persona.name), id=persona.id)


def not_own(persona: Persona) -> str:
    """Refuse to take back what nobody changed."""
    return say("Nobody has changed **{name}** here, so there is nothing to take back.", name=shown(persona.name))
