"""What `/memory pending` says, and what people are told when a text was not taken."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.message import Person
from bot.domain.pending import PendingMemory
from bot.memory.gate.verdict import Concern

_WHY: Mapping[str, str] = MappingProxyType(
    {
        Concern.SECRET: "it holds a password, a key, or the number of a card or an account, and I never keep those",
        Concern.UNSEEN: "it holds characters that hide what it says",
        Concern.MARKUP: "it holds tags or marks that only my own instructions have",
        Concern.OVERRIDE: "it tells me to drop my instructions",
        Concern.ORDER: "it reads like an order to me",
        Concern.OPAQUE: "it holds a long code that nobody can read",
        Concern.OUTSIDE: "it comes from a file, a forwarded message or a bot",
        Concern.OTHERS: "it would change what somebody else said of themselves",
        Concern.LIMIT: "that is enough from you for one day",
    }
)


def why(concern: str) -> str:
    """Return a reason in words, to follow a colon."""
    return _WHY.get(concern, "it looked odd")


def refused(concern: Concern) -> str:
    """Refuse to remember a text."""
    return f"I do not keep this: {why(concern)}."


def waits(concern: Concern, number: int, *, for_asker: bool) -> str:
    """Say that a text waits, and for whom."""
    who = f"`/memory pending approve {number}` keeps it all the same." if for_asker else "An admin here has to approve it first."
    return f"Not kept yet: {why(concern)}. {who}"


def about_somebody_else() -> str:
    """Refuse to make a fact about one person one about another."""
    return "That text is about somebody else than the memory is. `/memory add` tells it as something that you say of them."


def pending_line(pending: PendingMemory, days: str) -> str:
    """Show one text that waits: number, text, speaker, whom it is about, why it waits, since when."""
    about = f" about {_who(pending.subject)}" if pending.subject is not None and pending.subject.id != pending.author.id else ""
    return f"- `#{pending.number}` {shown(pending.text)} — said by {_who(pending.author)}{about}; {why(pending.reason)} ({days})"


def pending_list(lines: Iterable[str], *, example: int, left: int) -> str:
    """List what waits, with what can be done about it."""
    more = f"\n\n{left} more wait behind these." if left else ""
    how = f"`/memory pending approve {example}` lets me remember one, `/memory pending reject {example}` deletes it."
    return "**What waits before I remember it here**\n\n" + "\n".join(lines) + f"{more}\n\n{how}"


def nothing_pending() -> str:
    """Answer when nothing waits."""
    return "Nothing waits to be approved here."


def unknown_action(typed: str) -> str:
    """Refuse a word that is no action."""
    return f"“{echo(typed)}” is nothing I can do with it. Type `/memory pending approve 3` or `/memory pending reject 3`."


def number_needed() -> str:
    """Ask for the number that was left out."""
    return "Say which one by its number, as `/memory pending` shows it: `/memory pending approve 3`."


def not_pending(number: int) -> str:
    """Refuse a number under which nothing waits."""
    return f"Nothing waits as #{number} here. `/memory pending` shows what does."


def approved(pending: PendingMemory) -> str:
    """Confirm that a text is a memory now."""
    return f"Approved and remembered as `#{pending.number}`, said by {_who(pending.author)}: {shown(pending.text)}"


def rejected(number: int) -> str:
    """Confirm that a text is gone."""
    return f"Rejected: `#{number}` is deleted."


def _who(person: Person) -> str:
    return f"{shown(person.display_name) or 'somebody'} (id {shown(person.id)})"
