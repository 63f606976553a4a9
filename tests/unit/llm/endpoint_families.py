"""Families of endpoints and what is odd about them: one row each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.testing.model_contract import NOTE
from tests.emulators.openai.answers import Call, Ending, Plain, Say, Scripted, Stream, frame, frames_of, refusal, tool_piece, usage_frame

ARGUMENTS = '{"id": 0}'
NOTED = ((NOTE.name, ARGUMENTS),)
COUNTED = {"prompt_tokens": 90, "completion_tokens": 5, "total_tokens": 95}
STOPS = frame(finish="stop")


def call(index: int | None = 0, *, id: str = "a", name: str = NOTE.name, arguments: Any = ARGUMENTS) -> dict[str, Any]:  # noqa: A002 (the wire's name)
    """Return a delta with a whole call whose arguments may be of any kind."""
    piece = tool_piece(index, id=id, name=name)
    piece["tool_calls"][0]["function"]["arguments"] = arguments
    return piece


@dataclass(frozen=True)
class Row:
    """What an endpoint answers, and what is to come of it. In `next_body`, None stands for what is not sent."""

    answers: tuple[Scripted, ...]
    text: str = "Hello."
    calls: tuple[tuple[str, str], ...] = ()
    usage: tuple[int, int, int] | None = (90, 5, 0)
    roles: str = "system assistant system user"
    next_body: Mapping[str, Any] = field(default_factory=dict)
    sees: bool = True
    model: str = "some-model"


ROWS = {
    "OpenAI chat": Row(
        (
            Stream(
                (
                    frame({"role": "assistant", "content": "", "refusal": None}),
                    frame({"content": "Hello."}, usage=None),
                    frame(tool_piece(0, id="a", name=NOTE.name)),
                    frame(tool_piece(1, id="b", name=NOTE.name)),
                    frame(tool_piece(0, arguments=ARGUMENTS)),
                    frame(tool_piece(1, arguments=ARGUMENTS)),
                    frame(finish="tool_calls"),
                    usage_frame(COUNTED | {"prompt_tokens_details": {"cached_tokens": 64}}),
                )
            ),
        ),
        calls=NOTED * 2,
        usage=(90, 5, 64),
        next_body={"max_tokens": 500, "temperature": 0.7, "max_completion_tokens": None, "stream_options": {"include_usage": True}},
        model="gpt-4o",
    ),
    "OpenAI o-series": Row(
        (
            refusal(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                param="max_tokens",
                code="unsupported_parameter",
            ),
            refusal(
                400,
                "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
                param="temperature",
                code="unsupported_value",
            ),
            refusal(400, "Unsupported value: 'messages[0].role' does not support 'system' with this model.", param="messages[0].role"),
            Stream((*frames_of(Say("Hello."), with_usage=False), usage_frame(COUNTED))),
        ),
        next_body={"max_tokens": None, "max_completion_tokens": 500, "temperature": None},
        roles="user assistant user",
        model="o1",
    ),
    "Azure": Row(
        (
            refusal(400, "Unrecognized request argument supplied: stream_options"),
            Stream(
                (
                    frame(choices=[], model="", prompt_filter_results=[{"prompt_index": 0, "content_filter_results": {}}]),
                    frame({"content": "Hello."}, content_filter_results={"hate": {"filtered": False}}),
                    frame(choices=[{"index": 0, "finish_reason": None, "content_filter_offsets": {"check_offset": 9}}]),
                    STOPS,
                )
            ),
        ),
        usage=None,
        next_body={"stream_options": None},
    ),
    "OpenRouter": Row(
        (
            refusal(404, "No endpoints found that support image input"),
            Stream(
                (
                    ": OPENROUTER PROCESSING",
                    frame({"content": "", "reasoning": "Hm", "reasoning_details": [{"type": "reasoning.text", "text": "Hm"}]}),
                    frame({"content": "Hello.", "reasoning": None}),
                    frame(
                        choices=[
                            {
                                "index": 0,
                                "delta": {"content": ""},
                                "finish_reason": "stop",
                                "native_finish_reason": "end_turn",
                                "error": None,
                            }
                        ]
                    ),
                    frame({"role": "assistant", "content": ""}, usage=COUNTED | {"cost": 0.01}),
                )
            ),
        ),
        sees=False,
    ),
    "DeepSeek": Row(
        (
            refusal(422, "Failed to deserialize the JSON body: messages[3]: unknown variant `image_url`, expected `text`"),
            Stream(
                (
                    ": keep-alive",
                    frame({"content": None, "reasoning_content": "She is here."}),
                    frame({"content": "Hello.", "reasoning_content": None}),
                    frame({"content": ""}, finish="stop", usage=COUNTED | {"prompt_cache_hit_tokens": 64}),
                )
            ),
        ),
        usage=(90, 5, 64),
        sees=False,
        model="some-seeker",
    ),
    "Mistral": Row(
        (
            Plain(
                {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, 422
            ),
            refusal(400, "Conversation roles must alternate user/assistant, with an optional system message first"),
            Stream(
                (
                    frame({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]}),
                    frame({"content": [{"type": "text", "text": "[THINK]Hm[/THINK]Hello."}]}),
                    frame(call(None, id="D681PevKs"), finish="tool_calls", usage=COUNTED),
                )
            ),
        ),
        calls=NOTED,
        roles="system user assistant user",
        next_body={"stream_options": None},
    ),
    "Groq": Row(
        (
            refusal(400, "'messages.3' : for 'role:user' the following must be satisfied[('messages.3.content' : value must be a string)]"),
            refusal(400, "`max_tokens` must be less than or equal to `256`, the maximum value for `max_tokens` is less than the window"),
            Stream((frame({"reasoning": "Hm"}), frame({"content": "Hello."}), frame(finish="stop", x_groq={"id": "x", "usage": COUNTED}))),
        ),
        next_body={"max_tokens": 256},
        sees=False,
    ),
    "Together": Row(
        (
            Stream(
                (
                    frame(choices=[{"index": 0, "text": "Hello.", "delta": {"token_id": 9, "content": "Hello."}, "finish_reason": None}]),
                    frame(
                        choices=[
                            {
                                "index": 0,
                                "text": "",
                                "delta": {},
                                "message": {"content": "Hello."},
                                "finish_reason": "eos",
                                "logprobs": None,
                            }
                        ],
                        usage=COUNTED,
                    ),
                )
            ),
        ),
    ),
    "vLLM": Row(
        (
            refusal(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
            refusal(400, "At most 0 image(s) may be provided in one request. some-model is not a multimodal model"),
            Stream(
                (
                    frame({"role": "assistant", "content": ""}),
                    frame({"reasoning_content": "Hm"}),
                    frame({"content": f'Hello.<tool_call>\n{{"name": "{NOTE.name}", "arguments": {ARGUMENTS}}}\n</tool_call>'}),
                    frame(finish="stop", stop_reason=None),
                    usage_frame(COUNTED),
                )
            ),
        ),
        calls=NOTED,
        next_body={"tools": None},
        sees=False,
    ),
    "llama.cpp server": Row(
        (
            Plain({"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}, 500),
            Plain({"error": {"code": 500, "message": "image input is not supported - hint: you may need to provide the mmproj"}}, 500),
            Stream(
                (
                    frame({"role": "assistant", "content": None}),
                    frame({"content": "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Hel"}),
                    frame({"content": "lo."}),
                    frame(finish="stop", timings={"prompt_n": 9}),
                    usage_frame(COUNTED),
                )
            ),
        ),
        next_body={"tools": None},
        sees=False,
    ),
    "Ollama": Row(
        (
            refusal(400, "this model is missing data required for image input: vision is not supported"),
            Stream(
                (
                    frame({"role": "assistant", "content": "", "reasoning": "Hm"}),
                    frame({"content": "Hello."}),
                    frame(call(0, arguments={"id": 0})),
                    frame(call(0, id="b", arguments={"id": 0})),
                    frame({"role": "assistant", "content": ""}, finish="stop"),
                    usage_frame(COUNTED),
                )
            ),
        ),
        calls=NOTED * 2,
        sees=False,
    ),
    "LM Studio": Row(
        (
            Stream(
                (
                    frame({"content": "Hm</think>Hello."}),
                    frame({"content": f"[TOOL_CALLS]{NOTE.name}[ARGS]{ARGUMENTS}"}),
                    frame(finish="stop", system_fingerprint="x"),
                )
            ),
        ),
        calls=NOTED,
        usage=None,
    ),
    "Gemini, compatible": Row(
        (
            Plain(
                '[{"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma-3", "status": "INVALID"}}]', 400
            ),
            Stream(
                (
                    frame({"content": "<thought>Hm</thought>Hello.", "role": "assistant"}),
                    frame(call(None, id="", arguments=ARGUMENTS), finish="stop", usage=COUNTED),
                ),
                Ending.CLOSED,
            ),
        ),
        calls=NOTED,
        roles="user assistant user",
    ),
    "xAI": Row(
        (
            Stream(
                (
                    frame({"role": "assistant", "reasoning_content": "Hm"}, usage=COUNTED | {"completion_tokens": 1}),
                    frame({"role": "assistant", "content": "Hello."}, usage=COUNTED | {"completion_tokens": 3}),
                    frame(call(0), usage=COUNTED),
                    usage_frame(COUNTED | {"completion_tokens_details": {"reasoning_tokens": 64}}),
                )
            ),
        ),
        calls=NOTED,
    ),
    "Anthropic, compatible": Row(
        (Stream((frame({"content": "Hello."}), frame(call(0, id="toolu_1", arguments=""), finish="tool_use"), usage_frame(COUNTED))),),
        calls=((NOTE.name, "{}"),),
    ),
    "old": Row(
        (
            Stream(
                (
                    frame({"function_call": {"name": NOTE.name, "arguments": '{"id"'}}),
                    frame({"function_call": {"arguments": ": 0}"}}),
                    STOPS,
                )
            ),
        ),
        text="",
        calls=NOTED,
        usage=None,
    ),
    "no stream": Row((Plain(Say("Hello.", calls=(Call(NOTE.name, ARGUMENTS),)).body() | {"usage": COUNTED}),), calls=NOTED),
}
