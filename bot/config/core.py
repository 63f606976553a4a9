"""What connects this installation with the world, each setting with what it may be."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ENV_FILE = Path(".env")
_SHORTEST_WEB_TOKEN = 16
_SHORTEST_REDACTED = 6
"""Anything shorter also stands in ordinary words."""
_PASSWORDS = (re.compile("://[^:/@ ]*:([^ ]+)@"), re.compile("[?&](?:ssl)?password=([^& ]+)"))
"""Before the host of an address, or among its options."""
_HOW_ESCAPED = "in a password, write / as %2F, : as %3A, @ as %40"
_SECRET_NAME = re.compile("token|key|secret|password", re.IGNORECASE)


class LogLevel(StrEnum):
    """How much the log says."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class CoreSettings(BaseSettings):
    """Each is an environment variable or a line in `.env`; the environment wins. An empty value counts as not set."""

    model_config = SettingsConfigDict(
        case_sensitive=True,
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        validate_by_alias=True,
        validate_by_name=True,
    )

    discord_token: SecretStr | None = Field(
        default=None,
        validation_alias="DISCORD_TOKEN",
        description="The Discord bot's token, from the Bot page of discord.com/developers. With it, `baku run` serves Discord.",
        examples=["MTIz.GabcdE.token"],
    )
    telegram_token: SecretStr | None = Field(
        default=None,
        validation_alias="TELEGRAM_TOKEN",
        description="The Telegram bot's token, from @BotFather. With it, `baku run` serves Telegram.",
        examples=["123456:ABC-token"],
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="The key of the model's endpoint. Without it and without OPENAI_BASE_URL, the offline model answers.",
        examples=["sk-key"],
    )
    openai_base_url: str | None = Field(
        default=None,
        validation_alias="OPENAI_BASE_URL",
        description="Where the model is served: any OpenAI-compatible endpoint, such as Ollama, vLLM, llama.cpp or OpenRouter.",
        examples=["http://localhost:11434/v1"],
    )
    model: str = Field(
        default="gpt-4o-mini",
        validation_alias="BAKU_MODEL",
        description="The model that answers, as its endpoint calls it. A persona may name another.",
        examples=["gpt-4o-mini"],
    )
    fallback_models: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="BAKU_FALLBACK_MODELS",
        description="Models of the same endpoint to try in this order when the first does not answer; commas between them.",
        examples=["gpt-4.1-mini,gpt-4o"],
    )
    db: str = Field(
        default="data/baku.db",
        validation_alias="BAKU_DB",
        description="Where everything is kept: the path of a file, made when it is missing, or a database URL.",
        examples=["data/baku.db", "postgresql://user:password@host/name"],
    )
    personas: Path = Field(
        default=Path("personas"),
        validation_alias="BAKU_PERSONAS",
        description="The folder of the personas, one Markdown file each.",
        examples=["personas"],
    )
    default_persona: str = Field(
        default="baku",
        validation_alias="BAKU_DEFAULT_PERSONA",
        description="The id of the persona that speaks where no other was chosen.",
        examples=["baku"],
    )
    plugins: Path = Field(
        default=Path("plugins"),
        validation_alias="BAKU_PLUGINS",
        description="The folder of plugins. They run with all rights of the bot, so put in only what you trust.",
        examples=["plugins"],
    )
    burst_seconds: float = Field(
        default=1.5,
        ge=0,
        le=60,
        validation_alias="BAKU_BURST_SECONDS",
        description="How long the bot waits in a group for more lines of the same thought before it answers, in seconds.",
        examples=["1.5"],
    )
    context_tokens: int = Field(
        default=8192,
        ge=2048,
        le=2_000_000,
        validation_alias="BAKU_CONTEXT_TOKENS",
        description="How many tokens the model reads at most, its answer included; prompts are kept within it.",
        examples=["8192"],
    )
    spacy_model: str = Field(
        default="",
        validation_alias="BAKU_SPACY_MODEL",
        description="The installed spaCy model that finds names in messages; empty for the best one there, `none` for plain rules.",
        examples=["en_core_web_sm"],
    )
    embedder: str = Field(
        default="",
        validation_alias="BAKU_EMBEDDER",
        description="What finds texts of like meaning: use-multilingual, e5, minilm, openai:<model> or `none`; empty for the best there.",
        examples=["openai:text-embedding-3-small"],
    )
    embedding_base_url: str | None = Field(
        default=None,
        validation_alias="BAKU_EMBEDDING_BASE_URL",
        description="Where openai:<model> is served, if not at OPENAI_BASE_URL. All messages are sent there to be embedded.",
        examples=["http://localhost:11434/v1"],
    )
    embedding_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="BAKU_EMBEDDING_API_KEY",
        description="The key for it. OPENAI_API_KEY stands in only where BAKU_EMBEDDING_BASE_URL is not set: no key goes to another place.",
        examples=["sk-key"],
    )
    transcription_model: str = Field(
        default="",
        validation_alias="BAKU_TRANSCRIPTION_MODEL",
        description="The model that writes down voice messages; without one they are only named.",
        examples=["whisper-1"],
    )
    transcription_base_url: str | None = Field(
        default=None,
        validation_alias="BAKU_TRANSCRIPTION_BASE_URL",
        description="Where it is served, if not at OPENAI_BASE_URL. Voice messages that are answered are sent there.",
        examples=["http://localhost:8000/v1"],
    )
    transcription_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="BAKU_TRANSCRIPTION_API_KEY",
        description="The key for it. OPENAI_API_KEY stands in only where BAKU_TRANSCRIPTION_BASE_URL is not set.",
        examples=["sk-key"],
    )
    web_token: SecretStr | None = Field(
        default=None,
        validation_alias="BAKU_WEB_TOKEN",
        description="A secret of your own, 16 characters or more, that opens the web API. Without it the API stays off.",
        examples=["a-long-random-text"],
    )
    web_port: int = Field(
        default=8765,
        ge=1,
        le=65535,
        validation_alias="BAKU_WEB_PORT",
        description="The port of the web API, on this machine only.",
        examples=["8765"],
    )
    log_level: LogLevel | None = Field(
        default=None,
        validation_alias="BAKU_LOG_LEVEL",
        description="How much the log says: debug, info, warning or error. By default warning in a chat and info in `baku run`.",
        examples=["info"],
    )
    discord_api_base: str | None = Field(
        default=None,
        validation_alias="DISCORD_API_BASE",
        description="Another address of Discord's REST API, for a proxy or an emulator.",
        examples=["http://127.0.0.1:9000/api/v10"],
    )
    discord_gateway_url: str | None = Field(
        default=None,
        validation_alias="DISCORD_GATEWAY_URL",
        description="Another address of Discord's gateway, for a proxy or an emulator.",
        examples=["ws://127.0.0.1:9000/gateway"],
    )
    telegram_api_base: str | None = Field(
        default=None,
        validation_alias="TELEGRAM_API_BASE",
        description="Another address of Telegram's Bot API, for a local Bot API server or an emulator.",
        examples=["http://127.0.0.1:8081"],
    )
    telegram_webhook_url: str | None = Field(
        default=None,
        validation_alias="TELEGRAM_WEBHOOK_URL",
        description="The public https address to which Telegram sends updates. Without it the bot asks for them itself.",
        examples=["https://bot.example.org/telegram"],
    )
    telegram_webhook_secret: SecretStr | None = Field(
        default=None,
        validation_alias="TELEGRAM_WEBHOOK_SECRET",
        description="What Telegram shows with each update to prove itself: 1 to 256 of A-Z, a-z, 0-9, _ and -. A webhook needs it.",
        examples=["a-long-random-text"],
    )
    telegram_webhook_port: int = Field(
        default=8443,
        ge=1,
        le=65535,
        validation_alias="TELEGRAM_WEBHOOK_PORT",
        description="The port on which the bot listens for Telegram's updates; your proxy passes them on to it.",
        examples=["8443"],
    )
    plugin_settings: Mapping[str, str] = Field(
        default_factory=dict,
        repr=False,
        description="Settings of plugins: BAKU_PLUGIN_DICE_SIDES stands here as `dice_sides`.",
    )

    @field_validator("fallback_models", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return split_at_commas(value)

    @field_validator("log_level", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("openai_base_url", "embedding_base_url", "discord_api_base", "telegram_api_base", "telegram_webhook_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        return web_address(value, ("http", "https"))

    @field_validator("discord_gateway_url")
    @classmethod
    def _socket_address(cls, value: str | None) -> str | None:
        return web_address(value, ("ws", "wss"))

    @field_validator("discord_token", "telegram_token", "openai_api_key", "embedding_api_key")
    @classmethod
    def _one_word(cls, value: SecretStr | None) -> SecretStr | None:
        if value and re.search(r"\s", value.get_secret_value().strip()):
            raise ValueError("there is a blank in it, so it is not copied right")
        return value and SecretStr(value.get_secret_value().strip())

    @field_validator("telegram_token")
    @classmethod
    def _numbered(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not re.fullmatch(r"\d+:.+", value.get_secret_value()):
            raise ValueError("a Telegram token is a number, a colon and letters; copy it from @BotFather again")
        return value

    @field_validator("telegram_webhook_secret")
    @classmethod
    def _sendable(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", value.get_secret_value()):
            raise ValueError("Telegram takes 1 to 256 of A-Z, a-z, 0-9, _ and - here")
        return value

    @field_validator("db")
    @classmethod
    def _file_or_address(cls, value: str) -> str:
        if "://" in value:
            _check_place(urlsplit(value))
            return value
        if "?" in value:
            raise ValueError("the path of a database cannot hold a question mark: it begins the options of an address")
        try:
            return str(Path(value).expanduser())
        except RuntimeError as problem:
            raise ValueError(f"{value.partition('/')[0]} is nobody's home on this machine") from problem

    @field_validator("web_token")
    @classmethod
    def _hard_to_guess(cls, value: SecretStr | None) -> SecretStr | None:
        if value and len(value.get_secret_value()) < _SHORTEST_WEB_TOKEN:
            raise ValueError(f"it has fewer than {_SHORTEST_WEB_TOKEN} characters and could be guessed")
        return value

    @model_validator(mode="after")
    def _webhook_is_guarded(self) -> Self:
        if self.telegram_webhook_url and not self.telegram_webhook_secret:
            raise ValueError(
                "TELEGRAM_WEBHOOK_URL is set without TELEGRAM_WEBHOOK_SECRET, so anybody could send updates. Set it to a long random text."
            )
        return self

    @property
    def db_url(self) -> str:
        """Return the database's address; a path becomes the address of a file."""
        return self.db if "://" in self.db else f"sqlite:///{self.db}"

    @property
    def embedding_endpoint(self) -> tuple[str | None, str]:
        """Return the address and the key of the embeddings: their own, or both of the model."""
        return self._endpoint(self.embedding_base_url, self.embedding_api_key)

    @property
    def transcription_endpoint(self) -> tuple[str | None, str]:
        """Return the address and the key of what writes down voice messages: their own, or both of the model."""
        return self._endpoint(self.transcription_base_url, self.transcription_api_key)

    def _endpoint(self, base_url: str | None, own_key: SecretStr | None) -> tuple[str | None, str]:
        """Return where to ask, with which key. A key goes to no other place than its own."""
        here = base_url in {None, self.openai_base_url}
        key = own_key or (self.openai_api_key if here else None)
        return base_url or self.openai_base_url, key.get_secret_value() if key else ""

    def secrets(self) -> tuple[str, ...]:
        """Return every secret value, the longest first, so that logs can leave them out."""
        own = [value.get_secret_value() for _, value in self if isinstance(value, SecretStr)]
        plugins = [value for name, value in self.plugin_settings.items() if _SECRET_NAME.search(name)]
        addresses = f"{self.db} {self.openai_base_url or ''} {self.embedding_base_url or ''} {self.transcription_base_url or ''}"
        passwords = [form for pattern in _PASSWORDS for match in pattern.finditer(addresses) for form in (match[1], unquote(match[1]))]
        found = {secret for secret in (*own, *plugins, *passwords) if len(secret) >= _SHORTEST_REDACTED}
        return tuple(sorted(found, key=len, reverse=True))


def split_at_commas(value: object) -> object:
    """Return the words of a text between its commas; anything else as it is."""
    return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value


def web_address(value: str | None, schemes: Sequence[str]) -> str | None:
    """Return an address without blanks and closing slash. Raises ValueError for one of another scheme, or of none."""
    if value is None:
        return None
    address = value.strip().rstrip("/")
    parts = urlsplit(address)
    _check_place(parts)
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"an address starts with {' or '.join(f'{scheme}://' for scheme in schemes)} and a host")
    return address


def _check_place(address: SplitResult) -> None:
    """Raise ValueError where a password is written in such a way that a part of it would be taken for the host, the port or a name."""
    if "@" in address.netloc and f"{address.netloc}{address.path}".count("@") > 1:
        raise ValueError(f"there is an @ too many in this address; {_HOW_ESCAPED}")
    try:
        _ = address.port
    except ValueError:
        # The library's text shows what it took for a port, which may be half a password.
        raise ValueError(f"the port in this address is no number up to 65535; {_HOW_ESCAPED}") from None
