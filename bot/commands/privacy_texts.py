"""What `/privacy` and exports say, in plain words."""

from bot.commands.escape import shown
from bot.domain.privacy import LONGEST_RETENTION, Keeping
from bot.wording.say import later, say, say_count

OPT_OUT_LABEL = later("Stop remembering me")
OPT_IN_LABEL = later("Remember me again")


def page(name: str, keeping: Keeping, days: int, *, is_direct: bool, is_out: bool, remembers: bool) -> str:
    """Tell what is kept, for how long, where it goes, who sees it, and what one can do."""
    parts = [
        f"**{say('Your privacy')}**",
        _standing(name, is_out=is_out, remembers=remembers),
        _what(is_direct=is_direct),
        say(
            "**For how long.** {messages} Memories fade unless they are used. Facts and summaries stay until they are erased.",
            messages=kept_for(days),
        ),
        say("**Where it goes.** {model} {embedding}", model=_model(keeping.model_host), embedding=_embedding(keeping.embedding_host)),
        _who_sees(is_direct=is_direct),
        say(
            "**What you can do.** `/memory list` shows what I remember about you, `/privacy export` gives you all of it as a file, "
            "`/privacy erase` deletes it for good, `/privacy optout` stops it and `/privacy optin` lets me remember again."
        ),
        say("**Who runs me.** {operator}", operator=shown(keeping.operator)) if keeping.operator else "",
    ]
    return "\n\n".join(part for part in parts if part)


def kept_for(days: int) -> str:
    """Say for how long messages are kept."""
    if days:
        return say_count(
            days,
            "Messages are deleted after {number} day, once they are summarised.",
            "Messages are deleted after {number} days, once they are summarised.",
        )
    return say("Messages are kept until they are erased.")


def opted_out() -> str:
    """Confirm that nothing is kept any more."""
    return say(
        "From now on I keep nothing of what you say on this platform, in any chat. When you speak to me I answer, and let go "
        "of your words and of my answer. I no longer remember you, look anything up about you, or note what others say about "
        "you by your name.\n\nWhat I kept before is shown to nobody but you and stands in none of my thoughts, but it is still "
        "there: `/privacy erase` deletes it, `/privacy optin` lets me use it again."
    )


def opted_out_already() -> str:
    """Say that it was so before."""
    return say("I keep nothing of what you say already. `/privacy optin` lets me remember again; `/privacy erase` deletes what is left.")


def opted_in() -> str:
    """Confirm that there is remembering again."""
    return say("I may remember what you say again. `/privacy optout` stops it at any time.")


def opted_in_already() -> str:
    """Say that it was so before."""
    return say("You have not opted out, so I may remember what you say. `/privacy optout` stops it.")


def nobody() -> str:
    """Refuse somebody who writes as nobody in particular."""
    return say("You are writing anonymously or as a channel, so I cannot tell who you are. Write as yourself and try again.")


def cannot_remember() -> str:
    """Refuse to keep a fact of somebody who opted out, or that names somebody who did."""
    return say("I did not keep that: you, or somebody it names, opted out of being remembered. `/privacy optin` takes your own wish back.")


def exported(messages: int, memories: int) -> str:
    """Introduce a file."""
    return say(
        "Here is all I keep of that: {messages} and {memories}, with their history. `export.md` in it is for reading, `export.json` for "
        "programs.",
        messages=say_count(messages, "{number} message", "{number} messages"),
        memories=say_count(memories, "{number} memory", "{number} memories"),
    )


def too_large(size: int) -> str:
    """Refuse a file that no chat takes."""
    return say(
        "That is {size} MB, more than a chat takes. Ask whoever runs me for it: `baku memory export` has no such limit.",
        size=size // 1_000_000,
    )


def retention(days: int, most: int) -> str:
    """Say for how long messages are kept in a space."""
    longest = say("at most {most}", most=most) if most else say("1 to {most}", most=LONGEST_RETENTION)
    how = say("`/privacy retention` with a number of days ({longest}) changes that, 0 takes it back.", longest=longest)
    return f"{_kept_here(days)} {how}"


def retention_is_set(days: int) -> str:
    """Confirm a space's days."""
    return f"{_kept_here(days)} {say('This holds from now on; what is too old by then goes within a day.')}"


def wrong_days(days: int) -> str:
    """Refuse days that are none."""
    return say(
        "{days} is no number of days from 1 to {most}; 0 takes back what was set here.",
        days=days,
        most=LONGEST_RETENTION,
    )


def _kept_here(days: int) -> str:
    if days:
        return say_count(
            days,
            "Messages here are deleted after {number} day, once they are summarised.",
            "Messages here are deleted after {number} days, once they are summarised.",
        )
    return say("Messages here are kept until they are erased.")


def _what(*, is_direct: bool) -> str:
    if is_direct:
        return say(
            "**What I keep.** What you write to me and my answers, facts I remember from it, summaries, and names with the sentences they "
            "came up in."
        )
    return say(
        "**What I keep.** What you write to me or in front of me and my answers, facts I remember from it, summaries, and names with the "
        "sentences they came up in."
    )


def _who_sees(*, is_direct: bool) -> str:
    if is_direct:
        return say("**Who may see it.** What is said here is for you alone, in our direct chats. Whoever runs me can read my database.")
    return say(
        "**Who may see it.** What is said here is for people who read here; I never carry it to another place. Whoever runs me can read my "
        "database."
    )


def _standing(name: str, *, is_out: bool, remembers: bool) -> str:
    if is_out:
        return say("You opted out: I keep nothing of what you say. What I kept before is shown to nobody but you.")
    if not remembers:
        return say("{name} remembers no facts here; messages are kept as history.", name=shown(name))
    return say("{name} remembers what people say here.", name=shown(name))


def _model(host: str) -> str:
    if not host:
        return say("All I think with stays on the machine that I run on.")
    return say("What I need for an answer is sent to {host}, where my language model runs.", host=shown(host))


def _embedding(host: str) -> str:
    if host:
        return say("Messages are sent to {host}, so that I find them again.", host=shown(host))
    return say("What finds messages again stays on the machine that I run on.")
