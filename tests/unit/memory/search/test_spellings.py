import pytest

from bot.memory.search.spellings import other_spellings


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Yuki", {"ユキ"}),
        ("Sakura", {"さくら", "サクラ"}),
        ("さくら", {"sakura"}),
        ("ケンタ", {"kenta"}),
        ("健太", set()),
        ("Emre", set()),
        ("", set()),
    ],
)
def test_a_name_has_another_spelling_where_the_other_script_has_its_sounds(name: str, others: set[str]) -> None:
    assert other_spellings(name) == others
