"""What `/persona` says of personas that come in and go out as files."""

from collections.abc import Iterable, Sequence

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.lore import LoreEntry
from bot.domain.persona import Persona
from bot.ports.persona_files import Arrival, LeftFile
from bot.wording.lists import listed
from bot.wording.say import figure, say, say_count

_LONGEST_SHOWN = 300
_MOST_NAMED = 5


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
