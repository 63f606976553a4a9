"""Commands to try a platform with."""

from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind, WhoMay

NUMBER = Option("number", "The memory's number", OptionKind.NUMBER)


async def say_options(call: CommandCall) -> Answer:
    return Answer(f"{' '.join(call.path)}: {dict(call.options)}")


async def ask_first(call: CommandCall) -> Answer:
    line = f"memory forget {call.options['number']}"
    return Answer("**Forgotten.**") if call.confirmed else Answer(f"Forget {line}?", confirmation=Confirmation("Forget it", line))


async def ask_in_private(call: CommandCall) -> Answer:
    answer = await ask_first(call)
    return Answer(answer.text, private=True, confirmation=answer.confirmation)


HELP = Command(("help",), "What I can do", say_options)
LIST = Command(("memory", "list"), "List my memories", say_options, (Option("after", "After", OptionKind.NUMBER, required=False),))
FORGET = Command(("memory", "forget"), "Forget one", ask_first, (NUMBER,))
SET = Command(("persona", "set"), "Choose a persona", say_options, (Option("name", "Its name"),), who=WhoMay.ADMINS)
