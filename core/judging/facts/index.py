"""The documents of a corpus by the words they hold and by their titles, built once for many facts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from core.domain.sources.documents import Document
from core.text.pages import Page, page_of
from core.text.words import contains_phrase, fold, words

MOSTLY = 0.9
"""Share of its places in which a name has a capital."""
SHORT_TITLE = 3
"""Letters below which a title may stand in any text by chance."""


class Titles:
    """Finds the documents whose titles a text has; what a title is made of digits alone, is no name.

    Args:
        documents: In the order in which they are looked at.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._by_word: defaultdict[str, list[tuple[str, Document]]] = defaultdict(list)
        self._by_id: dict[str, Document] = {}
        for document in documents:
            title = fold(document.title)
            if len(title) > SHORT_TITLE and not title.isdigit() and words(title):
                # The longest word is the rarest, as a rule: many titles begin with "the".
                self._by_word[max(words(title), key=len)].append((title, document))
                self._by_id[document.id] = document

    def named_in(self, folded: str) -> Iterator[Document]:
        """The documents whose whole title a folded text has."""
        for word in dict.fromkeys(words(folded)):
            for title, document in self._by_word.get(word, ()):
                if contains_phrase(folded, title):
                    yield document

    def documents(self, ids: Collection[str]) -> Iterator[Document]:
        """Documents by their ids."""
        return (self._by_id[document_id] for document_id in ids if document_id in self._by_id)


class FactIndex:
    """Finds the documents that mention a subject.

    Args:
        documents: In the order in which they are looked at.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)
        self.titles = Titles(self.documents)
        self._by_id = {document.id: document for document in self.documents}
        self._names: dict[str, bool] = {}
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, document in enumerate(self.documents):
            for word in set(words(f"{document.id} {document.title} {document.text}".replace(":", " "))):
                self._places[word].add(place)

    def document(self, document_id: str) -> Document | None:
        """A document by its id."""
        return self._by_id.get(document_id)

    def is_name(self, word: str) -> bool:
        """Whether documents write a folded word with a capital nearly wherever they have it, as they do a name."""
        if word not in self._names:
            written = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
            texts = (self.documents[place].text for place in self._places.get(word, ()))
            found = [match[0] for text in texts for match in written.finditer(text)]
            self._names[word] = sum(one[:1].isupper() for one in found) >= MOSTLY * max(1, len(found))
        return self._names[word]

    def mentioning(self, names: Sequence[str], most: int | None = None) -> tuple[tuple[Document, Page], ...]:
        """The documents in which every name occurs as a whole phrase, in order; none without a name.

        Args:
            names: Folded.
            most: Where more documents have every word of the names, none is read; without it all are.
        """
        places_by_word = [self._places.get(word, set()) for name in names for word in words(name)]
        if not places_by_word:
            return ()
        places = sorted(set.intersection(*sorted(places_by_word, key=len)))
        if most is not None and len(places) > most:
            return ()
        candidates = ((self.documents[place], page_of(self.documents[place])) for place in places)
        return tuple((document, page) for document, page in candidates if all(page.mentions(name) for name in names))
