"""Whom a message pings: its text, what the sender allowed and what the sender may do."""

import re
from dataclasses import dataclass, field

from tests.emulators.discord.objects import Channel, Payload, Role, User
from tests.emulators.discord.permissions import Permission, permissions_in
from tests.emulators.discord.state import World

USER = re.compile(r"<@!?([0-9]{15,20})>")
ROLE = re.compile(r"<@&([0-9]{15,20})>")
EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(slots=True)
class Mentions:
    """What the message's own fields say, and who was notified."""

    users: list[User] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    everyone: bool = False

    @property
    def pinged(self) -> frozenset[str]:
        """Return "everyone", "role:<id>", "user:<id>" for each that was notified."""
        users = {f"user:{user.id}" for user in self.users}
        roles = {f"role:{role.id}" for role in self.roles}
        return frozenset(users | roles | ({"everyone"} if self.everyone else set()))


@dataclass(slots=True, frozen=True)
class Allowed:
    """The sender's `allowed_mentions`; without one, everything written is parsed."""

    parse: frozenset[str] = frozenset({"users", "roles", "everyone"})
    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    replied_user: bool = True

    @classmethod
    def from_body(cls, body: Payload) -> "Allowed":
        """Return what the request allows."""
        given = body.get("allowed_mentions")
        if given is None:
            return cls()
        return cls(
            parse=frozenset(given.get("parse") or ()),
            users=frozenset(int(i) for i in given.get("users") or ()),
            roles=frozenset(int(i) for i in given.get("roles") or ()),
            replied_user=bool(given.get("replied_user", False)),
        )


def resolve_mentions(
    world: World,
    channel: Channel,
    author: User,
    text: str,
    *,
    allowed: Allowed,
    replied: User | None = None,
) -> Mentions:
    """Return whom the text names and pings, as far as allowed."""
    everyone_too = bool(permissions_in(channel, author) & Permission.MENTION_EVERYONE)
    users = [world.users[i] for i in _ids(USER, text) if i in world.users and ("users" in allowed.parse or i in allowed.users)]
    if replied is not None and allowed.replied_user and replied not in users:
        users.append(replied)
    named = set(_ids(ROLE, text))
    roles = [
        role
        for role in (channel.guild.roles if channel.guild else [])
        if role.id in named and ("roles" in allowed.parse or role.id in allowed.roles) and (role.mentionable or everyone_too)
    ]
    all_of_them = bool(EVERYONE.search(text)) and "everyone" in allowed.parse and everyone_too
    return Mentions(users, roles, all_of_them and channel.guild is not None)


def _ids(pattern: re.Pattern[str], text: str) -> list[int]:
    return list(dict.fromkeys(int(found) for found in pattern.findall(text)))
