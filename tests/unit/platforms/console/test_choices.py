from bot.domain.command import Button
from bot.platforms.console.choices import choices_text


def test_buttons_are_lines_that_can_be_typed() -> None:
    text = choices_text([Button("Iris", "setup persona iris", chosen=True), Button("Next ›", "setup speak")])

    assert text == "- `/setup persona iris` – Iris ✓\n- `/setup speak` – Next ›"
    assert choices_text([]) == ""
