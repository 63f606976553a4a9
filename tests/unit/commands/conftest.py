"""Commands typed by somebody, on a real store."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest

from bot.commands.desk import CommandDesk
from bot.commands.dream import dream_commands
from bot.commands.fresh import fresh_commands
from bot.commands.help import help_command
from bot.commands.memory import memory_commands
from bot.commands.parse import ParsedLine, parse_line
from bot.commands.persona import persona_commands
from bot.commands.persona_cast import Cast
from bot.commands.persona_preview import Rehearsal
from bot.commands.policy import policy_commands
from bot.commands.share import share_commands
from bot.commands.summary import summary_commands
from bot.conversation.asked_again import ThresholdForCommands
from bot.conversation.threshold import Threshold
from bot.domain.chat import ConversationKey, MemoryScope
from bot.domain.command import Answer, CommandCall, UploadedFile
from bot.domain.limits import NO_HOUSE_RULES, HouseRules, Limits
from bot.domain.memory import EditOrigin, Memory, Remember
from bot.domain.message import Person
from bot.domain.persona import Example, MemoryPolicy, Persona, Personas
from bot.errors import ModelUnavailable
from bot.jobs.dream import DreamJob
from bot.jobs.regeneration import Progress
from bot.memory.edit import MemoryEditor
from bot.memory.spending import Spending
from bot.prompt.builder import PromptBuilder
from bot.queueing.inprocess import InProcessQueue
from bot.storage.cards.persona_files import CardFiles
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import ADA, DIRECT, a_persona, a_scope, kind_of
from bot.testing.scripted_model import ScriptedModel
from bot.testing.tokens import WordTokens

IRIS = replace(a_persona(), summary="A *calm* florist.", examples=(Example("Hi", "Hello, you."),), triggers=("iris",))
ROSE = replace(a_persona("rose", name="Rose Red", greeting="Ahoy!"), tools=("roll_dice",), memory=MemoryPolicy(enabled=False))
TWIN = a_persona("rose-2", name="Rose Red")


@dataclass(slots=True)
class Begun:
    """Notes what was begun; what has begun goes on for ever."""

    has_model: bool = True
    sizes: dict[ConversationKey, int] = field(default_factory=dict)
    going_on: dict[ConversationKey, Progress] = field(default_factory=dict)

    def can_summarise(self, persona: Persona) -> bool:
        return self.has_model

    async def progress(self, conversation: ConversationKey) -> Progress | None:
        return self.going_on.get(conversation)

    async def begin(self, conversation: ConversationKey, *, chunk_tokens: int) -> bool:
        self.sizes[conversation] = chunk_tokens
        self.going_on[conversation] = Progress()
        return True


@dataclass(frozen=True, slots=True)
class Typist:
    """Types commands and reads the answers."""

    store: SqlStore
    desk: CommandDesk
    clock: FrozenClock
    regenerations: Begun
    model: ScriptedModel = field(default_factory=ScriptedModel)

    async def type(
        self,
        line: str,
        *,
        asker: Person = ADA,
        conversation: ConversationKey = DIRECT,
        admin: bool = False,
        confirmed: bool = False,
        file: UploadedFile | None = None,
        language: str = "en",
    ) -> Answer:
        parsed = parse_line(line, self.desk.commands)
        assert isinstance(parsed, ParsedLine), parsed
        return await self.desk.run(
            CommandCall(
                parsed.path,
                parsed.options,
                asker,
                conversation,
                kind_of(conversation),
                asker_is_admin=admin,
                confirmed=confirmed,
                language=language,
                file=file,
            )
        )

    async def remember(self, *texts: str, scope: MemoryScope | None = None, author: Person = ADA, subject: Person | None = None) -> None:
        scope = scope or a_scope()
        async with self.store.write() as tx:
            for text in texts:
                number = await tx.memories.reserve_number(scope)
                origin = EditOrigin("persona:iris", "said so", author)
                await MemoryEditor(tx, scope, IRIS.memory, self.clock.now()).apply(Remember(number, text, subject), origin)

    async def memories(self, scope: MemoryScope | None = None) -> list[Memory]:
        async with self.store.read() as tx:
            return list(await tx.memories.page(scope or a_scope(), limit=1000))


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    store = SqlStore(DATABASES.fresh())
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def typist(store: SqlStore) -> Typist:
    personas = Personas({persona.id: persona for persona in (IRIS, ROSE, TWIN)}, "iris")
    clock = FrozenClock()
    dreams = DreamJob(store, clock, WordTokens(), model_of=lambda _: None)
    regenerations, model = Begun(), ScriptedModel("Ahoy there.", ModelUnavailable("down"))
    admission = ThresholdForCommands(Threshold(personas, clock, HouseRules(Limits(person=2))), personas, clock)
    commands = (
        *memory_commands(store, personas, clock),
        *share_commands(store, personas, clock),
        *policy_commands(store, personas, clock),
        *dream_commands(store, personas, clock, dreams),
        *summary_commands(store, personas, clock, regenerations),
        *fresh_commands(store, personas, clock),
        *persona_commands(
            Cast(store, personas, clock),
            CardFiles(),
            Rehearsal(lambda _: model, PromptBuilder(WordTokens(), 8192), Spending(store, clock, NO_HOUSE_RULES), admission),
            InProcessQueue(clock),
        ),
    )
    return Typist(store, CommandDesk((*commands, help_command(commands))), clock, regenerations, model)
