"""What `/forget` says: what will go, what went, and what is out of reach."""

from collections.abc import Callable, Mapping

from bot.domain.chat import ConversationKind
from bot.domain.erasing import Kept
from bot.memory.erasing.engine import ErasureReport
from bot.wording.say import later, say, say_count, translated

FORGET_LABEL = later("Erase it all")

_KINDS: Mapping[Kept, Callable[[int], str]] = {
    Kept.MESSAGES: lambda number: say_count(number, "{number} message", "{number} messages"),
    Kept.QUOTES: lambda number: say_count(
        number, "{number} quote of them in a message that stays", "{number} quotes of them in messages that stay"
    ),
    Kept.MEMORIES: lambda number: say_count(number, "{number} memory", "{number} memories"),
    Kept.PENDING: lambda number: say_count(
        number, "{number} memory that waited to be approved", "{number} memories that waited to be approved"
    ),
    Kept.REVISIONS: lambda number: say_count(number, "{number} earlier text of a memory", "{number} earlier texts of memories"),
    Kept.CHUNKS: lambda number: say_count(number, "{number} summary of a stretch of talk", "{number} summaries of stretches of talk"),
    Kept.SUMMARIES: lambda number: say_count(number, "{number} version of the summary of all", "{number} versions of the summary of all"),
    Kept.STRUCTURED: lambda number: say_count(number, "{number} searchable note", "{number} searchable notes"),
    Kept.ENTITIES: lambda number: say_count(number, "{number} name I knew", "{number} names I knew"),
    Kept.RELATIONS: lambda number: say_count(number, "{number} thing I knew about names", "{number} things I knew about names"),
    Kept.DOCUMENTS: lambda number: say_count(number, "{number} entry of my search index", "{number} entries of my search index"),
    Kept.UNSENT: lambda number: say_count(number, "{number} answer on its way", "{number} answers on their way"),
    Kept.RECALLS: lambda number: say_count(number, "{number} note on what I had in mind", "{number} notes on what I had in mind"),
    Kept.JOBS: lambda number: say_count(number, "{number} record of a dream", "{number} records of dreams"),
    Kept.SETTINGS: lambda number: say_count(number, "{number} setting", "{number} settings"),
    Kept.USAGE: lambda number: say_count(number, "{number} count of tokens", "{number} counts of tokens"),
    Kept.OTHERS: lambda number: say_count(number, "{number} other entry", "{number} other entries"),
    Kept.COPIES: lambda number: say_count(number, "{number} old copy of my database", "{number} old copies of my database"),
}
OUT_OF_REACH = later(
    "What I cannot erase: what is written in this chat itself, which only its platform can delete; what the service behind my language "
    "model has logged of what I asked it; and backups that whoever runs me has made."
)
STAYS = later("What others said about you in their own words stays theirs.")
REBUILT = later("Summaries in which something is left are written anew from that, as soon as my model gets to it.")
NOT_WIPED = later("Bytes of it are still in my database's file until it is next tidied, within the hour.")
NOBODY = later(
    "You are writing anonymously or as a channel: many people may share that name, so I cannot tell which words are yours. "
    "Write as yourself."
)
NO_SERVER = later("This is no server. `/forget me` erases all that I keep about you.")


def ask_about_person(kind: ConversationKind) -> str:
    """Ask before everything about the asker goes."""
    if kind is ConversationKind.DIRECT:
        where = say("all our direct chats, and all you said in groups and servers of this platform where I am")
    else:
        where = say("all you said here; in a direct chat with me, `/forget me` erases it everywhere on this platform")
    return say(
        "Erase all that I keep about you? That is {where}: your messages, what I remember of you, my answers that repeat your "
        "words, and whatever I summed up of it. {stays} This cannot be undone.",
        where=where,
        stays=translated(STAYS),
    )


def ask_about_conversation() -> str:
    """Ask before a conversation goes."""
    return say(
        "Erase all that I keep of this conversation, of everybody in it? That is every message, what I remember from here, and "
        "every summary. Who speaks here stays chosen. This cannot be undone."
    )


def ask_about_server() -> str:
    """Ask before a server goes."""
    return say(
        "Erase all that I keep of this whole server, of everybody and in every channel? That is every message, all I remember "
        "from here, every summary, and all settings and choices of personas. This cannot be undone."
    )


def erased(report: ErasureReport) -> str:
    """Say what went."""
    return f"{say('Erased.')}\n\n{told(report)}"


def told(report: ErasureReport) -> str:
    """Return the count of a table a line, and what is out of reach."""
    lines = [f"- {_KINDS[kind](count)}" for kind, count in report.counts.items()]
    rebuilt = {Kept.CHUNKS, Kept.SUMMARIES, Kept.STRUCTURED} & set(report.counts)
    parts = [
        say("Gone:") + "\n" + "\n".join(lines) if lines else say("There was nothing left to erase."),
        *([translated(REBUILT)] if rebuilt else []),
        *([] if report.is_wiped else [translated(NOT_WIPED)]),
        translated(OUT_OF_REACH),
    ]
    return "\n\n".join(parts)
