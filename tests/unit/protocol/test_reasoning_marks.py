"""Marks that are no tags."""

import pytest

from bot.protocol.reasoning_marks import Closed, MarkResult, Opened, read_mark
from bot.protocol.scanner import Removed, Verdict
from bot.protocol.written_calls import WrittenCall


def read(text: str, *, in_channels: bool = False, final: bool = True) -> MarkResult:
    return read_mark(text, 0, in_channels=in_channels, final=final)


def test_marks_open_close_or_say_nothing() -> None:
    assert isinstance(read("[THINK]Hm"), Opened)
    assert read("[/THINK]Tea") == Closed(8)
    assert read("<|START_RESPONSE|>") == Removed(18)
    assert read("[link](x)") is Verdict.SHOW


@pytest.mark.parametrize("text", ["[TH", "<", "◁", "<|start|>ass", "<|channel|>ana", "<|channel|>commentary to=x<|message|>{"])
def test_what_more_text_could_make_a_mark_waits(text: str) -> None:
    assert read(text, final=False) is Verdict.WAIT


def test_a_channel_for_a_tool_is_a_call() -> None:
    text = '<|channel|>commentary to=functions.Note <|constrain|>json<|message|>{"x": 1}<|call|>'

    assert read(text) == Removed(len(text), (WrittenCall("Note", '{"x": 1}'),))


def test_ends_of_channels_are_text_where_there_are_none() -> None:
    assert read("<|end|>") is Verdict.SHOW
    assert read("<|end|>", in_channels=True) == Removed(7)


def test_a_channel_without_a_message_is_only_its_mark() -> None:
    assert read("<|channel|>" + "x" * 300) == Removed(11)
    assert read("<|channel|>ana") == Removed(14)
