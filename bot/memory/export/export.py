"""Exports of a person, a conversation or a server."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.chat import Audience, ConversationKey, ConversationKind, audience_of
from bot.domain.erasing import OneConversation, OnePerson, OneSpace
from bot.domain.message import Person
from bot.domain.persona import Persona, Personas
from bot.memory.export.gather import Knowledge, Talk, Wanted, bindings_of, known_in_audience, talk_in
from bot.ports.store import Transaction

_LOOKED_BACK = 50


@dataclass(frozen=True, slots=True)
class Export:
    """All that is held on somebody or some place."""

    title: str
    made_at: datetime
    talks: Sequence[Talk]
    knowledge: Sequence[Knowledge]
    opted_out: bool = False
    personas: Sequence[Persona] = ()
    """Those that the space has made its own."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """Collects exports within one consistent view of the store."""

    tx: Transaction
    personas: Personas
    at: datetime

    async def own(self, asker: Person, conversation: ConversationKey, kind: ConversationKind, *, is_admin: bool = False) -> Export:
        """Return what is held on somebody who asks: in a direct chat all of it; in a group their lines, and what is known of them.

        Summaries of a group tell of everybody, so only its admins get them.
        """
        audience = audience_of(conversation, kind, asker.id)
        is_direct = kind is ConversationKind.DIRECT
        wanted = Wanted("" if is_direct else asker.id, asker.id)
        places = await self._discussions(conversation) if is_direct else [conversation]
        talks = [await talk_in(self.tx, place, wanted, summaries=is_direct or is_admin) for place in places]
        knowledge = await self._known(audience, wanted, conversation, asker.display_name)
        return Export(
            f"all that is kept on {asker.display_name} here", self.at, talks, [knowledge], await self._is_out(conversation, asker.id)
        )

    async def space(self, platform: str, space_id: str, *, asker_id: str = "") -> Export:
        """Return what is held on a server or group, without the words of people who opted out."""
        places = sorted(await self.tx.erasures.conversations(OneSpace(platform, space_id)), key=str)
        export = await self._whole(f"all that is kept on {platform}:{space_id}", places, Wanted(asker_id=asker_id))
        return replace(export, personas=await self.tx.personas.all(platform, space_id))

    async def conversation(self, conversation: ConversationKey) -> Export:
        """Return what is held on a conversation and its discussions."""
        return await self._whole(f"all that is kept on {conversation}", await self._discussions(conversation), Wanted())

    async def person(self, platform: str, person_id: str) -> Export:
        """Return what is held on a person everywhere on a platform: their direct chats whole, of groups their part."""
        talks, known = list[Talk](), dict[Audience, Knowledge]()
        places = await self.tx.erasures.conversations(OnePerson(platform, person_id))
        for place in sorted(places, key=str):
            audience = await self._audience(place)
            is_direct = audience == audience_of(place, ConversationKind.DIRECT, person_id)
            wanted = Wanted("" if is_direct else person_id, person_id)
            talk = await talk_in(self.tx, place, wanted, summaries=is_direct)
            if talk.messages:
                talks.append(talk)
            if audience not in known:
                known[audience] = await self._known(audience, wanted, place, "")
        is_out = bool(await self.tx.people.out(platform, [person_id]))
        return Export(f"all that is kept on {platform}:{person_id}", self.at, talks, list(known.values()), is_out)

    async def _whole(self, title: str, places: Sequence[ConversationKey], wanted: Wanted) -> Export:
        talks = [
            replace(await talk_in(self.tx, place, wanted, summaries=True), bindings=await bindings_of(self.tx, place)) for place in places
        ]
        audiences = dict.fromkeys([await self._audience(place) for place in places])
        knowledge = [await self._known(audience, wanted, places[0], "") for audience in audiences]
        return Export(title, self.at, talks, knowledge)

    async def _known(self, audience: Audience, wanted: Wanted, conversation: ConversationKey, name: str) -> Knowledge:
        names = await self.tx.erasures.names_of(conversation, wanted.person_id) if wanted.person_id else ()
        own = await self.tx.personas.all(conversation.platform, conversation.space_id)
        persona_ids = {*self.personas.by_id, *(persona.id for persona in own)}
        return await known_in_audience(self.tx, persona_ids, audience, wanted, names=[*names, name])

    async def _discussions(self, conversation: ConversationKey) -> Sequence[ConversationKey]:
        """Return a conversation with the discussions that stand beside it."""
        return sorted({conversation, *await self.tx.erasures.conversations(OneConversation(conversation))}, key=str)

    async def _audience(self, conversation: ConversationKey) -> Audience:
        """Return who may see what is said there, by its last messages; in doubt the conversation alone."""
        last = await self.tx.messages.history(conversation, limit=_LOOKED_BACK)
        direct = [each for each in last if each.kind is ConversationKind.DIRECT and not each.author.is_bot]
        kind = ConversationKind.DIRECT if direct else ConversationKind.GROUP
        return audience_of(conversation, kind, direct[-1].author.id if direct else "")

    async def _is_out(self, conversation: ConversationKey, person_id: str) -> bool:
        return bool(await self.tx.people.out(conversation.platform, [person_id]))
