import pytest

from bot.prompt.ratios import LEAST, MOST, PLACES, TokenRatios


def test_endpoint_that_counts_more_is_believed_from_its_first_report_on() -> None:
    ratios = TokenRatios()

    ratios.learn("small", "here", counted=1000, reported=1400)

    assert ratios.of("small", "here") == pytest.approx(1.4)
    assert ratios.of("small", "elsewhere") == 1.0
    assert ratios.of("other", "here") == 1.0


def test_later_reports_move_it_slowly() -> None:
    ratios = TokenRatios()
    for reported in (1000, 1400):
        ratios.learn("small", "here", counted=1000, reported=reported)

    assert 1.0 < ratios.of("small", "here") < 1.2


def test_languages_of_two_conversations_do_not_mix() -> None:
    ratios = TokenRatios()
    for _ in range(10):
        ratios.learn("small", "english", counted=1000, reported=980)
        ratios.learn("small", "japanese", counted=1000, reported=1600)

    assert ratios.of("small", "english") == pytest.approx(0.98)
    assert ratios.of("small", "japanese") == pytest.approx(1.6)


@pytest.mark.parametrize(("reported", "ratio"), [(3000, MOST), (300, LEAST), (1, 1.0), (0, 1.0), (90_000, 1.0)])
def test_what_no_encoding_does_is_not_believed(reported: int, ratio: float) -> None:
    ratios = TokenRatios()

    ratios.learn("small", "here", counted=1000, reported=reported)

    assert ratios.of("small", "here") == ratio


def test_conversations_that_fell_silent_give_way() -> None:
    ratios = TokenRatios()
    for number in range(PLACES + 1):
        ratios.learn("small", str(number), counted=1000, reported=1500 if number == 0 else 1000)

    assert ratios.of("small", "0") < 1.5
