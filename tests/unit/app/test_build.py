"""What members may know of an installation's settings."""

import pytest
from pydantic import SecretStr

from bot.app.build import keeping_of
from bot.config.settings import Settings

KEY = SecretStr("sk-very-secret-key")


@pytest.mark.parametrize(
    ("given", "model", "embedding"),
    [
        pytest.param({}, "", "", id="the offline model"),
        pytest.param({"openai_api_key": KEY}, "api.openai.com", "", id="a key alone"),
        pytest.param({"openai_base_url": "http://localhost:11434/v1"}, "", "", id="this machine"),
        pytest.param({"openai_base_url": "https://me:pass@llm.example.org/v1"}, "llm.example.org", "", id="a login in the address"),
        pytest.param({"openai_api_key": KEY, "embedder": "openai:small"}, "api.openai.com", "api.openai.com", id="one for both"),
        pytest.param(
            {"openai_api_key": KEY, "embedder": "openai:small", "embedding_base_url": "https://vectors.example.org/v1"},
            "api.openai.com",
            "vectors.example.org",
            id="one for each",
        ),
        pytest.param({"openai_api_key": KEY, "embedder": "minilm"}, "api.openai.com", "", id="vectors made here"),
    ],
)
def test_members_learn_hosts_and_nothing_else(given: dict[str, object], model: str, embedding: str) -> None:
    keeping = keeping_of(Settings().model_copy(update=given))

    assert (keeping.model_host, keeping.embedding_host) == (model, embedding)
    assert "secret" not in repr(keeping)
