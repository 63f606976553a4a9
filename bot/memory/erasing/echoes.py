"""What repeats the words of somebody whose words go: lines of personas, and what else the same person said of it."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from bot.domain.chat import ConversationKey
from bot.domain.memory import Memory
from bot.domain.message import Role, StoredMessage
from bot.domain.past import CorpusKey
from bot.domain.terms import terms
from bot.memory.erasing.facts import own_words, says_all
from bot.ports.corpus import Documents, Postings
from bot.ports.store import Transaction

UNREAD = 1000
"""Messages that search does not know yet, and that are looked through."""


async def repeats(tx: Transaction, conversation: ConversationKey, memory: Memory, sources: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Return what else says all of a memory, said by its author or a persona, and the persona's lines with words of its own."""
    rows, words = {message.id for message in sources}, own_words(memory)
    key = CorpusKey(conversation)
    documents, found = await tx.corpora.documents(key), await tx.corpora.postings(key, words)
    owned = _of_author(documents, memory.author.id)
    candidates = set[int]()
    if len(found) == len(words):
        candidates |= set(_ids(documents, _in_all(found)[owned[_in_all(found)]]))
    alone = _said_nowhere_else(documents, found, rows)
    candidates |= set(_ids(documents, alone))
    unread = await _unread(tx, conversation)
    candidates |= {each.id for each in unread if _is_theirs(each, memory.author.id) and says_all(each.text, memory)}
    return [each for each in await tx.messages.several(conversation, candidates - rows) if _is_theirs(each, memory.author.id)]


async def answers_to(tx: Transaction, conversation: ConversationKey, said: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Return lines of personas after messages with a word from these that nobody else has used."""
    key, rows = CorpusKey(conversation), {message.id for message in said}
    found = await tx.corpora.postings(key, frozenset[str]().union(*(terms(message.text) for message in said)))
    documents = await tx.corpora.documents(key)
    lines = _ids(documents, _said_nowhere_else(documents, found, rows))
    return list(await tx.messages.several(conversation, {row for row in lines if row > min(rows)} - rows))


async def echoes(tx: Transaction, conversation: ConversationKey, person_id: str, said: Sequence[StoredMessage]) -> list[StoredMessage]:
    """Return lines of personas that have a word which nobody but this person and personas have used, or this person's name."""
    words = frozenset[str]().union(*(terms(message.text) for message in said))
    names = [terms(name) for name in {message.author.display_name for message in said}]
    key = CorpusKey(conversation)
    documents = await tx.corpora.documents(key)
    found = await tx.corpora.postings(key, words.union(*names))
    owned = _of_author(documents, person_id)
    own = [found[word].places for word in words if word in found and owned[found[word].places].all()]
    named = [_in_all({word: found[word] for word in name}) for name in names if name and all(word in found for word in name)]
    places = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *own, *named]))
    rows = set(_ids(documents, places[documents.of_persona[places]])) if places.size else set()
    by_name = {each.id for each in await _unread(tx, conversation) if any(name and name <= terms(each.text) for name in names)}
    return [each for each in await tx.messages.several(conversation, rows | by_name) if each.role is Role.ASSISTANT]


def _of_author(documents: Documents, person_id: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which documents a person or a persona has said."""
    theirs = np.array([person.id == person_id and not person.is_bot for person in documents.people], dtype=np.bool_)
    return documents.of_persona | theirs[documents.speakers] if documents.ids.size else documents.of_persona


def _said_nowhere_else(
    documents: Documents, found: Mapping[str, Postings], rows: Collection[int]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return lines of personas that have a word which stands only in these messages and in such lines."""
    lines = [np.zeros(0, dtype=np.int64)]
    is_source = np.isin(documents.ids, sorted(rows))
    for postings in found.values():
        places = postings.places
        if (is_source | documents.of_persona)[places].all() and is_source[places].any():
            lines.append(places[documents.of_persona[places]])
    return np.unique(np.concatenate(lines))


def _in_all(found: Mapping[str, Postings]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the places where all words stand."""
    places: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None
    for postings in found.values():
        places = postings.places if places is None else np.intersect1d(places, postings.places)
    return np.zeros(0, dtype=np.int64) if places is None else places


def _ids(documents: Documents, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    ids: list[int] = documents.ids[places].tolist()
    return ids


async def _unread(tx: Transaction, conversation: ConversationKey) -> Sequence[StoredMessage]:
    after = (await tx.pasts.state(conversation)).indexed_row
    return await tx.messages.page(conversation, after=after, limit=UNREAD)


def _is_theirs(message: StoredMessage, person_id: str) -> bool:
    return message.role is Role.ASSISTANT or (message.author.id == person_id and not message.author.is_bot)
