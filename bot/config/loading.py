"""Reading the settings from the environment, `.env` and files of secrets, and what is said about mistakes in them."""

import os
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from bot.config.core import ENV_FILE
from bot.config.settings import Settings
from bot.domain.nearest import nearest
from bot.domain.secretfile import SUFFIX, SecretFiles, read_secret_files
from bot.errors import ConfigError

PLUGIN_PREFIX = "BAKU_PLUGIN_"


def _is_secret(field: FieldInfo) -> bool:
    return field.annotation == (SecretStr | None)


_SECRETS = {str(field.validation_alias): key for key, field in Settings.model_fields.items() if key == "db" or _is_secret(field)}
"""The settings that are or may hold a secret, by name: each may stand in a file of its own."""


def load_settings(*, db: str | None = None, model: str | None = None) -> Settings:
    """Return the settings of the environment and `.env`, with what the command line says on top. Raises ConfigError, one line a mistake."""
    asked = {name: value for name, value in (("db", db), ("model", model)) if value}
    files = _secret_files()
    if files.mistakes:
        raise ConfigError("\n".join(files.mistakes))
    plugin_settings = _plugin_settings(_values())
    try:
        return Settings.model_validate({**files.values, **asked, "plugin_settings": plugin_settings})
    except ValidationError as problem:
        raise ConfigError("\n".join(_mistake(error, asked) for error in problem.errors())) from None


def settings_warnings() -> Sequence[str]:
    """Return what looks wrong around the settings without stopping anything, each with its remedy."""
    found = [*_secret_files().warnings]
    if ENV_FILE.is_file() and ENV_FILE.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        found.append("Others on this machine can read .env with its tokens; run: chmod 600 .env")
    known = [str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias]
    known += [f"{name}{SUFFIX}" for name in _SECRETS]
    for name in _values():
        if name.startswith("BAKU_") and not name.startswith(PLUGIN_PREFIX) and name not in known:
            near = nearest(name, known)
            found.append(f"{name} is no setting and does nothing" + (f"; did you mean {near}?" if near else "."))
    return found


def _values() -> dict[str, str]:
    return {name: value for name, value in {**_env_file(), **os.environ}.items() if value}


def _env_file() -> Mapping[str, str | None]:
    """Return what `.env` says. Raises ConfigError for a line that would be passed over, and with it the setting that it holds."""
    if not ENV_FILE.is_file():
        return {}
    try:
        with ENV_FILE.open(encoding="utf-8") as file:
            for statement in parse_stream(file):
                if statement.error:
                    raise ConfigError(f".env:{statement.original.line}: this line cannot be read; is a quote not closed?")
        return dotenv_values(ENV_FILE, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f".env cannot be read: {problem}. Make it a UTF-8 text file that you may read.") from problem


def _secret_files() -> SecretFiles:
    return read_secret_files(_values(), _SECRETS, _look)


def _look(path: str) -> tuple[str, int]:
    place = Path(path).expanduser()
    return place.read_text(encoding="utf-8"), place.stat().st_mode


def _plugin_settings(values: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(PLUGIN_PREFIX).lower(): value for name, value in values.items() if name.startswith(PLUGIN_PREFIX)}


def _mistake(error: ErrorDetails, asked: Collection[str]) -> str:
    """Return what is wrong with a setting and how it is written right, where it was written: `asked` are those of the command line."""
    if not error["loc"]:
        return str(error["ctx"]["error"])
    name = str(error["loc"][0])
    field = next(field for key, field in Settings.model_fields.items() if name in {key, field.validation_alias})
    name, equals = (f"--{name}", " ") if name in asked else (str(field.validation_alias), "=")
    like = f"{name}{equals}{_example(field, error['input'])}"
    return f"{name}{_shown(field, error['input'])}: {_problem(error)}. Write it like {like}"


def _example(field: FieldInfo, value: object) -> str:
    """Return an example of the kind that was meant: of an address, where there is one, for what looks like an address."""
    examples = [str(example) for example in field.examples or [""]]
    return examples[-1] if "://" in str(value) else examples[0]


def _shown(field: FieldInfo, value: object) -> str:
    """Return the wrong value, unless it is a secret or may hold one."""
    secret = _is_secret(field) or any(mark in str(value) for mark in ("@", "password="))
    return "" if secret else f" is {str(value)!r}"


def _problem(error: ErrorDetails) -> str:
    match error:
        case {"type": "value_error", "ctx": {"error": problem}}:
            return str(problem)
        case {"type": "enum", "ctx": {"expected": expected}}:
            return f"it can be {expected.replace(chr(39), '')}"
        case _:
            return error["msg"].replace("Input should be", "it must be").split(", unable")[0]
