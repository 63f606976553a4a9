"""What comes in a file is told in full before it is kept."""

from dataclasses import replace

from bot.commands.persona_exchange_texts import arrived
from bot.domain.lore import Lorebook, LoreEntry
from bot.domain.persona import Avatar
from bot.ports.persona_files import Arrival, LeftFile
from bot.testing.factories import a_persona


def test_an_arrival_tells_sizes_and_whose_word_reaches_the_model() -> None:
    lore = Lorebook(entries=(LoreEntry(keys=("sea",), content="Deep."),))
    tom = replace(a_persona("tom", name="*Tom*"), lore=lore, reminder="Stay @everyone.", greetings=("Ahoy!",))

    said = arrived(
        Arrival(tom, Avatar("image/png", b""), left_behind=(LeftFile("a.mp3", 1_900), LeftFile("b`.png", 52_000))),
        a_persona(),
    )

    assert said == (
        "**\\*Tom\\*** (`tom`)\n\n- Voice: 13 characters\n- 2 greetings\n- Lore: 1 entry\n- A picture\n"
        "- 2 files of the card stay behind; keep the card itself if you need them: b\\`.png (52 kB), a.mp3 (1 kB)\n"
        "- It takes the place of **Iris**, whose memories it keeps\n"
        "- ⚠ Its author will speak to the model: “Stay @\u200beveryone.”\n\nNothing is kept yet. Shall it come in?"
    )
