"""Personas from a folder of Markdown files: YAML front matter, and the voice below it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import ValidationError
from yaml.constructor import SafeConstructor

from bot.domain.persona import Persona, Personas
from bot.errors import PersonaError
from bot.storage.persona_format import FrontMatter, Place, did_you_mean, explain

_FENCE = "---"
_ID = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
_MAX_ID = 32
_MOST_FRONT, _MOST_TOKENS, _MOST_DEPTH = 100_000, 3_000, 20
"""What the front matter of a file from elsewhere may hold: characters, parts, and levels within one another."""
_OPENING = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken, yaml.BlockMappingStartToken, yaml.BlockSequenceStartToken)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
_NO_FRONT_MATTER = (
    "a persona file begins with a line `---`, then keys such as `name: Iris` and `greeting: Hello!`, then `---` and the voice."
)


@dataclass(frozen=True, slots=True)
class _Parts:
    front: str
    """The lines between the fences, the first of them line 2 of the file."""
    voice: str
    voice_line: int


def load_personas(folder: Path, default_id: str) -> Personas:
    """Return all personas of the folder; an empty `default_id` means its first one.

    Raises PersonaError for the first mistake, or when the default one is not there.
    """
    personas, mistakes = _read_folder(folder)
    if mistakes:
        first, more = mistakes[0], len(mistakes) - 1
        rest = f" ({more} more: `baku persona check` lists all.)" if more else ""
        raise PersonaError(first.file, first.line, first.problem + rest)
    default_id = default_id or min(personas)
    if default_id not in personas:
        hint = did_you_mean(default_id, {known: known for known in personas}) or f" There are {', '.join(sorted(personas))}."
        problem = f"the default persona {default_id!r} has no file. Write it, or set BAKU_DEFAULT_PERSONA to another.{hint}"
        raise PersonaError(str(folder / f"{default_id}.md"), 1, problem)
    return Personas(personas, default_id)


def check_personas(folder: Path) -> list[PersonaError]:
    """Return every mistake in every file, by file and line."""
    return _read_folder(folder)[1]


def duplicate_persona_file(folder: Path, from_id: str, to_id: str) -> None:
    """Copy a persona under another id. Raises PersonaError when there is no such persona or the new id cannot be had."""
    source = _existing(folder, from_id)
    copy = folder / f"{to_id}.md"
    if problem := _id_problem(to_id):
        raise PersonaError(str(copy), 1, problem)
    try:
        with copy.open("xb") as file:
            file.write(source.read_bytes())
    except FileExistsError:
        raise PersonaError(str(copy), 1, f"there is already a persona {to_id!r}; choose another id.") from None


def delete_persona_file(folder: Path, persona_id: str) -> None:
    """Delete a persona's file. Raises PersonaError when there is none."""
    _existing(folder, persona_id).unlink()


def _existing(folder: Path, persona_id: str) -> Path:
    file = folder / f"{persona_id}.md"
    if file not in _files(folder):
        known = {other.stem: other.stem for other in _files(folder)}
        hint = did_you_mean(persona_id, known) or " `baku persona list` shows all."
        raise PersonaError(str(file), 1, f"there is no persona {persona_id!r}.{hint}")
    return file


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    files = (file for file in folder.iterdir() if file.suffix.lower() == ".md")
    return sorted(file for file in files if file.name.lower() != "readme.md" and not file.name.startswith((".", "_")))


def _read_folder(folder: Path) -> tuple[dict[str, Persona], list[PersonaError]]:
    personas: dict[str, Persona] = {}
    mistakes: list[PersonaError] = []
    for file in _files(folder):
        read = _read_file(file)
        if isinstance(read, Persona) and read.id in personas:
            read = [PersonaError(str(file), 1, f"another file is the persona {read.id!r} already; rename one of them.")]
        if isinstance(read, Persona):
            personas[read.id] = read
        else:
            mistakes += read
    if not personas and not mistakes:
        problem = "there is no persona file here. Write one, or set BAKU_PERSONAS to the folder that has them."
        mistakes.append(PersonaError(str(folder), 1, problem))
    return personas, mistakes


def read_persona(persona_id: str, text: str) -> Persona:
    """Return the persona that a text describes, in the form of a persona file. Raises PersonaError for its first mistake."""
    read = _read(persona_id, persona_id, lambda: text)
    if isinstance(read, Persona):
        return read
    raise read[0]


def is_costly(text: str) -> bool:
    """Say whether reading a persona file from elsewhere could take long: by aliases, deep nesting or very many values."""
    depth = 0
    try:
        front = _split(text).front
        if len(front) > _MOST_FRONT:
            return True
        for count, token in enumerate(yaml.scan(front)):
            depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
            if count > _MOST_TOKENS or depth > _MOST_DEPTH or isinstance(token, yaml.AnchorToken | yaml.AliasToken):
                return True
    except (yaml.YAMLError, _Unreadable):
        return False
    return False


def _read_file(file: Path) -> Persona | list[PersonaError]:
    return _read(str(file), file.stem, lambda: _text(file))


def _read(where: str, persona_id: str, text: Callable[[], str]) -> Persona | list[PersonaError]:
    mistakes: list[tuple[int, str]] = []
    if problem := _id_problem(persona_id):
        mistakes.append((1, problem))
    try:
        parts = _split(text())
        front, found = _front_matter(parts.front)
        mistakes += found
        if not parts.voice:
            mistakes.append((parts.voice_line, "the voice is empty: describe below the front matter who the persona is and how it talks."))
        if front and not mistakes:
            return front.persona(persona_id, parts.voice)
    except _Unreadable as error:
        mistakes.append((error.line, error.problem))
    return [PersonaError(where, line, problem) for line, problem in sorted(mistakes)]


class _Unreadable(Exception):
    """Nothing further can be said about the file."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line
        self.problem = problem


def _id_problem(persona_id: str) -> str:
    if _ID.fullmatch(persona_id) and len(persona_id) <= _MAX_ID:
        return ""
    slug = re.sub(r"[^a-z0-9]+", "-", persona_id.lower())[:_MAX_ID].strip("-") or "my-persona"
    return (
        f"{persona_id!r} cannot be a persona's id: use small letters a-z, digits and single dashes, at most {_MAX_ID}. "
        f"Name the file {slug}.md."
    )


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise _Unreadable(line, "the file is not UTF-8; save it with that encoding.") from None
    except OSError as error:
        raise _Unreadable(1, f"the file cannot be read ({error.strerror}).") from None


def _split(text: str) -> _Parts:
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise _Unreadable(1, _NO_FRONT_MATTER)
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return _Parts("\n".join(lines[1:number]), "\n".join(lines[number + 1 :]).strip(), number + 1)
    raise _Unreadable(1, "the front matter never ends; close it with a line `---`.")


def _front_matter(front: str) -> tuple[FrontMatter | None, list[tuple[int, str]]]:
    try:
        root = yaml.compose(front, Loader=yaml.SafeLoader)
        repeated = [(line + 2, f"`{key}` stands here twice; keep one of them.") for line, key in _repeated_keys(root)]
        values = SafeConstructor().construct_document(root) if root else None
    except yaml.YAMLError as error:
        raise _Unreadable(*_yaml_problem(error, front)) from None
    except (ValueError, RecursionError) as error:
        raise _Unreadable(2, f"the front matter cannot be read ({error}).") from None
    if not isinstance(root, yaml.MappingNode):
        raise _Unreadable(2, f"the front matter holds no `key: value` lines; {_NO_FRONT_MATTER}")
    try:
        return FrontMatter.model_validate(values), repeated
    except ValidationError as error:
        return None, repeated + [(_line(root, found["loc"]) + 2, explain(found)) for found in error.errors()]


def _yaml_problem(error: yaml.YAMLError, front: str) -> tuple[int, str]:
    match error:
        case yaml.MarkedYAMLError(problem_mark=yaml.Mark(line=line)):
            problem = error.problem or error.context or "unclear"
        case yaml.reader.ReaderError(position=int(position)):
            line, problem = front.count("\n", 0, position), "it holds a control character; take it out"
        case _:
            line, problem = 0, str(error)
    hint = ""
    if "mapping values" in problem or "block end" in problem:
        hint = " Put quotes around a text that holds `: ` or begins with a special character."
    elif "\\t" in problem:
        hint = " Indent with blanks, not tabs."
    return line + 2, f"this is not YAML: {problem}.{hint}"


def _repeated_keys(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    match node:
        case yaml.MappingNode(value=pairs):
            seen: set[str] = set()
            for key, value in pairs:
                if key.value in seen:
                    yield key.start_mark.line, key.value
                seen.add(key.value)
                yield from _repeated_keys(value)
        case yaml.SequenceNode(value=items):
            for item in items:
                yield from _repeated_keys(item)


def _line(root: yaml.Node, place: Place) -> int:
    """Return the line of a value, or of what should hold it, counted from 0 in the front matter."""
    node, line = root, root.start_mark.line
    for step in place:
        match node, step:
            case yaml.MappingNode(), _:
                pair = next(((key, value) for key, value in node.value if key.value == str(step)), None)
                if pair is None:
                    return line
                line, node = pair[0].start_mark.line, pair[1]
            case yaml.SequenceNode(), int():
                node = node.value[step]
                line = node.start_mark.line
            case _:
                return line
    return line
