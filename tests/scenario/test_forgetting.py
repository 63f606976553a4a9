"""After an erasure nothing of it is left: in no byte of a SQLite file, and in no table of PostgreSQL."""

import asyncio
import random
from pathlib import Path

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.erasing import DeletedMessages, ErasureTarget, Kept, OneConversation, OneMemory, OnePerson, OneSpace
from bot.domain.message import Person
from bot.domain.past import ChunkState
from bot.jobs.erasing import GRACE, Erasing
from bot.memory.erasing.engine import Eraser, ErasureReport
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import GROUP, a_scope
from tests.conformance.store_writers import writers
from tests.scenario.forgetting_stage import DIARY, SECRET, SETTING, ZOE, everything, fill, found_in, tell

ELSEWHERE = ConversationKey("discord", "club", "kitchen")
OTHER_SERVER = ConversationKey("discord", "pub", "bar")
DM = ConversationKey("discord", "dm9", "dm9")
SCOPE = a_scope(GROUP, ZOE)
NAMES = (ZOE.id, ZOE.display_name)

TARGETS = [
    pytest.param(OneMemory(SCOPE, 1), (), id="one memory"),
    pytest.param(DeletedMessages(GROUP, ("m1",)), (), id="a message that the platform deleted"),
    pytest.param(OnePerson("discord", ZOE.id, GROUP), NAMES, id="a person in one place"),
    pytest.param(OnePerson("discord", ZOE.id, space_id="club"), NAMES, id="a person in a server"),
    pytest.param(OnePerson("discord", ZOE.id), NAMES, id="a person everywhere"),
    pytest.param(OneConversation(GROUP), (*NAMES, "nice weather", DIARY), id="a conversation"),
    pytest.param(OneSpace("discord", "club"), (*NAMES, "nice weather", DIARY, SETTING, "club"), id="a server"),
]


async def erase(store: SqlStore, target: ErasureTarget) -> ErasureReport:
    """Erase a target."""
    return await Eraser(store, FrozenClock()).erase(target)


@pytest.mark.parametrize(("target", "words"), TARGETS)
async def test_nothing_is_left_of_it(store: SqlStore, store_url: str, target: ErasureTarget, words: tuple[str, ...]) -> None:
    await fill(store)
    assert found_in(store_url, SECRET, *words)

    report = await erase(store, target)

    assert report.is_wiped
    assert found_in(store_url, SECRET, *words) == []


@pytest.mark.parametrize("target", [pytest.param(param.values[0], id=param.id) for param in TARGETS])
async def test_nothing_has_changed_anywhere_else(store: SqlStore, store_url: str, target: ErasureTarget) -> None:
    await fill(store)
    await fill(store, OTHER_SERVER, secret="marmalade", person=Person("max", "Maximilian"))
    before = await everything(store, OTHER_SERVER)

    await erase(store, target)

    assert found_in(store_url, SECRET) == []
    assert await everything(store, OTHER_SERVER) == before


@pytest.mark.parametrize(("target", "words"), TARGETS)
async def test_a_second_time_there_is_nothing_to_erase(
    store: SqlStore,
    target: ErasureTarget,
    words: tuple[str, ...],
) -> None:
    await fill(store)
    await erase(store, target)

    assert (await erase(store, target)).counts == {}
    async with store.read() as tx:
        assert list(await tx.erasures.unfinished()) == []
        assert list(await tx.leases.all()) == []


async def test_the_counts_are_those_of_what_was_there(store: SqlStore) -> None:
    await fill(store)

    report = await erase(store, OnePerson("discord", ZOE.id, GROUP))

    assert report.conversations == (GROUP,)
    assert report.counts == {
        Kept.MESSAGES: 3,  # one of hers, and two answers that repeat it
        Kept.QUOTES: 1,
        Kept.MEMORIES: 1,
        Kept.REVISIONS: 2,
        Kept.CHUNKS: 1,
        Kept.SUMMARIES: 1,
        Kept.STRUCTURED: 1,
        Kept.ENTITIES: 2,
        Kept.RELATIONS: 1,
        Kept.DOCUMENTS: 3,
        Kept.UNSENT: 1,
        Kept.RECALLS: 1,
    }


async def test_what_others_said_stays_and_is_to_be_summed_up_anew(store: SqlStore) -> None:
    await fill(store)

    await erase(store, OnePerson("discord", ZOE.id, GROUP))

    async with store.read() as tx:
        assert [said.text for said in await tx.messages.page(GROUP, limit=9)] == ["Nice weather today", "Sounds odd", "Good night all"]
        assert [memory.text for memory in await tx.memories.page(SCOPE, limit=9)] == ["Bo likes the weather"]
        chunks = await tx.pasts.chunks(GROUP, 0, limit=9)
        assert [(chunk.state, chunk.summary, chunk.messages) for chunk in chunks] == [
            (ChunkState.PLANNED, "", 2),
            (ChunkState.DONE, "They said good night.", 1),
        ]
        assert [facts.name for facts in await tx.entities.page(SCOPE.audience, limit=9)] == ["Today"]


async def test_one_place_of_a_person_leaves_their_other_places(store: SqlStore, store_url: str) -> None:
    await fill(store)
    await fill(store, ELSEWHERE, secret="gooseberry")

    await erase(store, OnePerson("discord", ZOE.id, GROUP))

    assert found_in(store_url, SECRET) == []
    async with store.read() as tx:
        assert [said.text for said in await tx.messages.page(ELSEWHERE, limit=1)] == ["I bake gooseberry pies"]


async def test_a_person_everywhere_takes_direct_chats_along_whole(store: SqlStore, store_url: str) -> None:
    await fill(store)
    await fill(store, ELSEWHERE, secret="gooseberry")
    await fill(store, DM, secret="cloudberry")

    await erase(store, OnePerson("discord", ZOE.id))

    assert found_in(store_url, SECRET, "gooseberry", "cloudberry", "dm9", *NAMES) == []


async def test_a_discussion_goes_with_its_place(store: SqlStore, store_url: str) -> None:
    discussion = ConversationKey("discord", "club", "lounge", discussion="gardenparty")
    await fill(store, discussion)

    await erase(store, OneConversation(GROUP))

    assert found_in(store_url, SECRET, "gardenparty") == []


async def test_a_message_that_was_erased_is_not_recorded_when_it_comes_again(store: SqlStore, store_url: str) -> None:
    await fill(store)
    await erase(store, OnePerson("discord", ZOE.id, GROUP))

    with pytest.raises(AssertionError):
        async with store.write() as tx:
            await tell(tx, "m1", f"I bake {SECRET} pies")

    assert found_in(store_url, SECRET) == []


async def test_a_deletion_that_comes_before_its_message_counts(store: SqlStore) -> None:
    await erase(store, DeletedMessages(GROUP, ("m1",)))

    with pytest.raises(AssertionError):
        async with store.write() as tx:
            await tell(tx, "m1", "too late")


async def test_a_fact_stays_that_rests_on_something_else_too(store: SqlStore) -> None:
    await fill(store)

    await erase(store, DeletedMessages(GROUP, ("m3",)))

    async with store.read() as tx:
        assert await tx.memories.count(SCOPE) == 2


async def test_a_server_goes_thirty_days_after_the_bot_has_left_it_unless_it_comes_back(store: SqlStore, store_url: str) -> None:
    await fill(store)
    await fill(store, OTHER_SERVER, secret="marmalade")
    clock = FrozenClock()
    erasing = Erasing(Eraser(store, clock))
    async with store.write() as tx:
        await tx.erasures.left("discord", "club", START)
        await tx.erasures.left("discord", "pub", START)
        await tx.erasures.joined("discord", "pub")

    clock.move(seconds=GRACE.total_seconds() - 1)
    await erasing.ring()
    assert found_in(store_url, SECRET)
    clock.move(seconds=1)
    await erasing.ring()

    assert found_in(store_url, SECRET) == []
    assert found_in(store_url, "marmalade")


async def test_copies_made_before_upgrades_go_too(tmp_path: Path, sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    await store.open()
    await fill(store)
    copies = [tmp_path / name for name in ("baku.db.0004.bak", "baku.db.0004-2.bak")]
    for copy in copies:
        copy.write_bytes((tmp_path / "baku.db").read_bytes())
    (tmp_path / "mine.bak").write_text(SECRET)

    report = await erase(store, OneMemory(SCOPE, 1))
    await store.close()

    assert report.counts[Kept.COPIES] == 2
    assert found_in(sqlite_url, SECRET) == []
    assert (tmp_path / "mine.bak").exists()


async def test_much_talk_leaves_no_piece_of_a_row_in_the_gaps_of_pages(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)
    await store.open()
    drawn = random.Random(31)
    for batch in range(8):
        async with store.write() as tx:
            for number in range(60):
                who = ZOE if drawn.random() < 0.3 else Person("bo", "Bo")
                said = f"{SECRET if who is ZOE else 'plain'} {'x' * drawn.randrange(5, 900)}"
                await tell(tx, f"m{batch * 100 + number}", said, author=who)

    await erase(store, OnePerson("discord", ZOE.id))
    await store.close()

    assert found_in(sqlite_url, SECRET, *NAMES) == []


MANY = 900


async def fill_much(store: SqlStore) -> None:
    """Let Zoe say much."""
    await fill(store)
    async with store.write() as tx:
        for number in range(10, MANY):
            await tell(tx, f"m{number}", f"{SECRET} number {number}")


def erase_and_be_killed(url: str, target: ErasureTarget) -> None:
    """Erase in a process of its own."""
    asyncio.run(_erase_in_process(url, target))


async def _erase_in_process(url: str, target: ErasureTarget) -> None:
    store = SqlStore(url)
    await store.open()
    await erase(store, target)
    await store.close()


@pytest.mark.parametrize("target", [OnePerson("discord", ZOE.id), OneConversation(GROUP)], ids=["a person", "a conversation"])
async def test_what_a_kill_cuts_off_is_hidden_at_once_and_finished_at_the_next_start(
    store: SqlStore, store_url: str, target: ErasureTarget
) -> None:
    await fill_much(store)
    process = writers().Process(target=erase_and_be_killed, args=(store_url, target))
    process.start()
    while not await begun(store):
        pass
    process.kill()
    process.join(timeout=60)

    async with store.read() as tx:
        assert len(await tx.erasures.unfinished()) == 1
        assert not [said for said in await tx.messages.page(GROUP, limit=MANY) if said.author.id == ZOE.id]
    assert await Eraser(store, FrozenClock()).resume() == 1

    assert found_in(store_url, SECRET, *NAMES) == []


async def begun(store: SqlStore) -> bool:
    """Say whether an erasure is under way."""
    async with store.read() as tx:
        return bool(await tx.erasures.unfinished())
