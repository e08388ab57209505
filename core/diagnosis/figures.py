"""The figures of a set of groups: each a proportion whose interval counts semantic groups, not wordings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.diagnosis.groups import GroupDiagnosis, RowDiagnosis
from core.diagnosis.rows import Attribution, Tag
from core.domain.estimates import Proportion
from core.stats.intervals import clustered_proportion

Clustered = Iterable[tuple[str, bool | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refined:
    """Figures on the rows of competent groups (eq. 2).

    They select on the outcome: compare them between forms only at equal group sizes, over groups that are competent in
    either form.
    """

    accuracy: Proportion
    id_match: Proportion
    context_comparison: Proportion

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "accuracy": self.accuracy.as_json(),
            "id_match": self.id_match.as_json(),
            "context_comparison": self.context_comparison.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """How many groups, and how many rows they have."""

    groups: int
    rows: int

    def as_json(self) -> dict[str, int]:
        """The command line's form."""
        return {"groups": self.groups, "rows": self.rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Eq. 3: accuracy = refined accuracy x (judged rows of competent groups / judged rows).

    Attributes:
        left: Accuracy.
        refined: Refined accuracy; without a value where no group is competent.
        share: Judged rows of competent groups among judged rows.
    """

    left: Proportion
    refined: Proportion
    share: Proportion

    @property
    def right(self) -> float | None:
        """The product; 0 where no group is competent, because then the share is; None without a judged row."""
        if self.share.value is None:
            return None
        return (self.refined.value or 0.0) * self.share.value

    @property
    def holds(self) -> bool:
        """Whether both sides are equal, compared as fractions and not as rounded numbers."""
        if self.share.num == 0:
            return self.left.num == 0
        return self.left.num * self.refined.den * self.share.den == self.refined.num * self.share.num * self.left.den

    def as_json(self) -> dict[str, object]:
        """Both sides and their parts."""
        return {
            "accuracy": self.left.value,
            "refined_times_share": self.right,
            "share": self.share.as_json(),
            "holds": self.holds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Every figure of reference definitions 3 to 7 over some groups.

    Attributes:
        accuracy: Correct among judged rows (the paper's baseline).
        id_match: Retrieved ids equal to the true ids, among rows where both are known. The paper prints this as
            "Context Comparison".
        recall: Every true id retrieved, among the same rows; the sensible measure at k > 1.
        context_comparison: Correct or with sufficient context (definition 6), among judged rows with known
            retrieval.
        context_comparison_ordered: The same by equal ordered ids.
        retrieval_db: Competent groups among tagged ones (eq. 1).
        attribution: Rows by module; sums to all rows.
        attribution_paper: The same with every gap row a knowledge gap.
    """

    accuracy: Proportion
    id_match: Proportion
    recall: Proportion
    context_comparison: Proportion
    context_comparison_ordered: Proportion
    refined: Refined
    retrieval_db: Proportion
    tags: Mapping[Tag, GroupCount]
    attribution: Mapping[Attribution, int]
    attribution_paper: Mapping[Attribution, int]
    shares: Mapping[Attribution, Proportion]
    identity: Identity


def figures_of(groups: Sequence[GroupDiagnosis]) -> Figures:
    """All figures of some groups; nothing is divided by zero, a figure without cases has no value."""
    rows = [row for group in groups for row in group.rows]
    competent = [row for group in groups if group.tag.competent for row in group.rows]
    accuracy, refined = share_of(rows, _correct), share_of(competent, _correct)
    inside = {id(row) for row in competent}
    return Figures(
        accuracy=accuracy,
        id_match=share_of(rows, _id_match),
        recall=share_of(rows, _recall),
        context_comparison=share_of(rows, _compared),
        context_comparison_ordered=share_of(rows, _compared_ordered),
        refined=Refined(
            accuracy=refined,
            id_match=share_of(competent, _id_match),
            context_comparison=share_of(competent, _compared),
        ),
        retrieval_db=retrieval_db(groups),
        tags={tag: _count(group for group in groups if group.tag is tag) for tag in Tag},
        attribution=_partition(row.attribution for row in rows),
        attribution_paper=_partition(row.paper for row in rows),
        shares={part: clustered((row.row.group_id, row.attribution is part) for row in rows) for part in Attribution},
        identity=Identity(
            left=accuracy,
            refined=refined,
            share=clustered((row.row.group_id, id(row) in inside) for row in rows if row.judged),
        ),
    )


def retrieval_db(groups: Iterable[GroupDiagnosis]) -> Proportion:
    """Competent groups among tagged ones (eq. 1)."""
    return clustered((group.group_id, group.tag.competent) for group in groups if group.tag is not Tag.UNTAGGED)


def share_of(rows: Iterable[RowDiagnosis], outcome: Callable[[RowDiagnosis], bool | None]) -> Proportion:
    """The share of rows with an outcome, among those that have one (not None)."""
    return clustered((row.row.group_id, outcome(row)) for row in rows)


def clustered(pairs: Clustered) -> Proportion:
    """A proportion from ``(cluster, outcome)``; outcomes that are None do not count."""
    codes: dict[str, int] = {}
    clusters: list[int] = []
    outcomes: list[bool] = []
    for cluster, outcome in pairs:
        if outcome is not None:
            clusters.append(codes.setdefault(cluster, len(codes)))
            outcomes.append(outcome)
    return clustered_proportion(np.array(outcomes, dtype=bool), np.array(clusters, dtype=np.intp))


def _correct(row: RowDiagnosis) -> bool | None:
    return row.correct if row.judged else None


def _id_match(row: RowDiagnosis) -> bool | None:
    return row.documents.id_match


def _recall(row: RowDiagnosis) -> bool | None:
    return row.documents.recall


def _compared(row: RowDiagnosis) -> bool | None:
    return _or_correct(row, row.sufficient)


def _compared_ordered(row: RowDiagnosis) -> bool | None:
    return _or_correct(row, row.sufficient_ordered)


def _or_correct(row: RowDiagnosis, sufficient: bool | None) -> bool | None:
    if not row.judged or row.documents.retrieved is None:
        return None
    return row.correct or bool(sufficient)


def _count(groups: Iterable[GroupDiagnosis]) -> GroupCount:
    sizes = [len(group.rows) for group in groups]
    return GroupCount(groups=len(sizes), rows=sum(sizes))


def _partition(labels: Iterable[Attribution]) -> dict[Attribution, int]:
    counts = Counter(labels)
    return {part: counts[part] for part in Attribution}
