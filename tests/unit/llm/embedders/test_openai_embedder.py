"""Vectors from a real HTTP endpoint, with the quirks of real endpoints."""

from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest

from bot.errors import EmbedderUnavailable
from bot.llm.embedders.openai_embedder import BATCH, EmbeddingPatience, OpenAIEmbedder
from tests.emulators.openai.answers import Plain, Scripted, Silence, refusal
from tests.emulators.openai.embeddings import EmbeddingRules, embeddings, vector_of
from tests.emulators.openai.rules import Rules
from tests.emulators.openai.server import OpenAIEmulator
from tests.unit.llm.conftest import KEY

QUICK = EmbeddingPatience(connect=1.0, queries=0.3, batch=2.0, query_retries=0, batch_retries=2)
SECRET_TEXT = "Ada's password is swordfish"


@pytest.fixture
async def embedder(endpoint: OpenAIEmulator) -> AsyncIterator[OpenAIEmbedder]:
    embedder = OpenAIEmbedder("test-embedder", base_url=endpoint.base_url, api_key=KEY, patience=QUICK)
    yield embedder
    await embedder.close()


def asked(endpoint: OpenAIEmulator, field: str) -> Sequence[object]:
    return [request.body.get(field) for request in endpoint.embedding_requests]


async def test_vectors_come_in_the_order_of_the_texts_whatever_the_order_of_the_answer(
    endpoint: OpenAIEmulator, embedder: OpenAIEmbedder
) -> None:
    vectors = await embedder.passages(["red", "green", "blue"])

    expected = np.array([vector_of(word, 64) for word in ("red", "green", "blue")]) / 3
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert asked(endpoint, "encoding_format") == ["base64"]
    assert (embedder.name, embedder.size) == ("test-embedder", 64)


async def test_many_texts_go_in_batches_and_those_that_mean_nothing_stay_here(endpoint: OpenAIEmulator, embedder: OpenAIEmbedder) -> None:
    vectors = await embedder.passages(["", *(f"text number {number}" for number in range(BATCH + 1)), "…"])

    assert [len(request.body["input"]) for request in endpoint.embedding_requests] == [BATCH, 1]
    assert [row for row, vector in enumerate(vectors) if not vector.any()] == [0, BATCH + 2]


async def test_dimensions_that_were_asked_for_stand_in_the_name(endpoint: OpenAIEmulator) -> None:
    embedder = OpenAIEmbedder("test-embedder", base_url=endpoint.base_url, dimensions=32, patience=QUICK)

    vectors = await embedder.passages(["tea"])
    await embedder.close()

    assert (embedder.name, embedder.size, vectors.shape) == ("test-embedder@32", 32, (1, 32))
    assert asked(endpoint, "dimensions") == [32]


@pytest.mark.parametrize(
    ("rules", "field", "sent"),
    [
        pytest.param(EmbeddingRules(takes_base64=False), "encoding_format", ["base64", "float", "float"], id="no base64"),
        pytest.param(EmbeddingRules(takes_dimensions=False), "dimensions", [64, None, None], id="no dimensions"),
    ],
)
async def test_what_an_endpoint_does_not_take_is_left_out_from_then_on(
    endpoint: OpenAIEmulator, rules: EmbeddingRules, field: str, sent: Sequence[object]
) -> None:
    endpoint.embedding_rules = rules
    embedder = OpenAIEmbedder("test-embedder", base_url=endpoint.base_url, dimensions=64, patience=QUICK)

    await embedder.passages(["tea"])
    await embedder.passages(["cake"])
    await embedder.close()

    assert asked(endpoint, field) == sent


async def test_texts_longer_than_the_model_reads_are_cut_until_they_fit(endpoint: OpenAIEmulator, embedder: OpenAIEmbedder) -> None:
    endpoint.embedding_rules = EmbeddingRules(most_words=512)

    await embedder.passages(["tea " * 9000, "cake"])
    await embedder.passages(["tea " * 9000])

    words = [len(request.body["input"][0].split()) for request in endpoint.embedding_requests]
    assert words == [8000, 4000, 2000, 1000, 500, 500]


async def test_an_endpoint_that_is_busy_is_asked_again(endpoint: OpenAIEmulator, embedder: OpenAIEmbedder) -> None:
    endpoint.script_embeddings(refusal(429, "slow down", retry_after="0.01"), refusal(503, "overloaded", retry_after="0.01"))

    vectors = await embedder.passages(["tea"])

    assert vectors.any()
    assert len(endpoint.embedding_requests) == 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(refusal(401, f"Incorrect API key provided: {KEY}"), "refuses the key", id="wrong key"),
        pytest.param(refusal(404, "no model"), "has no such model", id="no model"),
        pytest.param(refusal(400, f"bad input: {SECRET_TEXT}"), "failed with status 400", id="refused"),
        pytest.param(refusal(429, "quota", code="insufficient_quota"), "limits how often", id="quota"),
        pytest.param(Plain("<html>", content_type="text/html"), "no list of vectors", id="a web page"),
        pytest.param(Plain("{nope"), "no JSON", id="no JSON"),
        pytest.param(Plain({"error": {"message": SECRET_TEXT}}), "no list of vectors", id="an error as an answer"),
        pytest.param(embeddings([]), "0 vectors for 1 texts", id="too few"),
        pytest.param(embeddings([[1.0, 0.0]] * 2), "2 vectors for 1 texts", id="too many"),
        pytest.param(embeddings([[]]), "different sizes, or empty", id="empty"),
        pytest.param(Plain({"data": [{"embedding": "%%%"}]}), "sent", id="no base64"),
        pytest.param(Plain({"data": [{"embedding": ["a"]}]}), "holds no numbers", id="words for numbers"),
        pytest.param(Plain('{"data": [{"embedding": [NaN, 1.0]}]}'), "hold no numbers", id="not a number"),
        pytest.param(Plain({"data": [{"embedding": [10**400]}]}), "sent", id="too large a number"),
        pytest.param(Silence(), "gave no answer for 0.3 s", id="silence"),
    ],
)
async def test_without_vectors_it_says_why_and_repeats_neither_text_nor_key(
    endpoint: OpenAIEmulator, embedder: OpenAIEmbedder, answer: Scripted, said: str
) -> None:
    endpoint.script_embeddings(answer)

    with pytest.raises(EmbedderUnavailable, match=said) as raised:
        await embedder.queries([SECRET_TEXT])

    assert raised.value.__cause__ is None
    assert not {"swordfish", KEY} & set(str(raised.value).split())
    assert "swordfish" not in str(raised.value)
    assert KEY not in str(raised.value)


async def test_vectors_of_another_size_than_before_are_refused(endpoint: OpenAIEmulator, embedder: OpenAIEmbedder) -> None:
    await embedder.passages(["tea"])
    endpoint.script_embeddings(embeddings([[1.0] * 32]))

    with pytest.raises(EmbedderUnavailable, match="32 numbers in place of 64"):
        await embedder.passages(["tea"])


async def test_after_a_silence_questions_do_without_it_for_a_while_and_passages_do_not(
    endpoint: OpenAIEmulator, embedder: OpenAIEmbedder
) -> None:
    endpoint.script_embeddings(Silence())
    for said in ("gave no answer for", "is left alone for a while"):
        with pytest.raises(EmbedderUnavailable, match=said):
            await embedder.queries(["tea"])

    vectors = await embedder.passages(["tea"])

    assert vectors.any()
    assert len(endpoint.embedding_requests) == 2


async def test_an_endpoint_that_is_not_there_is_told_at_once() -> None:
    embedder = OpenAIEmbedder("test-embedder", base_url="http://127.0.0.1:9/v1", patience=QUICK)

    with pytest.raises(EmbedderUnavailable, match=r"127\.0\.0\.1:9 cannot be reached"):
        await embedder.queries(["tea"])
    await embedder.close()


async def test_the_key_and_the_model_are_sent(endpoint: OpenAIEmulator, embedder: OpenAIEmbedder) -> None:
    endpoint.rules = Rules(api_key=KEY, models=("test-embedder",))

    await embedder.queries(["tea"])

    assert asked(endpoint, "model") == ["test-embedder"]
