import pytest

from bot.domain.textfile import is_text_file, text_of


@pytest.mark.parametrize(
    ("media_type", "is_text"),
    [
        pytest.param("text/plain; charset=utf-8", True, id="with its encoding"),
        pytest.param("application/json", True, id="data"),
        pytest.param("application/ld+json", True, id="a dialect"),
        pytest.param("application/jsonlines", False, id="merely alike"),
        pytest.param("application/pdf", False, id="a document"),
        pytest.param("image/png", False, id="a picture"),
        pytest.param("", False, id="unknown"),
    ],
)
def test_media_type_tells_text_from_the_rest(media_type: str, is_text: bool) -> None:
    assert is_text_file(media_type, 10) is is_text


def test_huge_file_is_not_fetched() -> None:
    assert not is_text_file("text/plain", 9_000_000)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("\ufeffKyōto".encode(), "Kyōto", id="without its mark"),
        pytest.param(b"caf\xe9", "caf�", id="another encoding"),
        pytest.param(b"a" * 300_000, "a" * 200_000, id="a very long one"),
    ],
)
def test_text_of_a_file_can_always_be_read(content: bytes, text: str) -> None:
    assert text_of(content) == text
