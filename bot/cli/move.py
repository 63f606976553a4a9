"""Moving a bot from its file to a server."""

from rich.text import Text

from bot.cli.output import show, table
from bot.cli.progress import progress_shown
from bot.config.loading import load_settings
from bot.storage.transfer.transfer import Compared, Outcome, ends, move

_EQUAL, _DIFFERENT = Text("✓", style="green"), Text("✗", style="bold red")


def move_to_server(source: str, goal: str | None, *, anew: bool) -> bool:
    """Move all that a file holds to a server, which is that of the settings unless another is named; False when not all is equal."""
    settings = load_settings(db=goal)
    path, url = ends(load_settings(db=source).db_url, settings.db_url)
    with progress_shown("Moved") as moving, progress_shown("Compared") as comparing:
        outcome = move(path, url, anew=anew, moving=moving, comparing=comparing)
    _show(outcome)
    return outcome.is_finished


def _show(outcome: Outcome) -> None:
    if outcome.finished_before:
        print(f"All was moved on {outcome.finished_before:%Y-%m-%d at %H:%M} UTC already. There is nothing to do.")
        return
    _show_tables(outcome)
    if outcome.is_finished:
        print(
            "All is there. Set BAKU_DB to the server's address and start Baku. The file is as it was: delete it when you no longer need it."
        )
    elif outcome.was_written:
        print("The file was written to while it was moved. Stop the bot that uses it, then give the same command with --anew.")
    else:
        print("Not all is equal, so the server is not used. Give the same command with --anew to move all once more.")


def _show_tables(outcome: Outcome) -> None:
    shown = table("table", "rows there", "rows here", "")
    held = [each for each in outcome.compared if not _is_empty(each)]
    for each in held:
        shown.add_row(each.table, str(each.source.rows), str(each.target.rows), _EQUAL if each.is_equal else _DIFFERENT)
    show(shown)
    print(f"{len(outcome.compared) - len(held)} tables are empty on both sides.")


def _is_empty(compared: Compared) -> bool:
    return not compared.source.rows and not compared.target.rows
