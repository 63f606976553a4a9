"""What reads and writes about conversations' pasts, put together."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from bot.app.world import World
from bot.conversation.models import Models
from bot.domain.chat import ConversationKey
from bot.domain.persona import Persona
from bot.jobs.past import PastJob
from bot.jobs.regeneration import BackgroundRegenerations
from bot.memory.past.lease import release_dead
from bot.memory.past.regenerate import Regeneration
from bot.memory.past.writers import Writers
from bot.memory.reading.meaning import Meaning
from bot.memory.reading.reader import PastReader
from bot.memory.reading.update import UpdateFirst
from bot.memory.spending import Spending
from bot.ports.model import ChatModel

OFFLINE = "offline"
"""The model that does not reason: with it, dreams go by rules alone and nothing is summarised."""

ModelOf = Callable[[Persona], ChatModel | None]


@dataclass(frozen=True, slots=True)
class Past:
    """All parts that have to do with the past, of one world."""

    world: World
    meaning: Meaning
    reader: PastReader
    job: PastJob
    regeneration: Regeneration
    regenerations: BackgroundRegenerations
    model_of: ModelOf
    """Gives the model that a persona summarises with; None when it has only the offline one."""

    async def prepare(self, platforms: Collection[str]) -> None:
        """Take up what a killed process left on these platforms, and load what questions are compared with."""
        await release_dead(self.world.store)
        await self.job.recover(self.world.background, platforms)
        if self.world.embedder is not None:
            self.world.embedder.warm_up()
        await self.meaning.prepare()

    def indexer(self, persona: Persona, conversation: ConversationKey) -> Writers:
        """Return what it takes to make a conversation findable, which asks no model."""
        world = self.world
        return Writers(world.store, world.clock, world.tokens, world.embedder, None, persona, conversation)


def past_of(world: World) -> Past:
    """Return the parts of a world."""
    store, clock, tokens, embedder = world.store, world.clock, world.tokens, world.embedder
    model_of, meaning = thinking_model(world), Meaning(embedder)
    spending = Spending(store, clock, world.house)
    regeneration = Regeneration(store, clock, tokens, embedder, spending=spending)
    job = PastJob(store, clock, tokens, world.personas, embedder, model_of, world.extractor, world.past_pause, spending=spending)
    return Past(
        world=world,
        meaning=meaning,
        reader=PastReader(store, tokens, meaning, UpdateFirst(store, clock, tokens, embedder, model_of)),
        job=job,
        regeneration=regeneration,
        regenerations=BackgroundRegenerations(
            regeneration, model_of, store, clock, world.personas, requests=world.regenerations, queue=world.queue, waits=job.wait
        ),
        model_of=model_of,
    )


def models_of(world: World) -> Models:
    """Return the models of a world, counted where somebody looks on."""
    return Models({model.name: model for model in world.plugins.models}, default=world.models[0], metrics=world.watch.metrics)


def thinking_model(world: World) -> ModelOf:
    """Return what gives the model that a persona thinks with when nobody waits: the one that it speaks with, if that can reason."""

    def model_of(persona: Persona) -> ChatModel | None:
        model = models_of(world).of(persona)
        return None if model.name == OFFLINE else model

    return model_of
