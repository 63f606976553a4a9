"""The files with translations, brought up to date with the code. Translators edit them by hand or in any editor for .po files."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.wording.harvest import Text

Where = Mapping[Text, Sequence[str]]
"""Each text with the files that it stands in."""

_HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals};\\n"

"""
_LINE = 140


def read(path: Path) -> Catalog:
    """Return a file's translations; those that need another look come as fuzzy."""
    with path.open(encoding="utf-8") as file:
        return read_po(file, locale=path.stem, abort_invalid=True)


def updated(old: Catalog, where: Where) -> Catalog:
    """Return the translations with every text in them that the code has, new ones without a translation, and no other."""
    new = Catalog(locale=old.locale, fuzzy=False)
    new.mime_headers = old.mime_headers
    for text in sorted(where, key=lambda text: (sorted(where[text]), text)):
        known = old.get(text.english, text.context or None)
        is_same = known is not None and isinstance(known.id, str) is not bool(text.many)
        new.add(
            text.forms if text.many else text.english,
            known.string if known is not None and is_same and known.string else ("",) * old.num_plurals if text.many else "",
            locations=[(name, 0) for name in sorted(where[text])],
            flags=known.flags if known is not None and is_same else (),
            user_comments=known.user_comments if known is not None else (),
            context=text.context or None,
        )
    return new


def written(catalog: Catalog, *, language: str, plurals: str) -> str:
    """Return the file's text."""
    out = BytesIO()
    write_po(out, catalog, width=_LINE, omit_header=True, include_lineno=False)
    return _HEADER.format(language=language, plurals=plurals) + out.getvalue().decode().strip() + "\n"


def bring_up_to_date(path: Path, where: Where) -> int:
    """Write a file anew, and return how many of its texts have no translation."""
    old = read(path)
    new = updated(old, where)
    path.write_text(written(new, language=path.stem, plurals=old.plural_forms.rstrip("; ")), encoding="utf-8")
    return sum(1 for message in new if message.id and (message.fuzzy or not _is_whole(message.string)))


def _is_whole(said: object) -> bool:
    return all(said) if isinstance(said, tuple | list) else bool(said)
