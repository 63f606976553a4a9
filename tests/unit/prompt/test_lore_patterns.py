import time

import pytest

from bot.prompt.lore_patterns import MOST_TEXT, pattern_of


@pytest.mark.parametrize(
    ("key", "hit", "miss"),
    [
        (r"\bdragons?\b", "two Dragons", "dragonfly"),
        (r"/mag(e|ic|ical)\b/", "old magic", "Magic"),
        (r"(?:old|new) mil{1,2}s", "the NEW mils", "mills"),
        (r"[\w-]+@home", "ada-1@home", "@home"),
        (r"竜+|dragón", "竜竜", "dragon"),
    ],
)
def test_a_bounded_pattern_matches_as_written(key: str, hit: str, miss: str) -> None:
    pattern = pattern_of(key, case_sensitive=False)

    assert pattern is not None
    assert pattern.regex.search(hit)
    assert not pattern.regex.search(miss)


@pytest.mark.parametrize(
    "key",
    [
        "(a+)+$",
        "(a|a)*b",
        "a*a*b",
        "a?" * 20 + "b",
        r"(x)\1",
        "(?=x)x",
        "(?i)x",
        "(",
        "a**",
        "[a&&b]",
        "[[:alpha:]]",
        "/x/q",
        "x" * 600,
        "a{9999}",
    ],
)
def test_a_pattern_that_could_take_long_or_is_broken_is_not_run(key: str) -> None:
    assert pattern_of(key, case_sensitive=False) is None


@pytest.mark.parametrize("key", ["a*a?a?b", "(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b", "a{1,15}a{1,15}b"])
def test_the_slowest_pattern_that_is_run_is_quick(key: str) -> None:
    pattern = pattern_of(key, case_sensitive=False)
    before = time.perf_counter()

    assert pattern is not None
    assert not pattern.regex.search("a" * MOST_TEXT)
    assert time.perf_counter() - before < 0.5
