"""How an admin of a Discord server sets the bot up, without a file or a restart."""

from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.objects import Message
from tests.emulators.discord.permissions import Permission
from tests.scenario.walk.discord_walk import labels, read, walk

CAST = (a_persona("iris"), a_persona("otto", name="Otto", voice="You are gruff."))


def rows(message: Message) -> list[list[str]]:
    """Return what the buttons below a message say, row by row."""
    return [[part["label"] for part in row["components"]] for row in message.components]


async def test_setup_names_the_rights_that_are_missing_and_sees_at_once_when_they_are_given() -> None:
    async with walk(ScriptedModel()) as tea:
        page = await tea.run(tea.boss, "setup")
        lacking = page.content
        given = Permission.CREATE_PRIVATE_THREADS | Permission.MANAGE_WEBHOOKS
        tea.discord.bot_gets(tea.guild, tea.discord.role(tea.guild, "helper", given))
        after = await tea.press(tea.boss, page, "Check again")

    assert page.ephemeral
    assert ("- Create Private Threads (optional)\n- Manage Webhooks (optional)" in lacking, "I lack" in after.content) == (True, False)
    assert "✓ I may do all that I need here." in after.content


async def test_setup_leads_through_everything_by_buttons_and_what_was_chosen_holds_at_once() -> None:
    model = ScriptedModel("Morning.")
    async with walk(model, personas=CAST) as tea:
        page = await tea.run(tea.boss, "setup")
        for button in (
            "Next ›",
            "Otto",
            "Next ›",
            "Every message",
            "Next ›",
            "They share",
            "Share in this server",
            "Next ›",
            "UTC",
            "Next ›",
        ):
            await tea.press(tea.boss, page, button)
        tea.discord.member_says(tea.general, tea.ada, "good morning all")
        answer = await tea.answered(tea.general)

    done = read(page)
    assert done.startswith("**Set-up is done**")
    assert {line in done for line in ("/persona use: **Otto**", "/speak mode: **every**", "/memory scope: **server**")} == {True}
    assert (answer.content, "You are gruff." in model.prompts[0].text) == ("Morning.", True)


async def test_settings_show_all_on_one_page_and_lead_to_each_theme_and_back() -> None:
    async with walk(ScriptedModel()) as tea:
        await tea.run(tea.boss, "speak mode", value="names", where="server")
        page = await tea.run(tea.boss, "settings")
        overview, themes = read(page), labels(page)
        theme = read(await tea.press(tea.boss, page, "When I speak"))
        below = rows(page)
        back = read(await tea.press(tea.boss, page, "‹ Settings"))

    assert (page.ephemeral, "- /speak mode: **names** – what I answer in a group (set for everywhere)" in overview) == (True, True)
    assert themes == ["Personas", "Model", "When I speak", "Memory", "Dreams", "Limits", "Who may talk", "Privacy"]
    assert (theme.startswith("**When and how I speak here**"), below[-1], back) == (True, ["‹ Settings"], overview)
