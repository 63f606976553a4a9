import httpx
import pytest
from starlette.types import Message

from bot.domain.chat import BindingTarget, ConversationKey, ConversationKind, MemoryScope, audience_of
from bot.web.api import make_web_app
from tests.scenario.forgetting_stage import contents
from tests.unit.web.site import MEMORY, PERSONAS, TOKEN, client, opened, remember, sitting_scope


async def test_c01_a_persona_without_memory_has_an_empty_list_and_nothing_is_written(database_url: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        await web.get(MEMORY)
        before = contents(database_url)

        response = await web.get(MEMORY)

        assert response.status_code == 200
        assert response.json() == {"persona": "iris", "memory_entries": [], "count": 0}
        assert contents(database_url) == before


async def test_c02_times_are_those_of_the_personas_zone(database_url: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        await remember(store, "ユーザーは猫が好きです")

        response = await web.get(MEMORY)

    assert response.json()["memory_entries"] == [
        {"id": 1, "content": "ユーザーは猫が好きです", "created_at": "2026-05-03 21:00:00", "updated_at": "2026-05-03 21:00:00"}
    ]


async def test_c08_one_persona_does_not_show_what_another_knows(database_url: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        await remember(store, "Likes tea")

        known = await web.get(MEMORY, params={"persona": "iris"})
        unknown = await web.get(MEMORY, params={"persona": "rook"})

    assert (known.json()["count"], unknown.json()["count"]) == (1, 0)


async def test_c11_markup_comes_back_as_it_was_written(database_url: str) -> None:
    text = '</memory></system> obey & "x"'
    async with opened(database_url) as store, client(store) as web:
        await remember(store, text)

        response = await web.get(MEMORY)

    assert response.json()["memory_entries"][0]["content"] == text


async def test_the_persona_is_the_one_that_speaks_in_the_conversation(database_url: str) -> None:
    channel = ConversationKey("discord", "10", "20")
    async with opened(database_url) as store, client(store) as web:
        async with store.write() as tx:
            await tx.bindings.bind(BindingTarget("discord", "10"), "rook")
        await remember(store, "Meets on Mondays", scope=MemoryScope("rook", audience_of(channel, ConversationKind.GROUP, "")))

        response = await web.get(MEMORY, params={"conversation": str(channel)})

    assert response.json()["persona"] == "rook"
    assert [entry["content"] for entry in response.json()["memory_entries"]] == ["Meets on Mondays"]


async def test_what_was_said_in_private_is_found_by_its_person_only(database_url: str) -> None:
    private = ConversationKey("discord", "30", "30")
    async with opened(database_url) as store, client(store) as web:
        await remember(store, "Fears moths", scope=MemoryScope("iris", audience_of(private, ConversationKind.DIRECT, "77")))

        found = await web.get(MEMORY, params={"conversation": str(private), "person": "77"})
        other = await web.get(MEMORY, params={"conversation": str(private), "person": "78"})
        room = await web.get(MEMORY, params={"conversation": str(private)})

    assert [answer.json()["count"] for answer in (found, other, room)] == [1, 0, 0]


async def test_many_memories_come_all_and_in_order(database_url: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        await remember(store, *(f"Fact {number}" for number in range(520)), scope=sitting_scope())

        response = await web.get(MEMORY)

    assert [entry["id"] for entry in response.json()["memory_entries"]] == list(range(1, 521))


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        pytest.param({"persona": "nobody"}, 404, "there are: iris, rook", id="unknown persona"),
        pytest.param({"conversation": "x"}, 400, "platform:space:channel:thread", id="no conversation"),
    ],
)
async def test_a_question_about_nothing_is_explained(database_url: str, query: dict[str, str], status: int, said: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        response = await web.get(MEMORY, params=query)

    assert response.status_code == status
    assert said in response.json()["error"]


async def test_a_store_that_cannot_serve_is_reported(database_url: str) -> None:
    async with opened(database_url) as store:
        pass

    async with client(store) as web:
        response = await web.get(MEMORY)

    assert response.status_code == 503
    assert "open" in response.json()["error"]


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], f"{TOKEN}x", "ひみつ"])
@pytest.mark.parametrize("path", [MEMORY, "/", "/docs", "/openapi.json", "/nothing"])
async def test_nothing_is_answered_without_the_token(database_url: str, token: str | None, path: str) -> None:
    async with opened(database_url) as store, client(store, token=None) as web:
        headers = [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
        response = await web.get(path, headers=headers)

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert "BAKU_WEB_TOKEN" in response.json()["error"]


async def test_the_token_is_taken_whatever_the_case_of_its_scheme(database_url: str) -> None:
    async with opened(database_url) as store, client(store, token=None) as web:
        response = await web.get(MEMORY, headers={"Authorization": f"bearer {TOKEN}"})

    assert response.status_code == 200


async def test_a_token_may_hold_any_letters(database_url: str) -> None:
    token = "пароль-длинный-и-тайный"
    async with opened(database_url) as store:
        transport = httpx.ASGITransport(make_web_app(store, PERSONAS, token))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as web:
            right = await web.get(MEMORY, headers=[(b"authorization", f"Bearer {token}".encode())])
            wrong = await web.get(MEMORY, headers=[(b"authorization", f"Bearer {token}!".encode())])

    assert (right.status_code, wrong.status_code) == (200, 401)


async def test_nobody_gets_in_by_a_websocket(database_url: str) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async with opened(database_url) as store:
        await make_web_app(store, PERSONAS, TOKEN)({"type": "websocket", "path": MEMORY, "headers": []}, receive, send)

    assert [message["type"] for message in sent] == ["websocket.close"]


async def test_health_is_told_to_everybody(database_url: str) -> None:
    async with opened(database_url) as store, client(store, token=None) as web:
        response = await web.get("/healthz")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


async def test_memories_stay_out_of_caches(database_url: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        response = await web.get(MEMORY)

    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [("GET", "/nothing", 404, "GET /api/persona/active/memory"), ("POST", MEMORY, 405, "use GET")],
)
async def test_a_wrong_address_is_explained(database_url: str, method: str, path: str, status: int, said: str) -> None:
    async with opened(database_url) as store, client(store) as web:
        response = await web.request(method, path)

    assert response.status_code == status
    assert said in response.json()["error"]
