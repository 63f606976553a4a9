"""The dream diary: a few lines in the persona's voice about what the night did.

The model is shown figures only, no memory: the diary may be read where a memory may not, and must not outlive what people forget.
"""

import re
from collections.abc import Mapping

from bot.domain.message import Role
from bot.domain.model import ChatMessage
from bot.domain.persona import Persona
from bot.domain.text import one_line, storable
from bot.memory.dreams.asking import Asking
from bot.memory.dreams.plan import Step

SENTENCES = 4
LONGEST = 600
"""Characters."""
_SENTENCE = re.compile(r"[^.!?。！？…]+[.!?。！？…]+[\"”』」)]*\s*")
_SYSTEM = """\
You are {name}.

{voice}

You have slept, and your memories were put in order. Write your dream diary: two to four sentences, in your own voice, in the language \
"{language}". You remember no details of the dream, only what happened to how many memories. Name no people and make up no facts \
about anybody. No heading, no list."""
_WORDS: Mapping[Step, str] = {
    Step.DECAYED: "faded and sank deeper",
    Step.REINFORCED: "grew stronger because they were used",
    Step.PROMOTED: "came back because they were needed",
    Step.MERGED: "flowed together with others that said the same",
    Step.RETAINED: "had almost gone and were kept",
    Step.FORGOTTEN: "were let go",
    Step.ENDED: "had stopped being true and were put away",
    Step.REWRITTEN: "got their proper dates",
}


async def dream_diary(asking: Asking, persona: Persona, counts: Mapping[str, int]) -> str:
    """Return a diary of two to four sentences; empty when nothing happened or the model did not write one."""
    happened = [f"{counts[step]} {words}" for step, words in _WORDS.items() if counts.get(step)]
    if not happened:
        return ""
    system = _SYSTEM.format(name=persona.name, voice=persona.voice.strip(), language=persona.language)
    figures = "Memories that " + "; ".join(happened) + "."
    answer = await asking.answer((ChatMessage(Role.SYSTEM, system), ChatMessage(Role.USER, figures)))
    return _diary_in(answer or "")


def _diary_in(answer: str) -> str:
    """Return the first sentences of an answer on one line; empty when it has none, or is no prose."""
    text = " ".join(storable(answer).split())
    if text.startswith(("{", "[", "<", "```", "#")):
        return ""
    sentences = _SENTENCE.findall(text)[:SENTENCES]
    return one_line("".join(sentences).strip(), LONGEST)
