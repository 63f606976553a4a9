"""Reading PDF files in a process of their own."""

import pytest

from bot.errors import FileUnavailable
from bot.nlp.documents import PdfDocuments
from bot.nlp.pdf import MOST_CHARACTERS, text_of
from tests.unit.nlp.pages import pdf_of


def test_the_text_of_all_pages_is_read() -> None:
    assert text_of(pdf_of("Tea list", "Oolong")) == "Tea list\n\nOolong"


def test_a_long_document_is_cut() -> None:
    assert len(text_of(pdf_of(*["word " * 2000] * 4))) <= MOST_CHARACTERS + 4


async def test_it_is_read_in_a_process_of_its_own() -> None:
    assert await PdfDocuments().read(pdf_of("Tea list")) == "Tea list"


async def test_what_is_no_pdf_is_said_to_be_damaged() -> None:
    with pytest.raises(FileUnavailable, match="damaged"):
        await PdfDocuments().read(b"%PDF-1.4 nothing more")


async def test_one_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(FileUnavailable, match="too long"):
        await PdfDocuments(seconds=0.0).read(pdf_of("Tea list"))
