"""What `/persona` says where personas are found and chosen, and where one cannot be kept."""

from collections.abc import Iterable

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.persona import Persona
from bot.wording.lists import listed
from bot.wording.say import figure, say


def persona_line(persona: Persona, *, speaks_here: bool, is_own: bool, is_guest: bool = False) -> str:
    """Show one persona in a list."""
    about = f" — {shown(persona.summary)}" if persona.summary else ""
    own = say(" (made here)") if is_own else ""
    mark = say(" ← speaks here") if speaks_here else say(" ← a guest here") if is_guest else ""
    return f"- **{shown(persona.name)}** (`{persona.id}`){own}{about}{mark}"


def persona_list(lines: Iterable[str], note: str = "") -> str:
    """List personas, with what can be done next."""
    how = say("`/persona show` with a name tells more; admins choose one with `/persona use`, and make one with `/persona create`.")
    return f"**{say('Personas')}**{note}\n\n" + "\n".join(lines) + f"\n\n{how}"


def unknown_persona(typed: str, near: str) -> str:
    """Refuse a persona that is not there."""
    if near:
        return say("There is no persona “{typed}”. Did you mean `{near}`? `/persona list` shows all.", typed=echo(typed), near=near)
    return say("There is no persona “{typed}”. `/persona list` shows all.", typed=echo(typed))


def ambiguous_persona(typed: str, ids: Iterable[str]) -> str:
    """Refuse a name that several personas bear."""
    choices = listed(f"`{known}`" for known in ids)
    return say("Several personas are called “{typed}”. Say which one by its id: {ids}.", typed=echo(typed), ids=choices)


def unknown_place(typed: str) -> str:
    """Refuse a place that is none."""
    return say(
        "“{typed}” is no place: `here` means this channel or thread, `channel` the channel with its threads, `category` all channels "
        "of its category, `server` the whole server or group. Type `dm` in a direct chat.",
        typed=echo(typed),
    )


def persona_page(persona: Persona, greeting: str) -> str:
    """Introduce a persona."""
    facts = [say("- Language: `{language}`, time zone: `{zone}`", language=persona.language, zone=persona.time_zone)]
    facts.append(say("- Memory: on") if persona.memory.enabled else say("- Memory: off"))
    if persona.tools:
        facts.append(say("- Tools: {tools}", tools=listed(f"`{shown(tool)}`" for tool in persona.tools)))
    if persona.triggers:
        facts.append(say("- Answers in groups to: {words}", words=listed(map(shown, persona.triggers))))
    heading = f"**{shown(persona.name)}** (`{persona.id}`)"
    return "\n\n".join(part for part in (heading, shown(persona.summary), f"> {shown(greeting)}", "\n".join(facts)) if part)


def persona_is_set(persona: Persona, place: str) -> str:
    """Confirm who speaks where."""
    name = shown(persona.name)
    match place:
        case "server":
            return say("**{name}** speaks everywhere in this server from now on, with a memory of its own.", name=name)
        case "category":
            return say("**{name}** speaks in all channels of this category from now on, with a memory of its own.", name=name)
        case "channel":
            return say("**{name}** speaks in this channel and its threads from now on, with a memory of its own.", name=name)
        case _:
            return say("**{name}** speaks here from now on, with a memory of its own.", name=name)


def place_keeps_its_own(name: str) -> str:
    """Say that a wider choice does not reach the place where it was made."""
    return say("This place has a choice of its own and stays with **{name}**; `/persona use` with `here` changes that.", name=shown(name))


def place_is_free(name: str) -> str:
    """Confirm that a choice was taken back."""
    return say("The choice for this place is taken back. **{name}** speaks here now.", name=shown(name))


def nothing_chosen(name: str) -> str:
    """Answer where there is no choice to take back."""
    return say("Nothing was chosen for that place itself. **{name}** speaks here.", name=shown(name))


def not_possible(problem: str) -> str:
    """Refuse a persona that cannot be."""
    return say("That cannot be kept, and nothing was changed: {problem}", problem=shown(problem))


def too_many(most: int) -> str:
    """Refuse one more persona."""
    return say("There are {most} personas of this server's own already. Take one away with `/persona reset` first.", most=figure(most))


def file_refused(problem: str) -> str:
    """Refuse a file."""
    return say("I cannot take that, and nothing of it was kept: {problem}", problem=shown(problem))
