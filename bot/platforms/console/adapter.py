"""Talking with one person in a terminal."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import uuid4

import structlog
from typing_extensions import override

from bot.commands.parse import ParsedLine, ParseProblem, parse_line
from bot.domain.chat import CONSOLE, ConversationKind, console_conversation
from bot.domain.command import AnswerFile, CommandCall, Confirmation
from bot.domain.message import Part, Person, ReplyTarget
from bot.errors import DeliveryDelayed
from bot.platforms.console.asking import Asking
from bot.platforms.console.choices import choices_text
from bot.platforms.console.completion import Completion
from bot.platforms.console.convert import to_incoming, to_parts, visible
from bot.platforms.console.saving import saved
from bot.platforms.console.screen import AwaitedReply, Host, Screen, ScreenDraft
from bot.platforms.console.terminal import Terminal
from bot.ports.clock import Clock
from bot.ports.platform import Draft, GetPicture, Inbox, NotePosted, Platform
from bot.wording.say import in_language, later, say, translated

LEAVING = (("quit", later("Leave the conversation")), ("exit", later("Leave the conversation")))
SLASHES = ("/", "／")
"""The second one is what Japanese keyboards type."""
HINT = later("Type /help for commands, /quit or Ctrl-D to leave.")
HINT_BELOW_HELP = later("/quit or Ctrl-D leaves the conversation.")
LEAVING_SECONDS = 0.5
SETTLING_SECONDS = 5.0
"""How long a script's next line waits for what was just shown to be marked as sent."""
RETRY_SECONDS = 60.0

log = structlog.get_logger(__name__)


class ConsolePlatform(Platform):
    """One person at one terminal."""

    def __init__(
        self,
        terminal: Terminal,
        host: Host,
        clock: Clock,
        *,
        user: Person,
        session: str = "main",
        language: str = "en",
    ) -> None:
        self._terminal = terminal
        self._screen = Screen(terminal, host)
        self._host = host
        self._clock = clock
        self._user = user
        self._conversation = console_conversation(session)
        self._language = language
        self._gone = False

    @property
    @override
    def name(self) -> str:
        """Return the platform of its conversations."""
        return CONSOLE

    @override
    async def run(self, inbox: Inbox) -> None:
        """Talk until the input ends or the user leaves."""
        with in_language(self._language):
            completion = Completion(inbox, self._call((), {}), [(name, translated(summary)) for name, summary in LEAVING])
            with self._terminal.opened(completion), suppress(BrokenPipeError):
                await self._converse(inbox)
        await self._settle(LEAVING_SECONDS)

    @override
    def parts(self, text: str) -> Sequence[Part]:
        """Return the whole text as one part: a terminal has no limit."""
        return to_parts(text)

    @override
    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:
        """Show an answer, or what is not on the screen yet of the one that is awaited."""
        try:
            await self._screen.show_reply(target.reply_to, part.text, speaker=_speaker(target))
        except OSError as problem:
            self._gone = True
            self._screen.stop_waiting()
            raise DeliveryDelayed("Nobody reads the terminal; the answer waits for the next start.", retry_after=RETRY_SECONDS) from problem
        return uuid4().hex

    @override
    @asynccontextmanager
    async def composing(self, target: ReplyTarget, *, draft_id: str = "", posted: NotePosted | None = None) -> AsyncIterator[Draft]:
        """Show the awaited answer while it grows, its speaker at once."""
        draft = ScreenDraft(self._screen, target.reply_to, speaker=_speaker(target))
        await draft.show("")
        yield draft

    async def shows_byline(self, target: ReplyTarget, picture: GetPicture) -> bool:  # noqa: ARG002 - a terminal shows no pictures
        """Say whether names stand before answers: where lines are read by a program, they do not."""
        return self._terminal.interactive

    @override
    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Nothing to take away: no draft is a message here."""

    async def _converse(self, inbox: Inbox) -> None:
        if greeting := await self._host.greeting():
            await self._screen.show_line(greeting)
            await self._host.record_greeting(greeting, self._clock.now())
        self._terminal.write_hint(_hint(await self._host.chosen()))
        while not self._gone and (line := await self._terminal.read()) is not None:
            text = line.strip()
            if _leaves(text):
                return
            if text.startswith(SLASHES):
                await self._run_line(inbox, text)
            elif text:
                await self._talk(inbox, text)

    async def _talk(self, inbox: Inbox, text: str) -> None:
        message = to_incoming(text, message_id=uuid4().hex, conversation=self._conversation, author=self._user, at=self._clock.now())
        with self._screen.awaiting(message.message_id) as reply:
            await inbox.receive(message)
            waited = await self._terminal.attend(self._wait_for(reply))
        if reply.sent and not self._terminal.interactive:
            await self._settle(SETTLING_SECONDS)
        if waited and not reply.sent:
            self._terminal.write_hint(say("(no answer)"))

    async def _wait_for(self, reply: AwaitedReply) -> bool:
        """Return True when the answer is shown, or when there will be none."""
        async with asyncio.TaskGroup() as group:
            silence = group.create_task(self._end_in_silence(reply))
            await reply.over.wait()
            silence.cancel()
        return True

    async def _end_in_silence(self, reply: AwaitedReply) -> None:
        await self._host.settled()
        reply.over.set()

    async def _settle(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._host.settled()

    async def _run_line(self, inbox: Inbox, line: str, *, confirmed: bool = False) -> None:
        call = await self._complete(inbox, parse_line(line, inbox.commands), confirmed=confirmed)
        if call is None:
            return
        answer = await self._terminal.attend(inbox.run_command(call))
        if answer is None:
            return
        self._terminal.write_markdown(visible(answer.text))
        if answer.file is not None:
            self._terminal.write_markdown(visible(_saved(answer.file)))
        if answer.buttons:
            self._terminal.write_markdown(visible(choices_text(answer.buttons)))
        if call.path == ("help",) and not call.options:
            self._terminal.write_hint(translated(HINT_BELOW_HELP))
        if answer.confirmation is not None:
            await self._confirm(inbox, answer.confirmation)

    async def _complete(self, inbox: Inbox, parsed: ParsedLine | ParseProblem, *, confirmed: bool) -> CommandCall | None:
        """Return what to run; what a command lacks is asked for if somebody sits there. None where it is told that nothing is run."""
        begun = parsed.begun if isinstance(parsed, ParseProblem) else parsed
        if begun is not None and self._terminal.interactive and not confirmed:
            call = await Asking(self._terminal, inbox).completed(begun.command, self._call(begun.path, begun.options))
            if call is None:
                self._terminal.write_markdown(say("Nothing was changed."))
            return call
        if isinstance(parsed, ParseProblem):
            self._terminal.write_markdown(visible(parsed.text))
            return None
        return self._call(parsed.path, parsed.options, confirmed=confirmed)

    async def _confirm(self, inbox: Inbox, confirmation: Confirmation) -> None:
        said = await self._terminal.read(f"{visible(confirmation.label)}? [y/N] ")
        if said is not None and said.strip().casefold() in {"y", "yes"}:
            await self._run_line(inbox, confirmation.line, confirmed=True)
        else:
            self._terminal.write_markdown(say("Nothing was changed."))

    def _call(self, path: tuple[str, ...], options: Mapping[str, str | int], *, confirmed: bool = False) -> CommandCall:
        return CommandCall(
            path=path,
            options=options,
            asker=self._user,
            conversation=self._conversation,
            kind=ConversationKind.DIRECT,
            asker_is_admin=True,
            confirmed=confirmed,
            language=self._language,
        )


def _hint(chosen: str) -> str:
    """Return how to go on; it names a persona that was chosen, perhaps long ago, and need not greet any more."""
    if not chosen:
        return translated(HINT)
    return say("You are talking with {name}. Type /help for commands, /quit or Ctrl-D to leave.", name=visible(chosen))


def _speaker(target: ReplyTarget) -> str:
    """Return the name of who speaks, where several personas share the conversation."""
    return target.byline.name if target.byline is not None else ""


def _saved(file: AnswerFile) -> str:
    """Keep a file in the present folder, and say where."""
    try:
        return say("Saved as `{file}`.", file=saved(file, Path.cwd()))
    except OSError as problem:
        return say("I could not save the file here ({problem}). Start again from a folder that you may write to.", problem=problem.strerror)


def _leaves(text: str) -> bool:
    command = text.split(maxsplit=1)[0].casefold() if text else ""
    return command in {f"{slash}{name}" for slash in SLASHES for name, _ in LEAVING}
