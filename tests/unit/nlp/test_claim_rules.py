"""What the parser's rules make of sentences. `I` stands for the speaker, a minus for what is no more."""

from functools import cache

import pytest

from bot.nlp.extractor import DEFAULT_MODELS
from bot.nlp.spacy_model import SpacyModel, load_first


@cache
def model() -> SpacyModel:
    found = load_first(DEFAULT_MODELS[-1:])
    assert found is not None
    return found


def claimed(text: str) -> set[str]:
    """Return what a text claims, as lines."""
    claims = model().read(text).claims
    return {f"{'' if claim.holds else '-'}{claim.subject or 'I'} {claim.predicate} {claim.object or 'I'}" for claim in claims}


CLAIMS = [
    ("Sophie works for Apple, I work for Google", {"Sophie works_at Apple", "I works_at Google"}),
    ("Sophie and I got married last June", {"Sophie married_to I"}),
    ("Luna is Bob's dog", {"Bob owns Luna", "Luna is_a dog"}),
    ("Mochi is a cat", {"Mochi is_a cat"}),
    ("Ana can't stand Bob", {"Ana dislikes Bob"}),
    ("I prefer tea over coffee", {"I likes tea"}),
    ("Ana's husband Jon hates cilantro", {"Jon married_to Ana", "Jon hates cilantro"}),
    ("Mike was born in Boston on May 5th", {"Mike born_in Boston", "Mike birthday May 5th"}),
    ("i just moved to boston", {"I lives_in boston"}),
    ("We moved to Denver in 2019 and never looked back", {"I lives_in Denver"}),
    ("Sam is my roommate, he's a barista", {"Sam roommate_of I"}),
    ("my birthday's on the 12th of July", {"I birthday the 12th of July"}),
    ("Mia adopted two dogs, Bo and Luna", {"Mia owns Bo", "Mia owns Luna", "Bo is_a dog", "Luna is_a dog"}),
    ("Netflix is based in California", {"Netflix based_in California"}),
    ("Jenny and I are no longer dating", {"-Jenny partner_of I"}),
    ("Carlos speaks Spanish, English and Portuguese", {"Carlos speaks Spanish", "Carlos speaks English", "Carlos speaks Portuguese"}),
    ("We named our daughter Ivy", {"Ivy daughter_of I"}),
    ("Tom's wife is called Anna", {"Anna married_to Tom"}),
    ("Oscar works in finance at Deloitte", {"Oscar works_at Deloitte"}),
    ("I'm not from Texas, I'm from Ohio", {"I comes_from Ohio"}),
    ("Liam was married to Zoe for ten years", {"-Liam married_to Zoe"}),
    ("Alice lives in Paris.", {"Alice lives_in Paris"}),
    ("I live in Paris", {"I lives_in Paris"}),
    ("i live in paris with my sister", {"I lives_in paris"}),
    ("Alice moved to Rome", {"Alice lives_in Rome"}),
    ("I moved from Paris to Rome last year", {"-I lives_in Paris", "I lives_in Rome"}),
    ("I used to live in Berlin", {"-I lives_in Berlin"}),
    ("I don't live in Paris anymore", {"-I lives_in Paris"}),
    ("Alice no longer works at Siemens", {"-Alice works_at Siemens"}),
    ("I've lived in Tokyo for ten years", {"I lives_in Tokyo"}),
    ("I work at Siemens as an engineer", {"I works_as engineer", "I works_at Siemens"}),
    ("I'm working for Google now", {"I works_at Google"}),
    ("I lived in Madrid as a kid", {"-I lives_in Madrid"}),
    ("I study physics at Leiden University", {"I studies physics", "I studies_at Leiden University"}),
    ("I was born in Lisbon", {"I born_in Lisbon"}),
    ("Bob is Alice's brother", {"Bob brother_of Alice"}),
    ("Alice is my boss", {"Alice boss_of I"}),
    ("My sister Eva lives in Oslo", {"Eva lives_in Oslo", "Eva sister_of I"}),
    ("My boss is Karen", {"Karen boss_of I"}),
    ("I have a cat called Mochi", {"I owns Mochi", "Mochi is_a cat"}),
    ("My cat's name is Mochi", {"I owns Mochi", "Mochi is_a cat"}),
    ("my dog is called Rex", {"I owns Rex", "Rex is_a dog"}),
    ("Bob owns a dog named Rex", {"Bob owns Rex", "Rex is_a dog"}),
    ("I love sushi and ramen", {"I loves ramen", "I loves sushi"}),
    ("Alice hates mushrooms", {"Alice hates mushrooms"}),
    ("I don't like olives", {"I dislikes olives"}),
    ("I like green tea", {"I likes green tea"}),
    ("Bob enjoys playing chess", {"Bob likes playing chess"}),
    ("I speak German and a bit of French", {"I speaks German"}),
    ("Carol can speak Spanish", {"Carol speaks Spanish"}),
    ("I play the oboe", {"I plays oboe"}),
    ("Ana is from Brazil", {"Ana comes_from Brazil"}),
    ("I come from Lyon", {"I comes_from Lyon"}),
    ("Alice is married to Bob", {"Alice married_to Bob"}),
    ("Alice married Bob in June", {"Alice married_to Bob"}),
    ("Alice and Bob are married", {"Alice married_to Bob"}),
    ("My birthday is on March 3rd", {"I birthday March 3rd"}),
    ("Alice's birthday is on the 4th of May", {"Alice birthday the 4th of May"}),
    ("I'm allergic to peanuts", {"I allergic_to peanuts"}),
    ("My favourite colour is green", {"I favourite_colour green"}),
    ("Alice is a nurse", {"Alice works_as nurse"}),
    ("I quit Siemens and joined Bosch", {"-I works_at Siemens", "I works_at Bosch"}),
    ("Alice and Bob live in Vienna", {"Alice lives_in Vienna", "Bob lives_in Vienna"}),
    ("My wife Eva works at Google", {"Eva married_to I", "Eva works_at Google"}),
    ("I told you that I live in Oslo", {"I lives_in Oslo"}),
    ("I can't come because I live in Porto", {"I lives_in Porto"}),
    ("we adopted a puppy named Biscuit", {"Biscuit is_a puppy", "I owns Biscuit"}),
    ("Alice used to love jazz", {"-Alice loves jazz"}),
    ("My brother Tom is a doctor and lives in Boston with his wife.", {"Tom brother_of I", "Tom lives_in Boston", "Tom works_as doctor"}),
    ("Yesterday I met Carol, who lives in Lima.", {"Carol lives_in Lima"}),
    ("Carol's boss is Dave", {"Dave boss_of Carol"}),
    ("Dave is the father of Carol", {"Dave father_of Carol"}),
    ("Carol divorced Dave", {"-Carol married_to Dave"}),
    ("I am based in Hamburg", {"I lives_in Hamburg"}),
    ("Alice has moved to Lisbon!", {"Alice lives_in Lisbon"}),
    ("Alice was living in Lisbon back then", {"-Alice lives_in Lisbon"}),
    ("Do you like sushi? I love sushi.", {"I loves sushi"}),
    ("I love Alice", {"I loves Alice"}),
    ("I hate Mondays", {"I hates Mondays"}),
    ("hey I'm Bo and I live in Kyoto", {"I lives_in Kyoto"}),
    ("My friend's name is Carlos", {"Carlos friend_of I"}),
    ("my favorite food is pizza", {"I favourite_food pizza"}),
    ("i hate pineapple on pizza", {"I hates pineapple"}),
    ("Only Bob lives in Rome", {"Bob lives_in Rome"}),
]
NOTHING = [
    "Sophie: I live in Rome",
    "[12:03] Bob Smith: I work at Google",
    "Grandma lives in Ohio",
    "Yesterday Tom told us he works for the BBC",
    "tbh I hate winter but love skiing",
    "Kevin lives in Seattle, I think",
    "Kevin lives in Seattle, she said",
    "Kevin's moving to Austin next week",
    "Ask Liam if he lives in Leeds",
    "Liam lives in Leeds, right?",
    "Oscar works at the library",
    "Nobody plays chess with Paul",
    "Bye, moving to another channel",
    "lmao imagine working at Amazon",
    "Rachel is an idiot",
    "the cat hates the vacuum",
    "Paul has a cold",
    "Hate this game",
    "I'd rather live in Spain",
    "Does Alice live in Paris?",
    "where does Bob work",
    "I wish I lived in Paris",
    "I would love to live in Rome",
    "If I lived in Rome I would eat pizza",
    "Alice might move to Oslo",
    "Bob said that Ana lives in Oslo",
    "I think Alice works at Google",
    "I'm going to move to Berlin next month",
    "I want to work at Google",
    "Alice doesn't live in Paris",
    "I never worked at Google",
    "Imagine I live on Mars",
    '"I live in Paris" is a song',
    "> I live in Paris\nlol same",
    "In the movie Bob lives in Tokyo",
    "lol ok",
    "I love it",
    "I love your idea",
    "That is my favourite",
    "Alice is great",
    "I'm not married to Bob",
    "She lives in Paris",
    "I hate when Mondays start",
    "I'm in Rome right now",
    "We played a game yesterday",
    "I like that you like me",
    "I loved the movie",
    "Tell Alice that Bob lives in Rome",
    "jk I work at NASA",
    "I almost moved to Rome",
    "My sister wants to live in Rome",
    "People in Paris love wine",
    "I should work at Google",
    "I hope Alice moves to Rome",
    "Alice refused to live in Rome",
    "No way I live in Ohio",
    "I left Berlin yesterday",
    "Bob left the chat",
    "I've been playing the guitar for years",
    "Alice is moving to Lisbon",
    "Alice will live in Lisbon",
    "I love you",
    "Alice says hi",
    "Alice works in the kitchen",
    "I work from home",
    "Nobody lives in Rome",
    "I don't think Alice lives in Rome",
    "Rumor has it Alice lives in Rome",
    "Alice doesn't speak French",
    "I can't play the piano",
    "I could live in Rome forever",
    "They say I live in Paris",
    "Alice told me she works at Google",
    "In my dream I was married to Bob",
    "I heard Bob works at NASA",
    "Pretend you live in Rome",
    "I like to swim",
    "Is Alice married to Bob?",
    "My dog is cute",
    "Alice and Bob",
    "Paris is rainy",
    "Send Alice my love",
    "I live for pizza",
    "I move to strike that",
    "Maybe I live in Rome",
    "Alice lives in fear",
    "My character lives in Rivendell in the game",
    "```\nAlice lives in Rome\n```",
    "https://example.org/Alice-lives-in-Rome",
]
MISSED = [
    ("Eva is Bob's sister and works at Bosch", "Eva works_at Bosch"),
    ("Carol got married to Dave", "Carol married_to Dave"),
    ("Zoe and I live in Ghent", "Zoe lives_in Ghent"),
]


@pytest.mark.parametrize(("text", "expected"), CLAIMS)
def test_a_plain_statement_is_claimed(text: str, expected: set[str]) -> None:
    assert claimed(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_asked_wished_denied_told_by_others_or_vague_is_not(text: str) -> None:
    assert claimed(text) == set()


@pytest.mark.parametrize(("text", "missed"), MISSED)
def test_what_the_small_model_parses_wrongly_is_missed_and_not_made_up(text: str, missed: str) -> None:
    assert missed not in claimed(text)


def test_a_claim_comes_with_the_sentence_it_stood_in() -> None:
    claims = model().read("What a day! Alice lives in **Paris**. Bye.").claims

    assert [(claim.subject, claim.object, claim.sentence) for claim in claims] == [("Alice", "Paris", "Alice lives in **Paris**.")]


def test_the_parser_is_loaded_when_it_is_first_needed() -> None:
    found = load_first(DEFAULT_MODELS[-1:])
    assert found is not None
    found.find("Alice lives in Paris.")
    assert "_parser" not in vars(found)

    found.read("Alice lives in Paris.")

    assert "_parser" in vars(found)
    assert found.parts == ["ner"]


def test_words_met_by_the_parser_do_not_stay_in_memory() -> None:
    model().read("Alice lives in Paris.")
    before = model().vocabulary

    for number in range(50):
        model().read(f"Xq{number} zr{number} lives in Vk{number}")

    assert model().vocabulary == before
