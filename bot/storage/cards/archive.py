"""ZIP archives from strangers: every limit is checked before a byte is unpacked, and again while it is."""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping

from bot.errors import CardRefused
from bot.storage.cards.jsontext import clean

MOST_FILES = 300
MOST_UNPACKED = 32_000_000
MOST_RATIO = 200
"""How much a file may grow when it is unpacked, where it grows beyond what is harmless anyway."""
HARMLESS = 1_000_000
MOST_PATH = 200
_ENTRY = b"PK\x01\x02"
_ARCHIVES = (b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\:*?\"<>|]")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError, LookupError, OverflowError)


def unpacked(data: bytes, what: str) -> Mapping[str, bytes]:
    """Return the files of an archive by path. Raises CardRefused for one that is broken, too big or full of tricks."""
    if data.count(_ENTRY) > MOST_FILES:
        raise CardRefused(f"{what} holds more than {MOST_FILES} files. Leave out what the persona does not need.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries, what)
            return {entry.filename: _content(archive, entry, what) for entry in entries}
    except _BROKEN:
        raise CardRefused(f"{what} is no sound ZIP archive. Fetch the file anew, or export it anew.") from None


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by path; the same files give the same bytes."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def is_safe(path: str) -> bool:
    """Say whether a path stays within its folder on every system."""
    parts = path.split("/")
    return len(path) <= MOST_PATH and clean(path) == path and not _UNSAFE.search(path) and all(part.strip(". ") for part in parts)


def _check(entries: list[zipfile.ZipInfo], what: str) -> None:
    seen: set[str] = set()
    for entry in entries:
        path = entry.filename
        if not is_safe(path) or "\0" in entry.orig_filename or stat.S_ISLNK(entry.external_attr >> 16):
            raise CardRefused(f"{what} holds a file with an unsafe name, {path[:60]!r}. Nothing was taken; ask its author for a clean one.")
        if path.casefold() in seen:
            raise CardRefused(f"{what} holds two files called {path[:60]!r}. Remove one of them.")
        seen.add(path.casefold())
        if entry.flag_bits & 0x1:
            raise CardRefused(f"{what} is locked with a password. Export it without one.")
        if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise CardRefused(f"{what} is packed in an unusual way. Pack it as a plain ZIP archive.")
        if entry.file_size > max(HARMLESS, entry.compress_size * MOST_RATIO):
            raise CardRefused(
                f"{what} holds a file that unpacks to more than {MOST_RATIO} times its size, {path[:60]!r}. No card needs that."
            )
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        raise CardRefused(f"{what} unpacks to more than {MOST_UNPACKED:,} bytes. Leave out what the persona does not need.")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, what: str) -> bytes:
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise CardRefused(f"{what} lies about the size of {entry.filename[:60]!r}. Export it anew.")
    if content.startswith(_ARCHIVES):
        raise CardRefused(f"{what} holds another archive, {entry.filename[:60]!r}. Take it out.")
    return content
