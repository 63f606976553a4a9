"""Tool calls as endpoints send them."""

import contextlib
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.model import ToolCallDelta as Piece
from bot.domain.tool import ToolCall
from bot.errors import ToolRetry
from bot.protocol.native import ToolCallAssembler, parse_arguments

A = ToolCall("a", "Note", '{"id": 0}')
B = ToolCall("b", "Look", '{"q": 1}')


def assemble(*pieces: Piece) -> tuple[ToolCall, ...]:
    assembler = ToolCallAssembler()
    for piece in pieces:
        assembler.add(piece)
    return assembler.calls()


@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        pytest.param([Piece(0, "a", "Note", ""), Piece(0, "", "", '{"id":'), Piece(0, "", "", " 0}")], [A], id="usual"),
        pytest.param([Piece(0, "a", "Note", '{"id": 0}')], [A], id="whole"),
        pytest.param([Piece(0, "a", "Note", ""), Piece(0, "a", "Note", '{"id": 0'), Piece(0, "a", "Note", "}")], [A], id="all repeated"),
        pytest.param([Piece(0, "a", "", ""), Piece(0, "", "Note", '{"id": 0}')], [A], id="name later"),
        pytest.param([Piece(0, "", "Note", '{"id"'), Piece(0, "a", "", ": 0}")], [A], id="id later"),
        pytest.param([Piece(None, "a", "Note", '{"id"'), Piece(None, "", "", ": 0}")], [A], id="no index"),
        pytest.param([Piece(0, "a", "Note", '{"id": 0}'), Piece(1, "b", "Look", '{"q": 1}')], [A, B], id="two"),
        pytest.param([Piece(0, "a", "Note", '{"id": 0}'), Piece(0, "b", "Look", '{"q": 1}')], [A, B], id="index reused"),
        pytest.param(
            [Piece(0, "a", "Note", '{"id": 0}'), Piece(0, "b", "Look", ""), Piece(0, "", "", '{"q": 1}')], [A, B], id="reused, pieces"
        ),
        pytest.param([Piece(None, "a", "Note", '{"id": 0}'), Piece(None, "b", "Look", '{"q": 1}')], [A, B], id="two without index"),
        pytest.param([Piece(1, "a", "Note", '{"id": 0}'), Piece(0, "b", "Look", '{"q": 1}')], [A, B], id="order of arrival"),
        pytest.param(
            [Piece(0, "a", "Note", '{"id"'), Piece(1, "b", "Look", '{"q"'), Piece(0, "", "", ": 0}"), Piece(1, "", "", ": 1}")],
            [A, B],
            id="interleaved",
        ),
        pytest.param(
            [Piece(0, "", "Note", "{}"), Piece(0, "", "Note", "{}")], [("call_1", "Note"), ("call_2", "Note")], id="no ids, same name"
        ),
        pytest.param(
            [Piece(None, "", "Note", "{}"), Piece(None, "", "Look", "")], [("call_1", "Note"), ("call_2", "Look")], id="nothing but names"
        ),
        pytest.param([Piece(0, "x", "Note", "{}"), Piece(1, "x", "Note", "{}")], [("x", "Note"), ("call_2", "Note")], id="one id for two"),
        pytest.param(
            [Piece(0, "call_1", "Note", ""), Piece(1, "", "Look", "")], [("call_1", "Note"), ("call_2", "Look")], id="made-up id free"
        ),
        pytest.param([Piece(0, "", "", "{}")], [("call_1", "unnamed")], id="no name"),
        pytest.param([Piece(0, "a", "Note", " ")], [("a", "Note")], id="no arguments"),
        pytest.param([Piece(0, "", "", "")], [], id="nothing at all"),
        pytest.param([], [], id="no pieces"),
    ],
)
def test_calls_come_together_whatever_the_endpoint_makes_of_its_fields(
    pieces: list[Piece], calls: list[ToolCall | tuple[str, str]]
) -> None:
    expected = tuple(call if isinstance(call, ToolCall) else ToolCall(*call, "{}") for call in calls)

    assert assemble(*pieces) == expected


@given(st.lists(st.integers(1, 40), max_size=6), st.booleans(), st.booleans())
def test_cutting_the_arguments_anywhere_changes_nothing(places: list[int], indexed: bool, named: bool) -> None:
    arguments = '{"id": 0, "newContent": "ユーザーは猫が好き \\ud83d\\udc31"}'
    ends = [0, *sorted(place % len(arguments) for place in places), len(arguments)]
    pieces = [
        Piece(0 if indexed else None, "a" if not i else "", "Note" if named or not i else "", arguments[s:e])
        for i, (s, e) in enumerate(pairwise(ends))
    ]

    assert assemble(*pieces) == (ToolCall("a", "Note", arguments),)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param("{}", {}, id="empty"),
        pytest.param('{"id": 0, "newContent": "猫"}', {"id": 0, "newContent": "猫"}, id="object"),
        pytest.param(' \n{"a": [1, null, {"b": true}]} ', {"a": [1, None, {"b": True}]}, id="nested"),
        pytest.param(json.dumps('{"id": 0}'), {"id": 0}, id="object in a string"),
    ],
)
def test_arguments_are_read(text: str, arguments: dict[str, object]) -> None:
    assert parse_arguments(ToolCall("a", "Note", text)) == arguments


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param('"foo"', "one JSON object, not a string", id="string"),
        pytest.param("[1]", "one JSON object, not a list", id="list"),
        pytest.param("null", "one JSON object, not null", id="null"),
        pytest.param("true", "one JSON object, not a truth value", id="boolean"),
        pytest.param("1.5", "one JSON object, not a number", id="number"),
        pytest.param('{"id": 0', "no valid JSON (Expecting ',' delimiter, line 1, column 9)", id="cut"),
        pytest.param('{"id": 0}{"id": 1}', "no valid JSON (Extra data, line 1, column 10)", id="two objects"),
        pytest.param('{"id": NaN}', "no valid JSON.", id="not a number"),
        pytest.param('{"a": "\\ud83d"}', "no valid JSON.", id="half a character"),
        pytest.param("[" * 100_000, "no valid JSON", id="too deep"),
        pytest.param('{"a": ' + "9" * 5000 + "}", "no valid JSON", id="too long a number"),
        pytest.param('"{broken"', "no valid JSON", id="broken object in a string"),
    ],
)
def test_b49_arguments_that_are_no_object_are_told_to_the_model(text: str, reason: str) -> None:
    with pytest.raises(ToolRetry) as caught:
        parse_arguments(ToolCall("a", "Note", text))

    assert f"The arguments of Note {'must be' if 'not ' in reason else 'are'} {reason}" in str(caught.value)
    assert "Call it again." in str(caught.value)


@given(st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_no_text_whatever_breaks_more_than_its_own_call(text: str) -> None:
    with contextlib.suppress(ToolRetry):
        assert isinstance(parse_arguments(ToolCall("a", "Note", text)), dict)


@given(
    st.lists(
        st.builds(
            Piece,
            st.none() | st.integers(0, 2),
            st.sampled_from(["", "a", "b"]),
            st.sampled_from(["", "N", "M"]),
            st.sampled_from(["", "{", "}"]),
        )
    )
)
def test_every_call_has_an_id_of_its_own_a_name_and_arguments(pieces: list[Piece]) -> None:
    calls = assemble(*pieces)

    assert len({call.id for call in calls}) == len(calls)
    assert all(call.id and call.name and call.arguments for call in calls)
    assert "".join(call.arguments for call in calls).count("}") >= sum(piece.arguments == "}" for piece in pieces)


def test_ids_are_made_up_with_the_given_beginning() -> None:
    assembler = ToolCallAssembler(id_prefix="turn7")

    for index in range(2):
        assembler.add(Piece(index, "", "Note", "{}"))

    assert [call.id for call in assembler.calls()] == ["turn7_1", "turn7_2"]
