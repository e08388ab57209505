"""The module to which a row's outcome is attributed, and the sentence that states why."""

from __future__ import annotations

from core.diagnosis.documents import RowDocuments
from core.domain.results.diagnosis import Attribution, DiagnosisRow
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import LOOK_UP, OPERATION

Attributed = tuple[Attribution, str]

READ_WRONG = "The retrieved passages state the fact and the answer is wrong."
UNOBSERVED = "The target does not report which documents it retrieved, so the module cannot be identified."

UNTOLD = "Words cannot tell whether the documents state the fact."
COMPUTED = "The answer is computed from several rows, and it cannot be told whether the documents state all of them."
ROWS_READ_WRONG = "The retrieved passages state all that the answer is computed from, and it is wrong."
ROWS_NOT_RETRIEVED = "The documents state all that the answer is computed from, and the retrieved passages do not."
ROWS_LACKING = "The documents lack rows that the answer is computed from."
NOT_SEARCHED = "The documents have not been searched for the fact yet."
BY_IDS = "By the ids alone, and it may still change: the documents have not been searched for the fact yet."


def attribute_non_robust(row: DiagnosisRow, documents: RowDocuments, witness: str | None) -> Attributed:
    """An incorrect row of a group that has correct ones, by context comparison and by what its passages say.

    Where the passages' texts are known they decide, since a row without a witness may yet have had the fact before it;
    where a witness says that these documents suffice and the passages do not state the fact, nobody is accused, nor
    where no document is found to state what another wording was answered with. As long as the documents are still to be
    searched, ids alone decide and the reason says so.

    Args:
        row: The row.
        documents: Its ids.
        witness: The correct case whose context this row also had, or None.
    """
    if row.in_context:
        return Attribution.LANGUAGE_MODEL, ROWS_READ_WRONG if _is_computed(row) else READ_WRONG
    if documents.retrieved is None:
        return Attribution.UNRESOLVED_GAP, UNOBSERVED
    if row.evidence in (FactEvidence.ABSENT, FactEvidence.CONTRADICTED):
        return Attribution.UNDECIDED, f"{_lacks(row)} But another wording of the question was answered correctly."
    if witness is not None and row.in_context is False and row.evidence is FactEvidence.PRESENT:
        return (
            Attribution.UNDECIDED,
            f"The same documents were retrieved as for case {witness}, which was answered correctly, but the retrieved "
            "passages do not state the fact.",
        )
    if witness is not None:
        return (
            Attribution.LANGUAGE_MODEL,
            _so_far(row, f"The same documents were retrieved as for case {witness}, which was answered correctly."),
        )
    return (
        Attribution.RETRIEVAL,
        _so_far(row, "No other wording of the group was answered correctly with these retrieved documents."),
    )


def attribute_gap(row: DiagnosisRow, documents: RowDocuments) -> Attributed:
    """An incorrect row of a group without a correct one, by evidence: first the fact, then what was retrieved of it.

    As long as the documents are still to be searched nobody is accused: whatever the ids say, they may lack the fact.

    Args:
        row: The row.
        documents: Its ids.
    """
    if row.pending:
        return Attribution.UNDECIDED, NOT_SEARCHED
    if row.evidence is FactEvidence.UNDECIDED:
        return Attribution.UNDECIDED, COMPUTED if _is_computed(row) else UNTOLD
    if row.evidence in (FactEvidence.ABSENT, FactEvidence.CONTRADICTED):
        return _lacking(row)
    if row.in_context:
        return Attribution.LANGUAGE_MODEL, ROWS_READ_WRONG if _is_computed(row) else READ_WRONG
    fact_documents = _listed(row.true_ids or row.fact_document_ids)
    if not fact_documents:
        return Attribution.UNRESOLVED_GAP, "It is not known which document states the fact."
    if documents.retrieved is None:
        return Attribution.UNRESOLVED_GAP, UNOBSERVED
    if row.evidence is FactEvidence.PRESENT and row.in_context is False:
        where = _listed(row.fact_document_ids)
        reason = f"The passages that were retrieved do not state the fact, which {where} does."
        return Attribution.RETRIEVAL, ROWS_NOT_RETRIEVED if _is_computed(row) else reason
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


def with_third_witness(row: DiagnosisRow, attributed: Attributed) -> Attributed:
    """The attribution, or UNDECIDED where the answer from the gold documents contradicts it.

    A right answer from the gold documents shows that they state the fact; a wrong one shows that the language model
    fails with the fact before it, so that retrieval alone is not to blame.
    """
    part, reason = attributed
    if part is Attribution.KNOWLEDGE_GAP and row.with_gold is Verdict.CORRECT:
        return Attribution.UNDECIDED, f"{reason} But the same question was answered correctly from its gold documents."
    if part is Attribution.RETRIEVAL and row.with_gold is Verdict.INCORRECT:
        return Attribution.UNDECIDED, f"{reason} But the answer is wrong from its gold documents too."
    return attributed


def _is_computed(row: DiagnosisRow) -> bool:
    return row.attributes.get(OPERATION, LOOK_UP) != LOOK_UP


def _so_far(row: DiagnosisRow, reason: str) -> str:
    return f"{reason} {BY_IDS}" if row.pending else reason


def _lacks(row: DiagnosisRow) -> str:
    if row.evidence is FactEvidence.ABSENT:
        return ROWS_LACKING if _is_computed(row) else "No document states the fact."
    return f"{states_another(row)}."


def states_another(row: DiagnosisRow) -> str:
    """Which document states which other value, without a full stop.

    >>> states_another(DiagnosisRow(case_id="c", group_id="g", other_document_id="usk.md", other_value="38.50"))
    'usk.md states another value than the database: "38.50"'
    """
    where = row.other_document_id or "A document that should hold the fact"
    value = f': "{row.other_value}"' if row.other_value else ""
    return f"{where} states another value than the database{value}"


def _lacking(row: DiagnosisRow) -> Attributed:
    lacks = _lacks(row)
    if row.in_context:
        return Attribution.UNDECIDED, f"{lacks} But the retrieved passages state it."
    return Attribution.KNOWLEDGE_GAP, lacks


def paper_label(attribution: Attribution, *, gap: bool) -> Attribution:
    """The paper's own label: every incorrect row of a gap group is a knowledge gap, whatever the evidence."""
    if gap and attribution not in (Attribution.CORRECT, Attribution.NOT_JUDGED):
        return Attribution.KNOWLEDGE_GAP
    return attribution


def _listed(ids: tuple[str, ...]) -> str:
    listed = ", ".join(ids[:3])
    return f"{listed} and {len(ids) - 3} more" if len(ids) > 3 else listed
