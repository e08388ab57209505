"""An index of the word families of chunks, to find what a collection does not say."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.text.words import contains_phrase, fold, stems


class ChunkWords:
    """Word families of chunks, with the titles and headings above them.

    Args:
        chunks: Every chunk of the collection.
        titles: Titles of documents by id.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str]) -> None:
        self._chunks = chunks
        self._titles = titles
        self._places: dict[str, array[int]] = defaultdict(lambda: array("I"))
        for place, chunk in enumerate(chunks):
            for stem in stems(self._full_text(chunk)):
                self._places[stem].append(place)

    def any_of(self, words: str) -> bool:
        """Whether any chunk has a word of one of the families."""
        return any(stem in self._places for stem in stems(words))

    def states(self, name: str, words: str) -> bool:
        """Whether a chunk, with its title and headings, has a name and a word of each of the families."""
        places = self._having(f"{words} {name}") if stems(words) else ()
        return any(contains_phrase(fold(self._full_text(self._chunks[place])), name) for place in places)

    def has_phrase(self, phrase: str) -> bool:
        """Whether a chunk, with its title and headings, has a phrase, letter case aside."""
        families = sorted(stems(phrase), key=lambda stem: len(self._places.get(stem, ())))
        if not families:
            return any(contains_phrase(fold(self._full_text(chunk)), phrase) for chunk in self._chunks)
        return any(
            contains_phrase(fold(self._full_text(self._chunks[place])), phrase)
            for place in self._places.get(families[0], ())
        )

    def in_document(self, document_id: str, words: str) -> bool:
        """Whether a chunk of a document has a word of each of the families."""
        return any(self._chunks[place].document_id == document_id for place in self._having(words))

    def documents_with(self, words: str, most: int = 200) -> dict[str, list[str]]:
        """The ids of chunks that have a word of each of the families, by document; none where more than `most` have.

        Args:
            words: The families.
            most: A bound on the work for words that are everywhere.
        """
        places = self._having(words)
        documents: dict[str, list[str]] = defaultdict(list)
        for place in sorted(places) if len(places) <= most else ():
            documents[self._chunks[place].document_id].append(self._chunks[place].id)
        return documents

    def _having(self, words: str) -> set[int]:
        families = sorted(stems(words), key=lambda stem: len(self._places.get(stem, ())))
        if not families or any(stem not in self._places for stem in families):
            return set()
        others = [self._places[stem] for stem in families[1:]]
        return {place for place in self._places[families[0]] if all(_holds(other, place) for other in others)}

    def _full_text(self, chunk: Chunk) -> str:
        return "\n".join((self._titles.get(chunk.document_id, ""), *chunk.section, chunk.text))


def _holds(places: array[int], place: int) -> bool:
    """Whether an ascending array has a number."""
    found = bisect_left(places, place)
    return found < len(places) and places[found] == place
