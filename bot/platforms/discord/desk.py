"""Answering slash commands and buttons within Discord's three seconds."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO

import discord
import structlog
from discord import app_commands

from bot.commands.parse import ParseProblem, parse_line
from bot.domain.command import MOST_UPLOADED, Answer, AnswerFile, Choice, Command, CommandCall, Option, UploadedFile, may_run
from bot.domain.message import Quote
from bot.errors import BotError, FileUnavailable
from bot.platforms.discord.account import account_of
from bot.platforms.discord.calls import Asked, Pressed, buttons_of, is_for_somebody_else, place_of_interaction, to_call
from bot.platforms.discord.convert import readable_text, to_person
from bot.platforms.discord.forms import FilledIn, fields_of, form_for, is_too_long, too_long
from bot.platforms.discord.mention import CommandMentions
from bot.platforms.discord.slash import Given
from bot.platforms.discord.split import split
from bot.platforms.discord.trouble import OUT_OF_REACH, trace_of
from bot.platforms.discord.tuning import Tuning
from bot.ports.platform import Inbox
from bot.wording.say import in_language, later, say, translated

SUGGEST_SECONDS = 2.0
NOBODY = discord.AllowedMentions.none()
FAILED = later("Something went wrong here. Please try again in a moment.")
NO_PLACE = later("I cannot tell which channel this is, so I do nothing here.")
NOT_YOURS = later("This button was shown to somebody else.")
DONE = later("Done.")
OUTDATED = later("This command has changed. Please reload Discord (Ctrl+R) and try again.")
UPLOAD_SECONDS = 30.0

log = structlog.get_logger(__name__)


class Desk:
    """Runs commands and shows what they say."""

    def __init__(self, inbox: Inbox, tuning: Tuning, mentions: CommandMentions) -> None:
        self._inbox = inbox
        self._tuning = tuning
        self._mentions = mentions

    async def run(self, asked: Asked, command: Command, options: Mapping[str, Given]) -> None:
        """Answer one use of a command: at once, or later where it takes its time. What is missing of long texts is asked for in a form."""
        typed = {name: value for name, value in options.items() if not isinstance(value, discord.Attachment)}
        upload = next((value for value in options.values() if isinstance(value, discord.Attachment)), None)
        with in_language(str(asked.locale)), _logging_what_is_lost(asked):
            place = place_of_interaction(asked)
            if place is not None and await self._opened_form(asked, command, to_call(asked, command.path, typed, place)):
                return
            await self._run_command(asked, command, typed, upload=upload)

    async def run_about(self, asked: Asked, command: Command, message: discord.Message) -> None:
        """Answer a command that was chosen in the menu of a message."""
        me = account_of(asked.client)
        author = to_person(message.author, from_webhook=message.webhook_id is not None and not me.wrote(message))
        about = Quote(str(message.id), author, readable_text(message, me))
        with in_language(str(asked.locale)), _logging_what_is_lost(asked):
            await self._run_command(asked, command, {}, about=about)

    async def submit(self, asked: Asked, form: FilledIn) -> None:
        """Run the command of a form that somebody sent."""
        command = next((known for known in self._inbox.commands if known.path == form.path), None)
        with in_language(str(asked.locale)), _logging_what_is_lost(asked):
            if command is None:
                await _show(asked, Answer(translated(OUTDATED), private=True), private=True)
                return
            await self._run_command(asked, command, form.options)

    async def _run_command(
        self,
        asked: Asked,
        command: Command,
        options: Mapping[str, str | int],
        *,
        about: Quote | None = None,
        upload: discord.Attachment | None = None,
    ) -> None:
        place = place_of_interaction(asked)
        if place is None:
            await _show(asked, Answer(translated(NO_PLACE), private=True), private=True)
            return
        if command.slow or upload is not None:
            await asked.response.defer(ephemeral=command.private, thinking=True)
        call = to_call(asked, command.path, options, place, about=about)
        try:
            if upload is not None and may_run(command, call):
                call = replace(call, file=await _read(upload))
            answer = await self._answer(asked, call, private=command.private)
        except FileUnavailable as problem:
            answer = Answer(str(problem), private=True)
        await _show(asked, answer, private=command.private or answer.private, deferred_private=command.private)

    async def _opened_form(self, asked: Asked, command: Command, call: CommandCall) -> bool:
        """Say whether the asker got a form for what is missing, or was told why there is none.

        Nobody gets one who may not run the command.
        """
        fields = fields_of(command, call.options)
        if not fields or not may_run(command, call):
            return False
        prefilled = {option.name: await self._inbox.prefill(call, option.name) for option in fields if option.prefill is not None}
        if any(is_too_long(text) for text in prefilled.values()):
            await _show(asked, Answer(too_long(command, self._inbox.commands), private=True), private=True)
            return True
        form = form_for(command, call.options, fields, prefilled)
        if form is None:
            return False
        await asked.response.send_modal(form)
        return True

    async def suggest(self, asked: Asked, command: Command, option: Option, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed; none when they take too long."""
        place = place_of_interaction(asked)
        if place is None:
            return ()
        others = {name: value for name, value in asked.namespace if name != option.name and isinstance(value, str | int)}
        try:
            async with asyncio.timeout(SUGGEST_SECONDS):
                return await self._inbox.suggest(to_call(asked, command.path, others, place), option.name, typed)
        except TimeoutError:
            log.warning("discord_suggestions_late", command=command.name)
            return ()

    async def press(self, asked: Asked, pressed: Pressed) -> None:
        """Run the command of a pressed button, and put its answer in the place of the one that the button stood under."""
        place = place_of_interaction(asked)
        with in_language(str(asked.locale)), _logging_what_is_lost(asked):
            if place is None or is_for_somebody_else(asked):
                await asked.response.send_message(translated(NOT_YOURS), ephemeral=True)
                return
            parsed = parse_line(pressed.line, self._inbox.commands)
            if isinstance(parsed, ParseProblem):
                answer = Answer(parsed.text)
            else:
                answer = await self._answer(
                    asked, to_call(asked, parsed.path, parsed.options, place, confirmed=pressed.confirms), private=True
                )
            await _replace(asked, answer)

    async def _answer(self, asked: Asked, call: CommandCall, *, private: bool) -> Answer:
        """Return what the command says; ask Discord for more time when that takes longer."""
        async with asyncio.TaskGroup() as group:
            working = group.create_task(self._run(call))
            if not asked.response.is_done():
                await asyncio.wait([working], timeout=self._tuning.acknowledge_seconds)
                if not working.done():
                    with _logging_what_is_lost(asked):
                        await _defer(asked, private=private)
        return working.result()

    async def _run(self, call: CommandCall) -> Answer:
        try:
            answer = await self._inbox.run_command(call)
            return replace(answer, text=self._mentions.in_text(answer.text))
        except BotError as problem:
            log.warning("command_failed", command=" ".join(call.path), problem=type(problem).__name__)
            return Answer(translated(FAILED), private=True)


class Tree(app_commands.CommandTree[discord.Client]):
    """The commands of one connection; what fails in one is said to the asker and logged."""

    async def on_error(self, asked: Asked, error: app_commands.AppCommandError, /) -> None:
        """Answer in place of the command that failed."""
        with in_language(str(asked.locale)):
            await self._apologise(asked, error)

    async def _apologise(self, asked: Asked, error: app_commands.AppCommandError) -> None:
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            log.info("discord_command_outdated", command=asked.data.get("name") if asked.data else None)
            answer = Answer(translated(OUTDATED), private=True)
        else:
            log.error("command_crashed", command=asked.command.qualified_name if asked.command else None, trace=trace_of(error))
            answer = Answer(translated(FAILED), private=True)
        with _logging_what_is_lost(asked):
            await _show(asked, answer, private=True)


async def _read(upload: discord.Attachment) -> UploadedFile:
    """Return a file that came with a command. Raises FileUnavailable, in the reader's language."""
    if upload.size > MOST_UPLOADED:
        raise FileUnavailable(say("That file is too big: {most} megabytes at most.", most=MOST_UPLOADED // 1024**2))
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            return UploadedFile(upload.filename, (upload.content_type or "").partition(";")[0], await upload.read())
    except (discord.DiscordException, *OUT_OF_REACH) as problem:
        raise FileUnavailable(say("I could not get that file. Please send it again.")) from problem


async def _defer(asked: Asked, *, private: bool) -> None:
    if asked.type is discord.InteractionType.component:
        await asked.response.defer()
    else:
        await asked.response.defer(ephemeral=private, thinking=True)


async def _show(asked: Asked, answer: Answer, *, private: bool, deferred_private: bool = True) -> None:
    """Show an answer. What began publicly and turns out to be private is taken back first."""
    parts = split(answer.text) or (translated(DONE),)
    buttons, files = [discord.utils.MISSING] * len(parts), [discord.utils.MISSING] * len(parts)
    if (view := buttons_of(answer)) is not None:
        buttons[-1] = view
    if answer.file is not None:
        files[-1] = _upload(answer.file)
    if asked.response.is_done() and private and not deferred_private:
        await asked.delete_original_response()
    elif asked.response.is_done():
        file = files.pop(0)
        attached = [file] if file else discord.utils.MISSING
        await asked.edit_original_response(content=parts[0], view=buttons.pop(0), attachments=attached, allowed_mentions=NOBODY)
        parts = parts[1:]
    else:
        file = files.pop(0)
        await asked.response.send_message(parts[0], ephemeral=private, view=buttons.pop(0), file=file, allowed_mentions=NOBODY)
        parts = parts[1:]
    for part, button, file in zip(parts, buttons, files, strict=True):
        await asked.followup.send(part, ephemeral=private, view=button, file=file, allowed_mentions=NOBODY)


async def _replace(asked: Asked, answer: Answer) -> None:
    """Put an answer in the place of the question that its button stood under."""
    first, *rest = split(answer.text) or (translated(DONE),)
    if asked.response.is_done():
        await asked.edit_original_response(content=first, view=buttons_of(answer), allowed_mentions=NOBODY)
    else:
        await asked.response.edit_message(content=first, view=buttons_of(answer), allowed_mentions=NOBODY)
    for part in rest:
        await asked.followup.send(part, ephemeral=True, allowed_mentions=NOBODY)
    if answer.file is not None:
        await asked.followup.send(file=_upload(answer.file), ephemeral=True)


def _upload(file: AnswerFile) -> discord.File:
    return discord.File(BytesIO(file.content), filename=file.name)


@contextmanager
def _logging_what_is_lost(asked: Asked) -> Iterator[None]:
    """Note an answer that Discord no longer takes, mostly because the asker's three seconds or fifteen minutes are over."""
    try:
        yield
    except* discord.HTTPException as problems:
        codes = [problem.code for problem in problems.exceptions if isinstance(problem, discord.HTTPException)]
        log.warning("discord_answer_lost", interaction=asked.id, codes=codes)
    except* OUT_OF_REACH as problems:
        log.warning("discord_answer_lost", interaction=asked.id, problem=type(problems.exceptions[0]).__name__)
