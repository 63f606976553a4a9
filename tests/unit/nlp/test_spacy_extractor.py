import asyncio
import threading

from structlog.testing import capture_logs

from bot.domain.entity import EntityKind
from bot.nlp.extractor import DEFAULT_MODELS
from bot.nlp.reading import MAX_CHARACTERS
from bot.nlp.spacy_extractor import SpacyExtractor
from bot.ports.extractor import Reading

INSTALLED = DEFAULT_MODELS[-1:]


def name_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("names")]


async def test_it_tells_people_from_places_and_leaves_the_event_loop_free() -> None:
    extractor = SpacyExtractor(INSTALLED)
    turns_of_the_loop = 0

    reading = asyncio.ensure_future(extractor.read(["Alice moved to Paris with the cat. My cat's name is Mochi."]))
    while not reading.done():
        turns_of_the_loop += 1
        await asyncio.sleep(0)
    await extractor.close()

    kinds = {mention.name: mention.kind for mention in reading.result()[0].mentions}
    assert kinds == {"Alice": EntityKind.PERSON, "Paris": EntityKind.PLACE, "Mochi": EntityKind.PERSON}
    assert turns_of_the_loop > 10


async def test_it_reads_in_one_thread_which_ends_when_it_is_closed() -> None:
    extractor = SpacyExtractor(INSTALLED)

    await asyncio.gather(*(extractor.read([f"Alice met Bob {number} times."]) for number in range(20)))
    while_open = name_threads()
    await extractor.close()

    assert len(while_open) == 1
    assert name_threads() == []
    assert await extractor.read(["Alice"]) == [Reading()]


async def test_it_loads_nothing_before_it_is_asked_to() -> None:
    extractor = SpacyExtractor(INSTALLED)

    before = name_threads()
    extractor.warm_up()
    extractor.warm_up()
    after = name_threads()
    await extractor.close()

    assert (len(before), len(after)) == (0, 1)


async def test_closing_while_it_loads_waits_for_no_more_than_that() -> None:
    extractor = SpacyExtractor(INSTALLED)

    reading = asyncio.ensure_future(extractor.read(["Alice"]))
    await asyncio.sleep(0)
    await extractor.close()

    assert await reading == [Reading()]
    assert name_threads() == []


async def test_b105_a_text_of_over_a_million_characters_is_cut_with_a_note() -> None:
    extractor = SpacyExtractor(INSTALLED)

    with capture_logs() as logs:
        (reading,) = await extractor.read(["Alice wrote to Bob. " * 60_000])
    await extractor.close()

    assert [mention.name for mention in reading.mentions] == ["Alice", "Bob"]
    assert {"event": "text_cut_for_names", "characters": 1_200_000, "read": MAX_CHARACTERS, "log_level": "info"} in logs


async def test_a_model_that_does_not_load_leaves_the_rules_and_a_warning() -> None:
    with capture_logs() as logs:
        extractor = SpacyExtractor(["bot", "xx_not_there"])
        (reading,) = await extractor.read(["Ana likes tea"])
    await extractor.close()

    assert [mention.name for mention in reading.mentions] == ["Ana"]
    assert [entry["event"] for entry in logs] == ["spacy_model_unusable", "spacy_model_unusable", "names_by_rules_only"]
