from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.persona import SEED, Example, MemoryMode, MemoryPolicy, ModelChoice, Persona
from bot.errors import PersonaError
from bot.storage.persona_files import check_personas, delete_persona_file, duplicate_persona_file, load_personas

SHIPPED = Path(__file__).parents[3] / "personas"

FULL = """---
name: Iris
summary: A florist.
greeting: Hello, petal.
language: pt-BR
time_zone: America/Sao_Paulo
examples:
  - user: Hi
    reply: Hello, you.
model: {name: small, temperature: 1, max_reply_tokens: 300}
memory: {enabled: false, mode: tags, working_tokens: 200}
tools: [roll_dice]
triggers: [iris, flower]
---

You are Iris.

You sell flowers.
"""


def write(folder: Path, text: str, name: str = "iris.md") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def front(folder: Path, *lines: str) -> list[str]:
    write(folder, "\n".join(("---", "name: Iris", "greeting: Hello", *lines, "---", "You are Iris.")))
    return [f"{mistake.line}: {mistake.problem}" for mistake in check_personas(folder)]


def test_every_key_of_a_file_arrives_in_the_persona(tmp_path: Path) -> None:
    write(tmp_path, FULL)

    personas = load_personas(tmp_path, "iris")

    assert personas.get(None) == Persona(
        id="iris",
        name="Iris",
        voice="You are Iris.\n\nYou sell flowers.",
        greeting="Hello, petal.",
        summary="A florist.",
        language="pt-BR",
        time_zone="America/Sao_Paulo",
        examples=(Example("Hi", "Hello, you."),),
        model=ModelChoice("small", 1, 300),
        memory=MemoryPolicy(enabled=False, mode=MemoryMode.TAGS, working_tokens=200),
        tools=("roll_dice",),
        triggers=("iris", "flower"),
    )


def test_name_greeting_and_voice_are_enough(tmp_path: Path) -> None:
    write(tmp_path, "---\nname: Iris\ngreeting: Hello\n---\nYou are Iris.")

    iris = load_personas(tmp_path, "iris").get("iris")

    assert iris == Persona(id="iris", name="Iris", voice="You are Iris.", greeting="Hello")


@pytest.mark.parametrize(
    ("memory", "policy"),
    [
        ("{preset: seed}", SEED),
        ("{preset: seed, decay_per_day: 0.2, enabled: false}", replace(SEED, decay_per_day=0.2, enabled=False)),
        ("{max_pulled: 5, dream: false, dream_hours: 12}", MemoryPolicy(max_pulled=5, dream=False, dream_hours=12)),
        ("{}", MemoryPolicy()),
    ],
)
def test_a_preset_is_one_word_and_single_values_go_over_it(tmp_path: Path, memory: str, policy: MemoryPolicy) -> None:
    write(tmp_path, f"---\nname: Iris\ngreeting: Hello\nmemory: {memory}\n---\nYou are Iris.")

    assert load_personas(tmp_path, "iris").get("iris").memory == policy


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8"])
def test_windows_line_endings_and_a_byte_order_mark_are_read(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "iris.md").write_bytes(FULL.replace("\n", "\r\n").encode(encoding))

    assert load_personas(tmp_path, "iris").get("iris").voice == "You are Iris.\n\nYou sell flowers."


def test_the_shipped_personas_have_no_mistake_and_a_character_each() -> None:
    personas = load_personas(SHIPPED, "baku")

    assert len(personas.by_id) == 4
    for persona in personas.by_id.values():
        assert 2 <= len(persona.examples) <= 3
        assert persona.summary
        assert len(persona.voice.split()) in range(120, 251) or persona.language == "ja"
    assert [p.time_zone for p in personas.by_id.values() if p.language == "ja"] == ["Asia/Tokyo"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("greetin: Hi", "4: there is no key `greetin`. Did you mean greeting?", id="misspelt key"),
        pytest.param("zzz: Hi", "4: there is no key `zzz`. It may be one of name, greeting, summary", id="unknown key"),
        pytest.param("1: Hi", "4: there is no key `1`. It may be one of", id="key that is a number"),
        pytest.param(
            "language: no", '4: `language` must be text, but it is the truth value false. Put it in quotes, "like this".', id="yaml no"
        ),
        pytest.param("language: klingonese!", "4: `language` is 'klingonese!', which is no language tag.", id="no language"),
        pytest.param("time_zone: Asia/Tokio", "4: `time_zone` is 'Asia/Tokio', which is no time zone. Did you mean Asia/Tokyo?", id="zone"),
        pytest.param("time_zone: ../etc", "4: `time_zone` is '../etc', which is no time zone.", id="zone outside the folder"),
        pytest.param("time_zone: America", "4: `time_zone` is 'America', which is no time zone.", id="zone that is a folder"),
        pytest.param("memory: on", "4: `memory` must be a group of `key: value` lines, but it is the truth value true.", id="no group"),
        pytest.param("memory: {mode: auto}", "4: `memory.mode` is 'auto'; write one of 'automatic', 'tools' or 'tags'.", id="mode"),
        pytest.param("memory: {enabled: maybe}", "4: `memory.enabled` must be true or false, but it is the text 'maybe'.", id="no boolean"),
        pytest.param("memory: {mod: tags}", "4: there is no key `memory.mod`. Did you mean mode?", id="misspelt inner key"),
        pytest.param("memory: {decay_per_day: 3}", "4: `memory.decay_per_day` is 3; write a number from 0 to 1.", id="memory out of range"),
        pytest.param(
            "memory:\n  pull: true\n  max_working: 0",
            "6: `memory.max_working` is 0; write a whole number from 1 to 1000.",
            id="memory too small",
        ),
        pytest.param("memory: {max_pulled: 1.5}", "4: `memory.max_pulled` must be a whole number, but it is", id="memory no whole number"),
        pytest.param("memory: {decay_per_day: .nan}", "4: `memory.decay_per_day` is nan; write a number", id="memory no number at all"),
        pytest.param("memory: {decay_per_day: true}", "4: `memory.decay_per_day` must be a number, but it is the truth", id="memory yes"),
        pytest.param("memory: {tag_boost: }", "4: `memory.tag_boost` must be a number, but it is empty.", id="memory empty"),
        pytest.param("memory: {preset: sead}", "4: `memory.preset` is 'sead'; write one of 'default' or 'seed'.", id="preset"),
        pytest.param("memory: {decay_rate: 0.1}", "4: there is no key `memory.decay_rate`. Did you mean decay_per_day?", id="near key"),
        pytest.param(
            "memory:\n  archive_below: 0.3",
            "4: `memory` is at odds with itself: archive_below (0.3) must not be above demote_below (0.25).",
            id="thresholds",
        ),
        pytest.param("model: {temperature: 3}", "4: `model.temperature` is 3: it should be less than or equal to 2.", id="range"),
        pytest.param(
            "model: {max_reply_tokens: many}", "4: `model.max_reply_tokens` must be a whole number, but it is the text 'many'.", id="int"
        ),
        pytest.param("triggers: iris", "4: `triggers` must be a list, such as [one, two], but it is the text 'iris'.", id="no list"),
        pytest.param("triggers:\n  - iris\n  - ''", "6: `triggers[2]` is empty;", id="empty item"),
        pytest.param("tools:", "4: `tools` must be a list, such as [one, two], but it is empty.", id="nothing"),
        pytest.param("examples:\n  - user: Hi", "5: `examples[1].reply` is missing; add a line `reply: …`.", id="missing in an item"),
        pytest.param("examples:\n  - {user: a, user: b, reply: c}", "5: `user` stands here twice; keep one of them.", id="repeated key"),
        pytest.param('summary: "two\\nlines"', "4: `summary` must fit on one line.", id="two lines"),
        pytest.param("summary: a: b", "4: this is not YAML: mapping values are not allowed here. Put quotes around", id="bare colon"),
        pytest.param(
            "\tsummary: a", "4: this is not YAML: found character '\\t' that cannot start any token. Indent with blanks", id="tab"
        ),
        pytest.param("summary: a\x01", "4: this is not YAML: it holds a control character; take it out.", id="control character"),
        pytest.param("summary: 2024-99-01", "2: the front matter cannot be read (month must be in 1..12).", id="impossible date"),
        pytest.param("model: &m {name: *m}", "2: the front matter cannot be read", id="yaml that contains itself"),
        pytest.param("summary: !!python/object:os.system x", "4: this is not YAML: could not determine a constructor", id="python tag"),
    ],
)
def test_a_mistake_is_said_with_its_line_and_its_remedy(tmp_path: Path, line: str, said: str) -> None:
    found = front(tmp_path, line)

    assert [problem[: len(said)] for problem in found] == [said]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"You are Iris.", "1: a persona file begins with a line `---`", id="no front matter"),
        pytest.param(b"", "1: a persona file begins with a line `---`", id="empty file"),
        pytest.param(b"---\nname: Iris\n", "1: the front matter never ends; close it with a line `---`.", id="not closed"),
        pytest.param(b"---\n- a\n---\nvoice", "2: the front matter holds no `key: value` lines", id="a list"),
        pytest.param(b"---\nname: Iris\nsummary: \xff\n---\nvoice", "3: the file is not UTF-8; save it with that encoding.", id="latin-1"),
        pytest.param(b"---\nname: I\ngreeting: Hi\n---\n \n", "4: the voice is empty", id="no voice"),
        pytest.param(b"---\ngreeting: Hi\n---\nvoice", "2: `name` is missing; add a line `name: …`.", id="no name"),
        pytest.param(b"---\nname: Iris\n---\nvoice", "2: `greeting` is missing; add a line `greeting: …`.", id="no greeting"),
    ],
)
def test_a_file_that_is_no_persona_says_what_to_write(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "iris.md").write_bytes(content)

    (mistake,) = check_personas(tmp_path)

    assert f"{mistake.line}: {mistake.problem}".startswith(said)
    assert mistake.file == str(tmp_path / "iris.md")


def test_all_mistakes_of_all_files_are_found_at_once(tmp_path: Path) -> None:
    write(tmp_path, "---\nname: 1\nfoo: 2\n---\n", "a.md")
    write(tmp_path, "hello", "b.md")

    mistakes = check_personas(tmp_path)

    assert [(Path(m.file).name, m.line) for m in mistakes] == [("a.md", 2), ("a.md", 2), ("a.md", 3), ("a.md", 4), ("b.md", 1)]


@pytest.mark.parametrize(
    ("name", "better"),
    [("My Bot.md", "my-bot.md"), ("Iris.md", "iris.md"), ("花.md", "my-persona.md"), ("a" * 40 + ".md", "a" * 32 + ".md")],
)
def test_a_file_name_that_is_no_id_is_refused_with_a_better_one(tmp_path: Path, name: str, better: str) -> None:
    write(tmp_path, FULL, name)

    (mistake,) = check_personas(tmp_path)

    assert mistake.problem.endswith(f"Name the file {better}.")


def test_two_files_with_one_id_are_refused(tmp_path: Path) -> None:
    write(tmp_path, FULL, "iris.md")
    write(tmp_path, FULL, "iris.MD")

    (mistake,) = check_personas(tmp_path)

    assert "another file is the persona 'iris' already" in mistake.problem


def test_a_readme_and_hidden_files_are_no_personas(tmp_path: Path) -> None:
    write(tmp_path, FULL)
    for name in ("README.md", "_draft.md", ".iris.md", "notes.txt"):
        write(tmp_path, "notes", name)

    assert list(load_personas(tmp_path, "iris").by_id) == ["iris"]


def test_loading_stops_at_the_first_mistake_and_counts_the_others(tmp_path: Path) -> None:
    write(tmp_path, "---\nnam: x\n---\n")

    with pytest.raises(PersonaError, match=r"iris\.md:2: .*\(3 more: `baku persona check` lists all\.\)"):
        load_personas(tmp_path, "iris")


@pytest.mark.parametrize("missing", [True, False])
def test_a_folder_without_personas_says_so(tmp_path: Path, missing: bool) -> None:
    folder = tmp_path / "none" if missing else tmp_path

    with pytest.raises(PersonaError, match="there is no persona file here"):
        load_personas(folder, "iris")


def test_without_a_default_the_first_of_the_folder_speaks(tmp_path: Path) -> None:
    for name in ("rose.md", "iris.md", "violet.md"):
        write(tmp_path, FULL, name)

    assert load_personas(tmp_path, "").get(None).id == "iris"


def test_a_default_without_a_file_names_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, FULL)

    with pytest.raises(PersonaError, match=r"the default persona 'irris' has no file.*Did you mean iris"):
        load_personas(tmp_path, "irris")


def test_a_duplicate_is_the_same_persona_under_another_id_and_independent(tmp_path: Path) -> None:
    write(tmp_path, FULL)

    duplicate_persona_file(tmp_path, "iris", "iris-2")
    delete_persona_file(tmp_path, "iris")

    assert list(load_personas(tmp_path, "iris-2").by_id) == ["iris-2"]


@pytest.mark.parametrize(
    ("from_id", "to_id", "said"),
    [
        ("irsi", "new", "there is no persona 'irsi'. Did you mean iris?"),
        ("../iris", "new", "there is no persona '../iris'."),
        ("iris", "../../evil", "cannot be a persona's id"),
        ("iris", "Big One", "cannot be a persona's id"),
        ("iris", "rose", "there is already a persona 'rose'; choose another id."),
    ],
)
def test_a_duplicate_that_cannot_be_made_changes_nothing(tmp_path: Path, from_id: str, to_id: str, said: str) -> None:
    write(tmp_path, FULL)
    write(tmp_path, FULL.replace("Iris", "Rose"), "rose.md")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    with pytest.raises(PersonaError) as caught:
        duplicate_persona_file(tmp_path, from_id, to_id)

    assert said in caught.value.problem
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_deleting_an_unknown_persona_is_refused(tmp_path: Path) -> None:
    write(tmp_path, FULL)

    with pytest.raises(PersonaError, match="there is no persona 'rose'"):
        delete_persona_file(tmp_path, "rose")
