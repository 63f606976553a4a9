"""`/stop`: the answer that is being written ends where it is."""

from dataclasses import dataclass
from typing import assert_never

from bot.domain.command import Answer, Command, CommandCall, is_admin
from bot.ports.turns import RunningTurns, Stopping
from bot.wording.say import say


def stop_commands(turns: RunningTurns) -> tuple[Command, ...]:
    """Return the command that ends an answer."""
    summary = "Make me end the answer that I am writing"
    return (Command(("stop",), summary, _Stop(turns).stop, private=True, admins_may_more=True),)


@dataclass(frozen=True, slots=True)
class _Stop:
    """Ends what is written where the asker is: for whom it is written, or an admin."""

    turns: RunningTurns

    async def stop(self, call: CommandCall) -> Answer:
        """Stop, and say what came of it."""
        stopping = await self.turns.stop(call.conversation, person_id="" if is_admin(call) else call.asker.id)
        match stopping:
            case Stopping.STOPPED:
                return Answer(say("Stopped. What you see of it stays; whatever I was about to remember is dropped."))
            case Stopping.NOTHING:
                return Answer(say("I am not writing anything here just now. All is quiet."))
            case Stopping.NOT_YOURS:
                return Answer(say("What I am writing here answers somebody else; they or an admin can stop it."))
            case _:
                assert_never(stopping)
