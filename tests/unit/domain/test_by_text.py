from bot.domain.by_text import ByText


def test_text_is_looked_at_once_and_what_was_asked_for_last_is_kept() -> None:
    looked: list[str] = []

    def look(text: str) -> int:
        looked.append(text)
        return len(text)

    lengths = ByText(look, most=2)

    assert [lengths(text) for text in ("a", "bb", "a", "\ud800cc", "a", "bb")] == [1, 2, 1, 3, 1, 2]
    assert looked == ["a", "bb", "\ud800cc", "bb"]
