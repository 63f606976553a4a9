"""Several things stand in one line."""

from bot.wording.lists import listed
from bot.wording.say import in_language


def test_things_are_parted_as_the_language_does() -> None:
    with in_language("ja"):
        japanese = listed(["茶", "水"])

    assert (listed(["tea", "water"]), listed([]), japanese) == ("tea, water", "", "茶、水")
