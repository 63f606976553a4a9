"""Whether a text reads like an order to the persona."""

import re
from collections.abc import Iterable

from bot.memory.gate.about_bot import says_how_bot_acts
from bot.memory.gate.customs import tells_custom
from bot.memory.gate.orders.chinese import CHINESE
from bot.memory.gate.orders.english import ENGLISH
from bot.memory.gate.orders.frame import Orders
from bot.memory.gate.orders.french import FRENCH
from bot.memory.gate.orders.german import GERMAN
from bot.memory.gate.orders.japanese import JAPANESE
from bot.memory.gate.orders.spanish import SPANISH
from bot.memory.gate.reading import read
from bot.memory.gate.verdict import Concern

LANGUAGES = (ENGLISH, GERMAN, SPANISH, FRENCH, JAPANESE, CHINESE)


def order_in(readings: Iterable[str], bot_names: Iterable[str] = ()) -> Concern:
    """Return what kind of order a text holds in any of its readings; a persona's name stands for the bot's."""
    names = [read(name) for name in bot_names if name.strip()]
    told = [_named(reading, names) for reading in readings]
    found = {concern for reading in told for orders in LANGUAGES for concern in _orders_in(reading, orders)}
    if any(map(says_how_bot_acts, told)) or any(map(tells_custom, told)):
        found.add(Concern.ORDER)
    return next((concern for concern in (Concern.OVERRIDE, Concern.ORDER) if concern in found), Concern.NONE)


def _orders_in(reading: str, orders: Orders) -> Iterable[Concern]:
    told = orders.naming.sub(" . ", reading) if orders.naming is not None else reading
    if orders.overrides.search(told):
        yield Concern.OVERRIDE
    if orders.orders.search(told):
        yield Concern.ORDER


def _named(reading: str, names: Iterable[str]) -> str:
    for name in names:
        reading = re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" if name.isascii() else re.escape(name), _bot_in(name), reading)
    return reading


def _bot_in(name: str) -> str:
    if any("\u3040" <= char <= "\u30ff" for char in name):
        return "ボット"
    return "机器人" if any("\u3400" <= char <= "\u9fff" for char in name) else "bot"
