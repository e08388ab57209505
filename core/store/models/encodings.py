"""Encodings of texts by models, by the text's SHA-256, as little-endian float32; can be emptied at any time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, func, select

from core.store.tables import encodings
from core.store.writing.upsert import Row
from core.store.writing.upsert import put as upsert

CHUNK = 1_000
"""Texts looked up by one statement."""

Floats = npt.NDArray[np.float32]


def text_hash(text: str) -> bytes:
    """SHA-256 of a text; half of a surrogate pair, which is no character, counts as one."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def of_texts(connection: Connection, project_id: str, model: str, texts: Sequence[str]) -> dict[str, Floats]:
    """The stored vectors, by text; a damaged row has no vector or one of another length.

    Args:
        connection: From the store.
        project_id: Whose texts.
        model: The model's name with weights and precision.
        texts: Any number.
    """
    vectors: dict[str, Floats] = {}
    waiting = iter(texts)
    while batch := {text_hash(text): text for text in islice(waiting, CHUNK)}:
        query = select(encodings.c.text_hash, encodings.c.vector).where(
            encodings.c.project_id == project_id, encodings.c.model == model, encodings.c.text_hash.in_(list(batch))
        )
        for hashed, vector in connection.execute(query):
            if len(vector) % 4 == 0:
                vectors[batch[bytes(hashed)]] = np.frombuffer(vector, dtype="<f4")
    return vectors


def rows_of(project_id: str, model: str, texts: Sequence[str], vectors: Floats) -> list[Row]:
    """The rows of vectors, (len(texts), d), in the order of their keys, so that two writers never wait for each other.

    Where a text occurs twice, the later row counts.
    """
    whole = np.ascontiguousarray(vectors, dtype="<f4")
    hashed = {text_hash(text): vector.tobytes() for text, vector in zip(texts, whole, strict=True)}
    return [
        {"project_id": project_id, "model": model, "text_hash": key, "vector": vector}
        for key, vector in sorted(hashed.items())
    ]


def put(connection: Connection, rows: Sequence[Row]) -> None:
    """Stores rows, each instead of an earlier one of the same project, model and text.

    Raises:
        Conflict: There is no such project.
    """
    upsert(connection, encodings, rows, key=["project_id", "model", "text_hash"])


def count(connection: Connection, project_id: str) -> int:
    """How many a project has."""
    query = select(func.count()).select_from(encodings).where(encodings.c.project_id == project_id)
    return int(connection.execute(query).scalar_one())
