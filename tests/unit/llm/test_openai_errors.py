"""What the operator reads when an endpoint gives no answer."""

import pytest
from httpx2 import Request, Response
from openai import APIStatusError

from bot.errors import ModelRefused
from bot.llm.openai_errors import Whom, complaint_of, explain

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


def test_the_key_is_not_in_the_values_own_words() -> None:
    assert KEY not in repr(WHOM)
    assert Whom("nonsense", "m").place == "nonsense"
