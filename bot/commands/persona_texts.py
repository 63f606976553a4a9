"""What `/persona` says."""

from collections.abc import Iterable, Sequence

from bot.commands.escape import shown
from bot.commands.persona_values import TEXTS, VALUES, value_in
from bot.commands.texts import echo
from bot.domain.casting import Shift
from bot.domain.lore import LoreEntry
from bot.domain.persona import Persona, PersonaVersion
from bot.ports.persona_files import Arrival, LeftFile
from bot.wording.lists import listed
from bot.wording.say import figure, say, say_count, translated

_LONGEST_REPLY = 1500
_LONGEST_SHOWN = 300
_MOST_NAMED = 5


# Finding and choosing


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


# Making and changing


def not_possible(problem: str) -> str:
    """Refuse a persona that cannot be."""
    return say("That cannot be kept, and nothing was changed: {problem}", problem=shown(problem))


def too_many(most: int) -> str:
    """Refuse one more persona."""
    return say("There are {most} personas of this server's own already. Take one away with `/persona reset` first.", most=figure(most))


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


# Files


def file_refused(problem: str) -> str:
    """Refuse a file."""
    return say("I cannot take that, and nothing of it was kept: {problem}", problem=shown(problem))


def no_file() -> str:
    """Ask for a file."""
    return say("Send the file along: a character card (PNG, JSON or CHARX) or a persona pack.")


def no_picture() -> str:
    """Ask for a picture."""
    return say("Send a picture along: PNG, JPEG, GIF or WebP.")


def arrived(arrival: Arrival, replaced: Persona | None) -> str:
    """Show what would come in."""
    persona = arrival.persona
    lines = [
        say_count(len(persona.voice), "- Voice: 1 character", "- Voice: {number} characters"),
        say_count(1 + len(persona.greetings), "- 1 greeting", "- {number} greetings"),
    ]
    if persona.lore.entries:
        lines.append(say_count(len(persona.lore.entries), "- Lore: 1 entry", "- Lore: {number} entries"))
    if arrival.avatar:
        lines.append(say("- A picture"))
    if arrival.left_behind:
        lines.append(_left_behind(arrival.left_behind))
    if replaced:
        lines.append(say("- It takes the place of **{name}**, whose memories it keeps", name=shown(replaced.name)))
    lines += [_of_author(text) for text in (persona.instructions, persona.reminder) if text]
    heading = f"**{shown(persona.name)}** (`{persona.id}`)"
    return "\n\n".join([heading, "\n".join(lines), say("Nothing is kept yet. Shall it come in?")])


def _left_behind(files: Sequence[LeftFile]) -> str:
    """Name the largest files that do not come in."""
    largest = sorted(files, key=lambda file: -file.size)[:_MOST_NAMED]
    named = ", ".join(f"{echo(file.path)} ({figure(max(file.size // 1000, 1))} kB)" for file in largest)
    if len(files) > _MOST_NAMED:
        named += ", …"
    return say_count(
        len(files),
        "- 1 file of the card stays behind; keep the card itself if you need it: {files}",
        "- {number} files of the card stay behind; keep the card itself if you need them: {files}",
        files=named,
    )


def lore_for_whom() -> str:
    """Refuse a lorebook for nobody."""
    return say("That file is a lorebook. Say which persona it is for: `/persona import` with `persona`.")


def lore_known(persona: Persona) -> str:
    """Refuse a lorebook that says nothing new."""
    return say("**{name}** has all entries of that lorebook already; nothing was changed.", name=shown(persona.name))


def lore_arrived(persona: Persona, new: Sequence[LoreEntry], *, known: int) -> str:
    """Show what a lorebook would add."""
    lines = [say_count(len(new), "- Lore: 1 new entry", "- Lore: {number} new entries")]
    if known:
        lines.append(say_count(known, "- 1 entry is there already", "- {number} entries are there already"))
    heading = f"**{shown(persona.name)}** (`{persona.id}`)"
    return "\n\n".join([heading, "\n".join(lines), say("Nothing is kept yet. Shall it come in?")])


def _of_author(text: str) -> str:
    return say("- ⚠ Its author will speak to the model: “{text}”", text=shown(text[:_LONGEST_SHOWN]))


def arrival_gone() -> str:
    """Answer a button whose file is not there any more."""
    return say("I do not have that file any more, and nothing was kept. Send it again with `/persona import`.")


def nothing_to_export(kinds: Iterable[str]) -> str:
    """Refuse a kind of file that is none."""
    return say("Choose one of {kinds}.", kinds=listed(f"`{kind}`" for kind in kinds))


def exported(persona: Persona) -> str:
    """Go with a file."""
    return say("Here is **{name}**. What it remembers is not in it.", name=shown(persona.name))


def picture_is_set(persona: Persona) -> str:
    """Confirm a picture."""
    return say("**{name}** has a new picture.", name=shown(persona.name))


# Trying


def previewed(persona: Persona, greeting: str, line: str, reply: str) -> str:
    """Show a try."""
    said = (
        f"> {shown(line)}\n\n{reply[:_LONGEST_REPLY]}"
        if line
        else say("`/persona preview {id}` with a line shows its answer.", id=persona.id)
    )
    note = say("Only you see this, and nothing of it is kept.")
    return f"**{shown(persona.name)}**\n\n{greeting[:_LONGEST_REPLY]}\n\n{said}\n\n*{note}*"


def no_answer() -> str:
    """Stand for an answer that did not come."""
    return say("*The model gave no answer. Try again in a moment.*")


def no_tokens() -> str:
    """Refuse a try without tokens."""
    return say("There are no tokens left to try it with just now. `/limits show` tells when there are.")


# Hours


def shift_page(shifts: Sequence[Shift]) -> str:
    """Show who speaks at what hours."""
    if not shifts:
        return say("No persona has hours of its own here. `/persona schedule <persona> 22:00 06:00` gives it some.")
    lines = [f"- {shift.hours}: `{shift.persona_id}`" for shift in shifts]
    return say("**Hours**") + "\n\n" + "\n".join(lines)


def no_hours() -> str:
    """Refuse times that are none."""
    return say(
        "Write two different times of the day, such as `22:00 06:00`, and a time zone such as Europe/Berlin if it is not the persona's."
    )


def too_many_shifts(most: int) -> str:
    """Refuse one more shift."""
    return say("A place takes at most {most} of them. Take one away with `/persona schedule <persona> off`.", most=figure(most))
