"""Personas are found by id, by name, and by the beginning of a long id that a button had no room for."""

from dataclasses import replace

from bot.commands.persona_cast import MOST_OWN
from bot.testing.clock import START
from bot.testing.factories import ADA, GROUP, a_persona, a_scope
from tests.unit.commands.conftest import Typist

LONG = "a-persona-with-a-rather-long-id"


async def test_the_beginning_of_a_long_id_stands_for_it(typist: Typist) -> None:
    async with typist.store.write() as tx:
        await tx.personas.put(GROUP, a_scope(GROUP).audience, a_persona(LONG, name="Long"), by=ADA, at=START, reason="made")

    assert "**Long**" in (await typist.type(f"/persona show {LONG[:26]}", conversation=GROUP)).text
    assert (await typist.type(f"/persona show {LONG[:10]}", conversation=GROUP)).text.startswith("There is no persona")


async def test_a_space_makes_only_so_many_its_own(typist: Typist) -> None:
    async with typist.store.write() as tx:
        for number in range(MOST_OWN):
            own = replace(a_persona(f"own-{number}"), name=f"Own {number}")
            await tx.personas.put(GROUP, a_scope(GROUP).audience, own, by=ADA, at=START, reason="made")

    answer = await typist.type('/persona create More "You are one too many."', conversation=GROUP, admin=True)

    assert answer.text.startswith("There are 50 personas of this server's own already.")
