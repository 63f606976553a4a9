"""What must never be remembered: keys, accounts, passwords."""

import pytest

from bot.memory.gate.judge import holds_secret, judged
from bot.memory.gate.verdict import Concern, Ruling


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("sk-" + "a1B2" * 8, id="model key"),
        pytest.param("ghp_" + "a1B2" * 9, id="code host"),
        pytest.param("AKIA" + "ABCD1234" * 2, id="cloud"),
        pytest.param("-----BEGIN RSA PRIVATE KEY-----", id="private key"),
        pytest.param("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc", id="web token"),
        pytest.param("123456789:" + "AbCdE" * 7, id="Telegram bot"),
        pytest.param("postgres://ada:hunter2@db.example/x", id="address with a password"),
        pytest.param("my API key is 9f8e7d6c5b4a3f2e", id="called a key"),
        pytest.param("my card is 4111 1111 1111 1111", id="card"),
        pytest.param("Karte 5555-5555-5555-4444", id="card with hyphens"),
        pytest.param("４１１１１１１１１１１１１１１１", id="wide figures"),
        pytest.param("DE89 3704 0044 0532 0130 00", id="bank account"),
        pytest.param("my password is hunter2", id="password"),
        pytest.param("Password: swordfish", id="password in words"),
        pytest.param("my PIN is 4471", id="PIN"),
        pytest.param("PIN 4471", id="PIN without a verb"),
        pytest.param("my pw: hunter2!x", id="short for password"),
        pytest.param("p a s s w o r d is hunter2!x", id="password in single letters"),
        pytest.param("pass word: hunter2!x", id="password in two words"),
        pytest.param("The wifi key is Tr0ub4dor&3", id="network"),
        pytest.param("Пароль: hunter2!x", id="Russian"),
        pytest.param("Mein Passwort lautet geheim1", id="German"),
        pytest.param("mi contraseña es perro77", id="Spanish"),
        pytest.param("mon mot de passe est chat77", id="French"),
        pytest.param("パスワードはneko1234です", id="Japanese"),
        pytest.param("我的密码是 mao12345", id="Chinese"),
        pytest.param("witch collapse practice feed shame open despair creek road again ice least", id="wallet"),
    ],
)
def test_a_secret_is_refused(text: str) -> None:
    assert judged(text).concern is Concern.SECRET


@pytest.mark.parametrize(
    "text",
    [
        "My phone number is +49 30 1234567890",
        "My order number is 8839 2210 4475 1234",
        "the locker code is 4471",
        "My password is too long",
        "I have PIN 2024 of the olympics",
        "My wifi code is broken",
        "I forgot my password again",
        "The key to happiness is tea",
        "I was born on 1984-07-07 at 10:30",
        "word " * 30,
        "I like reading, hiking, swimming, cooking, painting, singing, dancing, sewing, fishing, skiing, chess, poker",
    ],
)
def test_what_only_looks_like_a_secret_passes(text: str) -> None:
    assert not holds_secret(text)
    assert judged(text.strip()).ruling is Ruling.ACCEPT
