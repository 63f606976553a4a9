"""`/access`: admins choose who may talk to the bot in their server or group, and where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.commands import access_texts as texts
from bot.commands.paging import PAGE_OPTION, page_of
from bot.domain.access import MOST_RULES, AccessRule, Named, Way, Whom, read_named, rules_in
from bot.domain.chat import DISCORD, ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, RunCommand, WhoMay
from bot.ports.store import Store

_HERE = "here"
MOST_AT_ONCE = 20
"""Lines of both lists that are told in one sentence for each; more stand one below the other."""


def access_commands(store: Store) -> tuple[Command, ...]:
    """Return the commands by which admins keep the lists of a space."""
    lists = _Lists(store)
    whom = Option(
        "whom",
        "A mention, user 123, role 123, channel 123, or here for this channel",
        suggest=_suggest_here,
        question="Whom or what? A mention, user 123, or here for this channel",
    )
    return (
        _command("show", "See who may talk to me in this server", lists.show, PAGE_OPTION),
        _command("allow", "Let only these people, roles or channels talk to me", partial(lists.add, way=Way.ALLOW), whom),
        _command("deny", "Keep a person, a role or a channel from talking to me", partial(lists.add, way=Way.DENY), whom),
        _command("remove", "Take a person, a role or a channel off both lists", lists.remove, replace(whom, suggest=lists.suggest)),
    )


def _command(word: str, summary: str, run: RunCommand, *options: Option) -> Command:
    return Command(("access", word), summary, run, options, who=WhoMay.ADMINS, private=True)


@dataclass(frozen=True, slots=True)
class _Lists:
    """The lists of the space where the asker is."""

    store: Store

    async def show(self, call: CommandCall) -> Answer:
        """Show both lists and what they mean."""
        if call.kind is ConversationKind.DIRECT:
            return Answer(texts.nobody_else_here())
        rules, platform = await self._rules(call), call.conversation.platform
        if len(rules) <= MOST_AT_ONCE:
            return Answer(texts.lists_page(rules, platform))
        page = page_of([texts.rule_line(rule, platform) for rule in rules], int(call.options.get("page", 1)))
        return Answer(texts.long_lists_page(page.lines, page.note), buttons=page.buttons("access show "))

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return what is on the lists."""
        named = dict.fromkeys(f"{rule.named.kind} {rule.named.id}" for rule in await self._rules(call))
        return [Choice(text, text) for text in named if typed.strip().casefold() in text.casefold()]

    async def add(self, call: CommandCall, *, way: Way) -> Answer:
        """Put somebody or some place on one list, and take it off the other."""
        named = _named(call)
        if isinstance(named, str):
            return Answer(named)
        rule, other = AccessRule(way, named), AccessRule(Way.DENY if way is Way.ALLOW else Way.ALLOW, named)
        async with self.store.write() as tx:
            known = rules_in(await tx.settings.held(*call.conversation.space))
            if rule in known:
                return Answer(texts.listed_already(rule, call.conversation.platform))
            if len(known) >= MOST_RULES and other not in known:
                return Answer(texts.lists_are_full(MOST_RULES))
            await tx.settings.set(*call.conversation.space, other.setting, "")
            await tx.settings.set(*call.conversation.space, rule.setting, call.asker.id)
        return Answer(texts.rule_is_set(rule, await self._rules(call), call.conversation.platform))

    async def remove(self, call: CommandCall) -> Answer:
        """Take somebody or some place off both lists."""
        named = _named(call)
        if isinstance(named, str):
            return Answer(named)
        async with self.store.write() as tx:
            known = [rule for rule in rules_in(await tx.settings.all(*call.conversation.space)) if rule.named == named]
            for rule in known:
                await tx.settings.set(*call.conversation.space, rule.setting, "")
        if not known:
            return Answer(texts.not_listed(named, call.conversation.platform))
        return Answer(texts.rule_is_removed(named, await self._rules(call), call.conversation.platform))

    async def _rules(self, call: CommandCall) -> Sequence[AccessRule]:
        async with self.store.read() as tx:
            settings: Mapping[str, str] = await tx.settings.all(*call.conversation.space)
        return rules_in(settings)


def _named(call: CommandCall) -> Named | str:
    """Return whom the asker means, or what to tell them."""
    typed = str(call.options["whom"])
    if call.kind is ConversationKind.DIRECT:
        return texts.nobody_else_here()
    named = read_named(typed, call.conversation)
    if named is None:
        return texts.nobody_of_that_name(typed, call.conversation.platform)
    if named.kind is Whom.ROLE and call.conversation.platform != DISCORD:
        return texts.no_roles()
    return named


async def _suggest_here(call: CommandCall, typed: str) -> Sequence[Choice]:
    """Return the place, after whoever wrote the message that the command replies to: hardly anybody knows ids."""
    about = call.about.author if call.about is not None else None
    people = [Choice(about.display_name, f"user {about.id}")] if about is not None and not about.is_service and not about.is_bot else []
    return [choice for choice in (*people, Choice("here – this channel or thread", _HERE)) if typed.strip().casefold() in choice.value]
