"""Identical and nearly identical documents of a corpus, each group told once."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.sources.documents import Document, SkippedFile
from core.sources.corpus.loading import REPEATS
from core.text.words import fold

Runs = npt.NDArray[np.uint64]
RUN = 5
"""Words of a run by which texts are compared."""
ALIKE = 0.9
"""Share of common runs from which two texts are nearly the same."""
LEAST = 20
"""Words; shorter texts are compared only as a whole."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)
SKETCH = 64
"""Runs of a text by which others that may be near it are looked up."""
MOST_COMPARED = 5
MOST_HOLDERS = 50
"""Texts that are looked up by one run; a run that more share is a form's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Documents with the same text, or nearly.

    Attributes:
        kept: Id of the document that the others are like: the first of the corpus.
        same: Ids or paths of those with its text; copies that were left out are among them.
        near: Ids of those with nearly its text, each with the share of runs of five words that both have.
    """

    kept: str
    same: tuple[str, ...] = ()
    near: tuple[tuple[str, float], ...] = ()

    @property
    def size(self) -> int:
        """How many documents there are of one text, the kept one included."""
        return 1 + len(self.same) + len(self.near)


def find_duplicates(documents: Sequence[Document], skipped: Iterable[SkippedFile] = ()) -> tuple[Duplicates, ...]:
    """The groups, the largest first.

    A document is near another where they share at least 90% of their runs of five words (Jaccard), counted exactly for
    the pairs that a sketch of their rarest runs proposes. Texts of fewer than 20 words are never near.

    Args:
        documents: Of one corpus, in its order.
        skipped: What was left out; copies among it belong to the group of their text.
    """
    same: defaultdict[str, list[str]] = defaultdict(list)
    for item in skipped:
        if item.reason.startswith(REPEATS):
            same[item.reason.removeprefix(REPEATS)].append(item.path)
    first: dict[str, str] = {}
    distinct: list[Document] = []
    for document in documents:
        digest = hashlib.sha256(" ".join(document.text.split()).encode("utf-8", "replace")).hexdigest()
        teller = first.setdefault(digest, document.id)
        if teller != document.id:
            same[teller].append(document.id)
        else:
            distinct.append(document)
    near = _near(distinct)
    order = {document.id: place for place, document in enumerate(documents)}
    groups = []
    for kept in sorted(set(same) | set(near), key=lambda name: order.get(name, len(order))):
        if kept in {name for others in near.values() for name, _ in others}:
            continue  # told with the one it is near to
        own = [*same.get(kept, ()), *(copy for name, _ in near.get(kept, ()) for copy in same.get(name, ()))]
        groups.append(Duplicates(kept=kept, same=tuple(own), near=tuple(near.get(kept, ()))))
    return tuple(sorted(groups, key=lambda group: -group.size))


def _near(documents: Sequence[Document]) -> Mapping[str, list[tuple[str, float]]]:
    """The later documents that are near an earlier one, by that one's id."""
    words: dict[str, int] = {}
    runs: dict[str, Runs] = {}
    holders: defaultdict[int, list[str]] = defaultdict(list)
    near: dict[str, list[tuple[str, float]]] = {}
    for document in documents:
        own = _runs(document.text, words)
        if len(own) <= LEAST - RUN:
            continue
        sketch = own[:SKETCH].tolist()  # the smallest numbers are a sample that equal texts share
        shared = Counter(other for run in sketch for other in holders[run])
        for other, _ in shared.most_common(MOST_COMPARED):
            both = len(np.intersect1d(own, runs[other], assume_unique=True))
            share = both / (len(own) + len(runs[other]) - both)
            if share >= ALIKE:
                near.setdefault(other, []).append((document.id, round(share, 4)))
                break
        else:
            runs[document.id] = own
            for run in sketch:
                if len(holders[run]) < MOST_HOLDERS:
                    holders[run].append(document.id)
    return near


def _runs(text: str, words: dict[str, int]) -> Runs:
    """The runs of five words of a text, as rising numbers that are the same in every process.

    Args:
        text: Any text.
        words: The number of each word so far; new ones are added.
    """
    numbers = np.array(
        [words.get(word) or words.setdefault(word, _number(word)) for word in fold(text).split()], np.uint64
    )
    if len(numbers) < RUN:
        return numbers[:0]
    rows = np.zeros(len(numbers) - RUN + 1, np.uint64)
    for at in range(RUN):  # whole numbers of 64 bits wrap around
        rows = rows * FACTOR + numbers[at : at + len(rows)]
    return np.unique(rows ^ rows >> np.uint64(29))


def _number(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
