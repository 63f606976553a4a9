import pytest

from bot.domain.entity import EntityKind
from bot.nlp.claim_patterns import claims_by_patterns, placed_names
from bot.nlp.language import language_of


def claimed(text: str) -> set[str]:
    claims = claims_by_patterns(text, language_of(text))
    return {f"{'' if claim.holds else '-'}{claim.subject or 'I'} {claim.predicate} {claim.object}" for claim in claims}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Paris", {"I lives_in Paris"}),
        ("Alice moved to Rome. She is happy.", {"Alice lives_in Rome"}),
        ("I used to live in Berlin", {"-I lives_in Berlin"}),
        ("I work at Siemens and I love sushi", {"I works_at Siemens", "I loves sushi"}),
        ("Ich wohne in Berlin.", {"I lives_in Berlin"}),
        ("Anna wohnt jetzt in Köln und ich mag Katzen", {"Anna lives_in Köln", "I likes Katzen"}),
        ("Ich bin nach Hamburg gezogen", {"I lives_in Hamburg"}),
        ("Ich habe früher in Köln gewohnt", {"-I lives_in Köln"}),
        ("Bernd ist mit Eva verheiratet und das ist schön", {"Bernd married_to Eva"}),
        ("J'habite à Lyon avec ma sœur", {"I lives_in Lyon"}),
        ("Marie travaille chez Airbus et je parle avec elle", {"Marie works_at Airbus"}),
        ("Je vis à Paris", {"I lives_in Paris"}),
        ("Vivo en Madrid", {"I lives_in Madrid"}),
        ("Ana vive en Sevilla con su gato", {"Ana lives_in Sevilla"}),
        ("Me gustan los gatos", {"I likes gatos"}),
        ("Ik woon in Utrecht", {"I lives_in Utrecht"}),
        ("私は東京に住んでいます", {"I lives_in 東京"}),
        ("田中さんは大阪に引っ越しました。", {"田中 lives_in 大阪"}),
        ("大阪に住んでいました", {"-I lives_in 大阪"}),
        ("猫が大好き！", {"I likes 猫"}),
        ("我住在北京。", {"I lives_in 北京"}),
        ("我在谷歌工作", {"I works_at 谷歌"}),
        ("小明喜欢足球", {"小明 likes 足球"}),
    ],
)
def test_a_plain_statement_is_claimed(text: str, expected: set[str]) -> None:
    assert claimed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Do you live in Rome?",
        "If I live in Paris I smile",
        "I wish I live in Paris",
        "She lives in Paris",
        "> I live in Paris",
        "“I live in Paris” is a song",
        "Wohnst du in Berlin?",
        "Ich wohne nicht in Berlin",
        "Wenn ich in Paris wohne, bin ich froh",
        "Sie wohnt in Berlin",
        "Je n'habite pas à Lyon",
        "No vivo en Madrid",
        "東京に住んでいますか",
        "東京に住んでいません",
        "母は京都に住んでいます",
        "彼女は昔から東京に住んでいます",
        "東京に住みたい",
        "ゼルダの伝説が好き",
        "我不住在北京。",
        "我妈妈住在北京。",
        "你住在北京吗？",
        "lol ok",
        "",
    ],
)
def test_what_is_asked_denied_or_supposed_is_not(text: str) -> None:
    assert claimed(text) == set()


def test_where_somebody_lives_or_works_is_a_place_or_a_company() -> None:
    text = "Ich wohne in Bad Vilbel und Anna arbeitet bei Zwilling."

    assert [(found.name, found.kind) for found in placed_names(text, language_of(text))] == [
        ("Bad Vilbel", EntityKind.PLACE),
        ("Zwilling", EntityKind.ORGANISATION),
    ]
