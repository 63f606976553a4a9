"""What people have said about being remembered, and what follows from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.domain.entity import keys_in, name_key
from bot.domain.memory import Memory
from bot.domain.message import Person, StoredMessage

RETENTION_SETTING = "retention_days"
"""The name of the space's setting: days for which messages are kept there."""
RETENTION_DAYS = 90
"""Where nobody has said otherwise; 0 stands for ever."""
LONGEST_RETENTION = 3650
MARGIN_DAYS = 30
"""What was never summarised is kept so much longer."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Members of one audience who opted out: nothing of them is kept anew, recalled or shown to others."""

    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    """Keys of the names that they are known under there."""
    bearers: frozenset[tuple[str, str]] = frozenset()
    """Each person's id with each of their names. A name that somebody else merely shows as theirs is not among them."""

    def but(self, person: Person) -> "Hidden":
        """Return the others, as that person sees it. What a person calls themselves opens nothing: names count by their bearers."""
        others = frozenset(bearer for bearer in self.bearers if bearer[0] != person.id)
        own = {name for person_id, name in self.bearers if person_id == person.id}
        return Hidden(self.ids - {person.id}, self.names - (own - {name for _, name in others}), others)

    def hides(self, person: Person | None) -> bool:
        """Say whether that is one of them."""
        return person is not None and not person.is_bot and person.id in self.ids

    def hides_memory(self, memory: Memory) -> bool:
        """Say whether a memory is about one of them, was told by one of them, or names one of them."""
        return self.hides(memory.subject) or self.hides(memory.author) or self.named_in(memory.text)

    def hides_message(self, message: StoredMessage) -> bool:
        """Say whether one of them wrote it."""
        return self.hides(message.author)

    def named_in(self, *texts: str) -> bool:
        """Say whether one of them is named in a text."""
        return bool(self.names) and any(self.names & keys_in(text) for text in texts)

    def names_one(self, names: Iterable[str]) -> bool:
        """Say whether one of these is the name of one of them."""
        return any(name_key(name) in self.names for name in names)


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the operator has set up and members may know: how long, where to, and whom to ask. Never a key."""

    days: int = RETENTION_DAYS
    """For which messages are kept where nobody has set fewer; 0 stands for ever."""
    model_host: str = ""
    """The host that reads prompts; empty for this machine."""
    embedding_host: str = ""
    """The host that reads messages so that they are found again; empty for this machine."""
    operator: str = ""
    """How to reach whoever runs this bot."""


def host_of(address: str) -> str:
    """Return the host of an endpoint's address; empty for this machine."""
    host = urlsplit(address).hostname or ""
    return "" if host in {"localhost", "::1"} or host.startswith("127.") else host


def days_kept(keeping: Keeping, setting: str) -> int:
    """Return for how many days messages are kept in a space, given its setting; it only ever shortens. 0 stands for ever."""
    fewer = int(setting) if setting.isdecimal() else 0
    if not fewer:
        return keeping.days
    return min(fewer, keeping.days) if keeping.days else fewer
