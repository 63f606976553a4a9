"""The glossary and the code use the same words."""

import ast
import re

import pytest

from tests.docs.pages import ROOT, Page

PAGE = Page("docs/glossary.md")
NAMED_IN_CODE = re.findall(r"\[`([\w.]+)`\]\(\.\./([\w/]+\.py)\)", PAGE.text)
WORDS = re.findall(r"^\| \*\*(.+?)\*\* \|", PAGE.text, re.MULTILINE)


@pytest.mark.parametrize(("name", "path"), NAMED_IN_CODE)
def test_a_name_that_the_glossary_gives_is_defined_where_it_says(name: str, path: str) -> None:
    defined = _definitions(ast.parse((ROOT / path).read_text()).body)

    assert name in defined


def test_the_words_stand_in_alphabetical_order_and_once_each() -> None:
    assert sorted(set(WORDS), key=str.casefold) == WORDS
    assert len(WORDS) > 20


def _definitions(statements: list[ast.stmt], prefix: str = "") -> set[str]:
    found = set()
    for statement in statements:
        match statement:
            case ast.ClassDef(name=name, body=body):
                found |= {prefix + name} | _definitions(body, f"{prefix}{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(prefix + name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(prefix + name)
    return found
