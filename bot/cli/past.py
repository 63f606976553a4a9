"""Reading a conversation's past anew, and making what was said findable."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import typer

from bot.app.build import work_app
from bot.app.past import Past
from bot.cli.called import as_called
from bot.cli.conversations import NOBODY_SPOKE, known_conversations, meant_conversation
from bot.cli.logs import configure_logging
from bot.cli.loop import INTERRUPTED, run_until_stopped
from bot.cli.progress import progress_shown
from bot.config.core import LogLevel
from bot.config.loading import load_settings
from bot.domain.chat import ConversationKey
from bot.domain.past import CorpusKey, CorpusKind
from bot.domain.persona import Persona
from bot.errors import ConfigError
from bot.jobs.past import audience_in
from bot.memory.past.index import MOST_COUNTED, index_structured, index_vectors, index_words
from bot.memory.past.lease import HeldLease
from bot.memory.past.regenerate import RegenerationReport, RegenerationState
from bot.memory.policy import policy_for
from bot.memory.speaker import speaker

BUSY = "Somebody else is writing about {conversation} just now, perhaps `baku run`. Try again in a minute."
KEPT = "Stopped. What is written is kept: the same command goes on from there."


def regenerate(typed: str, *, chunk_tokens: int, db: str | None) -> bool:
    """Write the past of a conversation anew; False when that is not complete."""
    return _worked(db, lambda past: _regenerate(past, typed, chunk_tokens))


def index(typed: str, *, everywhere: bool, db: str | None) -> bool:
    """Let search find all that was said in a conversation, or in all of them; False when something is left."""
    if typed and everywhere:
        raise ConfigError("Name a conversation or say --all, not both.")
    return _worked(db, lambda past: _index(past, typed, everywhere=everywhere))


def _worked(db: str | None, work: Callable[[Past], Awaitable[bool]]) -> bool:
    """Do a long work, and say how to go on with it when it is stopped."""
    settings, done = load_settings(db=db), []
    configure_logging(settings.log_level or LogLevel.ERROR, settings.secrets())

    async def run() -> None:
        try:
            async with work_app(settings) as app:
                done.append(await work(app.past))
        except asyncio.CancelledError:
            print(KEPT, flush=True)
            raise

    run_until_stopped(run())
    if not done:
        raise typer.Exit(INTERRUPTED)
    return done[0]


async def _regenerate(past: Past, typed: str, chunk_tokens: int) -> bool:
    conversation = await meant_conversation(past.world.store, typed)
    if conversation is None:
        raise ConfigError(f"{NOBODY_SPOKE} There is nothing to regenerate.")
    persona = await _persona_there(past, conversation)
    model = past.model_of(persona)
    if model is None:
        problem = f"{persona.id} speaks with the offline model, which cannot summarise. Set OPENAI_API_KEY or OPENAI_BASE_URL in .env."
        raise ConfigError(problem)
    if not (persona.memory.enabled and persona.memory.past):
        raise ConfigError(f"{persona.id} keeps no past there; `/memory policy past on` switches it on.")
    with progress_shown(str(conversation)) as progress:
        report = await past.regeneration.regenerate(conversation, persona, model, chunk_tokens=chunk_tokens, progress=progress)
    print(_told(report, conversation))
    return report.state is RegenerationState.DONE and not report.parked


async def _index(past: Past, typed: str, *, everywhere: bool) -> bool:
    if everywhere:
        wanted = await known_conversations(past.world.store)
    else:
        one = await meant_conversation(past.world.store, typed)
        wanted = [one] if one else []
    if not wanted:
        print(NOBODY_SPOKE)
    return all([await _index_one(past, conversation) for conversation in wanted])


async def _index_one(past: Past, conversation: ConversationKey) -> bool:
    persona = await _persona_there(past, conversation)
    if not (persona.memory.enabled and persona.memory.past):
        print(f"In {conversation} {persona.id} keeps no past, so nothing is made findable.")
        return True
    writers = past.indexer(persona, conversation)
    counts: list[int] = []

    async def work() -> None:
        counts.append(await index_words(writers) + await index_structured(writers))
        with progress_shown(str(conversation)) as progress:
            counts.append(await index_vectors(writers, CorpusKind.TURNS, progress=progress))
            counts.append(await index_vectors(writers, CorpusKind.STRUCTURED))

    if not await HeldLease(past.world.store).hold(conversation, work):
        print(BUSY.format(conversation=conversation))
        return False
    words, *vectors = counts
    left = await _left(past, conversation)
    meaning = f"{sum(vectors)} by meaning ({past.world.embedder.name})" if past.world.embedder else "none by meaning (there is no embedder)"
    unfinished = as_called(f" {left} are left: `baku doctor` says why.") if left else ""
    print(f"Made findable in {conversation} {words} by words, {meaning}.{unfinished}")
    return not left


async def _left(past: Past, conversation: ConversationKey) -> int:
    """Return how many texts have no vector yet."""
    if past.world.embedder is None:
        return 0
    async with past.world.store.read() as tx:
        keys = [CorpusKey(conversation, kind) for kind in CorpusKind]
        return sum([len(await tx.corpora.without_vectors(key, past.world.embedder.name, limit=MOST_COUNTED)) for key in keys])


async def _persona_there(past: Past, conversation: ConversationKey) -> Persona:
    """Return who speaks there, with the policy that holds there."""
    async with past.world.store.read() as tx:
        persona = await speaker(tx, past.world.personas, conversation, at=past.world.clock.now())
        audience = await audience_in(tx, conversation)
        return replace(persona, memory=await policy_for(tx, persona, audience)) if audience else persona


def _told(report: RegenerationReport, conversation: ConversationKey) -> str:
    match report.state:
        case RegenerationState.DONE:
            parked = f" {report.parked} were given up: the model gave no summary of them." if report.parked else ""
            return as_called(f"Done: {report.chunks} chunks with a summary.{parked} `baku memory chunks {conversation}` shows them.")
        case RegenerationState.SPENT:
            return f"{report.problem} {report.chunks} chunks are kept; a running Baku goes on from there, and so does the same command."
        case RegenerationState.STOPPED:
            return f"The model gave no answer: {report.problem} {report.chunks} chunks are kept; the same command goes on from there."
        case RegenerationState.BUSY:
            return BUSY.format(conversation=conversation)
