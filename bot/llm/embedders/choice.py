"""Choosing the embedder."""

import re
from importlib import import_module

import structlog

from bot.errors import ConfigError
from bot.llm.embedders.hashing import HashingEmbedder
from bot.llm.embedders.local import LocalEmbedder
from bot.llm.embedders.packages import PACKAGES, ModelPackage, installed_packages
from bot.ports.embedder import Embedder

WORDS_ONLY = "none"
HASHING = "hashing"
ENDPOINT = "openai:"
_DIMENSIONS = re.compile(r"(.+)@(\d{1,5})")

log = structlog.get_logger(__name__)


def make_embedder(name: str, *, base_url: str | None = None, api_key: str = "") -> Embedder | None:
    """Return the named embedder; for no name the best one installed. None stands for words only: `none` asks for it.

    `openai:<model>` asks the endpoint at `base_url`, `openai:<model>@<dimensions>` for shorter vectors.
    Raises ConfigError for what is unknown or not installed, for another model in its place would embed everything anew.
    """
    name = name.strip()
    if name == WORDS_ONLY:
        return None
    if name == HASHING:
        return HashingEmbedder()
    if name.startswith(ENDPOINT):
        return _by_endpoint(name.removeprefix(ENDPOINT), base_url, api_key)
    package = chosen_package(name)
    if package is None:
        log.warning("search_by_words_only", problem="no embedding model is installed")
    return LocalEmbedder(package) if package else None


def chosen_package(name: str) -> ModelPackage | None:
    """Return the package of that name, for no name the best one installed, None when there is none. Raises ConfigError. Loads nothing."""
    if not name:
        return next(iter(installed_packages()), None)
    package = next((package for package in PACKAGES if package.name == name), None)
    if package is None:
        known = ", ".join([package.name for package in PACKAGES] + [HASHING, WORDS_ONLY, f"{ENDPOINT}<model>"])
        raise ConfigError(f"BAKU_EMBEDDER is {name!r}, which is no embedder. Choose one of: {known}.")
    if not package.is_installed:
        raise ConfigError(f"BAKU_EMBEDDER is {name!r}, which is not installed. {how_to_install(package)}")
    return package


def how_to_install(package: ModelPackage) -> str:
    """Return the command that installs a package's model in a checkout."""
    what = f'".[{package.extra}]"' if package.extra else "."
    return f"Install it: .venv/bin/python -m pip install --editable {what}"


def _by_endpoint(model: str, base_url: str | None, api_key: str) -> Embedder:
    if not model.strip():
        raise ConfigError("BAKU_EMBEDDER names no model; write it like BAKU_EMBEDDER=openai:text-embedding-3-small")
    if not (base_url or api_key):
        raise ConfigError("BAKU_EMBEDDER asks an endpoint, and there is none; set BAKU_EMBEDDING_BASE_URL or OPENAI_API_KEY.")
    # By name, because openai takes a second to import, and most do without.
    module = import_module("bot.llm.embedders.openai_embedder")
    shortened = _DIMENSIONS.fullmatch(model)
    name, dimensions = (shortened[1], int(shortened[2])) if shortened else (model, 0)
    embedder: Embedder = module.OpenAIEmbedder(name, base_url=base_url or module.OPENAI, api_key=api_key, dimensions=dimensions)
    return embedder
