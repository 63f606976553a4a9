"""The model that answers when none is configured, fed with real prompts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.chat import ConversationKey
from bot.domain.memory import Memory, Recall, RecalledMemory
from bot.domain.message import Person, Quote, Role, StoredMessage
from bot.domain.model import ChatMessage, ChatRequest, TextDelta, ToolCallDelta
from bot.domain.persona import Persona
from bot.llm.offline import OfflineModel
from bot.prompt.builder import Material, PromptBuilder
from bot.protocol.native import ToolCallAssembler, parse_arguments
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_memory, a_persona, a_turn, stored
from bot.testing.model_contract import events_of, text_of
from bot.testing.tokens import WordTokens
from bot.tools.memory_tools import MEMORY_TOOLS
from bot.tools.texts import memory_texts

TSUKUMO = Persona("tsukumo", "九十九", "茶釜の付喪神です。", "おや、いらっしゃい。", language="ja", time_zone="Asia/Tokyo")
INTRODUCTION = "OPENAI_API_KEY or OPENAI_BASE_URL"
UNKNOWN = "I don't know that."
GREETED = (stored("Good day.", row=1, role=Role.ASSISTANT),)
EARLIER = (*GREETED, stored("hey", row=2), stored("All right.", row=3, role=Role.ASSISTANT))


def prompt(
    *said: str | StoredMessage,
    memories: Sequence[Memory] = (),
    pulled: Sequence[Memory] = (),
    history: Sequence[StoredMessage] = EARLIER,
    conversation: ConversationKey = DIRECT,
    persona: Persona | None = None,
    by_tags: bool = False,
) -> ChatRequest:
    """Return the request that the pipeline would make of this."""
    lines = [stored(each, row=50 + i, conversation=conversation) if isinstance(each, str) else each for i, each in enumerate(said)]
    recall = Recall(tuple(memories), fresh=tuple(RecalledMemory(memory, 1.0, "words") for memory in pulled))
    turn = a_turn(*lines, persona=persona or a_persona())
    material = Material(turn, recall, history, tools=tuple(tool.spec for tool in MEMORY_TOOLS), edits_by_tags=by_tags)
    return PromptBuilder(WordTokens(), 8000).build(material).request


async def turn(request: ChatRequest, result: str = memory_texts("en").updated) -> tuple[str, str]:
    """Return the answer, and what was noted before it."""
    events = await events_of(OfflineModel(), request)
    assembler = ToolCallAssembler()
    for event in events:
        if isinstance(event, ToolCallDelta):
            assembler.add(event)
    if not assembler.calls():
        return text_of(events), ""
    [call] = assembler.calls()
    after = (*request.messages, ChatMessage(Role.ASSISTANT, "", (call,)), ChatMessage(Role.TOOL, result, tool_call_id=call.id))
    answer, noted_again = await turn(replace(request, messages=after))
    assert noted_again == ""
    return answer, str(parse_arguments(call)["newContent"])


def told(text: str, *, about: Person | None = None, by: Person | None = None, on: datetime = datetime(2026, 5, 3, tzinfo=UTC)) -> Memory:
    return replace(a_memory(text, subject=about), author=by or about or ADA, updated_at=on)


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("My cat is called Mochi.", "My cat is called Mochi."),
        ("Hi, my cat is called Mochi!", "my cat is called Mochi!"),
        ("Hello! I'm Ana", "I'm Ana"),
        ("My cat is called Mochi. She is black. Do you like cats?", "My cat is called Mochi. She is black."),
        ("I am 3.5 m tall\nand I love https://example.com/a.b?c=1", "I am 3.5 m tall and I love https://example.com/a.b?c=1"),
        ("Please remember that the door code is 42", "the door code is 42"),
        ("Remember that I'm tired.", "I'm tired."),
        ("My birthday is on 4 May, what should I do?", "My birthday is on 4 May"),
        ("Call me Ishmael.", "Call me Ishmael."),
        ("Ich heiße Ana und mein Hund heißt Rex.", "Ich heiße Ana und mein Hund heißt Rex."),
        ("Merk dir, dass ich Tee mag", "ich Tee mag"),
        ("私の猫の名前はモチです。", "私の猫の名前はモチです。"),
        ("りんごが好きだと覚えておいて", "りんごが好きだ"),
    ],
)
async def test_what_people_state_is_noted_in_their_own_words_and_acknowledged(said: str, noted: str) -> None:
    answer, note = await turn(prompt(said))

    assert note == noted
    assert noted in answer


@pytest.mark.parametrize(
    "said",
    [
        *(
            "hi",
            "thanks",
            "lol ok",
            "I see",
            "i don't know",
            "I'm fine.",
            "I think so too",
            "Thanks, I love it",
            "I don't know, what should I do?",
            "Tell me a story about my cat",
            "I want you to sing",
            "???",
            "🐱",
        ),
        *(
            "What is my cat called?",
            "do I have a cat",
            "The sky is blue",
            "Remember?",
            "ありがとうございます",
            "お話をしてください",
            "",
            ".",
        ),
    ],
)
async def test_what_is_no_statement_about_oneself_is_not_noted(said: str) -> None:
    answer, note = await turn(prompt(said))

    assert note == ""
    assert answer


MEMORIES = [
    told("My cat is called Mochi."),
    told("My sister is called Noor, she's a nurse."),
    told("I live in Kyoto & love it <3"),
    told("I went to France in May.", on=datetime(2025, 6, 30, tzinfo=UTC)),
    told("My name is Ada."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my cat called?", 'You told me on 3 May: "My cat is called Mochi."'),
        ("what's my cat's name", 'You told me on 3 May: "My cat is called Mochi."'),
        ("Is Mochi a cat?", 'You told me on 3 May: "My cat is called Mochi."'),
        ("Hello Iris! What does my sister do?", 'You told me on 3 May: "My sister is called Noor, she\'s a nurse."'),
        ("Who is Noor?", 'You told me on 3 May: "My sister is called Noor, she\'s a nurse."'),
        ("Where do I live?", 'You told me on 3 May: "I live in Kyoto & love it <3"'),
        ("When did I go to France?", 'You told me on 30 June 2025: "I went to France in May."'),
        ("What's my name?", 'You told me on 3 May: "My name is Ada."'),
    ],
)
async def test_questions_are_answered_by_quoting_what_was_told(question: str, answer: str) -> None:
    assert await turn(prompt(question, memories=MEMORIES)) == (answer, "")


@pytest.mark.parametrize(
    "question",
    ["What is my dog called?", "What is the capital of France?", "What is my favourite colour?", "When was Rome founded?"],
)
async def test_what_is_irrelevant_is_never_quoted(question: str) -> None:
    answer, _ = await turn(prompt(question, memories=MEMORIES))

    assert answer.startswith(UNKNOWN)
    assert '"' not in answer


async def test_pulled_memories_count_and_the_latest_wins() -> None:
    old, new = told("My cat is called Mochi.", on=datetime(2026, 4, 1, tzinfo=UTC)), told("My cat is called Miso.")

    answer, _ = await turn(prompt("What is my cat called?", memories=[old], pulled=[new]))

    assert answer == 'You told me on 3 May: "My cat is called Miso."'


async def test_everything_it_knows_is_listed_on_request() -> None:
    answer, _ = await turn(prompt("What do you know about me?", memories=MEMORIES))

    assert answer.splitlines()[0] == "This is what I remember:"
    assert sum(memory.text in answer for memory in MEMORIES) == 5


async def test_japanese_personas_answer_in_japanese() -> None:
    cat = told("私の猫はモチという名前です", on=datetime(2026, 5, 2, 20, tzinfo=UTC))

    assert await turn(prompt("猫の名前は？", memories=[cat], persona=TSUKUMO)) == (
        "5月3日に教えてくれました: 「私の猫はモチという名前です」",
        "",
    )
    assert (await turn(prompt("犬の名前は？", memories=[cat], persona=TSUKUMO)))[0].startswith("それはまだ聞いていません。")
    assert (await turn(prompt("My dog is called Rex.", persona=TSUKUMO)))[0] == "覚えておきます: 「My dog is called Rex.」"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my cat called?", 'You told me on 3 May: "My cat is called Mochi."'),
        ("What is Bo's cat called?", 'What I know about Bo, since 3 May: "My cat is called Rex."'),
        ("Who likes tea?", 'What I know about Bo, since 3 May: "I like tea."'),
        ("Do I like tea?", UNKNOWN),
        ("What is Bo afraid of?", 'Ada said about Bo on 3 May: "Bo is afraid of cats."'),
    ],
)
async def test_in_groups_ones_own_question_is_answered_from_ones_own_memories(question: str, answer: str) -> None:
    memories = [told("My cat is called Mochi.", about=ADA), told("My cat is called Rex.", about=BO), told("I like tea.", about=BO)]
    memories.append(told("Bo is afraid of cats.", about=BO, by=ADA))

    said, _ = await turn(prompt(question, memories=memories, conversation=GROUP))

    assert said.startswith(answer)


async def test_in_groups_nothing_is_noted_that_somebody_else_said() -> None:
    lines = [stored("I like coffee.", author=BO, conversation=GROUP), stored("What do I drink?", row=2, conversation=GROUP)]

    answer, note = await turn(prompt(*lines, conversation=GROUP))

    assert (answer.startswith(UNKNOWN), note) == (True, "")


async def test_quotes_of_others_are_not_taken_for_ones_own_words() -> None:
    reply = stored("Me too, and I like tea.", quote=Quote("m0", BO, "I like my dog."))

    assert (await turn(prompt(reply)))[1] == "Me too, and I like tea."


async def test_a_greeting_opens_the_conversation_in_the_personas_words() -> None:
    answer, _ = await turn(prompt("Hi there!", history=()))

    assert answer.startswith("Good day.\n\nI am Baku's offline model")


async def test_who_was_greeted_already_gets_a_hello_and_hears_once_what_it_is() -> None:
    first, _ = await turn(prompt("Hi there!", history=GREETED))
    with_notice = (stored(f"Good day.\n\n{first}", row=1, role=Role.ASSISTANT),)
    later, _ = await turn(prompt("Hi there!", history=with_notice))

    assert first.startswith("Hello! Tell me something about yourself, and I'll keep it.\n\nI am Baku's offline model")
    assert later == "Hello! Tell me something about yourself, and I'll keep it."


async def test_a_correction_of_the_same_minute_wins() -> None:
    first, second = told("My cat is called Mochi."), replace(told("My cat is called Momo now."), number=2)

    answer, _ = await turn(prompt("What is my cat called?", memories=[second, first]))

    assert answer == 'You told me on 3 May: "My cat is called Momo now."'


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Thank you, that's lovely.", "You're welcome."),
        ("good night", "Goodbye, until next time."),
        ("How are you?", "Awake and listening, thank you. And you?"),
        ("who are you?", "I am Baku's offline model"),
        ("Do you like cats?", "I can't say: I have no life of my own to tell of."),
        ("Can you explain what a mutex is?", "That is beyond me"),
        ("Tell me a story about my cat", "That is beyond me"),
        ("please forget my birthday", "You decide what I keep: /memory list"),
        ("No, that's not right.", "Then tell me how it is"),
        ("I'm a bit tired.", "I hear you. Moods pass"),
        ("I'm fine.", "Good to hear."),
        ("lol ok", "All right."),
        ("help", "Commands begin with a slash: /help lists them."),
        ("Why?", "I can't tell what you mean."),
        ("The sky is blue", "I can keep what you tell me and find it again."),
        ("Danke schön!", "Gern geschehen."),
        ("Gute Nacht", "Auf Wiedersehen"),
        ("Wie geht es dir?", "Ich bin wach und höre zu, danke."),
        ("Das stimmt nicht.", "Dann sag mir, wie es ist"),
        ("Erzähl mir einen Witz", "Das kann ich nicht"),
        ("ありがとう", "どういたしまして。"),
        ("おもしろい話をして", "それは私にはできません。"),
        ("それは違います", "では、本当のことを教えてください。"),
    ],
)
async def test_small_talk_is_answered_as_such_and_never_noted(said: str, answer: str) -> None:
    said_back, note = await turn(prompt(said, memories=MEMORIES))

    assert said_back.startswith(answer)
    assert note == ""


async def test_what_it_does_not_understand_twice_is_not_explained_twice() -> None:
    first, _ = await turn(prompt("The sky is blue"))
    again, _ = await turn(prompt("So it is", history=(*EARLIER, stored(first, row=4, role=Role.ASSISTANT))))

    assert again.startswith("I have no answer to that.")


async def test_what_answers_only_perhaps_is_quoted_with_a_doubt() -> None:
    answer, _ = await turn(prompt("Is my sister a lawyer?", memories=MEMORIES))

    assert answer == "I'm not sure that this answers it. You told me on 3 May: \"My sister is called Noor, she's a nurse.\""


@pytest.mark.parametrize(
    ("question", "remembered"),
    [
        ("What do I like?", "I like tea."),
        ("Where do I live?", "Actually I moved to Porto last week."),
        ("what is my job", "I work as a nurse"),
        ("Wo wohne ich jetzt?", "Ich bin nach Berlin umgezogen."),
        ("何が好きだっけ", "コーヒーが好きです"),
        ("教えてもらったこと、覚えていますか？", "先週京都に引っ越しました。"),
        ("どこに住んでいますか？", "先週京都に引っ越しました。"),
    ],
)
async def test_questions_in_other_words_find_the_memory(question: str, remembered: str) -> None:
    answer, _ = await turn(prompt(question, memories=[told("My cat is called Mochi."), told(remembered)]))

    assert remembered in answer


async def test_german_is_answered_in_german() -> None:
    cat = told("Meine Katze heißt Mochi.", on=datetime(2025, 3, 2, tzinfo=UTC))

    noted, _ = await turn(prompt("Ich wohne in Berlin."))
    found, _ = await turn(prompt("Wie heißt meine Katze?", memories=[cat]))
    unclear, _ = await turn(prompt("42", history=(*EARLIER, stored("Ich bin Jonas.", row=4))))

    assert noted == "Ich merke mir: „Ich wohne in Berlin.“"
    assert found == "Am 2. März 2025 hast du mir erzählt: „Meine Katze heißt Mochi.“"
    assert unclear.startswith("Ich kann behalten, was du mir erzählst")


async def test_of_much_the_latest_is_listed_and_the_way_to_the_rest() -> None:
    many = [replace(told(f"I own book {number}."), number=number) for number in range(1, 8)]

    answer, _ = await turn(prompt("What do you know about me?", memories=many))

    assert answer.splitlines()[0] == "This is what I heard last; /memory list shows all:"
    assert answer.splitlines()[1:] == [f'- You told me on 3 May: "I own book {number}."' for number in range(3, 8)]


async def test_everything_of_nothing_is_an_invitation() -> None:
    answer, note = await turn(prompt("I want to know what you remember."))

    assert (answer, note) == ("Nothing yet. Tell me something about yourself, and I'll keep it.", "")


async def test_it_says_once_what_it_is_and_how_to_connect_a_real_model() -> None:
    first, _ = await turn(prompt("My cat is called Mochi.", history=()))
    later, _ = await turn(prompt("My cat is called Mochi."))
    asked, _ = await turn(prompt("What are you?", history=()))

    assert (first.count(INTRODUCTION), later.count(INTRODUCTION), asked.count(INTRODUCTION)) == (1, 0, 1)


async def test_what_is_known_already_is_not_noted_again() -> None:
    assert await turn(prompt("My cat is called Mochi.", memories=MEMORIES)) == ('I know that already: "My cat is called Mochi."', "")


async def test_failed_note_is_admitted() -> None:
    answer, _ = await turn(prompt("My cat is called Mochi."), result="The memory is full.")

    assert answer == "I could not keep that. The memory is full."


async def test_without_the_tool_it_writes_a_tag() -> None:
    answer, note = await turn(prompt("I like tea <3", by_tags=True))

    assert (answer, note) == ('<mem_new>I like tea &lt;3</mem_new>I\'ll remember: "I like tea <3"', "")


async def test_with_memory_switched_off_it_says_so() -> None:
    forgetful = replace(a_persona(), memory=replace(a_persona().memory, enabled=False))
    request = replace(prompt("I like tea", persona=forgetful), tools=())

    assert await turn(request) == ("I hear you, but my memory is switched off here.", "")


async def test_a_very_long_story_is_kept_as_far_as_a_memory_goes() -> None:
    _, note = await turn(prompt("I like tea a lot, really. " * 40))

    assert note.startswith("I like tea a lot, really. I like")
    assert 400 < len(note) <= 500


@given(st.text(max_size=200), st.text(max_size=60))
async def test_nothing_people_write_breaks_it(said: str, remembered: str) -> None:
    request = prompt(said or "x", memories=[told(remembered or "x")])

    events = await events_of(OfflineModel(), request)

    assert all(event.text for event in events if isinstance(event, TextDelta))


async def test_it_is_named_and_needs_no_closing() -> None:
    model = OfflineModel()

    await model.close()

    assert (model.name, model.takes_tools) == ("offline", True)
