"""What `/forget` says, in English: what will go, what went, and what is out of reach."""

from bot.domain.chat import ConversationKind
from bot.domain.erasing import Kept
from bot.memory.erasing.engine import ErasureReport

FORGET_LABEL = "Erase it all"

_KINDS = {
    Kept.MESSAGES: ("message", "messages"),
    Kept.QUOTES: ("quote of them in a message that stays", "quotes of them in messages that stay"),
    Kept.MEMORIES: ("memory", "memories"),
    Kept.PENDING: ("memory that waited to be approved", "memories that waited to be approved"),
    Kept.REVISIONS: ("earlier text of a memory", "earlier texts of memories"),
    Kept.CHUNKS: ("summary of a stretch of talk", "summaries of stretches of talk"),
    Kept.SUMMARIES: ("version of the summary of all", "versions of the summary of all"),
    Kept.STRUCTURED: ("searchable note", "searchable notes"),
    Kept.ENTITIES: ("name I knew", "names I knew"),
    Kept.RELATIONS: ("thing I knew about names", "things I knew about names"),
    Kept.DOCUMENTS: ("entry of my search index", "entries of my search index"),
    Kept.UNSENT: ("answer on its way", "answers on their way"),
    Kept.RECALLS: ("note on what I had in mind", "notes on what I had in mind"),
    Kept.JOBS: ("record of a dream", "records of dreams"),
    Kept.SETTINGS: ("setting", "settings"),
    Kept.USAGE: ("count of tokens", "counts of tokens"),
    Kept.OTHERS: ("other entry", "other entries"),
    Kept.COPIES: ("old copy of my database", "old copies of my database"),
}
OUT_OF_REACH = (
    "What I cannot erase: what is written in this chat itself, which only its platform can delete; what the service behind my language "
    "model has logged of what I asked it; and backups that whoever runs me has made."
)
STAYS = "What others said about you in their own words stays theirs."
REBUILT = "Summaries in which something is left are written anew from that, as soon as my model gets to it."
NOT_WIPED = "Bytes of it are still in my database's file until it is next tidied, within the hour."
NOBODY = (
    "You are writing anonymously or as a channel: many people may share that name, so I cannot tell which words are yours. "
    "Write as yourself."
)
NO_SERVER = "This is no server. `/forget me` erases all that I keep about you."


def ask_about_person(kind: ConversationKind) -> str:
    """Ask before everything about the asker goes."""
    if kind is ConversationKind.DIRECT:
        where = "all our direct chats, and all you said in groups and servers of this platform where I am"
    else:
        where = "all you said here; in a direct chat with me, `/forget me` erases it everywhere on this platform"
    return (
        f"Erase all that I keep about you? That is {where}: your messages, what I remember of you, my answers that repeat your words, and "
        f"whatever I summed up of it. {STAYS} This cannot be undone."
    )


def ask_about_conversation() -> str:
    """Ask before a conversation goes."""
    return (
        "Erase all that I keep of this conversation, of everybody in it? That is every message, what I remember from here, and every "
        "summary. Who speaks here stays chosen. This cannot be undone."
    )


def ask_about_server() -> str:
    """Ask before a server goes."""
    return (
        "Erase all that I keep of this whole server, of everybody and in every channel? That is every message, all I remember from here, "
        "every summary, and all settings and choices of personas. This cannot be undone."
    )


def erased(report: ErasureReport) -> str:
    """Say what went."""
    return f"Erased.\n\n{told(report)}"


def told(report: ErasureReport) -> str:
    """Return the count of a table a line, and what is out of reach."""
    lines = [f"- {count} {_KINDS[kind][count != 1]}" for kind, count in report.counts.items()]
    rebuilt = {Kept.CHUNKS, Kept.SUMMARIES, Kept.STRUCTURED} & set(report.counts)
    parts = [
        "Gone:\n" + "\n".join(lines) if lines else "There was nothing left to erase.",
        *([REBUILT] if rebuilt else []),
        *([] if report.is_wiped else [NOT_WIPED]),
        OUT_OF_REACH,
    ]
    return "\n\n".join(parts)
