"""The repository holds nothing that belongs to one machine or to somebody else."""

import re

import pytest

from tests.architecture.sources import ROOT, kept_files

FOREIGN = {
    "a folder of one machine": re.compile(r"(?<![\w.~])/(?:work|root|farm|home/\w+|Users/\w+|tmp/\w+|private/var)(?:/|\b)"),
    "a host of a package registry": re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:com|org)|conda\.anaconda\.org|crates\.io"),
    "a key": re.compile(r"sk-[A-Za-z0-9]{20,}|ghp_[A-Za-z0-9]{20,}|\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
}
THIS_FILE = "tests/architecture/test_kept_files.py"


@pytest.mark.parametrize("what", FOREIGN)
def test_no_file_names(what: str) -> None:
    found = [
        f"{path}:{number}: {match[0]}"
        for path in kept_files()
        if path != THIS_FILE
        for number, line in enumerate(_lines(path), 1)
        if (match := FOREIGN[what].search(line))
    ]

    assert found == []


def test_nothing_unfinished_is_kept() -> None:
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")

    found = [
        f"{path}:{n}" for path in kept_files() if path != THIS_FILE for n, line in enumerate(_lines(path), 1) if unfinished.search(line)
    ]

    assert [place for place in found if not place.startswith("pyproject.toml")] == []


def test_secrets_and_data_are_never_kept() -> None:
    kept = set(kept_files())

    assert ".env" not in kept
    assert [path for path in kept if path.endswith((".db", ".sqlite", ".sqlite3", ".pem"))] == []


def _lines(path: str) -> list[str]:
    try:
        return (ROOT / path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
