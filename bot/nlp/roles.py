"""Words for what people and animals are to each other, and for what people do."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAMES = _words(
    """
    sister brother sibling twin mother father parent son daughter child cousin aunt uncle niece nephew grandmother grandfather friend
    boss colleague neighbour roommate teacher student doctor owner
    """
)
ROLES = {
    **{word: f"{word}_of" for word in sorted(_NAMES)},
    **dict.fromkeys(("mom", "mum", "mama", "mommy"), "mother_of"),
    **dict.fromkeys(("dad", "papa", "daddy"), "father_of"),
    **dict.fromkeys(("kid", "baby"), "child_of"),
    **dict.fromkeys(("grandma", "granny", "nana"), "grandmother_of"),
    **dict.fromkeys(("grandpa", "grandad", "granddad"), "grandfather_of"),
    **dict.fromkeys(("buddy", "bestie", "bff", "pal"), "friend_of"),
    **dict.fromkeys(("coworker", "workmate"), "colleague_of"),
    **dict.fromkeys(("neighbor",), "neighbour_of"),
    **dict.fromkeys(("flatmate", "housemate"), "roommate_of"),
    **dict.fromkeys(("manager", "supervisor"), "boss_of"),
    **dict.fromkeys(("wife", "husband", "spouse"), "married_to"),
    **dict.fromkeys(("girlfriend", "boyfriend", "partner"), "partner_of"),
    **dict.fromkeys(("fiancé", "fiancée", "fiance", "fiancee"), "engaged_to"),
}
"""What somebody is to another, as a predicate."""

PETS = _words(
    """
    cat dog pet puppy pup kitten kitty hamster rabbit bunny parrot budgie bird horse pony fish goldfish turtle tortoise snake gecko lizard
    ferret rat mouse hedgehog chicken hen duck goat sheep pig cow llama alpaca axolotl
    """
)

BEINGS = PETS | _words("boat car band blog shop café cafe company startup channel podcast")
"""What somebody has that bears a name."""

JOBS = _words(
    """
    nurse doctor surgeon dentist vet pharmacist paramedic therapist psychologist teacher professor lecturer student lawyer attorney judge
    engineer developer programmer designer architect scientist physicist chemist biologist mathematician researcher analyst accountant
    economist banker broker journalist writer author editor translator interpreter poet novelist artist painter sculptor photographer
    illustrator musician pianist violinist guitarist drummer singer composer dj actor actress director producer dancer chef cook baker
    waiter waitress barista bartender farmer gardener florist carpenter plumber electrician mechanic welder builder pilot driver trucker
    sailor captain soldier firefighter policeman policewoman detective librarian historian archaeologist geologist astronomer astronaut
    athlete footballer coach trainer referee hairdresser barber tailor cashier manager consultant secretary receptionist salesman
    saleswoman streamer youtuber freelancer entrepreneur ceo priest monk nun carer midwife optician butcher fisherman blacksmith jeweller
    """
)

VAGUE = _words(
    """
    it that this these those them thing things stuff one ones way idea ideas part fact time lot bit everything something anything nothing
    everyone everybody somebody someone nobody people guy guys here there what who how mine yours same rest kind sort all both much more
    day today tomorrow yesterday fun while moment look point work home life love
    """
)
"""What a claim cannot be about: it means something else in each sentence."""
