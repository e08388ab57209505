"""Documents that the page of a subject names: a question that joins two records is answered by two pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.judging.facts.fact import Fact
from core.judging.facts.index import Titles
from core.judging.facts.reading import Source
from core.text.words import fold

MOST_LINKING = 20
"""Pages about the subjects that are followed to others; a subject that more pages mention is followed from these."""


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
