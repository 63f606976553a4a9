"""A card's JSON in the versions 1, 2 and 3 of the format: what each key means, and back."""

from bot.domain.card import Card, CardAsset, CardFile
from bot.domain.tool import JsonValue
from bot.errors import CardRefused
from bot.storage.cards.book import book_value, read_book
from bot.storage.cards.fields import Fields
from bot.storage.cards.jsontext import JsonObject, back, kept

V2, V3 = "chara_card_v2", "chara_card_v3"
MOST_NAME = 200
_FIRST_KEYS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")
"""All that version 1 knows; programs repeat them beside the data of later versions."""
_NO_CARD = "this is no character card: it has no `name` with a `description` or `first_mes`. Choose a SillyTavern card (version 1, 2 or 3)."
_ONLY_IN_V3 = (
    "assets",
    "nickname",
    "creator_notes_multilingual",
    "source",
    "group_only_greetings",
    "creation_date",
    "modification_date",
)


def card_of_json(value: JsonObject, files: tuple[CardFile, ...] = ()) -> Card:
    """Return the card that a JSON object describes, of whichever version. Raises CardRefused."""
    outside = dict(value)
    spec = outside.pop("spec", None)
    if spec is None and "data" not in value:
        if "name" not in value or not {"first_mes", "description"} & value.keys():
            raise CardRefused(_NO_CARD)
        return _card(value, "", "", files)
    if spec not in {V2, V3, None}:
        raise CardRefused(f"`spec` is {str(spec)[:40]!r}; the versions that can be read are {V2}, {V3} and version 1, which has no `spec`.")
    data = outside.pop("data", None)
    if not isinstance(data, dict):
        raise CardRefused("`data` must be a group of keys, the card itself. Export the card anew.")
    outside = {key: inner for key, inner in outside.items() if key not in {*_FIRST_KEYS, "spec_version"}}
    return _card(data, "data.", kept(outside), files)


def json_of_card(card: Card, spec: str = V3) -> JsonObject:
    """Return the JSON object of a card, by default in version 3; version 2 leaves out what it does not know."""
    data = _data(card)
    if spec == V2:
        data = {key: value for key, value in data.items() if key not in _ONLY_IN_V3}
    return {**back(card.kept_outside), "spec": spec, "spec_version": "2.0" if spec == V2 else "3.0", "data": data}


def _card(value: JsonObject, place: str, kept_outside: str, files: tuple[CardFile, ...]) -> Card:
    fields = Fields(value, place)
    name = fields.text("name").strip()
    if not name or len(name) > MOST_NAME or "\n" in name:
        raise CardRefused(f"`{place}name` must be one line of 1 to {MOST_NAME} characters. Name the character in the program that made it.")
    book = fields.any("character_book")
    if book is not None and not isinstance(book, dict):
        raise fields.wrong("character_book", book, "a group of keys")
    return Card(
        name=name,
        nickname=fields.text("nickname").strip(),
        description=fields.text("description"),
        personality=fields.text("personality"),
        scenario=fields.text("scenario"),
        first_message=fields.text("first_mes"),
        alternate_greetings=fields.texts("alternate_greetings"),
        group_only_greetings=fields.texts("group_only_greetings"),
        example_messages=fields.text("mes_example"),
        system_prompt=fields.text("system_prompt"),
        post_history_instructions=fields.text("post_history_instructions"),
        creator=fields.text("creator"),
        creator_notes=fields.text("creator_notes"),
        notes_by_language=_notes(fields),
        version=_version(fields),
        tags=fields.words("tags"),
        source=fields.texts("source"),
        book=read_book(book, f"{place}character_book") if book is not None else None,
        assets=_assets(fields, place) if "assets" in fields else None,
        created=fields.number("creation_date"),
        modified=fields.number("modification_date"),
        extensions=kept(fields.object("extensions")),
        kept=kept(fields.rest()),
        kept_outside=kept_outside,
        files=files,
    )


def _data(card: Card) -> JsonObject:
    return {
        **back(card.kept),
        "name": card.name,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "first_mes": card.first_message,
        "mes_example": card.example_messages,
        "creator_notes": card.creator_notes,
        "system_prompt": card.system_prompt,
        "post_history_instructions": card.post_history_instructions,
        "alternate_greetings": list(card.alternate_greetings),
        "tags": list(card.tags),
        "creator": card.creator,
        "character_version": card.version,
        "extensions": back(card.extensions),
        "group_only_greetings": list(card.group_only_greetings),
        **_optional(card),
    }


def _optional(card: Card) -> JsonObject:
    assets: list[JsonValue] = [_asset_value(asset) for asset in card.assets or ()]
    values: dict[str, JsonValue] = {
        "nickname": card.nickname or None,
        "creator_notes_multilingual": dict(card.notes_by_language) or None,
        "source": list(card.source) or None,
        "character_book": None if card.book is None else book_value(card.book),
        "assets": None if card.assets is None else assets,
        "creation_date": card.created,
        "modification_date": card.modified,
    }
    return {key: value for key, value in values.items() if value is not None}


def _notes(fields: Fields) -> tuple[tuple[str, str], ...]:
    notes = Fields(fields.object("creator_notes_multilingual"), "creator_notes_multilingual.")
    return tuple((language, notes.text(language)) for language in list(notes.rest()))


def _version(fields: Fields) -> str:
    """Take the character's version, which some programs write as a number."""
    value = fields.any("character_version")
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise fields.wrong("character_version", value, "a text")


def _assets(fields: Fields, place: str) -> tuple[CardAsset, ...]:
    return tuple(_asset(item, f"{place}assets[{number}]") for number, item in enumerate(fields.items("assets"), 1))


def _asset(item: JsonValue, place: str) -> CardAsset:
    if not isinstance(item, dict):
        raise CardRefused(f"`{place}` must be a group of keys. Mend it in the program that made the card.")
    fields = Fields(item, f"{place}.")
    uri = fields.any("uri")
    if not isinstance(uri, str):
        raise fields.wrong("uri", uri, "a text")
    kind, name, extension = fields.text("type"), fields.text("name"), fields.text("ext")
    return CardAsset(kind, uri, name, extension, kept(fields.rest()))


def _asset_value(asset: CardAsset) -> JsonObject:
    return {**back(asset.kept), "type": asset.kind, "uri": asset.uri, "name": asset.name, "ext": asset.extension}
