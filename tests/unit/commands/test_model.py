import pytest

from bot.commands.desk import CommandDesk
from bot.commands.model import ModelShelf, model_commands
from bot.commands.parse import ParsedLine, parse_line
from bot.commands.persona_cast import MOST_OWN, Cast
from bot.commands.persona_texts import too_many
from bot.domain.chat import audience_of
from bot.domain.command import Answer, CommandCall
from bot.domain.model import ChatRequest
from bot.domain.persona import Personas
from bot.errors import ModelTrouble, ModelUnavailable
from bot.llm.fallback import FallbackModel
from bot.memory.speaker import speaker
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, GROUP, a_persona, kind_of
from bot.testing.scripted_model import ScriptedModel

AUDIENCE = audience_of(GROUP, kind_of(GROUP), ADA.id)
PERSONAS = Personas({"iris": a_persona()}, "iris")


@pytest.fixture
def chain() -> FallbackModel:
    broken = ScriptedModel(*[ModelUnavailable("down", ModelTrouble.MISSING)] * 3, name="big")
    return FallbackModel([broken, ScriptedModel("Hi", name="small", takes_tools=False, takes_images=False)], FrozenClock())


async def typed(store: SqlStore, chain: FallbackModel, line: str, *, admin: bool = True) -> Answer:
    offline = ScriptedModel(name="offline")
    shelf = ModelShelf(lambda: [chain, offline], chain, 8192)
    desk = CommandDesk(model_commands(Cast(store, PERSONAS, FrozenClock()), shelf))
    parsed = parse_line(line, desk.commands)
    assert isinstance(parsed, ParsedLine), parsed
    return await desk.run(CommandCall(parsed.path, parsed.options, ADA, GROUP, kind_of(GROUP), asker_is_admin=admin))


async def test_the_page_tells_what_each_model_of_the_chain_can_and_how_it_does(store: SqlStore, chain: FallbackModel) -> None:
    fresh = await typed(store, chain, "model")
    async for _ in chain.stream(ChatRequest(messages=())):
        pass
    tired = await typed(store, chain, "model show")

    assert fresh.text.startswith("**Iris speaks here with `big`**\n\n- `big`: calls tools, sees images — ready\n")
    assert "- `small` (stands in): calls no tools, sees no images — ready" in fresh.text
    assert "- `big`: calls tools, sees images — rests for 10 minutes after trouble" in tired.text
    assert "`big`, `small`, `offline`" in tired.text


async def test_a_model_that_is_set_up_is_chosen_for_the_persona_in_this_space_alone(store: SqlStore, chain: FallbackModel) -> None:
    chosen = await typed(store, chain, "model use SMALL")
    again = await typed(store, chain, "model use small")
    async with store.read() as tx:
        there = await speaker(tx, PERSONAS, GROUP, at=FrozenClock().now())
        versions = await tx.personas.versions("discord", GROUP.space_id, "iris", limit=9)
    back = await typed(store, chain, "model use default")

    assert chosen.text.startswith("Iris speaks with `small` everywhere in this server")
    assert again.text == "Iris speaks here with `small` already."
    assert there.model.name == "small"
    assert (versions[0].reason, versions[0].by.id) == ("/model use", "ada")
    assert back.text.startswith("Iris speaks with `big`")


async def test_what_is_not_set_up_and_who_is_no_admin_is_refused(store: SqlStore, chain: FallbackModel) -> None:
    unknown = await typed(store, chain, "model use smal")
    member = await typed(store, chain, "model use small", admin=False)

    assert unknown.text.startswith("No model “smal” is set up. Did you mean `small`?")
    assert member.text.startswith("Only admins may use")


async def test_a_space_that_has_made_too_many_personas_its_own_is_told_so(store: SqlStore, chain: FallbackModel) -> None:
    async with store.write() as tx:
        for number in range(MOST_OWN):
            await tx.personas.put(GROUP, AUDIENCE, a_persona(f"p{number}"), by=ADA, at=FrozenClock().now(), reason="create")

    assert (await typed(store, chain, "model use small")).text == too_many(MOST_OWN)
