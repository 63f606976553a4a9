"""Baku's own parts, as a plugin, and what it dreams with."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.app.past import Past, models_of, thinking_model
from bot.app.public import LivePlaces, LiveRights
from bot.app.world import World
from bot.commands.about import about_commands
from bot.commands.access import access_commands
from bot.commands.again import AnswerDesk, again_commands
from bot.commands.desk import CommandDesk
from bot.commands.dream import Dreams, dream_commands
from bot.commands.export import export_commands
from bot.commands.forget import forget_commands
from bot.commands.fresh import fresh_commands
from bot.commands.limits import limits_commands
from bot.commands.locality import locality_commands
from bot.commands.memory import memory_commands
from bot.commands.message import message_commands
from bot.commands.model import ModelShelf, model_commands
from bot.commands.pending import pending_commands
from bot.commands.persona import persona_commands
from bot.commands.persona_cast import Cast
from bot.commands.persona_preview import Rehearsal
from bot.commands.policy import policy_commands
from bot.commands.privacy import privacy_commands
from bot.commands.scope import scope_commands
from bot.commands.settings import settings_commands
from bot.commands.settings_rows import Survey
from bot.commands.setup import setup_commands
from bot.commands.share import share_commands
from bot.commands.speak import speak_commands
from bot.commands.stop import stop_commands
from bot.commands.summary import summary_commands
from bot.commands.undo import undo_commands
from bot.commands.usage import usage_commands
from bot.domain.command import Command
from bot.domain.extension import PromptSection, Tool
from bot.domain.persona import Persona
from bot.jobs.asked_dreams import DreamsElsewhere, DreamsForOthers, OneDreamAtATime
from bot.jobs.diary import ToldDreams
from bot.jobs.dream import DreamJob
from bot.memory.dreams.limits import DreamLimits
from bot.memory.elsewhere import Elsewhere
from bot.memory.spending import Spending
from bot.plugin import hookimpl
from bot.ports.model import ChatModel
from bot.ports.platform import Platform
from bot.ports.turns import Admission, RunningTurns
from bot.prompt.builder import PromptBuilder
from bot.tools.memory_tools import MEMORY_TOOLS

DREAM_BY_NIGHT = DreamLimits()
DREAM_ON_COMMAND = DreamLimits(seconds=80.0)
"""Somebody waits for a dream on command."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What commands may do to answers."""

    running: RunningTurns
    admission: Admission


class BuiltIns:
    """Baku's own platforms, models, tools and commands; they come in through the same hooks as everybody's, and before them."""

    def __init__(self, world: World, past: Past, answers: Answers) -> None:
        self._world = world
        self._past = past
        self._answers = answers

    @hookimpl(tryfirst=True)
    def register_platforms(self) -> Sequence[Platform]:
        """Return the platforms that are set up."""
        return self._world.platforms

    @hookimpl(tryfirst=True)
    def register_models(self) -> Sequence[ChatModel]:
        """Return the models that are set up."""
        return self._world.models

    @hookimpl(tryfirst=True)
    def register_tools(self) -> Sequence[Tool]:
        """Return memory's own tools."""
        return MEMORY_TOOLS

    @hookimpl(tryfirst=True)
    def register_prompt_sections(self) -> Sequence[PromptSection]:
        """Return what was told in other rooms of a server whose admin lets them share."""
        elsewhere = Elsewhere(self._world.store, LivePlaces(lambda: self._world.plugins.platforms))
        return [PromptSection("told in other rooms of this server", elsewhere.told)]

    @hookimpl(tryfirst=True)
    def register_commands(self) -> Sequence[Command]:
        """Return the commands on memories, answers, personas, and what admins set."""
        commands = [*self._on_memory(), *self._on_answers(), *self._on_personas(), *self._on_the_house()]
        return [*commands, *self._on_comfort(commands)]

    def _on_memory(self) -> Sequence[Command]:
        world = self._world
        forget = forget_commands(world.store, world.clock, world.background)
        erase = next(command.run for command in forget if command.path == ("forget", "me"))
        return [
            *memory_commands(world.store, world.personas, world.clock, world.background),
            *message_commands(world.store, world.personas, world.clock, world.background),
            *about_commands(world.store, world.personas, world.clock),
            *forget,
            *pending_commands(world.store, world.personas, world.clock),
            *policy_commands(world.store, world.personas, world.clock),
            *scope_commands(world.store),
            *share_commands(world.store, world.personas, world.clock),
            *summary_commands(world.store, world.personas, world.clock, self._past.regenerations),
            *dream_commands(world.store, world.personas, world.clock, self._dreams()),
            *export_commands(world.store, world.personas, world.clock),
            *privacy_commands(world.store, world.personas, world.clock, world.keeping, erase=erase),
        ]

    def _dreams(self) -> Dreams:
        """Return what dreams when somebody asks for it: any worker where there are several processes, else this one."""
        world, here = self._world, _dreams_on_command(self._world)
        return here if world.cluster is None else DreamsElsewhere(here, world.store, world.clock, world.cluster.dreams)

    def _on_answers(self) -> Sequence[Command]:
        world, answers = self._world, self._answers
        desk = AnswerDesk(
            store=world.store,
            personas=world.personas,
            clock=world.clock,
            running=answers.running,
            admission=answers.admission,
            queue=world.queue,
            background=world.background,
            platforms=lambda: world.plugins.platforms,
        )
        fresh = fresh_commands(world.store, world.personas, world.clock)
        return [*fresh, *stop_commands(answers.running), *again_commands(desk), *undo_commands(desk)]

    def _on_personas(self) -> Sequence[Command]:
        world = self._world
        cast = Cast(world.store, world.personas, world.clock)
        rehearsal = rehearsal_of(world, self._answers.admission)
        return [*persona_commands(cast, world.persona_files, rehearsal, world.queue, self._reach), *model_commands(cast, self._shelf())]

    def _reach(self, name: str) -> Sequence[Platform]:
        """Return the platform of that name, where this process serves it."""
        return [platform for platform in self._world.plugins.platforms if platform.name == name]

    def _on_the_house(self) -> Sequence[Command]:
        world = self._world
        return [
            *access_commands(world.store),
            *usage_commands(world.store, world.personas, world.clock, world.house),
            *limits_commands(world.store, world.personas, world.clock, world.house),
            *speak_commands(world.store, world.personas, world.clock),
            *locality_commands(world.store, world.personas, world.clock),
        ]

    def _on_comfort(self, commands: Sequence[Command]) -> Sequence[Command]:
        """Return the commands that lead through the others."""
        world, desk = self._world, CommandDesk(commands)
        survey = Survey(Cast(world.store, world.personas, world.clock), self._shelf(), world.keeping)
        rights = LiveRights(lambda: world.plugins.platforms)
        return [*settings_commands(survey, desk), *setup_commands(survey, desk, rights.missing_rights)]

    def _shelf(self) -> ModelShelf:
        world = self._world
        return ModelShelf(lambda: world.plugins.models, world.models[0], world.window_tokens)


def dreams_of(world: World, limits: DreamLimits = DREAM_BY_NIGHT) -> ToldDreams:
    """Return the dreams of that world's personas, each dreaming with the model that it speaks with."""
    dreams = DreamJob(
        world.store, world.clock, world.tokens, thinking_model(world), limits, Spending(world.store, world.clock, world.house)
    )
    return ToldDreams(dreams, world.store, world.clock, world.queue)


def dreams_asked_for(world: World) -> DreamsForOthers:
    """Return what a worker dreams when somebody, somewhere, asks for it."""
    return DreamsForOthers(_dreams_on_command(world), world.store, world.personas)


def _dreams_on_command(world: World) -> OneDreamAtATime:
    return OneDreamAtATime(dreams_of(world, DREAM_ON_COMMAND), world.store, world.clock)


def rehearsal_of(world: World, admission: Admission) -> Rehearsal:
    """Return what that world's personas are tried with: each with the model that it would speak with."""

    def model_of(persona: Persona) -> ChatModel:
        return models_of(world).of(persona)

    builder, spending = PromptBuilder(world.tokens, world.window_tokens), Spending(world.store, world.clock, world.house)
    return Rehearsal(model_of, builder, spending, admission)
