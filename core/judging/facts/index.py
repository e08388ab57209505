"""The documents of a corpus by the words they hold, built once for many facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.domain.sources.documents import Document
from core.text.pages import Page, page_of
from core.text.words import words


class FactIndex:
    """Finds the documents that mention a subject.

    Args:
        documents: In the order in which they are looked at.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, document in enumerate(self.documents):
            for word in set(words(f"{document.id} {document.title} {document.text}".replace(":", " "))):
                self._places[word].add(place)

    def mentioning(self, names: Sequence[str]) -> tuple[tuple[Document, Page], ...]:
        """The documents in which every name occurs as a whole phrase, in order; none without a name."""
        places_by_word = [self._places.get(word, set()) for name in names for word in words(name)]
        if not places_by_word:
            return ()
        places = sorted(set.intersection(*sorted(places_by_word, key=len)))
        candidates = ((self.documents[place], page_of(self.documents[place])) for place in places)
        return tuple((document, page) for document, page in candidates if all(page.mentions(name) for name in names))
