"""Settings of a part of a space."""

from bot.domain.chat import BindingTarget, ConversationKey
from bot.domain.placement import WHOLE_SPACE, binding_target, places_around, set_around, setting_at

THREAD = ConversationKey("discord", "10", "20", "30")
CHANNEL = ConversationKey("discord", "10", "20")


def test_places_go_from_the_thread_to_the_whole_space() -> None:
    assert places_around(THREAD, "5") == ("20/30", "20", "5", WHOLE_SPACE)
    assert places_around(CHANNEL) == ("20", WHOLE_SPACE)


def test_what_is_set_for_the_narrowest_place_counts() -> None:
    settings = {"speak.mode": "mentions", setting_at("speak.mode", "5"): "every"}

    assert set_around(settings, "speak.mode", places_around(THREAD, "5")) == "every"
    assert set_around(settings, "speak.mode", places_around(THREAD, "6")) == "mentions"
    assert set_around(settings, "speak.words", places_around(THREAD, "5")) == ""


def test_a_place_is_somewhere_that_a_persona_can_be_bound_to() -> None:
    assert binding_target(THREAD, "20/30") == BindingTarget("discord", "10", "20", "30")
    assert binding_target(THREAD, "5") == BindingTarget("discord", "10", "5")
    assert binding_target(THREAD, WHOLE_SPACE) == BindingTarget("discord", "10")
