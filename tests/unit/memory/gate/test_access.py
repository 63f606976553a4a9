import pytest

from bot.memory.gate.access import opens_account
from bot.memory.gate.reading import read


@pytest.mark.parametrize(
    "text",
    [
        "sign in with ada and Gr33n!door",
        "my credentials are ada:winter2031",
        "login ada, secret Moss!",
        "the code of my debit card is 8120",
        "Mein Zugang: ada / Regen77tag",
        "Die Geheimzahl lautet 8120",
        "アカウントはada、パスはAme77furu",
        "銀行のカードの暗証番号8120",
        "账号 ada，密码 Yu77tian",
    ],
)
def test_what_opens_an_account_is_a_secret_under_any_name(text: str) -> None:
    assert opens_account(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "My locker is number 12",
        "I log into work at nine and leave at half past five",
        "My user name is ada and my brother's is bob",
        "My account was opened in March, 2024, at example.com/ada",
        "My card was declined in 2019",
        "The postal code of my bank is 44710",
        "I paid 4471 euros by card",
        "Meine Karte kostet 44 Euro",
        "ロッカーの番号は12です",
    ],
)
def test_honest_numbers_and_names_are_no_secrets(text: str) -> None:
    assert not opens_account(read(text))
