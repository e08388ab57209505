"""What the keys of fields tell over a whole collection: which documents have them, and who signs every form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.reading.vocabulary.common_words import DOES, PERSON
from core.text.blocks import ENTRY

FEWEST_SIGNED = 3
"""Forms with the same officer from which that one signs them all."""


def documents_of_keys(chunks: Sequence[Chunk]) -> dict[str, set[str]]:
    """The documents that have a line with each key."""
    documents: dict[str, set[str]] = defaultdict(set)
    for chunk in chunks:
        for line in chunk.text.splitlines():
            if ENTRY.match(line.strip()):
                documents[line.split(":")[0].strip(" *_").casefold()].add(chunk.document_id)
    return documents


def values_of_fields(chunks: Sequence[Chunk]) -> dict[tuple[str, str], set[str]]:
    """The values that a document gives a key, by document and key: two where it has happened twice."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for chunk in chunks:
        for line in map(str.strip, chunk.text.splitlines()):
            if ENTRY.match(line):
                label, _, value = line.partition(":")
                values[chunk.document_id, label.strip(" *_").casefold()].add(key(value))
    return values


def signs_all(values: Mapping[tuple[str, str], set[str]]) -> frozenset[str]:
    """Keys of an officer who is the same person in all forms, and signs them: nobody looks that up in one of them."""
    documents: dict[str, list[set[str]]] = defaultdict(list)
    for (_, label), given in values.items():
        documents[label].append(given)
    return frozenset(
        label
        for label, given in documents.items()
        if len(given) >= FEWEST_SIGNED
        and len(set().union(*given)) == 1
        and (PERSON.fullmatch(label) or DOES.search(label))
    )
