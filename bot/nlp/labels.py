"""What the labels of models stand for."""

from collections.abc import Mapping

from bot.domain.entity import EntityKind

KINDS: Mapping[str, EntityKind] = {
    **dict.fromkeys(("PERSON", "PER", "Person", "Character"), EntityKind.PERSON),
    **dict.fromkeys(("GPE", "LOC", "FAC"), EntityKind.PLACE),
    **dict.fromkeys(("City", "Country", "Province", "County", "Island", "GPE_Other", "Station", "Park", "Region_Other"), EntityKind.PLACE),
    **dict.fromkeys(("ORG", "Company", "Corporation_Other", "GOE_Other", "School", "Show_Organization"), EntityKind.ORGANISATION),
    **dict.fromkeys(("EVENT", "Event_Other", "Occasion_Other"), EntityKind.EVENT),
    **dict.fromkeys(("WORK_OF_ART", "Book", "Movie", "Music", "Broadcast_Program"), EntityKind.WORK),
    **dict.fromkeys(("PRODUCT", "Product_Other", "Car", "Game"), EntityKind.PRODUCT),
}
"""spaCy's own models and, capitalised, ja_ginza; of that one, which marks animals and titles too, nothing else is a name."""

NO_NAMES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
