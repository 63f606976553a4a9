import pytest

from bot.errors import ConfigError
from bot.platforms.discord.shards import Shards, parse_shards


@pytest.mark.parametrize(
    ("text", "shards"),
    [
        pytest.param("0-3/16", Shards((0, 1, 2, 3), 16), id="several"),
        pytest.param(" 15/16 ", Shards((15,), 16), id="one"),
    ],
)
def test_shards_of_a_process_are_read(text: str, shards: Shards) -> None:
    assert parse_shards(text) == shards


@pytest.mark.parametrize("text", ["", "4", "3-0/16", "0-16/16", "a/b", "-1/2"])
def test_shards_that_there_are_not_are_explained(text: str) -> None:
    with pytest.raises(ConfigError, match="--shards"):
        parse_shards(text)
