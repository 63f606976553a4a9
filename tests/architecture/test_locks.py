"""The locks agree with pyproject.toml, with one another, and pin every file by its hash."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.sources import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-setup.lock", "requirements-model.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()

    entries = re.split(r"\n(?=\S)", text.strip())

    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text


@pytest.mark.parametrize("lock", ["requirements-dev.lock", "requirements-setup.lock"])
def test_a_package_has_the_same_version_in_all_locks(lock: str) -> None:
    pins, others = _pins("requirements.lock"), _pins(lock)

    assert {name: others[name] for name in pins.keys() & others.keys()} == {name: pins[name] for name in pins.keys() & others.keys()}


@pytest.mark.parametrize(
    ("group", "lock"),
    [
        ("", "requirements.lock"),
        ("", "requirements-dev.lock"),
        ("dev", "requirements-dev.lock"),
        ("setup", "requirements-setup.lock"),
        ("model", "requirements-model.lock"),
    ],
)
def test_a_lock_satisfies_what_pyproject_asks(group: str, lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = project["dependency-groups"][group] if group else project["project"]["dependencies"]
    pins = _pins(lock)

    unmet = [text for text in asked if pins.get(canonicalize_name(Requirement(text).name), "0") not in Requirement(text).specifier]

    assert unmet == [], "Run `make lock`."


def _pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ \\]+)", (ROOT / lock).read_text(), re.MULTILINE))
