"""Which commands belong together in help, and how each is used for example."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from bot.domain.command import Command
from bot.wording.say import later, translated


class Theme(StrEnum):
    """What commands are about, in the order of the list."""

    TALKING = "talking"
    MEMORY = "memory"
    PRIVACY = "privacy"
    PERSONAS = "personas"
    SERVER = "server"
    MORE = "more"
    """What plugins bring."""


LABELS: Mapping[Theme, str] = MappingProxyType(
    {
        Theme.TALKING: later("Talking"),
        Theme.MEMORY: later("Memory"),
        Theme.PRIVACY: later("Privacy"),
        Theme.PERSONAS: later("Personas"),
        Theme.SERVER: later("Server set-up"),
        Theme.MORE: later("More"),
    }
)
_WORDS: Mapping[str, Theme] = MappingProxyType(
    {
        **dict.fromkeys(("new", "stop", "regenerate", "continue", "undo", "summary", "usage", "help"), Theme.TALKING),
        **dict.fromkeys(("memory", "remember", "why", "dream"), Theme.MEMORY),
        **dict.fromkeys(("privacy", "forget"), Theme.PRIVACY),
        **dict.fromkeys(("persona", "model"), Theme.PERSONAS),
        **dict.fromkeys(("setup", "settings", "speak", "access", "limits", "language", "timezone"), Theme.SERVER),
    }
)
_NAMES: Mapping[str, Theme] = MappingProxyType(
    {
        **dict.fromkeys(("memory pending", "memory policy", "memory scope"), Theme.SERVER),
        **dict.fromkeys(("memory export", "memory export_server"), Theme.PRIVACY),
        "privacy retention": Theme.SERVER,
    }
)
"""Commands that are about something else than the others of their group."""
_FIRST = frozenset({"setup", "settings"})
_SAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "number": "3",
        "persona": "iris",
        "text": later("I like green tea"),
        "words": later("green tea"),
        "name": later("Ada"),
        "voice": later("You are calm and kind."),
        "place": "server",
        "where": "server",
        "whom": "here",
        "days": "30",
    }
)
"""What an option may be given, by its name."""
_EXAMPLES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "persona edit": (
            later("persona edit iris greeting Good evening! What have you seen today?"),
            later("persona edit iris summary A gardener who listens"),
            "persona edit iris reminder reset",
        ),
        "persona create": (later('persona create "Old Tom" "You are a sailor who tells tales." "Ahoy!"'),),
        "persona set": ("persona set iris temperature 0.7", "persona set iris triggers iris, garden"),
        "persona schedule": ("persona schedule iris 22:00 06:00 Europe/Berlin",),
        "persona use": ("persona use iris here",),
        "persona import": ("persona import",),
        "persona preview": (later("persona preview iris How are you?"),),
        "memory edit": (later("memory edit 3 I like black tea"),),
        "memory pending": ("memory pending", "memory pending approve 3"),
        "memory policy": ("memory policy decay_per_day 0.03", "memory policy decay_per_day reset"),
        "memory export": ("memory export",),
        "dream diary": ("dream diary here",),
        "dream schedule": ("dream schedule 3:30 Europe/Berlin",),
        "limits set": ("limits set person 5", "limits set person reset"),
        "model use": ("model use default",),
        "access deny": ("access deny here", "access deny user 123"),
        "speak mode": ("speak mode names server",),
        "speak words": (later("speak words garden, green tea here"),),
        "speak quiet": ("speak quiet 23:00-08:00 Europe/Berlin server",),
        "speak quiet_for": ("speak quiet_for all",),
        "speak limit": ("speak limit 10",),
        "speak unprompted": ("speak unprompted 2",),
        "speak reacts": ("speak reacts on",),
        "speak streams": ("speak streams off",),
        "speak long_as_file": ("speak long_as_file on",),
        "language": ("language de", "language reset here"),
        "timezone": ("timezone Europe/Berlin",),
        "help": ("help memory add",),
    }
)


def theme_of(command: Command) -> Theme:
    """Return what a command is about."""
    return _NAMES.get(command.name) or _WORDS.get(command.path[0], Theme.MORE)


def of_theme(theme: Theme, commands: Iterable[Command]) -> list[Command]:
    """Return the commands of a theme, those that lead through the others first."""
    return sorted((command for command in commands if theme_of(command) is theme), key=lambda command: command.path[0] not in _FIRST)


def examples_of(command: Command) -> list[str]:
    """Return lines as somebody could type them; none for what nothing is known of."""
    if command.name in _EXAMPLES:
        return [translated(line) for line in _EXAMPLES[command.name]]
    wanted = [option.name for option in command.options if option.required]
    if theme_of(command) is Theme.MORE or any(name not in _SAMPLES for name in wanted):
        return []
    return [" ".join([command.name, *(translated(_SAMPLES[name]) for name in wanted)])]
