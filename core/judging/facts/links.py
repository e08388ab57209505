"""Documents that the page of a subject names: a question that joins two records is answered by two pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.domain.sources.documents import Document
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex, Titles
from core.judging.facts.reading import Source
from core.judging.facts.subjects import Subject
from core.text.words import fold

MOST_LINKING = 20
"""Pages about the subjects that are followed to others; a subject that more pages mention is followed from these."""

MOST_BESIDE = 50
"""Pages with a name or a value that are read for the two together; what stands on more tells nothing."""


def with_links(fact: Fact, gold: Sequence[Source]) -> tuple[Source, ...]:
    """Gold documents, those that do not mention the subjects read as what the others say of them.

    A gold document that no other one names stays as it is: pages may call a subject something else.
    """
    if len(gold) < 2:
        return tuple(gold)
    naming = [source for source in gold if mentions_all(fact, source)]
    said = _named(fact, naming, Titles(source.document for source in gold if source not in naming))
    return tuple(
        Source(document=source.document, page=source.page, gold=True, said=said[source.document.id])
        if source.document.id in said
        else source
        for source in gold
    )


def linked(fact: Fact, about: Sequence[Source], titles: Titles) -> tuple[Source, ...]:
    """The documents that pages about the subjects name, except those pages themselves; none where nothing is joined."""
    if not fact.joined:
        return ()
    own = {source.document.id for source in about}
    said = _named(fact, about[:MOST_LINKING], titles)
    return tuple(
        Source(document=document, page=Source.of(document).page, said=said[document.id])
        for document in titles.documents(said)
        if document.id not in own
    )


def beside_one_subject(fact: Fact, index: FactIndex) -> tuple[Document, str] | None:
    """A passage that has the value beside one of several subjects, on a page that does not mention the others at all.

    A timetable has the room of a course by its title, and the page of the course has its code: together they may state
    the room of the course with that code, which no single page does.
    """
    values = [(value.key,) for value in fact.values if value.date is None]
    for names in (*_own_names(fact.subjects), *values) if len(fact.subjects) > 1 else ():
        for document, page in index.mentioning(names, MOST_BESIDE):
            here = [subject for subject in fact.subjects if subject.mentioned(page)]
            if len(here) == len(fact.subjects):
                continue
            dates = [subject for subject in here if subject.value is not None]
            for piece in page.pieces:
                if fact.stated_in(piece) and (
                    any(piece.names(name) for (name,) in _own_names(here)) or any(day.stated_in(piece) for day in dates)
                ):
                    return document, piece.passage.text
    return None


def _own_names(subjects: Sequence[Subject]) -> list[tuple[str]]:
    """Names that are somebody's own rather than one of many: a code, several words, a first with a last name."""
    names = [subject.name for subject in subjects if subject.value is None]
    own = [name for name in names if " " in name or any(map(str.isdigit, name))]
    return [(name,) for name in (*own, *map(" ".join, pairwise(names)))]


def mentions_all(fact: Fact, source: Source) -> bool:
    """Whether a document mentions every subject."""
    return all(subject.mentioned(source.page) for subject in fact.subjects)


def _named(fact: Fact, sources: Iterable[Source], titles: Titles) -> dict[str, frozenset[str]]:
    """By document that is named beside the subjects and a word of the property: those words.

    A document that is named by the way, without such a word, is not where a property of the subjects stands.
    """
    said: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for source in sources:
        titled = {name for name in fact.names if source.page.is_about(name)}
        for piece in source.page.pieces:
            with_words = fact.any_of & piece.stems
            if not with_words or not all(
                subject.name in titled or subject.stated_in(piece) for subject in fact.subjects
            ):
                continue
            for document in titles.named_in(piece.folded):
                if fold(document.title) not in fact.names:
                    said[document.id] |= with_words
    return dict(said)
