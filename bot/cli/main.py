"""All commands with their options. What a command does is imported when it runs, so that help comes at once."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot import __version__
from bot.cli.called import as_called
from bot.cli.crash import hide_secrets_in_crashes
from bot.domain.role import ALL_ROLES, Role
from bot.errors import BotError, ConfigError

app = typer.Typer(
    help="Chat with personas that remember, here or on Discord and Telegram.",
    epilog="Settings come from the environment and from .env in this folder; `baku doctor` shows them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
persona_app = typer.Typer(help="Look after personas.", no_args_is_help=True, rich_markup_mode=None)
memory_app = typer.Typer(help="Look at memories.", no_args_is_help=True, rich_markup_mode=None)
job_app = typer.Typer(help="Look after what is done by night.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(persona_app, name="persona")
app.add_typer(memory_app, name="memory")
app.add_typer(job_app, name="job")

Db = Annotated[
    str | None, typer.Option("--db", metavar="PATH", help="The database: a file or an address (else BAKU_DB, else data/baku.db).")
]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. Our own errors become a line each."""
    try:
        app(arguments)
    except (BotError, ExceptionGroup) as error:
        problems = our_errors(error)
        if not problems:
            raise
        for line in as_called(_without_secrets("\n".join(map(str, problems)))).splitlines():
            typer.echo(f"error: {line}", err=True)
        sys.exit(1)


def _without_secrets(text: str) -> str:
    """Return the text with no secret of the settings in it; settings with mistakes hide their own."""
    from bot.cli.logs import without_secrets
    from bot.config.loading import load_settings

    try:
        return without_secrets(text, load_settings().secrets())
    except ConfigError:
        return text


def our_errors(error: Exception) -> list[BotError]:
    """Return the errors that we raised on purpose, or none when there is any other among them."""
    match error:
        case BotError():
            return [error]
        case ExceptionGroup(exceptions=inner):
            found = [our_errors(each) for each in inner]
            return [problem for problems in found for problem in problems] if all(found) else []
    return []


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"baku {__version__}")
        raise typer.Exit


def _role(name: str) -> Role:
    try:
        return Role(name)
    except ValueError:  # typer's own text begins with the name of a library's error
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(Role)}.") from None


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")] = False,  # noqa: ARG001 - its own callback shows it
) -> None:
    hide_secrets_in_crashes()


@app.command()
def chat(
    persona: Annotated[str | None, typer.Option(metavar="ID", help="Speak with this persona from now on.")] = None,
    db: Db = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The model that answers (else BAKU_MODEL).")] = None,
    session: Annotated[str, typer.Option(metavar="NAME", help="The conversation to go on with.")] = "main",
) -> None:
    """Talk to a persona in this terminal. Piped input works: lines in, replies out."""
    from bot.cli.chat import chat_here

    chat_here(persona_id=persona, db=db, model=model, session=session)


@app.command()
def run(
    role: Annotated[
        list[Role] | None,
        typer.Option(
            "--role",
            parser=_role,
            metavar="|".join(Role),
            help="Do only this part (may be given more than once), on PostgreSQL; else everything.",
        ),
    ] = None,
    shards: Annotated[str, typer.Option(metavar="FIRST-LAST/COUNT", help="Discord's shards to hold, such as 0-3/16; else all.")] = "",
    db: Db = None,
) -> None:
    """Serve Discord and Telegram, each when its token is set, until stopped."""
    from bot.cli.serve import serve

    serve(db=db, roles=frozenset(role or ALL_ROLES), shards=shards)


@app.command()
def doctor(db: Db = None) -> None:
    """Say what is set up, what is missing and how to mend it. Exit code 1 when something is broken."""
    from bot.cli.doctor import examine

    if not examine(db=db):
        raise typer.Exit(1)


@app.command()
def migrate(
    db: Db = None,
    source: Annotated[str, typer.Option("--from", metavar="ADDRESS", help="Move all out of this file, such as data/baku.db.")] = "",
    goal: Annotated[str, typer.Option("--to", metavar="ADDRESS", help="Move it to this server (else to that of BAKU_DB).")] = "",
    anew: Annotated[bool, typer.Option("--anew", help="Take back first what an unfinished move has brought.")] = False,
) -> None:
    """Bring the database's schema up to date; or, with --from, move a whole bot from its file to a PostgreSQL server.

    A move only reads the file, goes on where it was cut short, and ends with a comparison of all tables. Exit code 1 when they differ.
    """
    from bot.cli.database import bring_up_to_date
    from bot.cli.move import move_to_server

    if not source:
        if goal or anew:
            raise typer.BadParameter("--to and --anew go with --from, which says where all is moved from.")
        bring_up_to_date(db=db)
    elif not move_to_server(source, goal or db, anew=anew):
        raise typer.Exit(1)


@persona_app.command("list")
def list_personas() -> None:
    """List all personas."""
    from bot.cli.personas import show_personas

    show_personas()


@persona_app.command("check")
def check() -> None:
    """Explain every mistake in the persona files. Exit code 1 when there is one."""
    from bot.cli.personas import check_files

    if not check_files():
        raise typer.Exit(1)


@persona_app.command()
def duplicate(
    source: Annotated[str, typer.Argument(metavar="FROM")], copy: Annotated[str, typer.Argument(metavar="TO")], db: Db = None
) -> None:
    """Copy a persona with all it remembers. The copy goes its own way from then on."""
    from bot.cli.personas import duplicate_persona

    duplicate_persona(source, copy, db=db)


@persona_app.command()
def delete(
    persona: Annotated[str, typer.Argument(metavar="ID")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    db: Db = None,
) -> None:
    """Delete a persona's file and all it remembers."""
    from bot.cli.personas import delete_persona

    if not yes:
        typer.confirm(f"Delete {persona!r} and all it remembers?", abort=True)
    delete_persona(persona, db=db)


WhosePersona = Annotated[str, typer.Option("--persona", metavar="ID", help="Whose memory (else the persona that speaks there).")]
WhosePlace = Annotated[
    str,
    typer.Option("--conversation", metavar="KEY", help="Where: platform:space:channel:thread (else the conversation in this terminal)."),
]
WhosePerson = Annotated[str, typer.Option("--person", metavar="ID", help="Whose direct chats: the platform's id of the person.")]


@memory_app.command("list")
def list_memories(persona: WhosePersona = "", conversation: WhosePlace = "", person: WhosePerson = "", db: Db = None) -> None:
    """List what a persona remembers of a conversation or a person."""
    from bot.cli.memories import show_memories

    show_memories(persona_id=persona, place=conversation, person_id=person, db=db)


@memory_app.command("timeline")
def memory_timeline(
    *,
    persona: WhosePersona = "",
    conversation: WhosePlace = "",
    person: WhosePerson = "",
    days: Annotated[int, typer.Option(metavar="N", min=1, max=3650, help="How far back.")] = 90,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="How many memories, the strongest first.")] = 30,
    db: Db = None,
) -> None:
    """Draw how memories rose and faded."""
    from bot.cli.remembered import Whose
    from bot.cli.timeline import show_timeline

    show_timeline(Whose(persona, conversation, person), days=days, limit=limit, db=db)


@memory_app.command("simulate")
def simulate_memory(
    *,
    persona: WhosePersona = "",
    conversation: WhosePlace = "",
    person: WhosePerson = "",
    days: Annotated[int, typer.Option(metavar="N", min=1, max=3650, help="How far ahead.")] = 90,
    used_every: Annotated[int, typer.Option(metavar="DAYS", min=1, help="How often the used one of the chart is used.")] = 7,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Try another value of the policy, such as preset=seed.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the chart as a picture, too.")] = None,
    db: Db = None,
) -> None:
    """Show what a policy would make of the present memories. Nothing is changed."""
    from bot.cli.remembered import Whose
    from bot.cli.simulate import show_simulation

    whose = Whose(persona, conversation, person)
    show_simulation(whose, days=days, used_every=used_every, changes=changes or (), svg=svg, db=db)


WhichConversation = Annotated[
    str, typer.Argument(metavar="CONVERSATION", help="platform:space:channel:thread (may be left out when there is only one).")
]


@memory_app.command("regenerate")
def regenerate_past(
    conversation: WhichConversation = "",
    chunk_tokens: Annotated[
        int | None,
        typer.Option(metavar="N", min=100, max=100_000, help="Tokens of talk that get one summary (else chunk_tokens of the policy)."),
    ] = None,
    db: Db = None,
) -> None:
    """Read a conversation again and write its summaries anew. The old ones stay until the new ones are complete.

    Ctrl-C keeps what is written; the same command goes on from there. Exit code 1 when something is missing at the end.
    """
    from bot.cli.past import regenerate

    if not regenerate(conversation, chunk_tokens=chunk_tokens or 0, db=db):
        raise typer.Exit(1)


@memory_app.command("chunks")
def list_chunks(conversation: WhichConversation = "", db: Db = None) -> None:
    """List the chunks of a conversation.

    A line each: when it was, how many messages it has, how far its summary is, and what that begins with.
    """
    from bot.cli.chunks import show_chunks

    show_chunks(conversation, db=db)


@memory_app.command("index")
def index_past(
    conversation: WhichConversation = "",
    everywhere: Annotated[bool, typer.Option("--all", help="All conversations.")] = False,
    db: Db = None,
) -> None:
    """Make all that was said findable.

    By its words, and by its meaning as BAKU_EMBEDDER says; no chat model is asked. Ctrl-C keeps what is done. Exit code 1 when something
    is left.
    """
    from bot.cli.past import index

    if not index(conversation, everywhere=everywhere, db=db):
        raise typer.Exit(1)


@memory_app.command("erase")
def erase_memory(
    *,
    person: Annotated[str, typer.Option(metavar="PLATFORM:ID", help="All of a person, everywhere on a platform.")] = "",
    conversation: Annotated[str, typer.Option(metavar="KEY", help="All of a place: platform:space:channel:thread.")] = "",
    space: Annotated[str, typer.Option(metavar="PLATFORM:ID", help="All of a server or group.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    db: Db = None,
) -> None:
    """Erase all that is kept of a person, a conversation or a server, for good. It prints how much that was of what."""
    from bot.cli.erase import erase, meant

    target = meant(person=person, conversation=conversation, space=space)
    if not yes:
        typer.confirm("Erase it, and the copies of the database from before upgrades? This cannot be undone.", abort=True)
    erase(target, db=db)


@memory_app.command("export")
def export_memory(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to make, a ZIP.")],
    person: Annotated[str, typer.Option("--person", metavar="PLATFORM:ID", help="All that is held on a person of a platform.")] = "",
    conversation: Annotated[
        str, typer.Option("--conversation", metavar="KEY", help="All of a conversation: platform:space:channel:thread.")
    ] = "",
    space: Annotated[str, typer.Option("--space", metavar="PLATFORM:ID", help="All of a server or group.")] = "",
    db: Db = None,
) -> None:
    """Write all that is held on a person, a conversation or a server into one file, to be read by people and programs."""
    from bot.cli.export import Meant, export_to_file

    export_to_file(Meant(person, conversation, space), out, db=db)


@memory_app.command("import")
def import_memory(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ZIP that an export has made.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would come in.")] = False,
    db: Db = None,
) -> None:
    """Bring the file of an export back in. What was erased stays erased, and nothing that is here is overwritten.

    A second time it adds nothing; after Ctrl-C the same command goes on.
    """
    from bot.cli.import_file import import_file

    import_file(file, dry_run=dry_run, db=db)


@job_app.command("list")
def list_jobs(db: Db = None) -> None:
    """List what is done when, and how it went last."""
    from bot.cli.jobs import list_jobs as show

    show(db=db)


@job_app.command("run")
def run_job(
    job: Annotated[str, typer.Argument(metavar="JOB", help="dream, or decay, which is a dream's first step alone.")],
    persona: Annotated[str, typer.Option(metavar="ID", help="Whose memories (else those of all personas).")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what a dream would do.")] = False,
    db: Db = None,
) -> None:
    """Do a job at once, whatever its time. Exit code 1 when it fails."""
    from bot.cli.jobs import run_job as run

    if not run(job, persona_id=persona, dry_run=dry_run, db=db):
        raise typer.Exit(1)


@job_app.command("history")
def job_history(
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many runs.")] = 20,
    db: Db = None,
) -> None:
    """List the last runs, the newest first."""
    from bot.cli.jobs import show_history

    show_history(limit=limit, db=db)
