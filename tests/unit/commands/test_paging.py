import pytest

from bot.commands.paging import page_of, paged
from bot.domain.access import AccessRule, Named, Way, Whom
from bot.domain.command import Answer
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import DIRECT, GROUP, a_persona
from bot.testing.scripted_model import ScriptedModel

LINES = [f"line {number}" for number in range(50)]


async def asked(bot: Bot, line: str) -> Answer:
    return await bot.command(line, conversation=GROUP, admin=True)


def test_pages_hold_all_lines_in_their_order() -> None:
    pages = [page_of(LINES, number) for number in (1, 2, 3)]

    assert [line for page in pages for line in page.lines] == LINES
    assert len(paged(LINES)) == pages[0].of == 3


@pytest.mark.parametrize(
    ("number", "there", "lines"),
    [
        pytest.param(1, 1, ["list 2"], id="first"),
        pytest.param(2, 2, ["list 1", "list 3"], id="between"),
        pytest.param(99, 3, ["list 2"], id="behind the last"),
        pytest.param(-4, 1, ["list 2"], id="before the first"),
    ],
)
def test_buttons_turn_to_the_pages_that_there_are(number: int, there: int, lines: list[str]) -> None:
    page = page_of(LINES, number)

    assert page.note == f" (page {there} of 3)"
    assert [button.line for button in page.buttons("list ")] == lines


def test_one_page_needs_neither_buttons_nor_a_note_and_a_long_line_has_none() -> None:
    assert (page_of(LINES[:3], 1).note, page_of(LINES[:3], 1).buttons("list "), page_of([], 1).lines) == ("", (), [])
    assert page_of(LINES, 1).buttons("x" * 40) == ()


async def test_personas_are_paged() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona(f"persona-{number:02}") for number in range(30)]) as bot:
        first, second = await asked(bot, "persona list"), await asked(bot, "persona list 2")

    assert [button.line for button in first.buttons] == ["persona list 2"]
    assert "`persona-19`" in first.text
    assert "`persona-20`" in second.text


async def test_versions_of_a_persona_are_paged_whatever_its_name_ends_in() -> None:
    async with make_bot(ScriptedModel(), personas=[a_persona(), a_persona("rose-2", name="Rose 2")]) as bot:
        for number in range(22):
            await asked(bot, f"persona edit rose-2 greeting Hello {number}")
        first, second = await asked(bot, "persona history Rose 2"), await asked(bot, "persona history rose-2 2")

    assert [button.line for button in first.buttons] == ["persona history rose-2 2"]
    assert "#22 ·" in first.text
    assert "#2 ·" in second.text


async def test_long_lists_of_who_may_talk_are_paged_and_what_is_on_them_is_suggested() -> None:
    async with make_bot(ScriptedModel()) as bot:
        async with bot.store.write() as tx:
            for number in range(30):
                await tx.settings.set(GROUP.platform, GROUP.space_id, AccessRule(Way.DENY, Named(Whom.USER, f"1{number:02}")).setting, "x")
        answer = await asked(bot, "access show 2")

    assert answer.text.startswith("**Who may talk to me, and where** (page 2 of 2)")
    assert [button.line for button in answer.buttons] == ["access show 1"]


async def test_what_a_search_found_is_paged() -> None:
    async with make_bot(ScriptedModel()) as bot:
        for number in range(25):
            await bot.command(f"memory add I like tea of the sort {chr(97 + number) * 4}", conversation=DIRECT)
        first, second = await bot.command("memory search like tea"), await bot.command("memory search like tea page:2")

    assert [button.line for button in first.buttons] == ["memory search like tea page:2"]
    assert second.text.endswith("(page 2 of 2)")
    assert [button.line for button in second.buttons] == ["memory search like tea page:1"]


async def test_how_a_memory_came_to_be_is_paged() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("memory add I like tea")
        for number in range(24):
            await bot.command(f"memory edit 1 I like the tea of the year {1900 + number}")
        first, last = await bot.command("memory history 1"), await bot.command("memory history 1 99")

    assert [button.line for button in first.buttons] == ["memory history 1 2"]
    assert [button.label for button in last.buttons] == ["‹"]
