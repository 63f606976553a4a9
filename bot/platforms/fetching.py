"""Fetching a file that came with a message: never more of it than was asked for."""

import aiohttp

from bot.domain.message import Attachment
from bot.errors import FileUnavailable

_PIECE = 64 * 1024


def check_size(attachment: Attachment, limit: int) -> None:
    """Raise FileUnavailable for a file that says itself that it is too big."""
    if attachment.size_bytes > limit:
        raise FileUnavailable(f"The file has {attachment.size_bytes:,} bytes, more than {limit:,}.")


async def read_file(answer: aiohttp.ClientResponse, limit: int, *, host: str) -> bytes:
    """Return the file in an answer of a host. Raises FileUnavailable where there is none, or one of more than `limit` bytes."""
    if answer.status != 200:
        raise FileUnavailable(f"{host} answers {answer.status} for the file.")
    data = bytearray()
    async for piece in answer.content.iter_chunked(_PIECE):
        data += piece
        if len(data) > limit:
            raise too_big(limit)
    return bytes(data)


def too_big(limit: int) -> FileUnavailable:
    """Return what to raise for a file of more than `limit` bytes."""
    return FileUnavailable(f"The file has more than {limit:,} bytes.")
