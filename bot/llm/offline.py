"""The model that answers when none is configured: it keeps what people tell it and finds it again, and says that this is all."""

import json
import re
from collections.abc import AsyncIterator
from xml.sax.saxutils import escape

from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta
from bot.llm.offline_prompt import Reading, Recalled, read_prompt
from bot.llm.offline_reading import (
    answer_in,
    asks_for_everything,
    is_greeting,
    may_be_meant,
    meaning,
    question_in,
    sentences,
    statement_in,
)
from bot.llm.offline_talk import Talk, talk_in
from bot.llm.offline_words import WORDS, Words
from bot.tools.memory_tools import UPDATE_PERSONA_MEMORY
from bot.tools.texts import memory_texts
from bot.wording.catalogues import ENGLISH, languages

_PIECE = re.compile(r"\S{1,12}\s*|\s+")
_LISTED = 5


class OfflineModel:
    """A ChatModel without a network: rules, no reasoning. It quotes only what answers a question, and says so when nothing does."""

    @property
    def name(self) -> str:
        """Return its name."""
        return "offline"

    @property
    def takes_tools(self) -> bool:
        """Return True: it calls the memory tool."""
        return True

    @property
    def takes_images(self) -> bool:
        """Return False: it reads words only."""
        return False

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer, word by word."""
        reading = read_prompt(request)
        note = _to_note(reading)
        if note and reading.takes_call and not reading.results:
            arguments = json.dumps({"id": 0, "newContent": note}, ensure_ascii=False)
            yield ToolCallDelta(0, f"offline_{len(request.messages)}", UPDATE_PERSONA_MEMORY, arguments)
            yield Finished(FinishReason.TOOL_CALLS)
            return
        tag = f"<mem_new>{escape(note)}</mem_new>" if note and reading.takes_tag else ""
        for piece in _PIECE.findall(tag + _answer(reading, note)):
            yield TextDelta(piece)
        yield Finished(FinishReason.STOP)

    async def close(self) -> None:
        """Do nothing: there is nothing to free."""


def _to_note(reading: Reading) -> str:
    """Return what is worth keeping and not kept yet."""
    stated = statement_in(reading.said)
    known = any(memory.text == stated and memory.about_id == reading.asker_id for memory in reading.memories)
    return "" if known else stated


def _answer(reading: Reading, note: str) -> str:
    words = WORDS[reading.language]
    stated, asked = statement_in(reading.said), question_in(reading.said)
    lines = [_about_statement(reading, note, words)] if stated else []
    if asked and not (stated and answer_in(reading) is None):
        lines.append(_about_question(reading, asked, words))
    elif not lines:
        lines.append(_about_the_rest(reading, words))
    if reading.is_fresh and words.introduction not in lines:
        lines.append(words.introduction)
    return "\n\n".join(lines)


def _about_statement(reading: Reading, note: str, words: Words) -> str:
    if not note:
        return words.known.format(text=statement_in(reading.said))
    if reading.takes_tag:
        return words.noted.format(text=note)
    if not reading.results:
        return words.switched_off
    if any(reading.results[-1] == memory_texts(known).updated for known in (ENGLISH, *languages())):
        return words.noted.format(text=note)
    return words.not_noted.format(result=reading.results[-1])


def _about_question(reading: Reading, asked: str, words: Words) -> str:
    if asks_for_everything(asked):
        return _everything(reading, words)
    talk, found = talk_in(asked), answer_in(reading)
    is_about_itself = talk in (Talk.IDENTITY, Talk.WELLBEING, Talk.OPINION, Talk.FORGETTING)
    if talk and (is_about_itself or not (found and found.surely)):
        return _small_talk(talk, words)
    if found:
        told = _told(found.memory, reading, words)
        return told if found.surely else words.unsure.format(told=told)
    return words.unknown if meaning(asked) else words.unclear


def _everything(reading: Reading, words: Words) -> str:
    known = sorted(may_be_meant(reading), key=lambda memory: memory.age)
    if not known:
        return words.nothing_yet
    heading = words.everything if len(known) <= _LISTED else words.latest
    return "\n".join([heading, *(f"- {_told(memory, reading, words)}" for memory in known[-_LISTED:])])


def _about_the_rest(reading: Reading, words: Words) -> str:
    if is_greeting(reading.said):
        return words.hello if reading.was_greeted else reading.greeting
    if talk := talk_in(" ".join(sentences(reading.said))):
        return _small_talk(talk, words)
    return words.at_a_loss_again if words.at_a_loss in reading.replies else words.at_a_loss


def _small_talk(talk: Talk, words: Words) -> str:
    return words.introduction if talk is Talk.IDENTITY else words.talk[talk]


def _told(memory: Recalled, reading: Reading, words: Words) -> str:
    day = words.day(memory.day, this_year=reading.year)
    if memory.said_by:
        return words.claimed.format(speaker=memory.said_by, name=memory.about_name, day=day, text=memory.text)
    is_own = memory.about_id in ("", reading.asker_id)
    return (words.told if is_own else words.told_about).format(name=memory.about_name, day=day, text=memory.text)
