"""How a space that moves is called before and after: in keys, in texts that name it, in rows and in orders to erase. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import assert_never
from urllib.parse import quote

from bot.domain.chat import Audience, ConversationKey, MemoryScope
from bot.domain.erasing import DeletedMessages, ErasedPlace, ErasurePlan, ErasureTarget, OneConversation, OneMemory, OnePerson, OneSpace
from bot.storage.sql.erasing_targets import order_in, order_text

_IDS = frozenset({"space_id", "channel_id", "audience_space"})
_NAMING = frozenset({"name", "value"})
"""Columns of settings that may name a place."""


@dataclass(frozen=True)
class Move:
    """A space that goes on under another id. Where it has one channel alone, that bears the space's id."""

    platform: str
    old: str
    new: str

    def key(self, key: ConversationKey) -> ConversationKey:
        """Return a conversation's key after the move."""
        if (key.platform, key.space_id) != (self.platform, self.old):
            return key
        return replace(key, space_id=self.new, channel_id=self._id(key.channel_id))

    def text(self, text: str) -> str:
        """Return a text with the keys and audiences in it as they are after the move."""
        return self._pattern.sub(lambda found: found[0].replace(f":{self._quoted}", f":{quote(self.new, safe='')}"), text)

    def row(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return a row of the space as it is after the move."""
        return {name: self._value(name, value) for name, value in values.items()}

    def order(self, text: str) -> str:
        """Return an order to erase as it is after the move."""
        target, plan = order_in(text)
        if target is None:
            return text
        places = tuple(
            ErasedPlace(self.key(one.conversation), tuple(map(self._audience, one.audiences)), one.is_whole) for one in plan.places
        )
        moved = ErasurePlan(places, tuple(map(self._audience, plan.whole)), tuple(map(self._audience, plan.in_part)))
        return order_text(self._target(target), moved)

    def _target(self, target: ErasureTarget) -> ErasureTarget:
        match target:
            case OneMemory(scope):
                return replace(target, scope=MemoryScope(scope.persona_id, self._audience(scope.audience)))
            case DeletedMessages(conversation, ids):
                key = self.key(conversation)
                return target if key == conversation else DeletedMessages(key, tuple(f"{self.old}/{one}" for one in ids))
            case OnePerson(platform, _, conversation, space_id):
                place = conversation and self.key(conversation)
                return replace(target, conversation=place, space_id=self._id(space_id) if platform == self.platform else space_id)
            case OneConversation(conversation):
                return OneConversation(self.key(conversation))
            case OneSpace(platform, space_id):
                return OneSpace(platform, self._id(space_id)) if platform == self.platform else target
            case _:
                assert_never(target)

    def _audience(self, audience: Audience) -> Audience:
        return Audience(audience.kind, self.text(audience.id))

    def _value(self, name: str, value: object) -> object:
        if name in _IDS:
            return self._id(str(value))
        if name in _NAMING and isinstance(value, str):
            return self._channel.sub(f"@{self.new}", self.text(value)) if name == "name" else self.text(value)
        return value

    def _id(self, known: str) -> str:
        return self.new if known == self.old else known

    @cached_property
    def _quoted(self) -> str:
        return quote(self.old, safe="")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        space, platform = re.escape(self._quoted), re.escape(quote(self.platform, safe=""))
        return re.compile(rf"(?<![\w%.~-]){platform}:{space}(?::{space})?(?![\w%.~-])")

    @cached_property
    def _channel(self) -> re.Pattern[str]:
        return re.compile(rf"@{re.escape(self.old)}(?=/|$)")
