"""What `/access` says, in English, and what those read whom the lists keep out."""

from collections.abc import Iterable, Sequence

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.access import AccessRule, Named, Verdict, Way, Whom
from bot.domain.chat import DISCORD

_MARKS = {Whom.USER: "<@{id}>", Whom.ROLE: "<@&{id}>", Whom.CHANNEL: "<#{id}>"}


def named_as(named: Named, platform: str) -> str:
    """Return somebody or some place as people of that platform know it; a mention in an answer pings nobody."""
    if platform == DISCORD and named.id.isdecimal():
        return _MARKS[named.kind].format(id=named.id)
    return f"{named.kind} `{shown(named.id)}`"


def lists_page(rules: Sequence[AccessRule], platform: str) -> str:
    """Show both lists, and what they mean together."""
    how = "`/access allow`, `/access deny` and `/access remove` change this."
    if not rules:
        return f"Everybody may talk to me here, in every channel that I can read. {how}"
    return f"{_meaning(rules, platform)}\n\n{how}"


def rule_is_set(rule: AccessRule, rules: Sequence[AccessRule], platform: str) -> str:
    """Confirm a rule with what holds now."""
    verb = "is allowed" if rule.way is Way.ALLOW else "is denied"
    return f"{_upper(named_as(rule.named, platform))} {verb} from now on.\n\n{_meaning(rules, platform)}"


def rule_is_removed(named: Named, rules: Sequence[AccessRule], platform: str) -> str:
    """Confirm that something is off the lists."""
    return f"{_upper(named_as(named, platform))} is off the lists.\n\n{_meaning(rules, platform)}"


def listed_already(rule: AccessRule, platform: str) -> str:
    """Answer a rule that is there."""
    return f"{_upper(named_as(rule.named, platform))} is on that list already."


def not_listed(named: Named, platform: str) -> str:
    """Answer a removal of what is on no list."""
    return f"{_upper(named_as(named, platform))} is on neither list. `/access show` shows both."


def lists_are_full(most: int) -> str:
    """Refuse one rule too many."""
    return f"The lists hold {most} lines at most. Take some off with `/access remove`, or name a role in place of many people."


def nobody_of_that_name(typed: str, platform: str) -> str:
    """Refuse what names nobody."""
    how = "Mention them, or write" if platform == DISCORD else "Write"
    what = "`user 123`, `role 123`, `channel 123`" if platform == DISCORD else "`user 123`, `topic 123`"
    return f"I cannot tell whom “{echo(typed)}” means. {how} {what}, with the id on this platform, or `here` for this place."


def no_roles() -> str:
    """Refuse a role where there are none."""
    return "There are no roles on this platform that I could see. Name people by `user 123`, or this place by `here`."


def nobody_else_here() -> str:
    """Answer in a direct chat."""
    return "This is our private chat: there is nobody else here to let in or keep out. Give the command in a server or group."


def kept_out(verdict: Verdict, *, in_private: bool) -> str:
    """Refuse a command to somebody whom a list keeps out."""
    if in_private:
        return "I talk in private only with certain people; whoever runs me decides that. `/memory list` and `/memory forget` still work."
    what = "in this channel" if verdict is Verdict.NOT_HERE else "with you here"
    return f"I am set up not to talk {what}; the admins decide that. `/memory list` and `/memory forget` still work."


def _meaning(rules: Sequence[AccessRule], platform: str) -> str:
    """Say in one line each what the lists mean."""
    allowed = [rule.named for rule in rules if rule.way is Way.ALLOW]
    places = [named for named in allowed if named.kind is Whom.CHANNEL]
    people = [named for named in allowed if named.kind is not Whom.CHANNEL]
    denied = [rule.named for rule in rules if rule.way is Way.DENY]
    lines = [
        f"**May talk to me:** {_names(people, platform)}" if people else "**May talk to me:** everybody",
        f"**Where:** {_names(places, platform)}" if places else "**Where:** everywhere",
    ]
    if denied:
        lines.append(f"**Never:** {_names(denied, platform)}")
    return "\n".join(f"- {line}" for line in lines)


def _names(named: Iterable[Named], platform: str) -> str:
    return ", ".join(named_as(one, platform) for one in named)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
