"""An export as data, as a page to read, and as the one file that holds both."""

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bot.domain.chat import ConversationKind
from bot.domain.memory import JournalEntry, Memory
from bot.domain.message import Person, Role, StoredMessage
from bot.domain.past import EntityFacts, Relation
from bot.domain.pending import PendingMemory
from bot.domain.persona import Persona
from bot.domain.tool import JsonValue
from bot.memory.export.export import Export
from bot.memory.export.gather import Knowledge, Talk

FORMAT, VERSION = "baku export", 2
PAGE_NAME, DATA_NAME = "export.md", "export.json"
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#|"})


@dataclass(frozen=True, slots=True)
class Written:
    """How an export reads to one person: others are not named in journals."""

    export: Export
    asker_id: str = ""
    """Empty for operators and admins."""

    def data(self) -> dict[str, JsonValue]:
        """Return the export as JSON holds it. A `ref` is a message's place in the file, by which others name it; no row of the database."""
        export = self.export
        said = [message for talk in export.talks for message in talk.messages]
        refs = {message.id: f"m{place}" for place, message in enumerate(said, start=1)}
        return {
            "format": FORMAT,
            "version": VERSION,
            "title": export.title,
            "made_at": _time(export.made_at),
            "opted_out": export.opted_out,
            "conversations": [self._talk(talk, refs) for talk in export.talks],
            "remembered": [self._known(known, refs) for known in export.knowledge],
            "personas_made_here": [_persona(persona) for persona in export.personas],
        }

    def page(self) -> str:
        """Return the export as Markdown."""
        export = self.export
        lines = [
            f"# Baku: {_shown(export.title)}",
            "",
            f"Made at {_time(export.made_at)}. `{DATA_NAME}` beside this page holds the same as data.",
        ]
        lines += ["", "You opted out: nothing new is kept."] if export.opted_out else []
        for known in export.knowledge:
            lines += _known_page(known)
        for talk in export.talks:
            lines += _talk_page(talk)
        lines += ["", "## Personas made here", ""] if export.personas else []
        lines += [f"- {_shown(persona.name)} ({persona.id}): {_shown(persona.voice)}" for persona in export.personas]
        return "\n".join(lines) + "\n"

    def archive(self) -> bytes:
        """Return the file: a ZIP of the page and the data. The same export always gives the same bytes."""
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for name, text in ((PAGE_NAME, self.page()), (DATA_NAME, json.dumps(self.data(), ensure_ascii=False, indent=1))):
                archive.writestr(_entry(name, self.export.made_at), text.encode("utf-8", "replace"))
        return buffer.getvalue()

    def _talk(self, talk: Talk, refs: Mapping[int, str]) -> JsonValue:
        is_direct = any(message.kind is ConversationKind.DIRECT for message in talk.messages)
        return {
            "conversation": str(talk.conversation),
            "kind": (ConversationKind.DIRECT if is_direct else ConversationKind.GROUP).value,
            "personas": [{"channel": place.channel_id, "thread": place.thread_id, "persona": chosen} for place, chosen in talk.bindings],
            "messages": [_message(message, refs[message.id]) for message in talk.messages],
            "summary": talk.summary.text if talk.summary else "",
            "summaries": [
                {"from": _time(chunk.began_at), "until": _time(chunk.ended_at), "text": chunk.summary}
                for chunk in talk.chunks
                if chunk.summary
            ],
            "structured": [
                {"title": each.title, "text": each.summary, "names": list(each.entities), "key_phrases": list(each.key_phrases)}
                for each in talk.structured
            ],
        }

    def _known(self, known: Knowledge, refs: Mapping[int, str]) -> JsonValue:
        return {
            "audience": str(known.audience),
            "memories": [_memory(memory, refs) for memory in known.memories],
            "waiting": [_waiting(pending, refs) for pending in known.pending],
            "journal": [self._entry(entry, refs) for entry in known.journal],
            "entities": [_entity(facts) for facts in known.entities],
            "relations": [_relation(relation, refs) for relation in known.relations],
            "settings": dict(known.settings),
        }

    def _entry(self, entry: JournalEntry, refs: Mapping[int, str]) -> JsonValue:
        return {
            "persona": entry.scope.persona_id,
            "number": entry.number,
            "memory": entry.memory_id.hex,
            "at": _time(entry.at),
            "who": self._who(entry.actor),
            "why": entry.reason,
            "before": entry.before.text if entry.before else "",
            "after": entry.after.text if entry.after else "",
            "sources": _sources(entry.source_message_ids, refs),
        }

    def _who(self, actor: str) -> str:
        if not self.asker_id or not actor.startswith("person:"):
            return actor
        return "you" if actor == f"person:{self.asker_id}" else "somebody else"


def _entry(name: str, at: datetime) -> ZipInfo:
    entry = ZipInfo(name, (at.year, at.month, at.day, at.hour, at.minute, 0))
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o600 << 16
    return entry


def _message(message: StoredMessage, ref: str) -> JsonValue:
    line: dict[str, JsonValue] = {
        "ref": ref,
        "id": message.message_id if message.role is Role.USER else "",
        "at": _time(message.sent_at),
        **_person("by", message.author),
        "text": message.text,
    }
    if message.role is Role.ASSISTANT:
        line["persona"] = message.persona_id
    if message.is_public:
        line["public"] = True
    if quote := message.quote:
        known = {} if quote.author.is_bot else {"id": quote.message_id}
        line["in_reply_to"] = {**known, **_person("by", quote.author), "text": quote.text}
    return line


def _person(what: str, person: Person) -> dict[str, JsonValue]:
    marks: dict[str, JsonValue] = {f"{what}_bot": True} if person.is_bot else {f"{what}_service": True} if person.is_service else {}
    return {what: person.display_name, f"{what}_id": person.id, **marks}


def _persona(persona: Persona) -> JsonValue:
    """Return the texts of a persona; `/persona export` gives it whole."""
    return {
        "id": persona.id,
        "name": persona.name,
        "summary": persona.summary,
        "voice": persona.voice,
        "greetings": [persona.greeting, *persona.greetings],
        "instructions": persona.instructions,
        "reminder": persona.reminder,
        "lore": [entry.content for entry in persona.lore.entries],
    }


def _memory(memory: Memory, refs: Mapping[int, str]) -> JsonValue:
    return {
        "id": memory.id.hex,
        "persona": memory.scope.persona_id,
        "number": memory.number,
        "text": memory.text,
        **(_person("about", memory.subject) if memory.subject else {"about": ""}),
        **_person("said_by", memory.author),
        "level": memory.level.name.lower(),
        "importance": round(memory.importance, 4),
        "weighed_at": _time(memory.weighed_at) if memory.weighed_at else "",
        "pinned": memory.pinned,
        "group": memory.group,
        "created_at": _time(memory.created_at),
        "updated_at": _time(memory.updated_at),
        "ended_at": _time(memory.ended_at) if memory.ended_at else "",
        "sources": _sources(memory.source_message_ids, refs),
    }


def _waiting(pending: PendingMemory, refs: Mapping[int, str]) -> JsonValue:
    return {
        "persona": pending.scope.persona_id,
        "number": pending.number,
        "text": pending.text,
        **(_person("about", pending.subject) if pending.subject else {"about": ""}),
        **_person("said_by", pending.author),
        "why": pending.reason,
        "at": _time(pending.at),
        "sources": _sources(pending.source_message_ids, refs),
    }


def _sources(rows: Iterable[int], refs: Mapping[int, str]) -> list[JsonValue]:
    """Return the messages that something rests on, as far as they are in the file."""
    return [refs[row] for row in rows if row in refs]


def _entity(facts: EntityFacts) -> JsonValue:
    return {
        "name": facts.name,
        "kind": facts.kind.value,
        "also": list(facts.aliases),
        "sentences": list(facts.sentences),
        "person_id": facts.person_id,
    }


def _relation(relation: Relation, refs: Mapping[int, str]) -> JsonValue:
    return {
        "subject": relation.subject,
        "subject_id": relation.subject_person,
        "predicate": relation.predicate,
        "object": relation.object,
        "object_id": relation.object_person,
        "since": _time(relation.valid_from),
        "until": _time(relation.valid_to) if relation.valid_to else "",
        "sentence": relation.evidence,
        "source": refs.get(relation.source_row, ""),
    }


def _known_page(known: Knowledge) -> list[str]:
    memories = [
        f"- {memory.scope.persona_id} #{memory.number}: {_shown(memory.text)} (said by {_shown(memory.author.display_name)},"
        f" {memory.created_at:%Y-%m-%d}, {memory.level.name.lower()})"
        for memory in known.memories
    ]
    names = [f"- {_shown(facts.name)}: {_shown(' / '.join(facts.sentences))}" for facts in known.entities]
    relations = [f"- {_shown(each.subject)} {each.predicate} {_shown(each.object)} (“{_shown(each.evidence)}”)" for each in known.relations]
    settings = [f"- {name}: {_shown(value)}" for name, value in known.settings]
    waiting = [f"- {each.scope.persona_id} #{each.number}: {_shown(each.text)} ({each.reason})" for each in known.pending]
    parts = (
        ("Memories", memories),
        ("Waiting to be approved", waiting),
        ("Names", names),
        ("What is known of names", relations),
        ("Settings", settings),
    )
    return [line for title, lines in parts for line in _section(title, lines)]


def _talk_page(talk: Talk) -> list[str]:
    said = [
        f"- {message.sent_at:%Y-%m-%d %H:%M} {_shown(message.author.display_name)}: {_shown(message.text)}" for message in talk.messages
    ]
    told = [f"- {chunk.began_at:%Y-%m-%d}: {_shown(chunk.summary)}" for chunk in talk.chunks if chunk.summary]
    whole: Sequence[str] = [_shown(talk.summary.text)] if talk.summary else []
    found = [f"- {_shown(each.title)}: {_shown(each.summary)}" for each in talk.structured]
    parts = (("Summary", whole), ("Summaries", told), ("Searchable notes", found), (f"Messages in `{talk.conversation}`", said))
    return [line for title, lines in parts for line in _section(title, lines)]


def _section(title: str, lines: Iterable[str]) -> list[str]:
    shown = list(lines)
    return ["", f"## {title}", "", *shown] if shown else []


def _shown(text: str) -> str:
    """Return what somebody wrote on one line, without a meaning as markup."""
    return " ".join(text.split()).translate(_MARKS)


def _time(at: datetime) -> str:
    return at.isoformat()
