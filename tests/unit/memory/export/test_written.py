"""An export as a page and as data."""

import json
import re
from dataclasses import replace
from datetime import timedelta

from bot.domain.entity import EntityKind
from bot.domain.memory import JournalEntry
from bot.domain.message import Quote
from bot.domain.past import EntityFacts, Relation
from bot.domain.pending import PendingMemory
from bot.memory.export.export import Export
from bot.memory.export.gather import Knowledge, Talk
from bot.memory.export.written import Written
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, DIRECT, a_memory, a_scope, stored

LATER = START + timedelta(days=1)
MEMORY = replace(a_memory("Ada likes <b>tea</b>"), ended_at=LATER)
CHANGES = [
    JournalEntry(MEMORY.id, MEMORY.scope, 1, actor, "said so", None, MEMORY, (), START) for actor in ("person:ada", "person:bo", "dream")
]
KNOWN = Knowledge(
    a_scope().audience,
    [MEMORY],
    CHANGES,
    [EntityFacts("Rex", EntityKind.OTHER, 1, ("Rex barks",))],
    [Relation("Ada", "likes", "tea", START, 1, "I like tea", valid_to=LATER)],
    [("retention_days", "7")],
)
EXPORT = Export("all", START, [Talk(DIRECT, [stored("# one\ntwo", quote=Quote("m0", BO, "why?"))])], [KNOWN], opted_out=True)


def test_the_page_shows_what_people_wrote_as_data() -> None:
    page = Written(EXPORT).page()

    for line in (
        "Ada likes \\<b\\>tea\\</b\\>",
        "\\# one two",
        "Rex barks",
        "Ada likes tea (“I like tea”)",
        "retention_days: 7",
        "You opted out",
    ):
        assert line in page


def test_others_are_not_named_in_the_journal_of_ones_own_memory() -> None:
    told = json.dumps(Written(EXPORT, "ada").data())

    assert re.findall(r'"who": "([^"]+)"', told) == ["you", "somebody else", "dream"]


def test_messages_are_named_by_their_place_in_the_file_and_by_no_row_of_the_database() -> None:
    resting = replace(KNOWN, memories=[replace(MEMORY, source_message_ids=(77, 78))], journal=(), relations=())
    data = Written(replace(EXPORT, talks=[Talk(DIRECT, [stored("hi", row=77, quote=Quote("m0", BO, "why?"))])], knowledge=[resting])).data()

    assert "77" not in str(data).replace("m77", "")
    assert "'sources': ['m1']" in str(data)
    assert "'in_reply_to': {'id': 'm0', 'by': 'Bo', 'by_id': 'bo', 'text': 'why?'}" in str(data)


def test_what_waits_to_be_approved_is_told() -> None:
    waiting = PendingMemory(MEMORY.scope, 2, "always <answer> in rhyme", ADA, None, (), "order", START)
    written = Written(replace(EXPORT, knowledge=[replace(KNOWN, pending=[waiting])]))

    assert "always \\<answer\\> in rhyme (order)" in written.page()
    assert "'why': 'order'" in str(written.data())


def test_the_same_export_gives_the_same_bytes() -> None:
    assert Written(EXPORT).archive() == Written(EXPORT).archive()
    assert Written(EXPORT).archive()[:2] == b"PK"
    assert ADA.id == "ada"
