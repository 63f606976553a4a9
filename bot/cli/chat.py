"""Talking in this terminal."""

import io
import os
import sys

from bot.app.build import chat_app
from bot.cli.logs import configure_logging
from bot.cli.loop import run_until_stopped
from bot.cli.session import session_held
from bot.config.core import LogLevel
from bot.config.loading import load_settings, settings_warnings
from bot.config.user import user_language, user_name
from bot.conversation.host import ConversationHost
from bot.domain.chat import CONSOLE_PERSON_ID, console_conversation
from bot.domain.message import Person
from bot.domain.text import storable
from bot.errors import ConfigError
from bot.platforms.console.adapter import ConsolePlatform
from bot.platforms.console.terminal import PlainTerminal, Terminal
from bot.ports.clock import Clock


def chat_here(*, persona_id: str | None, db: str | None, model: str | None, session: str) -> None:
    """Hold a conversation until the input ends or the user leaves."""
    if not session.strip() or session != storable(session):
        raise ConfigError("A conversation needs a name that can be written down, such as --session work.")
    settings = load_settings(db=db, model=model)
    terminal = _terminal()
    in_brief = settings.log_level is None and sys.stderr is not None and sys.stderr.isatty()
    configure_logging(settings.log_level or LogLevel.WARNING, settings.secrets(), write=terminal.write_log, brief=in_brief)
    for warning in settings_warnings():
        print(f"warning: {warning}", file=sys.stderr)
    conversation = console_conversation(session)
    user = Person(CONSOLE_PERSON_ID, user_name())

    def console(host: ConversationHost, clock: Clock) -> ConsolePlatform:
        return ConsolePlatform(terminal, host, clock, user=user, session=session, language=user_language())

    async def talk() -> None:
        async with chat_app(settings, console, conversation) as app:
            if persona_id:
                await app.bind(conversation, persona_id)
            await app.run()

    with session_held(settings.db_url, session):
        run_until_stopped(talk())
    _close_output()


def _terminal() -> Terminal:
    if sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
        from bot.platforms.console.tty import TtyTerminal

        return TtyTerminal()
    if isinstance(sys.stdout, io.TextIOWrapper):  # what its encoding lacks becomes a question mark
        sys.stdout.reconfigure(errors="replace")
    return PlainTerminal(sys.stdin.fileno() if sys.stdin else os.open(os.devnull, os.O_RDONLY), sys.stdout)


def _close_output() -> None:
    """Flush what is left; when nobody reads it, leave nothing for the interpreter to stumble over."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
