from bot.commands.desk import CommandDesk
from bot.commands.stop import stop_commands
from bot.conversation.running import WritingHere
from bot.domain.command import CommandCall
from bot.testing.factories import ADA, BO, GROUP, kind_of


async def test_who_is_answered_or_an_admin_stops_an_answer_and_nobody_else() -> None:
    here = WritingHere()
    desk = CommandDesk(stop_commands(here))
    call = CommandCall(("stop",), {}, BO, GROUP, kind_of(GROUP))

    quiet = await desk.run(call)
    with here.begin(GROUP, {ADA.id}) as writing:
        refused = await desk.run(call)
        still_written = not writing.is_stopped
        stopped = await desk.run(CommandCall(("stop",), {}, BO, GROUP, kind_of(GROUP), asker_is_admin=True))

    assert quiet.text == "I am not writing anything here just now. All is quiet."
    assert refused.text.startswith("What I am writing here answers somebody else")
    assert still_written
    assert writing.is_stopped
    assert stopped.text.startswith("Stopped.")
