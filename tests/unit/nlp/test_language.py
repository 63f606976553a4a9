import pytest

from bot.nlp.language import Language, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did Alice say about the weather?", Language.ENGLISH),
        ("lol ok", Language.ENGLISH),
        ("Paris", Language.ENGLISH),
        ("", Language.ENGLISH),
        ("😀 12", Language.ENGLISH),
        ("Das Haus ist groß", Language.GERMAN),
        ("Ich wohne in Berlin.", Language.GERMAN),
        ("Je suis à Paris avec ma sœur", Language.FRENCH),
        ("J’habite à Lyon", Language.FRENCH),
        ("Vivo en Madrid", Language.SPANISH),
        ("Non sono di Roma ma vivo qui", Language.ITALIAN),
        ("Eu não moro com meu pai", Language.PORTUGUESE),
        ("Ik woon in Utrecht", Language.DUTCH),
        ("Alice は東京に住んでいる", Language.JAPANESE),
        ("我住在北京", Language.CHINESE),
        ("Я живу в Москве", Language.OTHER),
        ("나는 서울에 살아", Language.OTHER),
    ],
)
def test_a_language_is_told_by_its_script_and_small_words(text: str, language: Language) -> None:
    assert language_of(text) is language
