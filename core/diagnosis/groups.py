"""Semantic groups: rows judged under a policy, tagged together, each attributed to a module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.diagnosis.attribution import Attributed, attribute_gap, attribute_non_robust, paper_label, with_third_witness
from core.diagnosis.context import Witnesses
from core.diagnosis.documents import DocumentReader, RowDocuments
from core.domain.results.diagnosis import Attribution, DiagnosisRow, Grouping, Policy, Tag, Unjudged
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDiagnosis:
    """One row under the chosen policy.

    Attributes:
        row: As recorded.
        verdict: The effective verdict: the recorded one after the policies for wrong ids and for unjudged rows.
        unjudged: Whether it has no verdict of its own, even where it counts as incorrect.
        documents: The comparison of its ids.
        attribution: The module.
        reason: Why that module, one sentence.
        paper: The paper's own label.
        sufficient: Whether its context was sufficient (definition 6); None except on incorrect rows of non-robust
            groups.
        sufficient_ordered: The same by equal ordered ids.
    """

    row: DiagnosisRow
    verdict: Verdict
    unjudged: bool
    documents: RowDocuments
    attribution: Attribution
    reason: str
    paper: Attribution
    sufficient: bool | None = None
    sufficient_ordered: bool | None = None

    @property
    def judged(self) -> bool:
        """Whether it counts in rates of correct answers."""
        return self.verdict is not Verdict.NOT_JUDGED

    @property
    def correct(self) -> bool:
        """Whether it counts as answered correctly."""
        return self.verdict is Verdict.CORRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDiagnosis:
    """One semantic group.

    Attributes:
        form: Empty where forms are pooled.
        tag: The tag that its judged rows give.
        rows: Its rows, in the order given.
    """

    group_id: str
    form: str
    tag: Tag
    rows: tuple[RowDiagnosis, ...]

    @property
    def judged(self) -> int:
        """How many rows count in rates of correct answers."""
        return sum(row.judged for row in self.rows)

    @property
    def correct(self) -> int:
        """How many rows count as answered correctly."""
        return sum(row.correct for row in self.rows)

    @property
    def evidence(self) -> FactEvidence | None:
        """The evidence of the documents on the group's fact, from its first row that was searched."""
        return next((row.row.evidence for row in self.rows if row.row.evidence is not None), None)

    @property
    def true_ids(self) -> tuple[str, ...]:
        """Gold ids of all its rows, each once."""
        return tuple(dict.fromkeys(raw for row in self.rows for raw in row.row.true_ids))

    @property
    def attribution(self) -> Mapping[Attribution, int]:
        """How many rows each module has; modules without a row are left out."""
        counts: dict[Attribution, int] = {}
        for row in self.rows:
            counts[row.attribution] = counts.get(row.attribution, 0) + 1
        return counts


def effective_verdict(row: DiagnosisRow, documents: RowDocuments, policy: Policy) -> Verdict:
    """The effective verdict before the policy for unjudged rows.

    Under `override` a row whose retrieved ids differ from the true ids is incorrect, whatever the judge's verdict and
    even without one: in a closed domain an answer without its document must come from elsewhere. Where either side is
    unknown the recorded verdict stands.
    """
    if policy == "override" and documents.id_match is False:
        return Verdict.INCORRECT
    return row.verdict


def tag_of(correct: int, judged: int) -> Tag:
    """The tag of a group with that many correct among its judged rows.

    >>> [str(tag_of(c, n)) for c, n in [(0, 3), (3, 3), (1, 3), (0, 0)]]
    ['gap', 'robust', 'non_robust', 'untagged']
    """
    if judged == 0:
        return Tag.UNTAGGED
    if correct == 0:
        return Tag.GAP
    return Tag.ROBUST if correct == judged else Tag.NON_ROBUST


def diagnose_groups(
    rows: Sequence[DiagnosisRow],
    reader: DocumentReader,
    *,
    policy: Policy = "plain",
    unjudged: Unjudged = "exclude",
    grouping: Grouping = "form",
) -> tuple[GroupDiagnosis, ...]:
    """Tags each group and attributes each row to a module; linear in the number of rows.

    Args:
        rows: All rows, any order.
        reader: Reads their ids.
        policy: Whether wrong ids make an answer wrong.
        unjudged: How a row without a verdict counts.
        grouping: Whether forms are groups of their own.

    Returns:
        The groups, in order of their first row.
    """
    members: dict[tuple[str, str], list[DiagnosisRow]] = {}
    for row in rows:
        members.setdefault((row.group_id, row.form if grouping == "form" else ""), []).append(row)
    return tuple(
        _diagnose_group(group_id, form, group_rows, reader, policy, unjudged)
        for (group_id, form), group_rows in members.items()
    )


def _diagnose_group(
    group_id: str, form: str, rows: list[DiagnosisRow], reader: DocumentReader, policy: Policy, unjudged: Unjudged
) -> GroupDiagnosis:
    documents = [reader.read(row) for row in rows]
    recorded_verdicts = [
        effective_verdict(row, row_documents, policy) for row, row_documents in zip(rows, documents, strict=True)
    ]
    default = Verdict.INCORRECT if unjudged == "incorrect" else Verdict.NOT_JUDGED
    verdicts = [default if verdict is Verdict.NOT_JUDGED else verdict for verdict in recorded_verdicts]
    correct = sum(verdict is Verdict.CORRECT for verdict in verdicts)
    judged = sum(verdict is not Verdict.NOT_JUDGED for verdict in verdicts)
    tag = tag_of(correct, judged)
    witnesses = _witnesses(rows, documents, verdicts) if tag is Tag.NON_ROBUST else None
    return GroupDiagnosis(
        group_id=group_id,
        form=form,
        tag=tag,
        rows=tuple(
            _diagnose_row(row, row_documents, verdict, recorded is Verdict.NOT_JUDGED, witnesses)
            for row, row_documents, verdict, recorded in zip(rows, documents, verdicts, recorded_verdicts, strict=True)
        ),
    )


def _witnesses(
    rows: Iterable[DiagnosisRow], documents: Iterable[RowDocuments], verdicts: Iterable[Verdict]
) -> Witnesses:
    return Witnesses.of(
        (row.case_id, row_documents)
        for row, row_documents, verdict in zip(rows, documents, verdicts, strict=True)
        if verdict is Verdict.CORRECT
    )


def _diagnose_row(
    row: DiagnosisRow, documents: RowDocuments, verdict: Verdict, unjudged: bool, witnesses: Witnesses | None
) -> RowDiagnosis:
    sufficient: bool | None = None
    ordered: bool | None = None
    attributed: Attributed
    if verdict is Verdict.CORRECT:
        attributed = (Attribution.CORRECT, "It was answered correctly.")
    elif verdict is Verdict.NOT_JUDGED:
        attributed = (Attribution.NOT_JUDGED, "There is no verdict.")
    elif witnesses is None:
        attributed = with_third_witness(row, attribute_gap(row, documents))
    else:
        witness = witnesses.sufficient(documents)
        attributed = with_third_witness(row, attribute_non_robust(row, documents, witness))
        if documents.retrieved is not None:
            sufficient = witness is not None
            ordered = witnesses.sufficient_ordered(documents) is not None
    return RowDiagnosis(
        row=row,
        verdict=verdict,
        unjudged=unjudged,
        documents=documents,
        attribution=attributed[0],
        reason=attributed[1],
        paper=paper_label(attributed[0], gap=witnesses is None),
        sufficient=sufficient,
        sufficient_ordered=ordered,
    )
