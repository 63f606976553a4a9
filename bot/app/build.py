"""The composition root: makes each part once, as the settings say. Nobody else builds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from bot.app.app import App
from bot.app.cluster import Queues, queues_here, queues_of
from bot.app.watching import Watched, watch_of, watching_services
from bot.app.world import Service, SystemClock, World
from bot.config.settings import Settings
from bot.conversation.host import ConversationHost
from bot.domain.chat import CONSOLE, DISCORD, TELEGRAM, ConversationKey
from bot.domain.limits import HouseRules, Limits
from bot.domain.privacy import Keeping, host_of
from bot.domain.role import ALL_ROLES, Role
from bot.errors import ConfigError
from bot.plugin.manager import PluginManager
from bot.ports.clock import Clock
from bot.ports.files import Transcriber
from bot.ports.model import ChatModel
from bot.ports.platform import Platform
from bot.ports.throttle import Throttle


def serving_app(settings: Settings, *, roles: Collection[Role] = ALL_ROLES, shards: str = "") -> tuple[App, Sequence[Service]]:
    """Return the app that does its part for every platform with a token, and the services to run beside it.

    Raises ConfigError when there is no platform, and for roles that cannot be parted here.
    """
    clock = SystemClock()
    queues = queues_of(settings, clock, roles)
    notice = timedelta(seconds=settings.line_notice_seconds) if settings.line_notice_seconds else None
    world = _world(settings, _platforms(settings, shards, queues.throttles), clock, queues)
    world = replace(world, roles=roles, watch=watch_of(settings, clock), line_notice=notice)
    app = App(world)
    if not app.platforms:
        raise ConfigError("No platform is set up. Set DISCORD_TOKEN or TELEGRAM_TOKEN in .env; .env.example says where to get them.")
    watched = Watched(world.store, app.standing, world.watch)
    return app, [*_services(settings, world), *watching_services(settings, watched)]


def chat_app(settings: Settings, console: Callable[[ConversationHost, Clock], Platform], conversation: ConversationKey) -> App:
    """Return the app for one conversation in a terminal, which `console` makes the platform of."""
    clock = SystemClock()
    world = _world(settings, (), clock, queues_here(clock))
    host = ConversationHost(world.store, world.personas, world.clock, world.queue, conversation)
    return App(replace(world, platforms=[console(host, world.clock)]), only=CONSOLE)


def work_app(settings: Settings) -> App:
    """Return the app without any platform, for an operator's work."""
    clock = SystemClock()
    return App(_world(settings, (), clock, queues_here(clock)))


def _world(settings: Settings, platforms: Sequence[Platform], clock: Clock, queues: Queues) -> World:
    from bot.llm.embedders.choice import make_embedder
    from bot.llm.tokens import BpeTokens
    from bot.nlp.documents import PdfDocuments
    from bot.nlp.extractor import make_extractor
    from bot.scheduler import NightBell
    from bot.storage.cards.persona_files import CardFiles
    from bot.storage.persona_files import load_personas
    from bot.storage.store import SqlStore

    base_url, key = settings.embedding_endpoint
    return World(
        store=SqlStore(settings.db_url),
        personas=load_personas(settings.personas, settings.default_persona),
        models=_models(settings, clock),
        platforms=platforms,
        extractor=make_extractor(settings.spacy_model),
        tokens=BpeTokens(),
        plugins=_plugins(settings),
        persona_files=CardFiles(),
        queue=queues.turns,
        background=queues.past,
        regenerations=queues.regenerations,
        cluster=queues.cluster,
        clock=clock,
        embedder=make_embedder(settings.embedder, base_url=base_url, api_key=key),
        documents=PdfDocuments(),
        transcriber=_transcriber(settings),
        bell=NightBell().run,
        burst_seconds=settings.burst_seconds,
        window_tokens=settings.context_tokens,
        house=_house_rules(settings),
        discussion_people=frozenset(settings.discussion_people),
        keeping=keeping_of(settings),
        introduces=True,
        left_grace=timedelta(days=settings.left_server_days),
    )


def _plugins(settings: Settings) -> PluginManager:
    plugins = PluginManager()
    plugins.load_folder(settings.plugins)
    plugins.load_entry_points()
    plugins.configure(settings.plugin_settings)
    return plugins


def _transcriber(settings: Settings) -> Transcriber | None:
    """Return what writes down voice messages, if a model for it is set up."""
    if not settings.transcription_model:
        return None
    from bot.llm.openai_model import OPENAI
    from bot.llm.openai_transcriber import OpenAITranscriber

    base_url, key = settings.transcription_endpoint
    return OpenAITranscriber(settings.transcription_model, base_url=base_url or OPENAI, api_key=key)


def _house_rules(settings: Settings) -> HouseRules:
    limits = Limits(
        person=settings.answers_per_person,
        conversation=settings.answers_per_conversation,
        server=settings.answers_per_server,
        tokens_day=settings.tokens_per_day,
        tokens_month=settings.tokens_per_month,
        bots=settings.answers_to_bots,
    )
    return HouseRules(
        limits,
        persona_tokens_day=settings.persona_tokens_per_day,
        persona_tokens_month=settings.persona_tokens_per_month,
        direct_people=frozenset(settings.direct_people),
    )


def keeping_of(settings: Settings) -> Keeping:
    """Return what members may know of the settings: hosts, never keys."""
    asks_endpoint = settings.openai_api_key is not None or settings.openai_base_url is not None
    base_url, _ = settings.embedding_endpoint
    embeds_there = settings.embedder.startswith("openai:")
    here = Keeping(days=settings.retention_days, operator=settings.operator_contact)
    if not (asks_endpoint or embeds_there):
        return here
    from bot.llm.openai_model import OPENAI

    return replace(
        here,
        model_host=host_of(settings.openai_base_url or OPENAI) if asks_endpoint else "",
        embedding_host=host_of(base_url or OPENAI) if embeds_there else "",
    )


def _models(settings: Settings, clock: Clock) -> Sequence[ChatModel]:
    """Return the endpoint's model with its fallbacks when an endpoint is set up, and the offline model."""
    from bot.llm.offline import OfflineModel

    if settings.openai_api_key is None and settings.openai_base_url is None:
        return [OfflineModel()]
    from bot.llm.fallback import FallbackModel
    from bot.llm.openai_model import OPENAI, OpenAIModel

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    names = (settings.model, *settings.fallback_models)
    chain = [OpenAIModel(name, base_url=settings.openai_base_url or OPENAI, api_key=key) for name in names]
    return [FallbackModel(chain, clock) if len(chain) > 1 else chain[0], OfflineModel()]


def _platforms(settings: Settings, shards: str, throttles: Mapping[str, Throttle]) -> Sequence[Platform]:
    """Return the platforms that have a token; of Discord perhaps only some shards."""
    platforms: list[Platform] = []
    if settings.discord_token is not None:
        from bot.platforms.discord.adapter import DiscordPlatform
        from bot.platforms.discord.shards import parse_shards
        from bot.platforms.discord.tuning import Tuning as DiscordTuning

        token, patience = settings.discord_token.get_secret_value(), DiscordTuning(answer_missed_seconds=settings.answer_missed_seconds)
        api_base, gateway_url = settings.discord_api_base, settings.discord_gateway_url
        mine = parse_shards(shards) if shards else None
        platforms.append(
            DiscordPlatform(
                token, api_base=api_base, gateway_url=gateway_url, tuning=patience, shards=mine, throttle=throttles.get(DISCORD)
            )
        )
    if settings.telegram_token is not None:
        from bot.platforms.telegram.adapter import TelegramPlatform
        from bot.platforms.telegram.tuning import Tuning as TelegramTuning
        from bot.platforms.telegram.webhook import Webhook

        token, webhook = settings.telegram_token.get_secret_value(), None
        if settings.telegram_webhook_url and settings.telegram_webhook_secret:
            secret = settings.telegram_webhook_secret.get_secret_value()
            webhook = Webhook(settings.telegram_webhook_url, secret, settings.telegram_webhook_port)
        tuning = TelegramTuning(answer_missed_seconds=settings.answer_missed_seconds)
        api_base = settings.telegram_api_base
        platforms.append(TelegramPlatform(token, api_base=api_base, webhook=webhook, tuning=tuning, throttle=throttles.get(TELEGRAM)))
    return platforms


def _services(settings: Settings, world: World) -> Sequence[Service]:
    """Return the web API when this process is to serve it and it has a token. Raises ConfigError where that is all that it is to do."""
    if Role.WEB not in world.roles:
        return ()
    if settings.web_token is None:
        if ALL_ROLES - set(world.roles):
            raise ConfigError("--role web needs BAKU_WEB_TOKEN; .env.example says how to make one.")
        return ()
    from bot.web.api import make_web_app
    from bot.web.server import Address, serve_web

    app = make_web_app(world.store, world.personas, settings.web_token.get_secret_value())
    return (partial(serve_web, app, Address(settings.web_port)),)
