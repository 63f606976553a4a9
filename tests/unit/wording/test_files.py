"""Files with translations follow the code."""

from pathlib import Path

from bot.wording.files import bring_up_to_date, read
from bot.wording.harvest import Text

FILE = """\
msgid ""
msgstr ""
"Language: de\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

# Said of tea.
#: bot/a.py
msgid "Kept"
msgstr "Behalten"

#: bot/a.py
msgid "Gone"
msgstr "Weg"

#: bot/b.py
#, python-brace-format
msgid "a cat"
msgid_plural "{number} cats"
msgstr[0] "eine Katze"
msgstr[1] "{number} Katzen"
"""
KEPT = {Text("Kept"): ["bot/a.py"], Text("a cat", "{number} cats"): ["bot/b.py"]}


def test_new_texts_come_in_and_old_ones_go(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text(FILE, encoding="utf-8")

    missing = bring_up_to_date(path, KEPT | {Text("New"): ["bot/c.py"]})

    catalog = read(path)
    assert missing == 1
    assert {message.id: message.string for message in catalog if message.id} == {
        "Kept": "Behalten",
        ("a cat", "{number} cats"): ("eine Katze", "{number} Katzen"),
        "New": "",
    }


def test_a_file_that_is_up_to_date_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text(FILE, encoding="utf-8")
    bring_up_to_date(path, KEPT)
    once = path.read_text(encoding="utf-8")

    bring_up_to_date(path, KEPT)

    assert path.read_text(encoding="utf-8") == once == FILE.replace('#: bot/a.py\nmsgid "Gone"\nmsgstr "Weg"\n\n', "")


def test_a_text_that_became_counted_waits_for_a_translation_again(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    path.write_text(FILE, encoding="utf-8")

    missing = bring_up_to_date(path, {Text("Kept", "{number} kept"): ["bot/a.py"]})

    assert missing == 1
