"""Words for what a message shows beside its text: polls, places, stickers and the like; pure, and bounded."""

from collections.abc import Iterator, Sequence

from telegram import Checklist, Contact, Giveaway, GiveawayWinners, Location, Message, PaidMediaInfo, Poll, Sticker, Venue

from bot.domain.text import one_line

LONGEST_TITLE = 200
LONGEST_QUESTION = 300
MOST_LINES = 30
"""Answers of a poll, or tasks of a list, that are named."""


def content_lines(message: Message) -> Iterator[str]:
    """Yield a line for each thing that a message shows; none for a notice such as "Ada joined"."""
    if message.sticker is not None and message.sticker.emoji:
        yield _sticker(message.sticker)
    if message.poll is not None:
        yield poll_line(message.poll)
    if message.venue is not None:
        yield _venue(message.venue)
    elif message.location is not None:
        yield _location(message.location)
    if message.contact is not None:
        yield _contact(message.contact)
    if message.dice is not None:
        yield f"[dice {message.dice.emoji}: {message.dice.value}]"
    if message.checklist is not None:
        yield _checklist(message.checklist)
    yield from _rare_lines(message)


def poll_line(poll: Poll) -> str:
    """Return what a poll asks, and what came of it when it has ended."""
    question = one_line(poll.question, LONGEST_QUESTION)
    options = poll.options[:MOST_LINES]
    if not poll.is_closed:
        return f"[poll: {question} – {', '.join(_short(option.text) for option in options)}]"
    return f"[poll ended: {question} – {', '.join(f'{_short(option.text)} {option.voter_count}' for option in options)}]"


def _rare_lines(message: Message) -> Iterator[str]:
    if message.story is not None:
        yield f"[story of {_short(message.story.chat.effective_name or '') or 'somebody'}]"
    if message.giveaway is not None:
        yield _giveaway(message.giveaway)
    if message.giveaway_winners is not None:
        yield _winners(message.giveaway_winners)
    if message.paid_media is not None:
        yield _paid(message.paid_media)
    if message.game is not None:
        yield f"[game: {_short(message.game.title)}]"
    if message.invoice is not None:
        yield f"[invoice: {_short(message.invoice.title)}]"


def _sticker(sticker: Sticker) -> str:
    pack = f", set {_short(sticker.set_name)}" if sticker.set_name else ""
    return f"[sticker: {sticker.emoji}{pack}]"


def _location(location: Location) -> str:
    place = f"{location.latitude:.5f}, {location.longitude:.5f}"
    is_live = "live_period" in location.to_dict()  # the attribute warns that it will be of another type one day
    return f"[{'live ' if is_live else ''}location: {place}]"


def _venue(venue: Venue) -> str:
    return f"[place: {_listed([venue.title, venue.address])}]"


def _contact(contact: Contact) -> str:
    """Return whose contact was shared; the number is personal, and of somebody who was not asked."""
    return f"[contact shared: {_short(' '.join(filter(None, [contact.first_name, contact.last_name])))}]"


def _checklist(checklist: Checklist) -> str:
    tasks = ", ".join(f"{'☑' if _is_done(task.completion_date) else '☐'} {_short(task.text)}" for task in checklist.tasks[:MOST_LINES])
    return f"[checklist: {_short(checklist.title)} – {tasks}]"


def _is_done(completed: object) -> bool:
    return completed is not None


def _giveaway(giveaway: Giveaway) -> str:
    prize = f", {_short(giveaway.prize_description)}" if giveaway.prize_description else ""
    return f"[giveaway: {giveaway.winner_count} winners on {giveaway.winners_selection_date:%Y-%m-%d}{prize}]"


def _winners(winners: GiveawayWinners) -> str:
    return f"[giveaway ended: {winners.winner_count} winners]"


def _paid(paid: PaidMediaInfo) -> str:
    return f"[paid media: {len(paid.paid_media)} for {paid.star_count} stars]"


def _listed(parts: Sequence[str | None]) -> str:
    return ", ".join(_short(part) for part in parts if part)


def _short(text: str) -> str:
    return one_line(text, LONGEST_TITLE)
