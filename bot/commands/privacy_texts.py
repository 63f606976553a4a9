"""What `/privacy` and exports say, in English and plain words."""

from bot.commands.escape import shown
from bot.domain.privacy import LONGEST_RETENTION, Keeping

OPT_OUT_LABEL = "Stop remembering me"
OPT_IN_LABEL = "Remember me again"
_HERE_ONLY = "stays on the machine that I run on"


def page(name: str, keeping: Keeping, days: int, *, is_direct: bool, is_out: bool, remembers: bool) -> str:
    """Tell what is kept, for how long, where it goes, who sees it, and what one can do."""
    audience = "you alone, in our direct chats" if is_direct else "people who read here; I never carry it to another place"
    parts = [
        "**Your privacy**",
        _standing(name, is_out=is_out, remembers=remembers),
        f"**What I keep.** What you write to me{'' if is_direct else ' or in front of me'} and my answers, facts I remember from it, "
        "summaries, and names with the sentences they came up in.",
        f"**For how long.** Messages {kept_for(days)}. Memories fade unless they are used. Facts and summaries stay until they are erased.",
        f"**Where it goes.** {_model(keeping.model_host)} {_embedding(keeping.embedding_host)}",
        f"**Who may see it.** What is said here is for {audience}. Whoever runs me can read my database.",
        "**What you can do.** `/memory list` shows what I remember about you, `/privacy export` gives you all of it as a file, "
        "`/privacy erase` deletes it for good, `/privacy optout` stops it and `/privacy optin` lets me remember again.",
        f"**Who runs me.** {shown(keeping.operator)}" if keeping.operator else "",
    ]
    return "\n\n".join(part for part in parts if part)


def kept_for(days: int) -> str:
    """Say for how long messages are kept."""
    return f"are deleted after {days} days, once they are summarised" if days else "are kept until they are erased"


def opted_out() -> str:
    """Confirm that nothing is kept any more."""
    return (
        "From now on I keep nothing of what you say on this platform, in any chat. When you speak to me I answer, and let go of your words "
        "and of my answer. I no longer remember you, look anything up about you, or note what others say about you by your name.\n\n"
        "What I kept before is shown to nobody but you and stands in none of my thoughts, but it is still there: `/privacy erase` deletes "
        "it, `/privacy optin` lets me use it again."
    )


def opted_out_already() -> str:
    """Say that it was so before."""
    return "I keep nothing of what you say already. `/privacy optin` lets me remember again; `/privacy erase` deletes what is left."


def opted_in() -> str:
    """Confirm that there is remembering again."""
    return "I may remember what you say again. `/privacy optout` stops it at any time."


def opted_in_already() -> str:
    """Say that it was so before."""
    return "You have not opted out, so I may remember what you say. `/privacy optout` stops it."


def nobody() -> str:
    """Refuse somebody who writes as nobody in particular."""
    return "You are writing anonymously or as a channel, so I cannot tell who you are. Write as yourself and try again."


def cannot_remember() -> str:
    """Refuse to keep a fact of somebody who opted out, or that names somebody who did."""
    return "I did not keep that: you, or somebody it names, opted out of being remembered. `/privacy optin` takes your own wish back."


def exported(messages: int, memories: int) -> str:
    """Introduce a file."""
    return (
        f"Here is all I keep of that: {messages} message{'' if messages == 1 else 's'} and {memories} "
        f"memor{'y' if memories == 1 else 'ies'}, with their history. `export.md` in it is for reading, `export.json` for programs."
    )


def too_large(size: int) -> str:
    """Refuse a file that no chat takes."""
    return f"That is {size // 1_000_000} MB, more than a chat takes. Ask whoever runs me for it: `baku memory export` has no such limit."


def retention(days: int, most: int) -> str:
    """Say for how long messages are kept in a space."""
    longest = f"at most {most}" if most else f"1 to {LONGEST_RETENTION}"
    return f"Messages here {kept_for(days)}. `/privacy retention` with a number of days ({longest}) changes that, 0 takes it back."


def retention_is_set(days: int) -> str:
    """Confirm a space's days."""
    return f"Messages here {kept_for(days)} from now on. What is too old by then goes within a day."


def wrong_days(days: int) -> str:
    """Refuse days that are none."""
    return f"{days} is no number of days from 1 to {LONGEST_RETENTION}; 0 takes back what was set here."


def _standing(name: str, *, is_out: bool, remembers: bool) -> str:
    if is_out:
        return "You opted out: I keep nothing of what you say. What I kept before is shown to nobody but you."
    if not remembers:
        return f"{shown(name)} remembers no facts here; messages are kept as history."
    return f"{shown(name)} remembers what people say here."


def _model(host: str) -> str:
    if not host:
        return f"All I think with {_HERE_ONLY}."
    return f"What I need for an answer is sent to {shown(host)}, where my language model runs."


def _embedding(host: str) -> str:
    if host:
        return f"Messages are sent to {shown(host)}, so that I find them again."
    return f"What finds messages again {_HERE_ONLY}."
