from bot.commands.numbers import MOST_CHOICES, number_choices
from bot.domain.command import Choice
from bot.testing.factories import a_memory

MEMORIES = [a_memory("Ada likes tea", number=1), a_memory("Ada has a cat", number=2), a_memory("Ada plays the cello", number=12)]


def test_memories_are_found_by_the_beginning_of_their_number_and_by_their_words() -> None:
    assert number_choices(MEMORIES, "#1") == [Choice("#1 Ada likes tea", "1"), Choice("#12 Ada plays the cello", "12")]
    assert number_choices(MEMORIES, " CAT") == [Choice("#2 Ada has a cat", "2")]


def test_no_more_are_shown_than_fit_and_none_is_long() -> None:
    choices = number_choices([a_memory("tea " * 100, number=number) for number in range(1, 40)], "")

    assert len(choices) == MOST_CHOICES
    assert max(len(choice.label) for choice in choices) <= 80
