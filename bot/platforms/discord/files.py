"""Fetching files that came with messages: from Discord's own hosts alone, and never more than was asked for."""

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import aiohttp
import discord
import structlog
import yarl
from discord.http import Route

from bot.domain.message import Attachment
from bot.errors import FileUnavailable
from bot.platforms.discord.trouble import OUT_OF_REACH
from bot.platforms.fetching import check_size, read_file

DISCORD_HOSTS = frozenset({"https://cdn.discordapp.com", "https://media.discordapp.net"})
FETCH_SECONDS = 20.0

_EXPIRED = frozenset({403, 404})
"""What Discord's host answers to a link whose time is over; a file that is gone gets the same."""

log = structlog.get_logger(__name__)


def trusted_hosts(api_base: str | None) -> frozenset[str]:
    """Return where files may be fetched from: Discord's hosts, and the one of another address of its API, where one is set."""
    return DISCORD_HOSTS | ({str(yarl.URL(api_base).origin())} if api_base is not None else set())


async def fetch(client: discord.Client, attachment: Attachment, *, limit: int, hosts: Collection[str]) -> bytes:
    """Return the bytes of a file. A link that has expired is renewed once. Raises FileUnavailable."""
    address = _trusted(attachment.url, hosts)
    check_size(attachment, limit)
    try:
        async with asyncio.timeout(FETCH_SECONDS), aiohttp.ClientSession() as session:
            if not _is_expired(address):
                found = await _read(session, address, limit)
                if found is not None:
                    return found
            found = await _read(session, _trusted(await _renewed(client, attachment.url), hosts), limit)
    except (discord.DiscordException, *OUT_OF_REACH) as problem:
        raise FileUnavailable(f"Discord does not give the file: {type(problem).__name__}.") from problem
    if found is None:
        raise FileUnavailable("Discord does not have the file any more.")
    return found


def _trusted(url: str, hosts: Collection[str]) -> yarl.URL:
    """Return an address of a file of Discord's; anything else could be a page of somebody who wants to see who comes."""
    try:
        address = yarl.URL(url)
        host = str(address.origin())
    except ValueError as problem:
        raise FileUnavailable("The file has no address.") from problem
    if host not in hosts:
        raise FileUnavailable("The file is not on one of Discord's hosts.")
    return address


def _is_expired(address: yarl.URL) -> bool:
    """Say whether the link itself tells that its time is over."""
    try:
        return datetime.fromtimestamp(int(address.query.get("ex", ""), 16), UTC) <= discord.utils.utcnow()
    except (ValueError, OverflowError, OSError):
        return False


async def _read(session: aiohttp.ClientSession, address: yarl.URL, limit: int) -> bytes | None:
    """Return what is there; None where the link has expired."""
    async with session.get(address, allow_redirects=False) as answer:
        return None if answer.status in _EXPIRED else await read_file(answer, limit, host="Discord")


async def _renewed(client: discord.Client, url: str) -> str:
    """Return a link that works again. Raises FileUnavailable where Discord gives none."""
    asking = Route("POST", "/attachments/refresh-urls")
    answer: Any = await client.http.request(asking, json={"attachment_urls": [url]})
    for renewed in answer.get("refreshed_urls") or ():
        if renewed.get("original") == url and renewed.get("refreshed"):
            log.info("discord_file_link_renewed")
            return str(renewed["refreshed"])
    raise FileUnavailable("Discord does not have the file any more.")
