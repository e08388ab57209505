"""Why the document recall of a run has no value, or one for some of its questions only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.results.diagnosis import DiagnosisRow
from core.domain.sources.document_ids import namespace_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRecall:
    """Why no row has a document recall.

    Attributes:
        sentence: The reason, one sentence.
        unmatched: Whether ids and documents are spelled in different ways, which a person can settle.
    """

    sentence: str
    unmatched: bool = False


def no_recall(rows: Sequence[DiagnosisRow]) -> NoRecall | None:
    """The reason, None where some row has its gold ids and its retrieved documents.

    Args:
        rows: All rows of a run.
    """
    with_gold = [row for row in rows if row.true_ids]
    if not with_gold:
        return NoRecall(sentence="No question names the documents that should be found: the test set has no gold ids.")
    comparable = [row for row in with_gold if row.comparable]
    if not comparable:
        ids = list(dict.fromkeys(gold for row in with_gold for gold in row.true_ids))
        if len(ids) == 1:
            sentence = f"The one gold id, {ids[0]}, names no document of the corpus."
        else:
            sentence = (
                f"None of the {len(ids):,} gold ids names a document of the corpus, such as {', '.join(ids[:3])}."
            )
        return NoRecall(sentence=sentence, unmatched=True)
    if not any(row.retrieved_ids for row in rows):
        return NoRecall(sentence="The target reports no retrieved documents, so it is not known what it found.")
    if all(row.retrieved_ids is None for row in comparable):
        return NoRecall(sentence="No question with a gold id reports which documents were retrieved for it.")
    return None


def left_out_of_recall(rows: Sequence[DiagnosisRow]) -> NoRecall | None:
    """Which rows have no document recall while others have one; None where there are no such rows.

    Args:
        rows: All rows of a run.
    """
    left_out = [row for row in rows if row.true_ids and not row.comparable]
    if not left_out or len(left_out) == sum(bool(row.true_ids) for row in rows):
        return None
    tables = sorted({namespace_of(gold) for row in left_out for gold in row.true_ids} - {""})
    records = f"no record of {', '.join(tables)}" if tables else "no gold id of theirs"
    return NoRecall(
        sentence=f"Document recall leaves out {len(left_out):,} questions: {records} has a document by its id.",
        unmatched=True,
    )
