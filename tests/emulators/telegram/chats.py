"""Chats, their members, their forum topics and what was written in them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tests.emulators.telegram.people import User

if TYPE_CHECKING:
    from tests.emulators.telegram.messages import Message

GENERAL_TOPIC_ID = 1
ADMIN_RIGHTS = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members",
    "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories",
    "can_edit_stories", "can_delete_stories",
)  # fmt: skip

MEMBER_RIGHTS = (
    "can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos", "can_send_video_notes",
    "can_send_voice_notes", "can_send_polls", "can_send_other_messages", "can_add_web_page_previews", "can_change_info",
    "can_invite_users", "can_pin_messages", "can_manage_topics",
)  # fmt: skip


class ChatKind(StrEnum):
    """The four kinds of chat."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"


class Standing(StrEnum):
    """What somebody is in a chat."""

    CREATOR = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    LEFT = "left"
    KICKED = "kicked"


@dataclass(slots=True)
class Topic:
    """One topic of a forum."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True)
class Chat:
    """One chat with its members, topics and messages."""

    id: int
    kind: ChatKind
    title: str = ""
    username: str = ""
    person: User | None = None
    is_forum: bool = False
    standings: dict[int, Standing] = field(default_factory=dict)
    people: dict[int, User] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, "Message"] = field(default_factory=dict)
    migrated_to: int | None = None
    hides_members: bool = False
    denied: set[str] = field(default_factory=set)
    """What members who are no administrators may not do, such as can_send_messages."""
    blocked_bots: set[int] = field(default_factory=set)
    last_message_id: int = GENERAL_TOPIC_ID

    def next_message_id(self) -> int:
        """Return the next free message id; ids of different chats are alike, as on Telegram."""
        self.last_message_id += 1
        return self.last_message_id

    def standing_of(self, user_id: int) -> Standing:
        """Return what the account is here; one that never came has left."""
        return self.standings.get(user_id, Standing.LEFT)

    def is_admin(self, user_id: int) -> bool:
        """Return whether the account is the owner or an administrator here."""
        return self.standing_of(user_id) in {Standing.CREATOR, Standing.ADMINISTRATOR}

    def admit(self, user: User, standing: Standing = Standing.MEMBER) -> None:
        """Let the account in, or change what it is."""
        self.people[user.id] = user
        self.standings[user.id] = standing

    def to_json(self) -> dict[str, object]:
        """Return the chat as it stands inside messages."""
        body: dict[str, object] = {"id": self.id, "type": self.kind.value}
        if self.person is not None:
            body["first_name"] = self.person.first_name
            if self.person.username:
                body["username"] = self.person.username
            return body
        body["title"] = self.title
        if self.username:
            body["username"] = self.username
        if self.is_forum:
            body["is_forum"] = True
        return body

    def to_full_json(self) -> dict[str, object]:
        """Return the chat as getChat gives it."""
        permissions = {} if self.person is not None else {"permissions": {right: right not in self.denied for right in MEMBER_RIGHTS}}
        gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
        return {
            **self.to_json(),
            **permissions,
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": dict.fromkeys(gifts, False),
        }

    def member_json(self, user: User) -> dict[str, object]:
        """Return the membership of `user` as getChatMember gives it."""
        standing = self.standing_of(user.id)
        body: dict[str, object] = {"user": user.to_json(), "status": standing.value}
        match standing:
            case Standing.CREATOR:
                body["is_anonymous"] = False
            case Standing.ADMINISTRATOR:
                body |= dict.fromkeys(ADMIN_RIGHTS, True)
                body |= {"can_be_edited": False, "is_anonymous": False}
            case Standing.KICKED:
                body["until_date"] = 0
            case _:
                pass
        return body
