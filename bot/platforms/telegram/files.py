"""Fetching files that came with messages: from the Bot API alone, and never more than was asked for."""

import asyncio
import re
from collections.abc import Sequence

import aiohttp
from telegram import Bot
from telegram.error import BadRequest, TelegramError

from bot.domain.message import Attachment
from bot.errors import FileUnavailable
from bot.platforms.fetching import check_size, read_file, too_big
from bot.platforms.telegram.attachments import ADDRESS, SEPARATOR
from bot.platforms.telegram.refusals import says

FETCH_SECONDS = 30.0
BIGGEST_MEGABYTES = 20
"""What Telegram gives to bots."""
_FILE_ID = re.compile(r"[A-Za-z0-9_-]+")


async def fetch(bot: Bot, attachment: Attachment, *, limit: int) -> bytes:
    """Return the bytes of a file; of a photo, of its largest size that is within the limit. Raises FileUnavailable."""
    ids = _ids(attachment)
    if len(ids) == 1:
        check_size(attachment, limit)
    try:
        async with asyncio.timeout(FETCH_SECONDS):
            return await _fetch_one(bot, ids, limit)
    except BadRequest as problem:
        if says(problem, "too big"):
            raise FileUnavailable(f"Telegram gives bots no file of more than {BIGGEST_MEGABYTES} megabytes.") from None
        raise FileUnavailable("Telegram does not have the file any more.") from None
    except (TelegramError, aiohttp.ClientError, TimeoutError) as problem:
        # The texts of these errors may hold the address, and so the token.
        raise FileUnavailable(f"Telegram does not give the file: {type(problem).__name__}.") from None


async def _fetch_one(bot: Bot, ids: Sequence[str], limit: int) -> bytes:
    for file_id in ids:
        file = await bot.get_file(file_id)
        address = file.file_path or ""
        if not address.startswith(f"{bot.base_file_url}/"):
            raise FileUnavailable("The file is not where Telegram keeps files.")
        if (file.file_size or 0) <= limit:
            return await _read(address, limit)
    raise too_big(limit)


async def _read(address: str, limit: int) -> bytes:
    async with aiohttp.ClientSession() as session, session.get(address, allow_redirects=False) as answer:
        return await read_file(answer, limit, host="Telegram")


def _ids(attachment: Attachment) -> Sequence[str]:
    """Return the ids that an attachment names; anything else could be an address of somebody who wants to see who comes."""
    ids = attachment.url.removeprefix(ADDRESS).split(SEPARATOR)
    if not attachment.url.startswith(ADDRESS) or not all(_FILE_ID.fullmatch(one) for one in ids):
        raise FileUnavailable("The file is not one of Telegram's.")
    return ids
