"""An export as a page and as data."""

import json
import re
from dataclasses import replace
from datetime import timedelta

from bot.domain.entity import EntityKind
from bot.domain.memory import JournalEntry
from bot.domain.message import Quote
from bot.domain.past import EntityFacts, Relation
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


def test_the_data_holds_no_row_of_the_database() -> None:
    text = str(Written(EXPORT).data())

    assert str(MEMORY.id) not in text
    assert "source" not in text
    assert "'in_reply_to': {'by': 'Bo', 'text': 'why?'}" in text


def test_the_same_export_gives_the_same_bytes() -> None:
    assert Written(EXPORT).archive() == Written(EXPORT).archive()
    assert Written(EXPORT).archive()[:2] == b"PK"
    assert ADA.id == "ada"
