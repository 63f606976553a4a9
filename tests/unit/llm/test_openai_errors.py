"""What the operator reads when an endpoint gives no answer."""

import pytest
from httpx2 import Request, Response
from openai import APIStatusError

from bot.errors import AnswerFiltered, ContextOverflow, ModelRefused, ModelTrouble, ModelUnavailable
from bot.llm.openai_errors import Whom, complaint_of, explain, failed_inside

KEY = "abcdef-secret"
WHOM = Whom("http://user:pw@localhost:11434/v1/", "llama3", KEY)


def error(status: int, body: object) -> APIStatusError:
    return APIStatusError("failed", response=Response(status, request=Request("POST", "http://localhost")), body=body)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        pytest.param({"message": "No", "code": "x", "param": None}, "No x", id="openai"),
        pytest.param({"error": "No"}, "No", id="ollama"),
        pytest.param({"detail": "No"}, "No", id="fastapi"),
        pytest.param({"detail": [{"loc": ["body", "tools", 0], "msg": "No", "input": "secret"}]}, "No body.tools.0", id="validation"),
        pytest.param({"error": {"message": "No"}}, "No", id="nested"),
        pytest.param("<html>secret</html>", "", id="page"),
        pytest.param(None, "", id="nothing"),
        pytest.param([{"error": {"message": "No"}}], "No", id="list"),
    ],
)
def test_only_messages_are_repeated(body: object, complaint: str) -> None:
    assert complaint_of(error(400, body)) == complaint


def test_text_is_short_without_keys_and_in_one_line() -> None:
    told = str(explain(error(400, {"message": f"bad\nkey {KEY} or sk-abc*****xyz " + "long " * 100}), WHOM))

    assert told.startswith("The endpoint at localhost:11434 refuses the request to the model llama3 (400). It says: bad key [key] or [key]")
    assert told.endswith("…")
    assert len(told) < 320


def test_what_a_validation_error_repeats_of_the_prompt_is_cut() -> None:
    told = str(explain(error(400, {"message": "[{'type': 'x', 'msg': 'No', 'input': 'secret'}]"}), WHOM))

    assert "'msg': 'No'" in told
    assert "secret" not in told


def test_missing_model_and_wrong_address_are_told_apart() -> None:
    model = explain(error(404, {"message": "model 'llama3' not found"}), WHOM)
    address = explain(error(404, "404 page not found"), WHOM)

    assert isinstance(model, ModelRefused)
    assert "no model llama3 at localhost:11434" in str(model)
    assert "no chat API at localhost:11434/v1 (model llama3)" in str(address)


@pytest.mark.parametrize(
    ("status", "message", "trouble", "setting"),
    [
        (401, "No", ModelTrouble.KEY, "OPENAI_API_KEY"),
        (402, "No", ModelTrouble.CREDIT, "OPENAI_BASE_URL"),
        (403, "No", ModelTrouble.RIGHTS, "BAKU_MODEL"),
        (404, "no such model", ModelTrouble.MISSING, "BAKU_MODEL"),
        (404, "page not found", ModelTrouble.MISSING, "OPENAI_BASE_URL"),
        (429, "Slow down", ModelTrouble.BUSY, "BAKU_FALLBACK_MODELS"),
        (429, "Insufficient balance", ModelTrouble.CREDIT, "OPENAI_BASE_URL"),
        (500, "No", ModelTrouble.OUT, "BAKU_FALLBACK_MODELS"),
        (504, "No", ModelTrouble.SLOW, "BAKU_FALLBACK_MODELS"),
        (400, "prompt is too long: 9 tokens > 8 maximum", ModelTrouble.REQUEST, "BAKU_CONTEXT_TOKENS"),
    ],
)
def test_operator_reads_which_setting_to_change(status: int, message: str, trouble: ModelTrouble, setting: str) -> None:
    told = explain(error(status, {"message": message}), WHOM)

    assert told.trouble is trouble
    assert setting in str(told)


@pytest.mark.parametrize(
    ("header", "seconds"), [({"Retry-After": "7"}, 7.0), ({"Retry-After-Ms": "500"}, 0.5), ({"Retry-After": "soon"}, 0.0)]
)
def test_pause_that_an_endpoint_asks_for_is_kept_in_mind(header: dict[str, str], seconds: float) -> None:
    response = Response(429, request=Request("POST", "http://localhost"), headers=header)

    told = explain(APIStatusError("failed", response=response, body={"message": "No"}), WHOM)

    assert isinstance(told, ModelUnavailable)
    assert told.retry_after == seconds


def test_filters_and_long_prompts_are_told_from_failures() -> None:
    assert isinstance(explain(error(400, {"message": "No", "code": "content_filter"}), WHOM), AnswerFiltered)
    assert isinstance(failed_inside("n_keep (9) >= n_ctx (8)", WHOM), ContextOverflow)


def test_the_key_is_not_in_the_values_own_words() -> None:
    assert KEY not in repr(WHOM)
    assert Whom("nonsense", "m").place == "nonsense"
