import pytest

from bot.domain.secretfile import SecretFiles, read_secret_files

KEYS = {"DISCORD_TOKEN": "discord_token", "BAKU_DB": "db"}
TIGHT, READABLE, WRITABLE = 0o100600, 0o100644, 0o100666
SECRET = "hush-hush"


def read(values: dict[str, str], text: str = SECRET, mode: int = TIGHT) -> SecretFiles:
    return read_secret_files(values, KEYS, lambda _: (text, mode))


def test_a_file_gives_the_value_of_its_setting_without_line_ends() -> None:
    assert read({"DISCORD_TOKEN_FILE": "/run/secrets/discord"}, f"{SECRET}\r\n") == SecretFiles({"discord_token": SECRET}, [], [])


def test_without_a_file_nothing_is_looked_at() -> None:
    assert read({"DISCORD_TOKEN": SECRET, "BAKU_MODEL_FILE": "x", "BAKU_DB_FILE": ""}) == SecretFiles({}, [], [])


@pytest.mark.parametrize("mode", [0o100644, 0o100640, 0o100604])
def test_a_file_that_others_can_read_is_pointed_out(mode: int) -> None:
    files = read({"DISCORD_TOKEN_FILE": "f"}, mode=mode)

    assert (files.values, files.mistakes) == ({"discord_token": SECRET}, [])
    assert ["chmod 600" in warning for warning in files.warnings] == [True]


@pytest.mark.parametrize(
    ("values", "text", "mode", "said"),
    [
        pytest.param({"DISCORD_TOKEN": "other"}, SECRET, TIGHT, "DISCORD_TOKEN is set, too", id="both"),
        pytest.param({}, SECRET, WRITABLE, "everybody on this machine can write", id="writable"),
        pytest.param({}, "\n", TIGHT, "the value and nothing else", id="empty"),
        pytest.param({}, f"{SECRET}\n{SECRET}", TIGHT, "on one line", id="more than one line"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused_without_its_value(values: dict[str, str], text: str, mode: int, said: str) -> None:
    files = read({**values, "DISCORD_TOKEN_FILE": "f"}, text, mode)

    assert files.values == {}
    (mistake,) = files.mistakes
    assert mistake.startswith("DISCORD_TOKEN_FILE: ")
    assert said in mistake
    assert SECRET not in mistake


def test_a_token_in_the_place_of_a_path_is_not_shown() -> None:
    def look(path: str) -> tuple[str, int]:
        raise FileNotFoundError(2, "No such file or directory", path)

    files = read_secret_files({"DISCORD_TOKEN_FILE": SECRET}, KEYS, look)

    assert files.mistakes == ["DISCORD_TOKEN_FILE: the file cannot be read (No such file or directory). Give its path."]


def test_bytes_that_are_no_text_are_a_mistake_and_not_shown() -> None:
    def look(path: str) -> tuple[str, int]:
        return b"\xff\xfe\xff".decode(), TIGHT

    (mistake,) = read_secret_files({"DISCORD_TOKEN_FILE": "f"}, KEYS, look).mistakes

    assert mistake.startswith("DISCORD_TOKEN_FILE: ")
    assert "one line" in mistake
