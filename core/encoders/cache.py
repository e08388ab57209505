"""Vectors of texts that were encoded before: each text is encoded once, wherever and by whomever it is asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.encoders.protocols import Floats, SentenceEncoder, VectorCache
from core.store.models import encodings

if TYPE_CHECKING:
    from core.store.database import Store

AT_ONCE = 2_048
"""Texts encoded before their vectors are put away: what is lost when the process is stopped."""
UNIT = 1e-2
"""How far the squared length of a stored vector may be from 1 before it is taken for damaged."""


class MemoryCache:
    """Keeps the vectors used last, in memory; threads may share it.

    Args:
        limit: How many vectors are kept; 50,000 of 384 numbers take 77 MB.
    """

    def __init__(self, limit: int = 50_000) -> None:
        self._limit = limit
        self._kept: OrderedDict[tuple[str, str], Floats] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, model: str, texts: Sequence[str]) -> Mapping[str, Floats]:
        """The vectors there are, by text."""
        vectors: dict[str, Floats] = {}
        with self._lock:
            for text in texts:
                if (vector := self._kept.get((model, text))) is not None:
                    self._kept.move_to_end((model, text))
                    vectors[text] = vector
        return vectors

    def put(self, model: str, texts: Sequence[str], vectors: Floats) -> None:
        """Remembers vectors; the ones not used for longest make room."""
        with self._lock:
            for text, vector in zip(texts, vectors, strict=True):
                # A copy: a row of a matrix would keep the whole matrix alive.
                self._kept[model, text] = np.array(vector, dtype=np.float32)
                self._kept.move_to_end((model, text))
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


class StoreCache:
    """Keeps the vectors of a project in its store; processes may share it.

    Args:
        store: Of the project.
        project_id: Whose texts they are; the vectors go when the project goes.
    """

    def __init__(self, store: Store, project_id: str) -> None:
        self._store = store
        self._project_id = project_id

    def get(self, model: str, texts: Sequence[str]) -> Mapping[str, Floats]:
        """The vectors there are, by text; a damaged one may have any length."""
        with self._store.read() as connection:
            return encodings.of_texts(connection, self._project_id, model, texts)

    def put(self, model: str, texts: Sequence[str], vectors: Floats) -> None:
        """Remembers vectors in one short transaction.

        Raises:
            Conflict: There is no such project any more, or another writer kept the store locked.
        """
        if texts:
            rows = encodings.rows_of(self._project_id, model, texts, vectors)  # hashed before the store is locked
            with self._store.pulse() as connection:
                encodings.put(connection, rows)


class CachedEncoder:
    """Encodes each distinct text once: what a cache has is not encoded again.

    Args:
        encoder: For the texts the cache does not have.
        cache: Asked first and given what was encoded.
    """

    def __init__(self, encoder: SentenceEncoder, cache: VectorCache) -> None:
        self.name = encoder.name
        self.dimension = encoder.dimension
        self._encoder = encoder
        self._cache = cache

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of texts, (len(texts), d).

        A cached vector that is damaged (of another length, or no unit vector) is encoded anew.
        """
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        distinct = list(rows)
        vectors = np.empty((len(distinct), self.dimension), dtype=np.float32)
        for start in range(0, len(distinct), AT_ONCE):
            vectors[start : start + AT_ONCE] = self._some(distinct[start : start + AT_ONCE])
        return vectors if len(distinct) == len(texts) else vectors[[rows[text] for text in texts]]

    def _some(self, texts: Sequence[str]) -> Floats:
        vectors = {text: vector for text, vector in self._cache.get(self.name, texts).items() if self._whole(vector)}
        if missing := [text for text in texts if text not in vectors]:
            fresh = self._encoder.encode(missing)
            self._cache.put(self.name, missing, fresh)
            vectors |= zip(missing, fresh, strict=True)
        return np.stack([vectors[text] for text in texts])

    def _whole(self, vector: Floats) -> bool:
        # A vector with a part that is no number fails the comparison too.
        return vector.shape == (self.dimension,) and bool(abs(float(vector @ vector) - 1.0) <= UNIT)
