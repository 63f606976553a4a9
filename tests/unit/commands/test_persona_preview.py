"""A persona is tried by its admins: nobody else sees it, and nothing of it is kept."""

from bot.testing.factories import GROUP
from tests.unit.commands.conftest import Typist


async def test_a_line_is_answered_in_private_and_nothing_is_kept(typist: Typist) -> None:
    answer = await typist.type("/persona preview rose Who are you?", conversation=GROUP, admin=True)

    async with typist.store.read() as tx:
        assert await tx.messages.history(GROUP, limit=9) == []
    assert (answer.private, answer.text.count("Ahoy!")) == (True, 1)
    assert "> Who are you?\n\nAhoy there." in answer.text
    assert "Who are you?" in typist.model.prompts[0].text


async def test_without_a_line_it_only_greets(typist: Typist) -> None:
    answer = await typist.type("/persona preview rose", conversation=GROUP, admin=True)

    assert "Ahoy!" in answer.text
    assert typist.model.prompts == []


async def test_a_model_that_fails_is_told_of(typist: Typist) -> None:
    await typist.type("/persona preview rose Hi", conversation=GROUP, admin=True)

    assert "The model gave no answer" in (await typist.type("/persona preview rose Hi", conversation=GROUP, admin=True)).text


async def test_lines_count_against_the_same_limits_as_answers_and_greetings_do_not(typist: Typist) -> None:
    told = [await typist.type(f"/persona preview rose{line}", conversation=GROUP, admin=True) for line in ("", " Hi", " Hi", " Hi", "")]

    assert (told[3].private, told[3].text.startswith("That was a lot in a short time.")) == (True, True)
    assert "Ahoy!" in told[4].text
    assert len(typist.model.prompts) == 2
