"""The file of an export, opened with care: nobody knows who has had it in hands."""

import json
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from bot.memory.export.written import DATA_NAME, FORMAT, PAGE_NAME, VERSION

MOST_FILE = 64 * 1024 * 1024
MOST_DATA = 128 * 1024 * 1024
"""Bytes of the data in it, unpacked."""
_ENCRYPTED = 1
_WHAT_TO_DO = "Make a new one with `baku memory export`."


def data_in(path: Path) -> dict[str, Any]:
    """Return what the file of an export holds. Raises ValueError, with what to do, for anything else; nothing is unpacked to the disk."""
    try:
        if path.stat().st_size > MOST_FILE:
            raise ValueError(f"{path} has more than {MOST_FILE >> 20} MB. Export a conversation at a time with --conversation.")
        with ZipFile(path) as archive:
            text = _data(archive, path)
        data = json.loads(text)
    except OSError as problem:
        raise ValueError(f"{path} cannot be read: {problem.strerror}. Name the ZIP that `baku memory export` has written.") from problem
    except (BadZipFile, NotImplementedError, RuntimeError, UnicodeDecodeError, json.JSONDecodeError, zlib.error) as problem:
        raise ValueError(f"{path} is no sound export. {_WHAT_TO_DO}") from problem
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{path} is no export of Baku. {_WHAT_TO_DO}")
    if data.get("version") != VERSION:
        known = f"{path} was written in version {str(data.get('version'))[:20]!r} of the format; this Baku reads version {VERSION}."
        raise ValueError(f"{known} Export again with this Baku, or import with the one that wrote it.")
    return data


def _data(archive: ZipFile, path: Path) -> str:
    entries = archive.infolist()
    names = sorted(entry.filename for entry in entries)
    if names not in ([DATA_NAME], sorted([DATA_NAME, PAGE_NAME])):
        raise ValueError(f"{path} holds other files than an export does. {_WHAT_TO_DO}")
    (entry,) = (entry for entry in entries if entry.filename == DATA_NAME)
    if entry.flag_bits & _ENCRYPTED:
        raise ValueError(f"{path} is encrypted. {_WHAT_TO_DO}")
    content = b""
    if entry.file_size <= MOST_DATA:  # which may be a lie
        with archive.open(entry) as opened:
            content = opened.read(MOST_DATA + 1)
    if max(entry.file_size, len(content)) > MOST_DATA:
        raise ValueError(f"The data in {path} has more than {MOST_DATA >> 20} MB. Export a conversation at a time with --conversation.")
    return content.decode()
