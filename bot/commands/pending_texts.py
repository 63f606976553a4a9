"""What `/memory pending` says, and what people are told when a text was not taken."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.message import Person
from bot.domain.pending import PendingMemory
from bot.memory.gate.verdict import Concern
from bot.wording.say import later, say, translated

_WHY: Mapping[str, str] = MappingProxyType(
    {
        Concern.SECRET: later("it holds a password, a key, or the number of a card or an account, and I never keep those"),
        Concern.UNSEEN: later("it holds characters that hide what it says"),
        Concern.MARKUP: later("it holds tags or marks that only my own instructions have"),
        Concern.OVERRIDE: later("it tells me to drop my instructions"),
        Concern.ORDER: later("it reads like an order to me"),
        Concern.OPAQUE: later("it holds a long code that nobody can read"),
        Concern.OUTSIDE: later("it comes from a file, a forwarded message or a bot"),
        Concern.OTHERS: later("it would change what somebody else said of themselves"),
        Concern.LIMIT: later("that is enough from you for one day"),
    }
)
_ODD = later("it looked odd")


def why(concern: str) -> str:
    """Return a reason in words, to follow a colon."""
    return translated(_WHY.get(concern, _ODD))


def refused(concern: Concern) -> str:
    """Refuse to remember a text."""
    return say("I do not keep this: {why}.", why=why(concern))


def waits(concern: Concern, number: int, *, for_asker: bool) -> str:
    """Say that a text waits, and for whom."""
    if for_asker:
        return say("Not kept yet: {why}. `/memory pending approve {number}` keeps it all the same.", why=why(concern), number=number)
    return say("Not kept yet: {why}. An admin here has to approve it first.", why=why(concern))


def about_somebody_else() -> str:
    """Refuse to make a fact about one person one about another."""
    return say("That text is about somebody else than the memory is. `/memory add` tells it as something that you say of them.")


def pending_line(pending: PendingMemory, days: str) -> str:
    """Show one text that waits: number, text, speaker, whom it is about, why it waits, since when."""
    if pending.subject is not None and pending.subject.id != pending.author.id:
        said = say(
            "said by {author} about {subject}; {why}", author=_who(pending.author), subject=_who(pending.subject), why=why(pending.reason)
        )
    else:
        said = say("said by {author}; {why}", author=_who(pending.author), why=why(pending.reason))
    return f"- `#{pending.number}` {shown(pending.text)} — {said} ({days})"


def pending_list(lines: Iterable[str], note: str, *, example: int) -> str:
    """List what waits, with what can be done about it."""
    how = say("`/memory pending approve {example}` lets me remember one, `/memory pending reject {example}` deletes it.", example=example)
    heading = say("What waits before I remember it here")
    return "\n\n".join(part for part in (f"**{heading}**{note}", "\n".join(lines), how))


def nothing_pending() -> str:
    """Answer when nothing waits."""
    return say("Nothing waits to be approved here.")


def unknown_action(typed: str) -> str:
    """Refuse a word that is no action."""
    return say("“{typed}” is nothing I can do with it. Type `/memory pending approve 3` or `/memory pending reject 3`.", typed=echo(typed))


def number_needed() -> str:
    """Ask for the number that was left out."""
    return say("Say which one by its number, as `/memory pending` shows it: `/memory pending approve 3`.")


def not_pending(number: int) -> str:
    """Refuse a number under which nothing waits."""
    return say("Nothing waits as #{number} here. `/memory pending` shows what does.", number=number)


def approved(pending: PendingMemory) -> str:
    """Confirm that a text is a memory now."""
    return say(
        "Approved and remembered as `#{number}`, said by {author}: {text}",
        number=pending.number,
        author=_who(pending.author),
        text=shown(pending.text),
    )


def rejected(number: int) -> str:
    """Confirm that a text is gone."""
    return say("Rejected: `#{number}` is deleted.", number=number)


def _who(person: Person) -> str:
    return f"{shown(person.display_name) or say('somebody')} (id {shown(person.id)})"
