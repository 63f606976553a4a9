"""Links lead somewhere."""

import posixpath

import pytest

from tests.docs.pages import ROOT, Page, pages


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.path)
def test_every_relative_link_leads_to_a_file_or_heading(page: Page) -> None:
    dead = [link for link in page.links() if "://" not in link and not _exists(page, link)]

    assert dead == []


def test_every_page_is_linked_from_another() -> None:
    linked = {_target(page, link)[0] for page in pages() for link in page.links() if "://" not in link}

    assert {page.path for page in pages()} - linked <= {"README.md"}


def _target(page: Page, link: str) -> tuple[str, str]:
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path, anchor


def _exists(page: Page, link: str) -> bool:
    path, anchor = _target(page, link)
    return (ROOT / path).exists() and (not anchor or anchor in Page(path).anchors())
