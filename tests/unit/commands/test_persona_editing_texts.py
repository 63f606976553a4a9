"""What is said where personas are changed."""

from bot.commands.persona_editing_texts import history_page


def test_a_persona_that_was_never_changed_has_no_history() -> None:
    assert history_page("iris", ()) == "`iris` was never changed here."
