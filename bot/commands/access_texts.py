"""What `/access` says, and what those read whom the lists keep out."""

from collections.abc import Iterable, Sequence

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.access import AccessRule, Named, Verdict, Way, Whom
from bot.domain.chat import DISCORD
from bot.wording.lists import listed
from bot.wording.say import later, say, translated

_MARKS = {Whom.USER: "<@{id}>", Whom.ROLE: "<@&{id}>", Whom.CHANNEL: "<#{id}>"}
_KINDS = {Whom.USER: later("user"), Whom.ROLE: later("role"), Whom.CHANNEL: later("channel")}


def named_as(named: Named, platform: str) -> str:
    """Return somebody or some place as people of that platform know it; a mention in an answer pings nobody."""
    if platform == DISCORD and named.id.isdecimal():
        return _MARKS[named.kind].format(id=named.id)
    return f"{translated(_KINDS[named.kind])} `{shown(named.id)}`"


def lists_page(rules: Sequence[AccessRule], platform: str) -> str:
    """Show both lists, and what they mean together."""
    how = say("`/access allow`, `/access deny` and `/access remove` change this.")
    if not rules:
        return f"{say('Everybody may talk to me here, in every channel that I can read.')} {how}"
    return f"{_meaning(rules, platform)}\n\n{how}"


def long_lists_page(lines: Iterable[str], note: str) -> str:
    """Show a page of long lists."""
    how = say("`/access allow`, `/access deny` and `/access remove` change this.")
    heading = say("Who may talk to me, and where")
    return f"**{heading}**{note}\n\n" + "\n".join(lines) + f"\n\n{how}"


def rule_line(rule: AccessRule, platform: str) -> str:
    """Show one line of a list."""
    named = named_as(rule.named, platform)
    return f"- ✓ {named}" if rule.way is Way.ALLOW else f"- ✗ {named} ({say('never')})"


def rule_is_set(rule: AccessRule, rules: Sequence[AccessRule], platform: str) -> str:
    """Confirm a rule with what holds now."""
    named = _upper(named_as(rule.named, platform))
    allowed = rule.way is Way.ALLOW
    line = say("{named} is allowed from now on.", named=named) if allowed else say("{named} is denied from now on.", named=named)
    return f"{line}\n\n{_meaning(rules, platform)}"


def rule_is_removed(named: Named, rules: Sequence[AccessRule], platform: str) -> str:
    """Confirm that something is off the lists."""
    return f"{say('{named} is off the lists.', named=_upper(named_as(named, platform)))}\n\n{_meaning(rules, platform)}"


def listed_already(rule: AccessRule, platform: str) -> str:
    """Answer a rule that is there."""
    return say("{named} is on that list already.", named=_upper(named_as(rule.named, platform)))


def not_listed(named: Named, platform: str) -> str:
    """Answer a removal of what is on no list."""
    return say("{named} is on neither list. `/access show` shows both.", named=_upper(named_as(named, platform)))


def lists_are_full(most: int) -> str:
    """Refuse one rule too many."""
    return say(
        "The lists hold {most} lines at most. Take some off with `/access remove`, or name a role in place of many people.", most=most
    )


def nobody_of_that_name(typed: str, platform: str) -> str:
    """Refuse what names nobody."""
    if platform == DISCORD:
        return say(
            "I cannot tell whom “{typed}” means. Mention them, or write `user 123`, `role 123`, `channel 123`, with the id on this "
            "platform, or `here` for this place.",
            typed=echo(typed),
        )
    return say(
        "I cannot tell whom “{typed}” means. Write `user 123`, `topic 123`, with the id on this platform, or `here` for this place.",
        typed=echo(typed),
    )


def no_roles() -> str:
    """Refuse a role where there are none."""
    return say("There are no roles on this platform that I could see. Name people by `user 123`, or this place by `here`.")


def nobody_else_here() -> str:
    """Answer in a direct chat."""
    return say("This is our private chat: there is nobody else here to let in or keep out. Give the command in a server or group.")


def kept_out(verdict: Verdict, *, in_private: bool) -> str:
    """Refuse a command to somebody whom a list keeps out."""
    if in_private:
        return say(
            "I talk in private only with certain people; whoever runs me decides that. `/memory list` and `/memory forget` still work."
        )
    if verdict is Verdict.NOT_HERE:
        return say("I am set up not to talk in this channel; the admins decide that. `/memory list` and `/memory forget` still work.")
    return say("I am set up not to talk with you here; the admins decide that. `/memory list` and `/memory forget` still work.")


def _meaning(rules: Sequence[AccessRule], platform: str) -> str:
    """Say in one line each what the lists mean."""
    allowed = [rule.named for rule in rules if rule.way is Way.ALLOW]
    places = [named for named in allowed if named.kind is Whom.CHANNEL]
    people = [named for named in allowed if named.kind is not Whom.CHANNEL]
    denied = [rule.named for rule in rules if rule.way is Way.DENY]
    lines = [
        say("**May talk to me:** {names}", names=_names(people, platform)) if people else say("**May talk to me:** everybody"),
        say("**Where:** {names}", names=_names(places, platform)) if places else say("**Where:** everywhere"),
    ]
    if denied:
        lines.append(say("**Never:** {names}", names=_names(denied, platform)))
    return "\n".join(f"- {line}" for line in lines)


def _names(named: Iterable[Named], platform: str) -> str:
    return listed(named_as(one, platform) for one in named)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
