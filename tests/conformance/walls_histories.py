"""Random histories of several rooms, to be played with and without what was said in one of them."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import strategies as st

from bot.domain.chat import DISCORD, TELEGRAM, ConversationKey, ConversationKind
from bot.domain.message import Person

DIRECT, GROUP = ConversationKind.DIRECT, ConversationKind.GROUP
ADA, BO, OTHER_ADA = Person("7", "Ada"), Person("8", "Bo"), Person("9", "Ada")
"""Two of them bear one name, and all have the same ids on both platforms."""
PEOPLE = (ADA, BO, OTHER_ADA)


@dataclass(frozen=True, slots=True)
class Room:
    """A place where people talk, and who does. Rooms of a direct chat with one person are one audience."""

    key: ConversationKey
    kind: ConversationKind
    people: tuple[Person, ...] = PEOPLE
    is_public: bool = False

    @property
    def space(self) -> tuple[str, str]:
        """Return the server or group."""
        return self.key.platform, self.key.space_id

    @property
    def place(self) -> ConversationKey:
        """Return where its messages come from: a discussion has no place of its own on its platform."""
        return replace(self.key, discussion="")


def wall_of(room: Room, *, shares: bool) -> str:
    """Return what is another text for rooms that may share nothing; public rooms of one server may where an admin let them."""
    if room.kind is DIRECT:
        return f"{room.key.platform} {room.people[0].id}"
    return " ".join(room.space) if shares and room.is_public else str(room.key)


def _direct(platform: str, channel: str, person: Person) -> Room:
    return Room(ConversationKey(platform, channel, channel), DIRECT, (person,))


ROOMS = (
    Room(ConversationKey(DISCORD, "10", "20"), GROUP, is_public=True),
    Room(ConversationKey(DISCORD, "10", "21"), GROUP, is_public=True),
    Room(ConversationKey(DISCORD, "10", "22"), GROUP),
    Room(ConversationKey(DISCORD, "10", "20", "30"), GROUP),
    Room(ConversationKey(DISCORD, "10", "20", discussion="trip"), GROUP),
    Room(ConversationKey(DISCORD, "11", "23"), GROUP, is_public=True),
    Room(ConversationKey(DISCORD, "12", "12"), GROUP, (ADA, BO)),
    Room(ConversationKey(TELEGRAM, "10", "10"), GROUP, is_public=True),
    Room(ConversationKey(TELEGRAM, "10", "10", "30"), GROUP, is_public=True),
    Room(ConversationKey(TELEGRAM, "11", "11"), GROUP),
    _direct(DISCORD, "7", ADA),
    _direct(DISCORD, "80", BO),
    Room(ConversationKey(TELEGRAM, "7", "7", discussion="trip"), DIRECT, (ADA,)),
    _direct(TELEGRAM, "7", ADA),
    _direct(TELEGRAM, "9", OTHER_ADA),
)


@dataclass(frozen=True, slots=True)
class Says:
    """Somebody says something."""

    room: Room
    person: Person
    text: str
    addressed: bool = True
    quoted: str = ""


@dataclass(frozen=True, slots=True)
class Types:
    """Somebody types a command."""

    room: Room
    person: Person
    line: str
    admin: bool = True
    confirmed: bool = True


@dataclass(frozen=True, slots=True)
class Changes:
    """Somebody changes what was said last in a room, or with an empty text deletes it."""

    room: Room
    text: str


@dataclass(frozen=True, slots=True)
class Night:
    """A night comes over all rooms."""


Event: TypeAlias = Says | Types | Changes | Night


@dataclass(frozen=True, slots=True)
class History:
    """What happens in some rooms, in order; the first room is the one without which all others must be the same."""

    rooms: tuple[Room, ...]
    events: tuple[Event, ...]
    shares: bool = False
    """Admins have let the public rooms of each server share."""

    def is_hidden(self, room: Room) -> bool:
        """Say whether a room is behind the wall: nothing of it may show in others."""
        return wall_of(room, shares=self.shares) == wall_of(self.rooms[0], shares=self.shares)


FACTS = (
    "I like green tea",
    "I like oolong tea",
    "my sister Clara lives in Paris",
    "Clara moved to Rome",
    "Clara works at Acme",
    "the locker code is 4471",
    "my cat is called Mochi",
    "Mochi lives in Berlin",
    "my birthday is 7 June",
    "猫が好きで京都に住んでいます",
)
ORDERS = ("", "", "save: ", "save: ", "save: ", "change 1: ", "change 2: ", "drop 1: ", "use 1: ", "load 2: ", "fail: ", "silent: ")
"""What the model is told to do by what is said; it obeys everybody."""
LONG = "this is long: " + " ".join(f"tale{number}" for number in range(300))
"""It is cut to the room that is left, to the word: whatever takes room elsewhere shows."""
QUESTION = "what do you know about Clara and the tea, who is Mochi, and what is the locker code? 京都の猫は?"
READ_LINES = (
    "memory list",
    "memory search tea Clara code",
    "memory why",
    "memory history 1",
    "memory about Clara",
    "memory about Mochi",
    "memory policy",
    "summary show",
    "dream report",
    "persona list",
)
OWN_LINES = frozenset(READ_LINES[:2])
"""Those whose answers are another for each person."""
WRITE_LINES = (
    "memory add I have a dog called Rex",
    "memory edit 1 I like black coffee",
    "memory forget 1",
    "memory forget 2",
    "memory pin 1",
    "memory unpin 1",
    "dream now",
    "dream now dry",
    "dream undo",
    "summary regenerate",
    "new",
)


def says(room: Room) -> st.SearchStrategy[Event]:
    """Return messages in a room."""
    text = st.builds("{}{}".format, st.sampled_from(ORDERS), st.sampled_from(FACTS))
    return st.builds(
        Says,
        st.just(room),
        st.sampled_from(room.people),
        text | st.sampled_from((QUESTION, LONG)),
        addressed=st.booleans() | st.just(value=True),
        quoted=st.just("") | st.sampled_from(FACTS),
    )


def types(room: Room) -> st.SearchStrategy[Event]:
    """Return commands in a room; in a discussion nobody can type one."""
    if room.key.discussion:
        return says(room)
    line = st.sampled_from(READ_LINES + WRITE_LINES)
    return st.builds(Types, st.just(room), st.sampled_from(room.people), line, admin=st.booleans(), confirmed=st.booleans())


def changes(room: Room) -> st.SearchStrategy[Event]:
    """Return changes of what was said in a room."""
    return st.builds(Changes, st.just(room), st.just("") | st.sampled_from(FACTS))


NEIGHBOURS = (
    tuple(room for room in ROOMS if room.space == (DISCORD, "10")),
    tuple(room for room in ROOMS if room.space == (TELEGRAM, "10") or room.key.channel_id == "20"),
    tuple(room for room in ROOMS if ADA in room.people and room.kind is DIRECT),
    ROOMS,
)
"""Rooms between which a wall is most likely to be thin: of one server, with the same ids, of one person."""


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Return histories of two or three rooms, at least one of them on the other side of the wall."""
    near = draw(st.sampled_from(NEIGHBOURS))
    rooms = draw(st.lists(st.sampled_from(near), min_size=2, max_size=3, unique_by=lambda room: room.key))
    shares = draw(st.booleans())
    here = wall_of(rooms[0], shares=shares)
    if all(wall_of(room, shares=shares) == here for room in rooms):
        rooms.append(next(room for room in ROOMS if wall_of(room, shares=shares) != here))
    secret = st.builds(Says, st.just(rooms[0]), st.sampled_from(rooms[0].people), st.sampled_from([f"save: {fact}" for fact in FACTS]))
    room = st.sampled_from([rooms[0], *rooms])
    talk = room.flatmap(says)
    event = talk | talk | talk | room.flatmap(types) | room.flatmap(changes) | st.just(Night())
    return History(tuple(rooms), (draw(secret), *draw(st.lists(event, min_size=1, max_size=7))), shares)
