"""Pages that give another telephone number or address, or another number in a sentence that is otherwise the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.sources.documents import Document
from core.safety.privacy.detecting import find_personal_data, same_value
from core.safety.privacy.entities import Entity
from core.text.sentences import split_sentences
from core.text.words import STOP_WORDS, words

MOST_SHARED: Final = 20
"""Pages that may share a word of their titles before it names a kind of page."""
LEAST_WORDS: Final = 3
_NUMBER: Final = re.compile(r"\d[\d.,:/ -]*\d|\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two pages that say another thing of the same.

    Attributes:
        subject: What both speak about.
        first: Id of a page.
        second: Id of the other one.
        first_value: What the first says, masked where it is personal.
        second_value: What the second says.
        what: Of what kind the values are.
    """

    subject: str
    first: str
    second: str
    first_value: str
    second_value: str
    what: str


def contradicting_pages(documents: Sequence[Document]) -> list[Contradiction]:
    """Pages that give another telephone number or address for the same subject, or another number in the same sentence.

    Two pages speak about the same where the title of one stands in the title of the other, or where both have one
    title. Only such pairs are compared, for "the fee is 12" and "the fee is 15" on the pages of two products agree.
    """
    pairs = _same_subject(documents)
    contacts = {document.id: _contacts(document) for pair in pairs for document in pair[1:]}
    sentences = {document.id: _numbered(document) for pair in pairs for document in pair[1:]}
    result = []
    for subject, first, second in pairs:
        for entity in (Entity.PHONE, Entity.EMAIL):
            ours, theirs = contacts[first.id].get(entity, {}), contacts[second.id].get(entity, {})
            if len(ours) == len(theirs) == 1 and not ours.keys() & theirs.keys():
                result.append(
                    Contradiction(
                        subject=subject,
                        first=first.id,
                        second=second.id,
                        first_value=next(iter(ours.values())),
                        second_value=next(iter(theirs.values())),
                        what="telephone number" if entity is Entity.PHONE else "e-mail address",
                    )
                )
        for key in sentences[first.id].keys() & sentences[second.id].keys():
            ours_said, theirs_said = sentences[first.id][key], sentences[second.id][key]
            if ours_said != theirs_said:
                result.append(
                    Contradiction(
                        subject=subject,
                        first=first.id,
                        second=second.id,
                        first_value=", ".join(ours_said),
                        second_value=", ".join(theirs_said),
                        what="number in the same sentence",
                    )
                )
    return result


def _same_subject(documents: Sequence[Document]) -> list[tuple[str, Document, Document]]:
    """Pairs of pages of which one's title stands in the other's, without words that name a kind of page."""
    keys = {document.id: _title_key(document.title) for document in documents}
    by_word: defaultdict[str, list[Document]] = defaultdict(list)
    for document in documents:
        for word in keys[document.id]:
            by_word[word].append(document)
    pairs: dict[tuple[str, str], tuple[str, Document, Document]] = {}
    for own in by_word.values():
        if len(own) > MOST_SHARED:
            continue
        for at, first in enumerate(own):
            for second in own[at + 1 :]:
                shorter, longer = sorted((first, second), key=lambda one: len(keys[one.id]))
                if _numbered_apart(first.title, second.title):
                    continue
                if len(keys[shorter.id]) >= 2 and set(keys[shorter.id]) <= set(keys[longer.id]):
                    pairs.setdefault((first.id, second.id), (shorter.title, first, second))
    return list(pairs.values())


_NOT_A_SUBJECT: Final = """
branch office page sheet contact contacts list of the a an and for from to guide policy version product account overview
information details
"""
_KINDS: Final = frozenset(_NOT_A_SUBJECT.split())


def _numbered_apart(first: str, second: str) -> bool:
    """Whether titles tell two things apart by a number: "Disc 1" and "Disc 2"; a year may be one of two versions."""
    ours, theirs = (set(re.findall(r"\d+", title)) for title in (first, second))
    differ = ours ^ theirs
    return bool(ours and theirs and differ) and not all(re.fullmatch(r"(?:19|20)\d\d", number) for number in differ)


def _title_key(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words(title) if word not in _KINDS and not word.isdigit()))


def _contacts(document: Document) -> dict[Entity, dict[str, str]]:
    result: defaultdict[Entity, dict[str, str]] = defaultdict(dict)
    for finding in find_personal_data(document.text):
        if finding.entity in (Entity.PHONE, Entity.EMAIL) and finding.about != "person":
            result[finding.entity].setdefault(same_value(finding.value), finding.value)
    return result


def _numbered(document: Document) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The numbers of each sentence by its other words; a sentence that comes twice is left out."""
    result: dict[tuple[str, ...], tuple[str, ...]] = {}
    twice = set()
    for sentence in split_sentences(document.text):
        numbers = tuple(_NUMBER.findall(sentence.text))
        key = tuple(word for word in words(_NUMBER.sub(" ", sentence.text)) if word not in STOP_WORDS)
        if numbers and len(key) >= LEAST_WORDS:
            if key in result:
                twice.add(key)
            result[key] = numbers
    return {key: numbers for key, numbers in result.items() if key not in twice}
