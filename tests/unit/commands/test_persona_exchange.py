"""Personas come and go as files; what comes in is shown first, and let in once by the one who was shown it."""

import json
from dataclasses import replace

import pytest

from bot.commands.persona_exchange import KEPT_FOR, MOST_KEPT
from bot.domain.command import Answer, UploadedFile
from bot.domain.persona import Avatar, Persona
from bot.ports.persona_files import FileKind
from bot.storage.cards.persona_files import CardFiles
from bot.storage.cards.png import plain_picture
from bot.testing.factories import BO, GROUP, a_persona
from tests.unit.commands.conftest import Typist

TOM = replace(a_persona("tom", name="Old Tom"), instructions="Never break character.")
PICTURE = Avatar("image/png", plain_picture())


async def card(kind: FileKind = FileKind.PNG, persona: Persona = TOM) -> UploadedFile:
    file = await CardFiles().write(persona, PICTURE, kind)
    return UploadedFile(file.name, "", file.content)


async def sends(typist: Typist, line: str = "/persona import", *, file: UploadedFile | None = None) -> Answer:
    return await typist.type(line, conversation=GROUP, admin=True, file=file)


async def own(typist: Typist) -> list[Persona]:
    async with typist.store.read() as tx:
        return list(await tx.personas.all(GROUP.platform, GROUP.space_id))


async def confirms(typist: Typist, shown: Answer) -> Answer:
    assert shown.confirmation is not None
    assert len(shown.confirmation.line.encode()) <= 40
    return await typist.type(shown.confirmation.line, conversation=GROUP, admin=True, confirmed=True)


@pytest.mark.parametrize("kind", [FileKind.PNG, FileKind.PACK])
async def test_a_file_is_shown_privately_comes_in_by_the_button_and_goes_out_equal(typist: Typist, kind: FileKind) -> None:
    shown = await sends(typist, file=await card(kind))
    before = await own(typist)
    await confirms(typist, shown)
    went = await sends(typist, f'/persona export "Old Tom" {kind}')

    assert (shown.private, before) == (True, [])
    assert "⚠ Its author will speak to the model: “Never break character.”" in shown.text
    assert went.file is not None
    came = await CardFiles().read(UploadedFile("again", "", went.file.content))
    (kept,) = await own(typist)
    assert came.persona == kept
    assert came.avatar == PICTURE


async def test_a_button_counts_once_for_its_asker_and_for_a_while(typist: Typist) -> None:
    shown = await sends(typist, file=await card())
    assert shown.confirmation is not None
    stranger = await typist.type(shown.confirmation.line, asker=BO, conversation=GROUP, admin=True, confirmed=True)
    await confirms(typist, shown)
    twice = await confirms(typist, shown)
    late = await sends(typist, file=await card())
    typist.clock.move(seconds=KEPT_FOR.total_seconds() + 1)
    too_late = await confirms(typist, late)

    assert {answer.text[:44] for answer in (stranger, twice, too_late)} == {"I do not have that file any more, and nothin"}
    assert len(await own(typist)) == 1


async def test_a_lorebook_alone_adds_its_new_entries_to_a_persona_that_is_named(typist: Typist) -> None:
    entry = {"uid": 0, "key": ["sea"], "comment": "Sea", "content": "It is deep.", "disable": False}
    book = UploadedFile("world.json", "", json.dumps({"entries": {"0": entry, "1": {**entry, "key": ["sky"]}}}).encode())
    one = UploadedFile("one.json", "", json.dumps({"entries": {"0": entry}}).encode())

    nobody = await sends(typist, file=book)
    await confirms(typist, await sends(typist, "/persona import rose", file=one))
    shown = await sends(typist, "/persona import rose", file=book)
    await confirms(typist, shown)
    again = await sends(typist, "/persona import rose", file=book)

    assert nobody.text.startswith("That file is a lorebook.")
    assert "- Lore: 1 new entry\n- 1 entry is there already" in shown.text
    (rose,) = await own(typist)
    assert [(each.keys, each.content) for each in rose.lore.entries] == [(("sea",), "It is deep."), (("sky",), "It is deep.")]
    assert again.text.startswith("**Rose Red** has all entries")


async def test_only_a_few_files_are_held(typist: Typist) -> None:
    first, *_ = [await sends(typist, file=await card()) for _ in range(MOST_KEPT + 1)]

    assert (await confirms(typist, first)).text.startswith("I do not have that file any more")


async def test_a_file_takes_the_place_of_a_persona_when_that_is_asked_for(typist: Typist) -> None:
    shown = await sends(typist, "/persona import rose", file=await card())
    await confirms(typist, shown)

    assert "takes the place of **Rose Red**" in shown.text
    assert [(persona.id, persona.name) for persona in await own(typist)] == [("rose", "Old Tom")]


async def test_what_is_no_card_is_refused_with_what_to_do(typist: Typist) -> None:
    broken = await sends(typist, file=UploadedFile("cat.txt", "text/plain", b"meow"))

    assert broken.text.startswith("I cannot take that, and nothing of it was kept: the file is neither PNG, JSON nor CHARX")
    assert (await sends(typist)).text.startswith("Send the file along")
    assert (await sends(typist, "/persona export rose gif")).text == "Choose one of `pack`, `png`, `json`, `charx`."
    assert await own(typist) == []


async def test_a_persona_gets_a_picture_here_alone(typist: Typist) -> None:
    answer = await sends(typist, "/persona avatar iris", file=UploadedFile("a.png", "image/png", PICTURE.content))

    async with typist.store.read() as tx:
        assert await tx.personas.avatar(GROUP.platform, GROUP.space_id, "iris") == PICTURE
        assert await tx.personas.avatar(GROUP.platform, "another-space", "iris") is None
    assert answer.text == "**Iris** has a new picture."
    assert (await sends(typist, "/persona avatar iris")).text.startswith("Send a picture along")
