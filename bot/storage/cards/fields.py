"""Values of a JSON object by key and kind; a wrong kind is refused by name."""

from bot.domain.tool import JsonValue
from bot.errors import CardRefused
from bot.storage.cards.jsontext import JsonObject

MOST_CHARACTERS = 200_000
MOST_ITEMS = 2_000
_WORDS = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "a group of keys"}


class Fields:
    """The keys of one object, taken one after the other; what nobody took is left."""

    def __init__(self, value: JsonObject, place: str) -> None:
        self._left = dict(value)
        self._place = place

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def text(self, key: str) -> str:
        """Take a text; a missing one is empty."""
        value = self._left.pop(key, None)
        return self._text(value, key) if value is not None else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Take a list of texts."""
        return tuple(self._text(item, f"{key}[{number}]") for number, item in enumerate(self.items(key), 1))

    def words(self, key: str) -> tuple[str, ...]:
        """Take a list of texts, or one text in which commas part them."""
        if isinstance(self._left.get(key), str):
            return tuple(part.strip() for part in self.text(key).split(",") if part.strip())[:MOST_ITEMS]
        return self.texts(key)

    def any(self, key: str) -> JsonValue:
        """Take a value of any kind; None where there is none."""
        return self._left.pop(key, None)

    def items(self, key: str) -> list[JsonValue]:
        """Take a list; a missing one is empty."""
        value = self._left.pop(key, None)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, value, "a list")
        if len(value) > MOST_ITEMS:
            raise CardRefused(f"`{self._place}{key}` has {len(value):,} items; {MOST_ITEMS:,} are the most. Remove some.")
        return value

    def flag(self, key: str) -> bool | None:
        """Take true or false; None where nothing is said."""
        value = self._left.pop(key, None)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(key, value, "true or false")

    def number(self, key: str) -> int | None:
        """Take a whole number, of a broken one the whole part; None where nothing is said."""
        value = self._left.pop(key, None)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 10**15:
            raise self.wrong(key, value, "a number")
        return int(value)

    def object(self, key: str) -> JsonObject:
        """Take an object; a missing one is empty, and so is an empty list, which some programs write for it."""
        value = self._left.pop(key, None)
        if value is None or value == []:
            return {}
        if not isinstance(value, dict):
            raise self.wrong(key, value, "a group of keys")
        return value

    def put_back(self, key: str, value: JsonValue) -> None:
        """Leave a value after all."""
        self._left[key] = value

    def rest(self) -> JsonObject:
        """Return what nobody took."""
        return self._left

    def wrong(self, key: str, value: JsonValue, wanted: str) -> CardRefused:
        """Return the refusal of a value of the wrong kind."""
        found = "empty" if value is None else _WORDS.get(type(value), "something else")
        return CardRefused(f"`{self._place}{key}` must be {wanted}, but it is {found}. Mend it in the program that made the card.")

    def _text(self, value: JsonValue, key: str) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, value, "a text")
        if len(value) > MOST_CHARACTERS:
            raise CardRefused(f"`{self._place}{key}` has {len(value):,} characters; {MOST_CHARACTERS:,} are the most. Shorten it.")
        return value
