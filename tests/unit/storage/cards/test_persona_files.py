"""Cards and packs come and go through the port."""

from dataclasses import replace

import pytest

from bot.domain.command import UploadedFile
from bot.domain.persona import Avatar, Persona
from bot.errors import CardRefused, PersonaError
from bot.ports.persona_files import FileKind
from bot.storage.cards.persona_files import CardFiles
from bot.storage.cards.png import plain_picture
from bot.testing.factories import a_persona

ROSE = replace(a_persona("rose", name="Rose"), instructions="Stay in character.", greetings=("Ahoy!",))
PICTURE = Avatar("image/png", plain_picture())


def sent(content: bytes) -> UploadedFile:
    return UploadedFile("file", "application/octet-stream", content)


@pytest.mark.parametrize("kind", list(FileKind))
async def test_a_persona_comes_back_equal_from_each_kind_of_file(kind: FileKind) -> None:
    files = CardFiles()

    came = await files.read(sent((await files.write(ROSE, PICTURE, kind)).content))

    assert replace(came.persona, card="") == ROSE
    assert (came.avatar is None) is (kind is FileKind.JSON)


async def test_what_no_file_can_hold_is_refused() -> None:
    files = CardFiles()

    with pytest.raises(CardRefused):
        await files.read(sent(b"hello"))
    with pytest.raises(CardRefused):
        await files.read_avatar(sent(b"hello"))
    with pytest.raises(PersonaError):
        await files.check(Persona("rose", "Rose", voice=" ", greeting="Hi"))
    assert (await files.read_avatar(sent(PICTURE.content))).media_type == "image/png"
