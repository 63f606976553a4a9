"""Sending one message, and saying why when Discord does not take it."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import blake2s

import discord
import structlog

from bot.domain.chat import ConversationKey
from bot.domain.command import AnswerFile
from bot.domain.message import Part, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused, PlatformError
from bot.platforms.discord.convert import channel_id_of
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.discord.tuning import Tuning

ONLY_THE_ASKER = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)
BAN_SECONDS = 60.0
LONGEST_NICKNAME = 32
TYPING_SECONDS = 8.0
"""Discord shows it for ten."""

CANNOT_READ_HISTORY = 160002
FOREIGN_MESSAGE = 50005
INVALID_FORM = 50035
REMEDIES = {
    10003: "The channel is gone.",
    50001: "Let the bot see the channel.",
    50007: "This person takes no messages from the bot.",
    50013: "Give the bot the right to send messages there.",
    50083: "The thread is locked.",
}

log = structlog.get_logger(__name__)


async def send(client: discord.Client, target: ReplyTarget, part: Part, *, nonce: str, tuning: Tuning) -> str:
    """Send a part in place and return its id. Nobody is pinged but the one replied to."""
    async with delivering(tuning):
        return str((await _post(client, target, part.text, _unique(nonce, target, part))).id)


async def rewrite(client: discord.Client, target: ReplyTarget, part: Part, *, message_id: str, tuning: Tuning) -> bool:
    """Put a part in a message of the bot's own; False when it is gone, or a webhook wrote it. Nobody is pinged."""
    async with delivering(tuning):
        try:
            await _message(client, target, message_id).edit(content=part.text, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as problem:
            if isinstance(problem, discord.NotFound) or problem.code == FOREIGN_MESSAGE:
                return False
            raise
    return True


async def send_file(client: discord.Client, target: ReplyTarget, file: AnswerFile, part: Part, *, nonce: str, tuning: Tuning) -> str:
    """Send a part with a file below it, as `send` does."""
    async with delivering(tuning):
        return str((await _post(client, target, part.text, _unique(nonce, target, part), file=upload_of(file))).id)


def upload_of(file: AnswerFile) -> discord.File:
    """Return a file as Discord takes it, once."""
    return discord.File(io.BytesIO(file.content), filename=file.name)


async def rename(client: discord.Client, conversation: ConversationKey, name: str, tuning: Tuning) -> None:
    """Call the bot so in a server; an empty name gives its own back."""
    guild = client.get_guild(int(conversation.space_id))
    if guild is None:
        raise DeliveryRefused("The bot is in no server of that id.")
    async with delivering(tuning):
        await guild.me.edit(nick=name.strip()[:LONGEST_NICKNAME].strip() or None)


async def react(client: discord.Client, target: ReplyTarget, emoji: str, tuning: Tuning) -> None:
    """Put a reaction to the message that is replied to. A failure is logged."""
    try:
        async with delivering(tuning):
            await _message(client, target, target.reply_to).add_reaction(emoji)
    except PlatformError as problem:
        log.info("discord_reaction_not_put", problem=str(problem))


async def delete(client: discord.Client, target: ReplyTarget, message_id: str, tuning: Tuning) -> bool:
    """Delete a message of the bot's own; False when it is another's. Any other failure is logged."""
    try:
        async with delivering(tuning):
            await _message(client, target, message_id).delete()
    except PlatformError as problem:
        if isinstance(problem.__cause__, discord.Forbidden):
            return False
        log.warning("discord_draft_left", problem=str(problem))
    return True


@asynccontextmanager
async def delivering(tuning: Tuning) -> AsyncIterator[None]:
    """Say of what goes wrong whether to wait or to give up."""
    try:
        async with asyncio.timeout(tuning.request_seconds):
            yield
    except discord.HTTPException as problem:
        raise _delivery_problem(problem, tuning) from problem
    except discord.RateLimited as problem:
        raise DeliveryDelayed("Discord asks to wait.", retry_after=problem.retry_after) from problem
    except OUT_OF_REACH as problem:
        raise DeliveryDelayed(
            f"Discord is out of reach: {type(problem).__name__}.", retry_after=tuning.outage_seconds, everywhere=True
        ) from problem


async def type_on(client: discord.Client, target: ReplyTarget, tuning: Tuning) -> None:
    """Show that an answer is being written, until cancelled. A failure ends the show with a log line."""
    try:
        while True:
            async with asyncio.timeout(tuning.request_seconds):
                await client.http.send_typing(channel_id_of(target.conversation))
            await asyncio.sleep(TYPING_SECONDS)
    except (discord.DiscordException, *OUT_OF_REACH) as problem:
        log.info("discord_typing_not_shown", problem=type(problem).__name__)


def _message(client: discord.Client, target: ReplyTarget, message_id: str) -> discord.PartialMessage:
    return client.get_partial_messageable(channel_id_of(target.conversation)).get_partial_message(int(message_id))


async def _post(client: discord.Client, target: ReplyTarget, text: str, nonce: str, *, file: discord.File | None = None) -> discord.Message:
    files = [file] if file is not None else []
    channel = client.get_partial_messageable(channel_id_of(target.conversation))
    if target.reply_to:
        asked = channel.get_partial_message(int(target.reply_to)).to_reference(fail_if_not_exists=False)
        try:
            return await channel.send(text, nonce=nonce, reference=asked, allowed_mentions=ONLY_THE_ASKER, files=files)
        except discord.HTTPException as problem:
            if not _refuses_the_reference(problem):
                raise
            log.info("discord_reply_without_reference", code=problem.code)
            for upload in files:
                upload.reset(seek=True)
    return await channel.send(text, nonce=nonce, allowed_mentions=discord.AllowedMentions.none(), files=files)


def _unique(nonce: str, target: ReplyTarget, part: Part) -> str:
    """Return a nonce that another database's row of the same number does not share: Discord would swallow its message."""
    known = "|".join((nonce, str(target.conversation), target.reply_to, part.text))
    return blake2s(known.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _refuses_the_reference(problem: discord.HTTPException) -> bool:
    return problem.code == CANNOT_READ_HISTORY or (problem.code == INVALID_FORM and "message_reference" in problem.text)


def _delivery_problem(problem: discord.HTTPException, tuning: Tuning) -> DeliveryDelayed | DeliveryRefused:
    if problem.status == 429:
        return DeliveryDelayed("Discord takes nothing from this address for a while.", retry_after=BAN_SECONDS, everywhere=True)
    if problem.status == 401:
        return DeliveryDelayed("Discord does not take the token any more.", retry_after=BAN_SECONDS, everywhere=True)
    if problem.status >= 500:
        return DeliveryDelayed(f"Discord has an outage ({problem.status}).", retry_after=tuning.outage_seconds, everywhere=True)
    return DeliveryRefused(
        f"Discord refuses the message ({problem.status}, code {problem.code}). {REMEDIES.get(problem.code, problem.text)}"
    )
