"""Names and what holds between them: A04 to A07, on both databases."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial

import pytest
from structlog.testing import capture_logs

from bot.domain.entity import EntityKind, EntityMention
from bot.domain.message import MessageState, StoredMessage
from bot.memory.entities import entity_line
from bot.memory.graph import known_in, learn, relations_of
from bot.nlp.extractor import DEFAULT_MODELS
from bot.nlp.rule_extractor import RuleExtractor
from bot.nlp.spacy_extractor import SpacyExtractor
from bot.ports.extractor import Extractor
from bot.ports.store import Store
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import a_scope, incoming
from bot.testing.scripted_model import ScriptedModel

AUDIENCE = a_scope().audience
MakeBot = Callable[..., AbstractAsyncContextManager[Bot]]


@pytest.fixture
def make(store_url: str) -> MakeBot:
    """Return `make_bot` on an empty database of each kind."""
    return partial(make_bot, database=store_url)


@pytest.fixture(params=["model", "rules"])
async def extractor(request: pytest.FixtureRequest) -> AsyncIterator[Extractor]:
    """Give an extractor with a model, and the one without."""
    extractor = SpacyExtractor(DEFAULT_MODELS[-1:]) if request.param == "model" else RuleExtractor()
    yield extractor
    await extractor.close()


async def hear(store: Store, extractor: Extractor, *texts: str) -> list[StoredMessage]:
    """Record messages, a day between them, and learn from each as the background does."""
    heard = []
    for day, (text, reading) in enumerate(zip(texts, await extractor.read(texts), strict=True)):
        async with store.write() as tx:
            said = incoming(text, message_id=str(day), sent_at=START + timedelta(days=day))
            message = await tx.messages.record(said, MessageState.HEARD)
            assert message is not None
            await learn(tx, AUDIENCE, message, reading.mentions, relations_of(reading.claims, message))
        heard.append(message)
    return heard


async def test_a04_names_are_known_with_their_kind_message_and_sentence(store: Store, extractor: Extractor) -> None:
    (message,) = await hear(store, extractor, "Alice moved to Paris.")

    async with store.read() as tx:
        for name, kind in (("Alice", EntityKind.PERSON), ("Paris", EntityKind.PLACE)):
            mention = EntityMention(name, kind, "Alice moved to Paris.")
            assert await tx.entities.mentions(AUDIENCE, name, limit=9) == [(message.id, mention)]


async def test_a05_a_name_is_found_however_it_is_written_and_no_other_is_listed(store: Store, extractor: Extractor) -> None:
    await hear(store, extractor, "Alice moved to Paris.", "Paris is rainy.")

    async with store.read() as tx:
        known = await known_in(tx, AUDIENCE, "how is paris's weather?", limit=9)
    assert [(facts.name, facts.mentions) for facts in known.entities] == [("Paris", 2)]
    assert [entity_line(facts) for facts in known.entities] == ["- Paris (GPE): Paris is rainy."]
    assert known.relations == ()


async def test_a05_the_line_stands_in_the_prompt_of_whoever_asks(make: MakeBot) -> None:
    model = ScriptedModel("Oh!", "Take a coat.", "Rainy.")
    async with make(model) as bot:
        await bot.say("Alice moved to Paris.")
        await bot.say("Paris is rainy.")
        await bot.settled()
        await bot.say("how is paris's weather?")

    assert "- Paris (GPE): Paris is rainy." in model.prompts[2].text
    assert "- Alice (PERSON)" not in model.prompts[2].text


async def test_a06_without_a_model_one_warning_is_logged_and_names_are_found_by_rules() -> None:
    extractor = SpacyExtractor(("xx_not_there",))

    with capture_logs() as logs:
        for text in ("Alice moved to Paris.", "hello", "lol ok"):
            await extractor.read([text])
    await extractor.close()

    assert [entry["event"] for entry in logs if entry["event"] == "names_by_rules_only"] == ["names_by_rules_only"]


async def test_a06_without_a_model_replies_work_and_no_empty_heading_stands(make: MakeBot) -> None:
    model = ScriptedModel("Hi.", "Hi again.")
    async with make(model) as bot:
        await bot.say("hello")
        await bot.say("hello again")

    assert bot.replies == ["Hi.", "Hi again."]
    assert "GPE" not in model.prompts[1].text


async def test_a07_a_new_home_takes_the_place_of_the_old_one_and_each_keeps_its_source(store: Store, extractor: Extractor) -> None:
    paris, rome = await hear(store, extractor, "Alice lives in Paris", "Alice moved to Rome")

    async with store.read() as tx:
        new, old = await tx.relations.about(AUDIENCE, ["alice"], depth=1, limit=9)
    assert (new.object, new.valid_to, new.source_row, new.evidence) == ("Rome", None, rome.id, "Alice moved to Rome")
    assert (old.object, old.valid_to, old.source_row, old.ended_by_row) == ("Paris", rome.sent_at, paris.id, rome.id)
