"""The model that answers when none is configured: it keeps what people tell it and finds it again, and says that this is all."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta
from bot.llm.offline_prompt import Reading, Recalled, read_prompt
from bot.llm.offline_reading import answer_in, asks_for_everything, is_greeting, may_be_meant, meaning, question_in, statement_in
from bot.tools.memory_tools import UPDATE_PERSONA_MEMORY
from bot.tools.texts import ENGLISH as ENGLISH_RESULTS
from bot.tools.texts import JAPANESE as JAPANESE_RESULTS

_PIECE = re.compile(r"\S{1,12}\s*|\s+")
_LISTED = 5


@dataclass(frozen=True, slots=True)
class _Words:
    """What it says in one language."""

    introduction: str
    noted: str
    known: str
    not_noted: str
    switched_off: str
    told: str
    told_about: str
    everything: str
    unknown: str
    at_a_loss: str


_ENGLISH = _Words(
    introduction="I am Baku's offline model: I keep what you tell me and find it again, no more. "
    "To talk with a real model, set OPENAI_API_KEY or OPENAI_BASE_URL.",
    noted='I\'ll remember: "{text}"',
    known='I know that already: "{text}"',
    not_noted="I could not keep that. {result}",
    switched_off="I hear you, but my memory is switched off here.",
    told='You told me on {day}: "{text}"',
    told_about='What I know about {name}, since {day}: "{text}"',
    everything="This is what I remember:",
    unknown="I don't know that. Nobody has told me, and without a real model I know only what I was told.",
    at_a_loss="I can keep what you tell me and find it again. Tell me something about yourself, or ask about what you told me.",
)
_JAPANESE = _Words(
    introduction="いまはオフラインモデルです。聞いたことを覚えて、あとで探し出すことしかできません。"
    "本物のモデルにつなぐには、OPENAI_API_KEY か OPENAI_BASE_URL を設定してください。",
    noted="覚えておきます: 「{text}」",
    known="それはもう知っています: 「{text}」",
    not_noted="覚えられませんでした。{result}",
    switched_off="聞きました。ただ、ここでは記憶が切られているので、覚えておけません。",
    told="{day}に教えてくれました: 「{text}」",
    told_about="{name}さんについて、{day}に聞きました: 「{text}」",
    everything="覚えていることはこちらです。",
    unknown="それはまだ聞いていません。本物のモデルなしでは、教えてもらったことしか分からないのです。",
    at_a_loss="教えてもらったことを覚えて、あとで探し出すことができます。あなたのことを話すか、前に話したことを聞いてみてください。",
)


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
    words = _JAPANESE if reading.speaks_japanese else _ENGLISH
    stated, asked = statement_in(reading.said), question_in(reading.said)
    lines = [_about_statement(reading, note, words)] if stated else []
    if asked and not (stated and answer_in(reading) is None):
        lines.append(_about_question(reading, asked, words))
    elif is_greeting(reading.said) and reading.greeting:
        lines.append(reading.greeting)
    elif not lines:
        lines.append(words.at_a_loss)
    if reading.is_fresh and words.introduction not in lines:
        lines.append(words.introduction)
    return "\n\n".join(lines)


def _about_statement(reading: Reading, note: str, words: _Words) -> str:
    if not note:
        return words.known.format(text=statement_in(reading.said))
    if reading.takes_tag:
        return words.noted.format(text=note)
    if not reading.results:
        return words.switched_off
    if reading.results[-1] in (ENGLISH_RESULTS.updated, JAPANESE_RESULTS.updated):
        return words.noted.format(text=note)
    return words.not_noted.format(result=reading.results[-1])


def _about_question(reading: Reading, asked: str, words: _Words) -> str:
    found = answer_in(reading)
    if found is not None and not asks_for_everything(asked):
        return _told(found, reading, words)
    if asks_for_everything(asked):
        latest = sorted(may_be_meant(reading), key=lambda memory: memory.day)[-_LISTED:]
        if latest:
            return "\n".join([words.everything, *(f"- {_told(memory, reading, words)}" for memory in latest)])
    return words.unknown if meaning(asked) else words.introduction


def _told(memory: Recalled, reading: Reading, words: _Words) -> str:
    day = memory.day
    if words is _JAPANESE:
        date = f"{day.month}月{day.day}日" if f"{day:%Y}" == reading.year else f"{day.year}年{day.month}月{day.day}日"
    else:
        date = f"{day.day} {day:%B}" if f"{day:%Y}" == reading.year else f"{day.day} {day:%B %Y}"
    is_own = memory.about_id in ("", reading.asker_id)
    return (words.told if is_own else words.told_about).format(name=memory.about_name, day=date, text=memory.text)
