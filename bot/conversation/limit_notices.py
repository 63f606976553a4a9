"""What people read, once, when a list or a limit keeps a persona silent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from bot.conversation.gate import Decision, Reason
from bot.domain.persona import Persona

_SOON, _TODAY = timedelta(seconds=90), timedelta(minutes=90)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")


@dataclass(frozen=True, slots=True)
class _Language:
    """One language's lines. `{when}` is when it goes on."""

    lines: Mapping[Reason, str]
    in_private: str
    seconds: str
    minutes: str
    moment: Callable[[datetime], str]


def _moment_in_english(at: datetime) -> str:
    return f"on {at.day} {_MONTHS[at.month - 1]} at {at:%H:%M} ({at.tzname()})"


def _moment_in_japanese(at: datetime) -> str:
    return f"{at.month}月{at.day}日{at:%H:%M}（{at.tzname()}）以降"


ENGLISH = _Language(
    lines={
        Reason.PERSON_LIMIT: "That was a lot in a short time. I can answer you again {when}; until then I only read along.",
        Reason.CONVERSATION_LIMIT: "More is going on here than I may answer. I can answer again {when}; until then I only read along.",
        Reason.SERVER_LIMIT: "I am asked more in this server than I may answer. I can answer again {when}; until then I only read along.",
        Reason.TOKENS_SPENT: "What I may spend on answers is used up. I can answer again {when}; until then I only read along.",
        Reason.LIKE_A_LOOP: "We have been going back and forth a lot, so I pause. I can answer you again {when}.",
        Reason.DENIED: "I am set up not to talk with you here. The admins of this place decide that; ask one of them.",
        Reason.NOT_LISTED: "I am set up to talk only with certain people here. The admins of this place decide that; ask one of them.",
        Reason.NOT_HERE: "I am set up not to talk in this channel. The admins of this place decide where I do; ask one of them.",
    },
    in_private="I am set up to talk in private only with certain people. Whoever runs me decides that.",
    seconds="in {count} seconds",
    minutes="in {count} minutes",
    moment=_moment_in_english,
)
JAPANESE = _Language(
    lines={
        Reason.PERSON_LIMIT: "短い間にたくさん話しかけてもらいました。{when}、またお返事できます。それまでは読むだけにします。",
        Reason.CONVERSATION_LIMIT: "ここでの会話が多く、すべてには答えられません。{when}、またお返事できます。それまでは読むだけです。",
        Reason.SERVER_LIMIT: "このサーバーでの質問が多く、すべてには答えられません。{when}、またお返事できます。それまでは読むだけです。",
        Reason.TOKENS_SPENT: "お返事に使える分を使い切りました。{when}、またお返事できます。それまでは読むだけにします。",
        Reason.LIKE_A_LOOP: "やりとりがとても多いので、少し休みます。{when}、またお返事できます。",
        Reason.DENIED: "ここではあなたとお話ししない設定になっています。設定は管理者が決めていますので、聞いてみてください。",
        Reason.NOT_LISTED: "ここでは決まった人とだけお話しする設定になっています。設定は管理者が決めていますので、聞いてみてください。",
        Reason.NOT_HERE: "このチャンネルではお話ししない設定になっています。設定は管理者が決めていますので、聞いてみてください。",
    },
    in_private="個別のチャットでは、決まった人とだけお話しする設定になっています。設定は私を動かしている人が決めています。",
    seconds="{count}秒後に",
    minutes="{count}分後に",
    moment=_moment_in_japanese,
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE}


def limit_notice(decision: Decision, persona: Persona, now: datetime, *, in_private: bool) -> str:
    """Return the line for a decision in the persona's language; empty where silence needs no word."""
    language = _BY_LANGUAGE.get(persona.language.partition("-")[0], ENGLISH)
    if in_private and decision.reason is Reason.NOT_LISTED:
        return language.in_private
    line = language.lines.get(decision.reason, "")
    return line.format(when=_when(decision.until, persona, now, language)) if decision.until else line


def _when(until: datetime, persona: Persona, now: datetime, language: _Language) -> str:
    left = until - now
    if left <= _SOON:
        return language.seconds.format(count=max(2, ceil(left.total_seconds())))
    if left <= _TODAY:
        return language.minutes.format(count=ceil(left / timedelta(minutes=1)))
    return language.moment(until.astimezone(persona.zone))
