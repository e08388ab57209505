"""The figures of a set of groups: proportions whose intervals count semantic groups, not wordings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.diagnosis.groups import GroupDiagnosis, RowDiagnosis
from core.domain.estimates import Proportion
from core.domain.results.diagnosis import Attribution, Tag
from core.stats.intervals import clustered_proportion

UNKNOWN = -1
"""An outcome that a row does not have, in a column of outcomes."""


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
    clusters = _codes(row.row.group_id for row in rows)
    everything = np.ones(len(rows), dtype=np.bool_)
    competent = np.array([group.tag.competent for group in groups for _ in group.rows], dtype=np.bool_)
    correct, matched, compared = (_column(map(of, rows)) for of in (_correct, _id_match, _compared))
    accuracy = _share(correct, clusters, everything)
    refined = _share(correct, clusters, competent)
    parts = {part: code for code, part in enumerate(Attribution)}
    attributed = np.array([parts[row.attribution] for row in rows], dtype=np.int8)
    return Figures(
        accuracy=accuracy,
        id_match=_share(matched, clusters, everything),
        recall=_share(_column(map(_recall, rows)), clusters, everything),
        context_comparison=_share(compared, clusters, everything),
        context_comparison_ordered=_share(_column(map(_compared_ordered, rows)), clusters, everything),
        refined=Refined(
            accuracy=refined,
            id_match=_share(matched, clusters, competent),
            context_comparison=_share(compared, clusters, competent),
        ),
        retrieval_db=retrieval_db(groups),
        tags={tag: _count(group for group in groups if group.tag is tag) for tag in Tag},
        attribution=_partition(row.attribution for row in rows),
        attribution_paper=_partition(row.paper for row in rows),
        shares={part: clustered_proportion(attributed == code, clusters) for part, code in parts.items()},
        identity=Identity(
            left=accuracy,
            refined=refined,
            share=_share(competent.astype(np.int8), clusters, correct != UNKNOWN),
        ),
    )


def retrieval_db(groups: Iterable[GroupDiagnosis]) -> Proportion:
    """Competent groups among tagged ones (eq. 1)."""
    tagged = [group for group in groups if group.tag is not Tag.UNTAGGED]
    return clustered_proportion([group.tag.competent for group in tagged], _codes(group.group_id for group in tagged))


def accuracy_of(rows: Sequence[RowDiagnosis]) -> Proportion:
    """Correct among the judged rows given."""
    everything = np.ones(len(rows), dtype=np.bool_)
    return _share(_column(map(_correct, rows)), _codes(row.row.group_id for row in rows), everything)


def _codes(labels: Iterable[str]) -> NDArray[np.intp]:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.intp)


def _column(outcomes: Iterable[bool | None]) -> NDArray[np.int8]:
    return np.array([UNKNOWN if outcome is None else outcome for outcome in outcomes], dtype=np.int8)


def _share(column: NDArray[np.int8], clusters: NDArray[np.intp], among: NDArray[np.bool_]) -> Proportion:
    """The share of rows with the outcome, among those where it is known."""
    known_outcome = among & (column != UNKNOWN)
    return clustered_proportion(column[known_outcome] == 1, clusters[known_outcome])


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
