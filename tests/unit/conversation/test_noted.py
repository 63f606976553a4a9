from dataclasses import replace

from bot.conversation.noted import NotedPlaces
from bot.testing.factories import GROUP, incoming


def test_a_category_is_news_until_it_is_kept_and_when_it_changes() -> None:
    noted, message = NotedPlaces(), incoming("hello", conversation=GROUP)
    moved = replace(message, category_id="halls")

    assert noted.is_news(message)
    noted.keep(message)
    assert (noted.is_news(message), noted.is_news(moved)) == (False, True)


def test_of_too_many_channels_the_first_is_forgotten() -> None:
    noted = NotedPlaces(most=1)
    first, second = (incoming("hello", conversation=replace(GROUP, channel_id=channel)) for channel in ("a", "b"))

    noted.keep(first)
    noted.keep(second)

    assert (noted.is_news(first), noted.is_news(second)) == (True, False)
