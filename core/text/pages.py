"""A document prepared for lexical search: its subject, its passages and their words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain.sources.document_ids import bare_key
from core.domain.sources.documents import Document
from core.text.passages import NEXT_HEADING, Passage, PassageKind, split_passages
from core.text.words import contains_phrase, families, fold, stems, words

SHORT = 4
"""Passages below which a page shows nothing about what it says in every sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One passage with its words.

    Attributes:
        passage: The passage itself.
        words: Its folded words.
        stems: Their families, function words left out.
        own: Those of its families, heading and row included, that most passages of the page have not, or not so often;
            all of them on a short page. A page that calls its subject "the order of Ann Lee, shipped by Swift" in each
            sentence would else speak about shipping in each.
        beside: Families of the words in its heading and the rest of its row.
        folded: The passage, its heading and the rest of its row, folded.
        line: The same without the heading.
        part: The last of the headings that it stands under, folded.
        before: The passage before it, folded.
        length: Number of words.
    """

    passage: Passage
    words: frozenset[str]
    stems: frozenset[str]
    own: frozenset[str]
    beside: frozenset[str]
    folded: str
    line: str
    part: str
    before: str
    length: int

    def names(self, name: str) -> bool:
        """Whether it, its heading or its row has the phrase."""
        return contains_phrase(self.folded, name)

    def follows(self, name: str) -> bool:
        """Whether the passage before has the phrase, so that a pronoun may mean it."""
        return contains_phrase(self.before, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One document, prepared.

    Attributes:
        subject: Its title, its key and its heading, folded.
        start: Its text from the first word on, folded, without a leading "the".
        stems: Word families of its title.
        folded: Its text, folded.
        headings: What its passages stand under, folded, each once.
        pieces: Its passages, headings left out.
    """

    subject: str
    start: str
    stems: frozenset[str]
    folded: str
    headings: frozenset[str]
    pieces: tuple[Piece, ...]

    def is_about(self, name: str) -> bool:
        """Whether the name is in its title, its key or its heading, or is the first thing that its text says."""
        return contains_phrase(self.subject, name) or contains_phrase(self.start[: len(name) + 1], name)

    def mentions(self, name: str) -> bool:
        """Whether the name occurs in it at all, as a whole phrase."""
        return contains_phrase(self.subject, name) or contains_phrase(self.folded, name)


def page_of(document: Document) -> Page:
    """The prepared document; prepared once for each id, title and text."""
    return _page(document.title, document.id, document.text)


@lru_cache(maxsize=20_000)
def _page(title: str, document_id: str, text: str) -> Page:
    passages = split_passages(text)
    first = passages[0] if passages else Passage(text="")
    heading = first.text if first.kind is PassageKind.HEADING else ""
    said = [passage for passage in passages if passage.kind is not PassageKind.HEADING]
    counts = [Counter(families(passage.text)) for passage in said]
    usual = _usual(counts)
    return Page(
        subject=fold(" | ".join((title, bare_key(document_id), heading))),
        start=fold(first.text).removeprefix("the "),
        stems=stems(title),
        folded=fold(text),
        headings=frozenset(fold(above) for above in {passage.heading for passage in said}),
        pieces=tuple(_piece(passage, count, usual) for passage, count in zip(said, counts, strict=True)),
    )


def _piece(passage: Passage, count: Counter[str], usual: Counter[str]) -> Piece:
    passage_words = words(passage.text)
    beside = stems(f"{passage.heading} {passage.row}")
    return Piece(
        passage=passage,
        words=frozenset(passage_words),
        stems=frozenset(count),
        own=beside.union(family for family, times in count.items() if times > usual[family]),
        beside=beside,
        folded=fold(f"{passage.text} | {passage.heading} | {passage.row}"),
        line=fold(f"{passage.text} | {passage.row}"),
        part=fold(passage.heading.rpartition(NEXT_HEADING)[2]),
        before=fold(passage.before),
        length=len(passage_words),
    )


def _usual(counts: Sequence[Counter[str]]) -> Counter[str]:
    """How often more than half of the passages of a page have a word family; nothing of a short page."""
    if len(counts) < SHORT:
        return Counter()
    times: defaultdict[str, list[int]] = defaultdict(list)
    for count in counts:
        for family, number in count.items():
            times[family].append(number)
    most = len(counts) // 2 + 1
    return Counter(
        {family: sorted(numbers, reverse=True)[most - 1] for family, numbers in times.items() if len(numbers) >= most}
    )
