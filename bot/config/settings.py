"""The settings of this installation: what connects it with the world, and what holds for everybody who talks to it."""

from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from bot.config.core import CoreSettings, split_at_commas, web_address
from bot.domain.limits import GENEROUS


class Settings(CoreSettings):
    """All settings. Each is an environment variable or a line in `.env`; the environment wins. An empty value counts as not set."""

    answers_per_person: int = Field(
        default=GENEROUS.person,
        ge=0,
        le=1000,
        validation_alias="BAKU_ANSWERS_PER_PERSON",
        description="How many answers a minute one person gets in a server, a group or a direct chat; 0 for no limit.",
        examples=["10"],
    )
    answers_per_conversation: int = Field(
        default=GENEROUS.conversation,
        ge=0,
        le=1000,
        validation_alias="BAKU_ANSWERS_PER_CONVERSATION",
        description="How many answers a minute one channel, thread or chat gets; 0 for no limit.",
        examples=["30"],
    )
    answers_per_server: int = Field(
        default=GENEROUS.server,
        ge=0,
        le=1000,
        validation_alias="BAKU_ANSWERS_PER_SERVER",
        description="How many answers a minute one server or group gets; 0 for no limit.",
        examples=["120"],
    )
    answers_to_bots: int = Field(
        default=GENEROUS.bots,
        ge=0,
        le=1000,
        validation_alias="BAKU_ANSWERS_TO_BOTS",
        description="How many answers in ten minutes another bot gets where admins let bots in; an hour of silence follows. 0 for none.",
        examples=["5"],
    )
    tokens_per_day: int = Field(
        default=0,
        ge=0,
        validation_alias="BAKU_TOKENS_PER_DAY",
        description="How many tokens of the model one server or group may use in a day; 0 for no limit.",
        examples=["200000"],
    )
    tokens_per_month: int = Field(
        default=0,
        ge=0,
        validation_alias="BAKU_TOKENS_PER_MONTH",
        description="How many tokens of the model one server or group may use in a month; 0 for no limit.",
        examples=["3000000"],
    )
    persona_tokens_per_day: int = Field(
        default=0,
        ge=0,
        validation_alias="BAKU_PERSONA_TOKENS_PER_DAY",
        description="How many tokens of the model one persona may use in a day everywhere; 0 for no limit.",
        examples=["1000000"],
    )
    persona_tokens_per_month: int = Field(
        default=0,
        ge=0,
        validation_alias="BAKU_PERSONA_TOKENS_PER_MONTH",
        description="How many tokens of the model one persona may use in a month everywhere; 0 for no limit.",
        examples=["20000000"],
    )
    direct_people: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="BAKU_DIRECT_PEOPLE",
        description="Who may talk to the bot in direct chats, as platform:id, commas between them; empty for everybody.",
        examples=["discord:123456789,telegram:987654321"],
    )
    discussion_people: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        validation_alias="BAKU_DISCUSSION_PEOPLE",
        description="Who may open a discussion in a group by writing [DiscussionId]name[/DiscussionId], as platform:id; empty for nobody.",
        examples=["discord:123456789"],
    )
    retention_days: int = Field(
        default=90,
        ge=0,
        le=3650,
        validation_alias="BAKU_RETENTION_DAYS",
        description="For how many days messages are kept; admins may set fewer. What was summarised of them stays. 0 keeps them for ever.",
        examples=["90"],
    )
    left_server_days: int = Field(
        default=30,
        ge=0,
        le=3650,
        validation_alias="BAKU_LEFT_SERVER_DAYS",
        description="How many days after the bot has left a server all that it keeps of it is erased.",
        examples=["30"],
    )
    answer_missed_seconds: int = Field(
        default=3600,
        ge=0,
        le=86_400,
        validation_alias="BAKU_ANSWER_MISSED_SECONDS",
        description="How old, in seconds, what was said to the bot while it was down may be and still be answered; older is only noted.",
        examples=["3600"],
    )
    discord_requests_per_second: int = Field(
        default=45,
        ge=1,
        le=10_000,
        validation_alias="BAKU_DISCORD_REQUESTS_PER_SECOND",
        description="What all processes together ask of Discord in a second. It takes 50 of most bots, and more of very large ones.",
        examples=["45"],
    )
    telegram_messages_per_second: int = Field(
        default=28,
        ge=1,
        le=10_000,
        validation_alias="BAKU_TELEGRAM_MESSAGES_PER_SECOND",
        description="What all processes together say on Telegram in a second. It takes about 30 of a bot, and up to 1000 for a fee.",
        examples=["28"],
    )
    watch_port: int = Field(
        default=0,
        ge=0,
        le=65535,
        validation_alias="BAKU_WATCH_PORT",
        description="A port for monitors, without a token: /healthz, /readyz and /metrics. Nothing there is personal. 0 for none.",
        examples=["9464"],
    )
    watch_host: str = Field(
        default="127.0.0.1",
        validation_alias="BAKU_WATCH_HOST",
        description="The address at which that port listens; 0.0.0.0 for all, where only your monitor can reach it.",
        examples=["127.0.0.1"],
    )
    trace_url: str | None = Field(
        default=None,
        validation_alias="BAKU_TRACE_URL",
        description="Where an OpenTelemetry collector takes traces by OTLP over HTTP. Needs the extra `trace`. No words are in them.",
        examples=["http://localhost:4318/v1/traces"],
    )
    line_notice_seconds: float = Field(
        default=60.0,
        ge=0,
        le=3600,
        validation_alias="BAKU_LINE_NOTICE_SECONDS",
        description="After how many seconds in line somebody is told, once in a while, that their answer will come. 0 for never.",
        examples=["60.0"],
    )
    operator_contact: str = Field(
        default="",
        validation_alias="BAKU_OPERATOR_CONTACT",
        description="How members reach whoever runs this bot; `/privacy` tells them.",
        examples=["admin@example.org"],
    )

    @field_validator("trace_url")
    @classmethod
    def _traces_go_to_an_address(cls, value: str | None) -> str | None:
        return web_address(value, ("http", "https"))

    @field_validator("direct_people", "discussion_people", mode="before")
    @classmethod
    def _people(cls, value: object) -> object:
        return split_at_commas(value)
