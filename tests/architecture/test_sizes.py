"""Files and functions stay short enough to be read at once."""

from tests.architecture.sources import ROOT, kept_files, sources

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40
MAX_FILE_BYTES = 1_000_000


def test_no_source_file_is_longer_than_400_lines() -> None:
    lengths = {source.path: len(source.text.splitlines()) for source in sources()}

    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    lengths = {
        f"{source.at(function)} {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for source in sources()
        for function in source.functions
    }

    assert {place: lines for place, lines in lengths.items() if lines > MAX_FUNCTION_LINES} == {}


def test_no_file_in_the_repository_is_larger_than_a_megabyte() -> None:
    sizes = {path: (ROOT / path).stat().st_size for path in kept_files()}

    assert {path: size for path, size in sizes.items() if size > MAX_FILE_BYTES} == {}
