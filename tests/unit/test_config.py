import os
from pathlib import Path

import pytest

from bot.config.core import LogLevel
from bot.config.loading import load_settings, settings_warnings
from bot.config.settings import Settings
from bot.config.user import user_language, user_name
from bot.errors import ConfigError

EXAMPLES = {
    str(field.validation_alias): str(field.examples[0])
    for field in Settings.model_fields.values()
    if field.validation_alias and field.examples
}
SECRET = "hush-hush-5up3r-secret"


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("BAKU_", "OPENAI_", "DISCORD_", "TELEGRAM_")):
            monkeypatch.delenv(name)


def test_nothing_need_be_set() -> None:
    settings = load_settings()

    assert settings.db == "data/baku.db"
    assert settings.burst_seconds == 1.5
    assert settings.openai_api_key is None


def test_every_setting_is_described_and_its_example_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, example in EXAMPLES.items():
        monkeypatch.setenv(name, example)

    settings = load_settings()

    assert all(field.description for field in Settings.model_fields.values())
    assert len(EXAMPLES) == len(Settings.model_fields) - 1
    assert settings.model_fields_set == set(Settings.model_fields)


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("BAKU_DB=file.db\nBAKU_MODEL=file-model\nBAKU_SPACY_MODEL=file-spacy\n")
    monkeypatch.setenv("BAKU_DB", "env.db")
    monkeypatch.setenv("BAKU_MODEL", "env-model")

    settings = load_settings(db="asked.db")

    assert (settings.db, settings.model, settings.spacy_model) == ("asked.db", "env-model", "file-spacy")


def test_an_empty_value_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("OPENAI_API_KEY=\n")
    monkeypatch.setenv("BAKU_WEB_PORT", "")

    settings = load_settings()

    assert settings.openai_api_key is None
    assert settings.web_port == 8765


def test_values_are_read_the_way_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_FALLBACK_MODELS", "one, two ,")
    monkeypatch.setenv("BAKU_LOG_LEVEL", "INFO")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:11434/v1/ ")
    monkeypatch.setenv("TELEGRAM_TOKEN", "12:ab ")

    settings = load_settings()

    assert settings.fallback_models == ("one", "two")
    assert settings.log_level is LogLevel.INFO
    assert settings.openai_base_url == "http://localhost:11434/v1"
    assert settings.telegram_token is not None
    assert settings.telegram_token.get_secret_value() == "12:ab"


def test_settings_of_plugins_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("BAKU_PLUGIN_DICE_SIDES=6\n")
    monkeypatch.setenv("BAKU_PLUGIN_WEATHER_API_KEY", SECRET)

    settings = load_settings()

    assert settings.plugin_settings == {"dice_sides": "6", "weather_api_key": SECRET}
    assert SECRET not in repr(settings)
    assert SECRET in settings.secrets()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        pytest.param("BAKU_BURST_SECONDS", "soon", "it must be a valid number", id="no number"),
        pytest.param("BAKU_BURST_SECONDS", "-1", "greater than or equal to 0", id="negative"),
        pytest.param("BAKU_WEB_PORT", "70000", "less than or equal to 65535", id="no port"),
        pytest.param("BAKU_LOG_LEVEL", "loud", "debug, info, warning or error", id="no level"),
        pytest.param("OPENAI_BASE_URL", "localhost:11434", "http://", id="no address"),
        pytest.param("OPENAI_BASE_URL", "http://[1", "Invalid IPv6", id="broken address"),
        pytest.param("DISCORD_GATEWAY_URL", "http://127.0.0.1", "ws://", id="no socket address"),
        pytest.param("OPENAI_BASE_URL", "http://host:99999/v1", "no number up to 65535", id="port that no machine has"),
        pytest.param("BAKU_DB", "~nobody-here/baku.db", "nobody's home", id="home of nobody"),
        pytest.param("BAKU_DB", "what?.db", "question mark", id="file that would be another"),
    ],
)
def test_a_wrong_value_is_one_line_with_its_remedy(monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError) as caught:
        load_settings()

    message = str(caught.value)
    assert message.startswith(f"{name} is '{value}': ")
    assert problem in message
    assert message.endswith(f"Write it like {name}={EXAMPLES[name]}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("value", "like"),
    [
        pytest.param("postgresql://host:port/baku", "postgresql://user:password@host/name", id="address"),
        pytest.param("what?.db", "data/baku.db", id="file"),
    ],
)
def test_the_example_is_of_the_kind_that_was_meant_and_written_where_it_was(monkeypatch: pytest.MonkeyPatch, value: str, like: str) -> None:
    with pytest.raises(ConfigError, match=f"^--db is .* Write it like --db {like}$"):
        load_settings(db=value)
    monkeypatch.setenv("BAKU_DB", value)
    with pytest.raises(ConfigError, match=f"^BAKU_DB is .* Write it like BAKU_DB={like}$"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("DISCORD_TOKEN", f"{SECRET} {SECRET}", id="blank inside"),
        pytest.param("TELEGRAM_TOKEN", SECRET, id="no number"),
        pytest.param("TELEGRAM_WEBHOOK_SECRET", f"{SECRET}!", id="wrong character"),
        pytest.param("BAKU_WEB_TOKEN", SECRET[:15], id="too short"),
        pytest.param("OPENAI_BASE_URL", f"htp://me:{SECRET}@host", id="password in an address"),
        pytest.param("BAKU_DB", f"postgresql://me:{SECRET}/x@host/baku", id="password that breaks an address"),
        pytest.param("BAKU_DB", f"postgresql://host:port/baku?password={SECRET}", id="password among the options"),
        pytest.param("BAKU_DB", f"postgresql://me:pass@{SECRET}@host/baku", id="password with an @"),
        pytest.param("BAKU_DB", f"postgresql://me:pass@word/{SECRET}@host/baku", id="password with an @ and a slash"),
        pytest.param("OPENAI_BASE_URL", f"http://me:pass@{SECRET}@host/v1", id="password with an @ in a web address"),
    ],
)
def test_a_mistake_never_shows_a_secret(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError) as caught:
        load_settings()

    assert str(caught.value).startswith(f"{name}: ")
    assert SECRET[:15] not in str(caught.value)
    assert "me:" not in str(caught.value)


def test_two_mistakes_are_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_WEB_PORT", "web")
    monkeypatch.setenv("BAKU_BURST_SECONDS", "soon")

    with pytest.raises(ConfigError) as caught:
        load_settings()

    assert [line.split()[0] for line in str(caught.value).splitlines()] == ["BAKU_BURST_SECONDS", "BAKU_WEB_PORT"]


def test_a_webhook_without_its_secret_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_WEBHOOK_URL", "https://bot.example.org")

    with pytest.raises(ConfigError, match="TELEGRAM_WEBHOOK_SECRET"):
        load_settings()


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_line_of_the_file_that_would_be_passed_over_is_named_once(quote: str, caplog: pytest.LogCaptureFixture) -> None:
    Path(".env").write_text(f"# tokens\nDISCORD_TOKEN={quote}{SECRET}\nBAKU_MODEL=x\n")

    with pytest.raises(ConfigError, match=r"^\.env:2: this line cannot be read; is a quote not closed\?$"):
        load_settings()

    assert not caplog.records


def test_a_file_of_another_encoding_is_explained() -> None:
    Path(".env").write_bytes(b"BAKU_MODEL=\xff\xfe\n")

    with pytest.raises(ConfigError, match="UTF-8"):
        load_settings()


def test_secrets_hold_the_passwords_of_addresses() -> None:
    settings = Settings(db="postgresql://baku:pa%5Bssword@db/baku", openai_base_url="http://me:sesame1@host/v1")

    assert set(settings.secrets()) == {"pa%5Bssword", "pa[ssword", "sesame1"}


@pytest.mark.parametrize(
    ("set_to", "endpoint"),
    [
        pytest.param({}, (None, ""), id="nothing"),
        pytest.param({"openai_api_key": "sk-chat"}, (None, "sk-chat"), id="the model's key"),
        pytest.param({"openai_api_key": "sk-chat", "openai_base_url": "http://chat/v1"}, ("http://chat/v1", "sk-chat"), id="the model's"),
        pytest.param({"openai_api_key": "sk-chat", "embedding_base_url": "http://near/v1"}, ("http://near/v1", ""), id="another place"),
        pytest.param({"embedding_api_key": "sk-own", "embedding_base_url": "http://near/v1"}, ("http://near/v1", "sk-own"), id="its own"),
        pytest.param({"openai_api_key": "sk-chat", "embedding_api_key": "sk-own"}, (None, "sk-own"), id="another key"),
    ],
)
def test_the_key_of_the_model_goes_to_no_other_place(set_to: dict[str, str], endpoint: tuple[str | None, str]) -> None:
    assert Settings.model_validate(set_to).embedding_endpoint == endpoint


def test_secrets_hold_the_passwords_among_the_options_of_an_address() -> None:
    settings = Settings(db="postgresql://db/baku?sslpassword=sesame2&password=sesame3&x=y")

    assert set(settings.secrets()) == {"sesame2", "sesame3"}


@pytest.mark.parametrize(
    ("db", "url"),
    [
        pytest.param("data/baku.db", "sqlite:///data/baku.db", id="here"),
        pytest.param("/var/lib/baku.db", "sqlite:////var/lib/baku.db", id="from the root"),
        pytest.param("~/baku.db", f"sqlite:///{Path.home()}/baku.db", id="at home"),
        pytest.param("postgresql://db/baku", "postgresql://db/baku", id="a server"),
    ],
)
def test_a_database_is_a_path_or_an_address(db: str, url: str) -> None:
    assert Settings(db=db).db_url == url


def test_an_open_env_file_gives_a_warning() -> None:
    Path(".env").write_text("BAKU_MODEL=x\n")
    Path(".env").chmod(0o644)

    open_to_others = settings_warnings()
    Path(".env").chmod(0o600)
    closed = settings_warnings()

    assert ["chmod 600 .env" in warning for warning in open_to_others] == [True]
    assert not closed


def test_a_misspelt_name_gives_a_warning_with_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_MODLE", "x")

    assert settings_warnings() == ["BAKU_MODLE is no setting and does nothing; did you mean BAKU_MODEL?"]


def test_everybody_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")

    assert user_name() == "ada"


@pytest.mark.parametrize(
    ("locale", "language"), [("ja_JP.UTF-8", "ja"), ("de", "de"), ("C.UTF-8", "en"), ("POSIX", "en"), ("", "en"), ("fil_PH", "fil")]
)
def test_the_language_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch, locale: str, language: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", locale)

    assert user_language() == language


def test_a_secret_may_stand_in_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(f"12:{SECRET}\n")
    path.chmod(0o600)
    monkeypatch.setenv("TELEGRAM_TOKEN_FILE", str(path))
    Path(".env").write_text("BAKU_DB_FILE=db\n")
    Path(".env").chmod(0o600)
    Path("db").write_text(f"postgresql://me:{SECRET}@db/baku\n")
    Path("db").chmod(0o600)

    settings = load_settings()

    assert settings.telegram_token is not None
    assert settings.telegram_token.get_secret_value() == f"12:{SECRET}"
    assert settings.db_url == f"postgresql://me:{SECRET}@db/baku"
    assert set(settings.secrets()) == {f"12:{SECRET}", SECRET}
    assert load_settings(db="asked.db").db == "asked.db"
    assert not settings_warnings()


def test_a_file_of_a_secret_that_others_can_read_gives_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("token").write_text(SECRET)
    Path("token").chmod(0o644)
    monkeypatch.setenv("BAKU_WEB_TOKEN_FILE", "token")

    assert ["BAKU_WEB_TOKEN_FILE" in warning for warning in settings_warnings()] == [True]


def test_a_file_of_a_secret_that_is_not_there_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY_FILE", SECRET)

    with pytest.raises(ConfigError) as caught:
        load_settings()

    assert str(caught.value) == "OPENAI_API_KEY_FILE: the file cannot be read (No such file or directory). Give its path."


def test_a_mistake_in_a_file_of_a_secret_never_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("token").write_text(SECRET)
    Path("token").chmod(0o600)
    monkeypatch.setenv("TELEGRAM_TOKEN_FILE", "token")

    with pytest.raises(ConfigError) as caught:
        load_settings()

    assert "TELEGRAM_TOKEN" in str(caught.value) or "telegram_token" in str(caught.value)
    assert SECRET not in str(caught.value)
