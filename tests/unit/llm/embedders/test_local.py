import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.errors import EmbedderUnavailable
from bot.llm.embedders.local import LocalEmbedder
from bot.llm.embedders.packages import PACKAGES

DEFAULT = PACKAGES[0]
CHARACTERS = st.characters(codec="utf-8") | st.sampled_from("ก็ำ́猫가ﷺ\u200d\ufeff▁")


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("embeds")]


async def test_it_loads_nothing_before_it_is_asked_to_and_once_then() -> None:
    embedder = LocalEmbedder(DEFAULT)

    before = threads()
    embedder.warm_up()
    embedder.warm_up()
    await asyncio.gather(*(embedder.queries([f"text {number}"]) for number in range(20)))
    after = threads()
    await embedder.close()

    assert (len(before), len(after), len(threads())) == (0, 1, 0)


async def test_closing_while_it_loads_lets_nobody_wait_for_ever() -> None:
    embedder = LocalEmbedder(DEFAULT)

    asked = asyncio.ensure_future(embedder.queries(["Alice"]))
    await asyncio.sleep(0)
    await embedder.close()

    with pytest.raises(EmbedderUnavailable, match="use-multilingual"):
        await asked


async def test_a_package_that_does_not_load_is_said_once_and_gives_no_vectors() -> None:
    embedder = LocalEmbedder(replace(DEFAULT, loader="bot.llm.embedders.not_there"))

    with capture_logs() as logs:
        for _ in range(2):
            with pytest.raises(EmbedderUnavailable, match="not loaded"):
                await embedder.queries(["Alice"])
    await embedder.close()

    assert [(entry["event"], entry["using"]) for entry in logs] == [("embedder_not_loaded", "words only")]


async def test_closing_stops_passages_under_way() -> None:
    embedder = LocalEmbedder(DEFAULT)
    await embedder.queries(["ready"])

    passages = asyncio.ensure_future(embedder.passages([f"text number {number}" for number in range(5000)]))
    await asyncio.sleep(0.01)
    await embedder.close()

    with pytest.raises(EmbedderUnavailable):
        await passages


@pytest.fixture(scope="module")
def embedder() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder(DEFAULT)
    yield embedder
    asyncio.run(embedder.close())


@given(text=st.text(CHARACTERS, max_size=60))
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.differing_executors])
async def test_any_text_at_all_gives_a_vector(embedder: LocalEmbedder, text: str) -> None:
    (vector,) = await embedder.passages([text])

    assert vector.any() == any(character.isalnum() for character in text)
