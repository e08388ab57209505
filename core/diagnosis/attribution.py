"""The module to which a row's outcome is attributed, and the sentence that states why."""

from __future__ import annotations

from core.diagnosis.documents import RowDocuments
from core.domain.results.diagnosis import Attribution, DiagnosisRow
from core.domain.sources.evidence import FactEvidence

Attributed = tuple[Attribution, str]

UNOBSERVED = "The target does not report which documents it retrieved, so the module cannot be identified."


def attribute_non_robust(documents: RowDocuments, witness: str | None) -> Attributed:
    """An incorrect row of a group that has correct ones, by context comparison.

    Args:
        documents: The row's ids.
        witness: The correct case whose context this row also had, or None.
    """
    if documents.retrieved is None:
        return Attribution.UNRESOLVED_GAP, UNOBSERVED
    if witness is not None:
        return (
            Attribution.LANGUAGE_MODEL,
            f"The same documents were retrieved as for case {witness}, which was answered correctly.",
        )
    return Attribution.RETRIEVAL, "No other wording of the group was answered correctly with these retrieved documents."


def attribute_gap(row: DiagnosisRow, documents: RowDocuments) -> Attributed:
    """An incorrect row of a group without a correct one, by evidence: first the fact, then its document.

    Args:
        row: The row.
        documents: Its ids.
    """
    if row.evidence is FactEvidence.ABSENT:
        return Attribution.KNOWLEDGE_GAP, "No document states the fact."
    if row.evidence is FactEvidence.CONTRADICTED:
        return Attribution.KNOWLEDGE_GAP, "The gold document states another value than the database."
    fact_documents = _listed(row.true_ids or row.fact_document_ids)
    if not fact_documents:
        return Attribution.UNRESOLVED_GAP, "It is not known which document states the fact."
    if documents.retrieved is None:
        return Attribution.UNRESOLVED_GAP, UNOBSERVED
    if documents.hit:
        return (
            Attribution.LANGUAGE_MODEL,
            f"A document with the fact ({fact_documents}) was retrieved and the answer is wrong.",
        )
    if documents.in_corpus or (documents.in_corpus is None and row.evidence is FactEvidence.PRESENT):
        return (
            Attribution.RETRIEVAL,
            f"The document with the fact ({fact_documents}) is in the corpus and was not retrieved.",
        )
    if documents.in_corpus is None:
        return (
            Attribution.UNRESOLVED_GAP,
            f"No question retrieved {fact_documents}, and without the corpus it is not known whether it exists.",
        )
    if row.evidence is FactEvidence.PRESENT:
        return (
            Attribution.UNRESOLVED_GAP,
            f"A document states the fact, but the gold id {fact_documents} does not identify it.",
        )
    return Attribution.UNRESOLVED_GAP, f"The gold id {fact_documents} names no document, and the text was not searched."


def paper_label(attribution: Attribution, *, gap: bool) -> Attribution:
    """The paper's own label: every incorrect row of a gap group is a knowledge gap, whatever the evidence."""
    if gap and attribution not in (Attribution.CORRECT, Attribution.NOT_JUDGED):
        return Attribution.KNOWLEDGE_GAP
    return attribution


def _listed(ids: tuple[str, ...]) -> str:
    listed = ", ".join(ids[:3])
    return f"{listed} and {len(ids) - 3} more" if len(ids) > 3 else listed
