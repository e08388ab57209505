"""Passages with ids, parts and scores that stand side by side with them, as one context each."""

from __future__ import annotations

from math import isfinite

from core.domain.errors import UnreadableFile
from core.domain.results.responses import Context
from core.domain.sources.document_ids import normalise_id
from core.io.replies.passages import is_passage, read_passage, unread_id
from core.io.tables.cells import number_of


def contexts_of(
    contexts: object, ids: object, where: str, *, chunks: object = None, scores: object = None
) -> tuple[Context, ...]:
    """Passages from texts or objects, with ids side by side; where there are ids only, contexts without text.

    Args:
        contexts: A text, or a list of texts and of objects, which are read as those in a target's reply are, however
            deep their parts lie (`read_passage`).
        ids: Ids of the documents they are from, in the same order.
        where: The row, for messages.
        chunks: Ids of the parts of documents they are, in the same order.
        scores: How well they fit the question, in the same order.

    Raises:
        UnreadableFile: They are of another kind, or of different numbers.
    """
    texts = _listed(contexts, "contexts", where)
    names = [normalise_id(_plain_id(value, where)) for value in _listed(ids, "document ids", where)]
    parts = [_plain_id(value, where) for value in _listed(chunks, "chunk ids", where)]
    ranks = [_score(value, where) for value in _listed(scores, "context scores", where)]
    size = len(texts) or len(names) or len(parts) or len(ranks)
    for what, values in (("document ids", names), ("chunk ids", parts), ("context scores", ranks)):
        if values and len(values) != size:
            raise UnreadableFile(
                f"{where} has {size} contexts and {len(values)} {what}.", "Give one id for each context."
            )
    return tuple(
        _context(
            texts[place] if texts else "",
            names[place] if names else "",
            parts[place] if parts else "",
            ranks[place] if ranks else None,
            where,
        )
        for place in range(size)
    )


def _context(item: object, document_id: str, chunk_id: str, score: float | None, where: str) -> Context:
    if item is None or isinstance(item, str):
        return Context(document_id=document_id, text=item or "", chunk_id=chunk_id, score=score)
    if isinstance(item, list) and is_passage(item):  # a passage with its score
        return _context(item[0], document_id, chunk_id, _score(item[1], where) if score is None else score, where)
    if not isinstance(item, dict):
        raise UnreadableFile(f"{where} has a context that is {type(item).__name__}.", "Give texts or objects.")
    passage = read_passage(item)
    if not passage.document_id and (named := unread_id(item)) is not None:
        _plain_id(named, where)
    if score is None:
        score = passage.score if passage.score is not None else _score(item.get("score"), where)
    return Context(
        document_id=document_id or normalise_id(passage.document_id),
        text=passage.text,
        score=score,
        chunk_id=chunk_id or passage.chunk_id,
    )


def _score(value: object, where: str) -> float | None:
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)):
        return value
    if isinstance(value, str):  # a list that is written as text
        try:
            return number_of(value)
        except ValueError:
            pass
    raise UnreadableFile(f"{where} has a context score {value!r}.", "Give a number or nothing.")


def _plain_id(value: object, where: str) -> str:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    raise UnreadableFile(f"{where} has a document id that is {type(value).__name__}.", "Give text or a number.")


def _listed(value: object, what: str, where: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [value]
    raise UnreadableFile(f"{where} has {what} that are {type(value).__name__}, not a list.", "Give a list.")
