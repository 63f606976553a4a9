"""What Discord demands of the definition of a slash command."""

import unicodedata
from collections.abc import Iterable

from tests.emulators.discord.objects import Payload
from tests.emulators.discord.refusals import Refusal, invalid_form, too_long

MAX_COMMANDS = 100
MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_NAME = 32
MAX_DESCRIPTION = 100
MAX_CHARACTERS = 8000

CHAT_INPUT = 1
CONTEXT_MENUS = (2, 3)
MAX_MENU = 5
LOCALES = frozenset(
    {
        "id",
        "da",
        "de",
        "en-GB",
        "en-US",
        "es-ES",
        "es-419",
        "fr",
        "hr",
        "it",
        *("lt", "hu", "nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi"),
        *("tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"),
    }
)
SUBCOMMAND = 1
SUBCOMMAND_GROUP = 2
OPTION_TYPES = range(1, 12)
WITH_CHOICES = frozenset({3, 4, 10})


def check_commands(commands: list[Payload]) -> None:
    """Raise the refusal that Discord would answer to this set of commands."""
    slash = [c for c in commands if c.get("type", CHAT_INPUT) == CHAT_INPUT]
    if len(slash) > MAX_COMMANDS:
        raise Refusal(400, 30032, "Maximum number of application commands reached (100).")
    _check_unique("", (c.get("name", "") for c in slash))
    for index, command in enumerate(slash):
        _check_names(str(index), command)
        if _characters(command) > MAX_CHARACTERS:
            message = "Command exceeds maximum size (8000)"
            raise invalid_form(str(index), "APPLICATION_COMMAND_TOO_LARGE", message)
        _check_options(f"{index}.options", command.get("options") or [], depth=0)
    for kind in CONTEXT_MENUS:
        _check_menu([c for c in commands if c.get("type") == kind])


def _check_menu(commands: list[Payload]) -> None:
    """Context menus have a name that may have blanks and capitals, and nothing else to say."""
    if len(commands) > MAX_MENU:
        raise Refusal(400, 30032, f"Maximum number of application commands reached ({MAX_MENU}).")
    _check_unique("", (c.get("name", "") for c in commands))
    for index, command in enumerate(commands):
        if not 1 <= len(command.get("name") or "") <= MAX_NAME:
            raise too_long(f"{index}.name", MAX_NAME)
        for part in ("description", "options"):
            if command.get(part):
                raise invalid_form(f"{index}.{part}", "APPLICATION_COMMAND_FIELD_INVALID", "Context menu commands cannot have this.")
        _check_translations(str(index), command)


def _check_names(where: str, item: Payload) -> None:
    name = item.get("name") or ""
    if not 1 <= len(name) <= MAX_NAME or name != name.lower() or not all(map(_may_name, name)):
        message = r"String value did not match validation regex."
        raise invalid_form(f"{where}.name", "APPLICATION_COMMAND_INVALID_NAME", message)
    description = item.get("description") or ""
    if not description:
        raise invalid_form(f"{where}.description", "BASE_TYPE_REQUIRED", "This field is required")
    if len(description) > MAX_DESCRIPTION:
        raise too_long(f"{where}.description", MAX_DESCRIPTION)
    _check_translations(where, item)


def _check_translations(where: str, item: Payload) -> None:
    for part, limit in (("name", MAX_NAME), ("description", MAX_DESCRIPTION)):
        for locale, text in (item.get(f"{part}_localizations") or {}).items():
            if locale not in LOCALES:
                raise invalid_form(f"{where}.{part}_localizations", "BASE_TYPE_CHOICES", f"{locale} is no locale.")
            if not 1 <= len(text) <= limit:
                raise too_long(f"{where}.{part}_localizations.{locale}", limit)


def _may_name(character: str) -> bool:
    return character in "-_'" or unicodedata.category(character)[0] in "LN"


def _check_options(where: str, options: list[Payload], *, depth: int) -> None:
    if len(options) > MAX_OPTIONS:
        raise too_long(where, MAX_OPTIONS)
    _check_unique(where, (o.get("name", "") for o in options))
    optional_seen = False
    for index, option in enumerate(options):
        here = f"{where}.{index}"
        _check_names(here, option)
        kind = option.get("type")
        if kind not in OPTION_TYPES:
            raise invalid_form(f"{here}.type", "BASE_TYPE_CHOICES", "Value must be one of 1 to 11.")
        if kind in (SUBCOMMAND, SUBCOMMAND_GROUP):
            if depth > 1 or (depth == 1 and kind == SUBCOMMAND_GROUP):
                message = "Sub-command groups cannot be nested"
                raise invalid_form(f"{here}.type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
            _check_options(f"{here}.options", option.get("options") or [], depth=depth + 1)
            continue
        if option.get("required") and optional_seen:
            message = "Required options must be placed before non-required options"
            raise invalid_form(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional_seen = optional_seen or not option.get("required")
        _check_choices(here, option)


def _check_choices(where: str, option: Payload) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        message = "Choices and autocomplete are mutually exclusive"
        raise invalid_form(where, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES", message)
    if (choices or option.get("autocomplete")) and option["type"] not in WITH_CHOICES:
        message = "Only strings and numbers can have choices"
        raise invalid_form(where, "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", message)
    check_choices(f"{where}.choices", choices)


def check_choices(where: str, choices: list[Payload]) -> None:
    """Raise the refusal of a list of choices, fixed or completed as one types."""
    if len(choices) > MAX_CHOICES:
        raise too_long(where, MAX_CHOICES)
    for index, choice in enumerate(choices):
        for part in ("name", "value"):
            text = choice.get(part)
            if isinstance(text, str) and not 1 <= len(text) <= 100:
                message = "Must be between 1 and 100 in length."
                raise invalid_form(f"{where}.{index}.{part}", "BASE_TYPE_BAD_LENGTH", message)


def _check_unique(where: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            message = "Application command names must be unique"
            path = f"{where}.{index}.name".lstrip(".")
            raise invalid_form(path, "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        seen.add(name)


def _characters(item: Payload) -> int:
    own = len(item.get("name") or "") + len(item.get("description") or "")
    values = sum(len(str(c.get("value", ""))) + len(c["name"]) for c in item.get("choices") or [])
    return own + values + sum(_characters(option) for option in item.get("options") or [])
