"""A run's scores beside the human labels of its cases: the input of every calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput, NotFound
from core.domain.results.labels import Criterion, LabelRule, OneLabel, ScaleKind
from core.labelling.criteria import list_criteria
from core.labelling.one_label import one_labels
from core.metrics.direction import turned
from core.runs.scores.summary import score_matrix
from core.store.database import Store
from core.store.results import failures, runs
from core.store.results.cases import attributes as case_attributes

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NO_GROUP = "(none)"
"""The group of a case that does not have the attribute."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledScores:
    """Every included case of a run by the chosen metrics, with the combined label of each labelled case.

    Attributes:
        criterion: The criterion of the labels.
        metrics: The scores, shape (m,).
        case_ids: In the order of the test set, shape (N,).
        clusters: Number of the filled SQL query of each, shape (N,).
        raw: The scores as they are stored, NaN where there is none, shape (N, m).
        turned: The same, turned so that higher is better, shape (N, m).
        answered: Whether the target answered; only such cases can be labelled, and rates are of them, shape (N,).
        level: Number of the level, -1 without a label, shape (N,).
        labels: The one label of each case that has one, by case id, those without a value among them.
        probability: Chance of the case to be labelled, NaN without a label, shape (N,).
        random: Whether every round that drew it drew it at random, shape (N,).
        groups: The value of the group attribute, empty without one, length N.
    """

    criterion: Criterion
    metrics: tuple[str, ...]
    case_ids: tuple[str, ...]
    clusters: npt.NDArray[np.int64]
    raw: Floats
    turned: Floats
    answered: Bools
    level: npt.NDArray[np.int64]
    labels: dict[str, OneLabel]
    probability: Floats
    random: Bools
    groups: tuple[str, ...] = ()

    @property
    def accept_from(self) -> int:
        """Number of the lowest level that counts as accepted."""
        return accept_from(self.criterion)

    @property
    def labelled(self) -> Bools:
        """Which cases have a level, shape (N,)."""
        return np.asarray(self.level >= 0)

    @property
    def undecided(self) -> int:
        """How many cases were rated without a combined label: a tie, raters who disagree, raters who cannot judge."""
        case_labels = (self.labels.get(case_id) for case_id in self.case_ids)
        return sum(label is not None and label.value is None for label in case_labels)

    @property
    def scored(self) -> Bools:
        """Which cases have every score, shape (N,)."""
        return np.asarray(~np.isnan(self.turned).any(axis=1))

    @property
    def accepted(self) -> Bools:
        """Which cases people accept; False without a label, shape (N,)."""
        return np.asarray(self.level >= self.accept_from)


def labelled_scores(
    store: Store,
    run_id: str,
    criterion: Criterion,
    metrics: Sequence[str],
    *,
    group_attribute: str = "",
    rule: LabelRule | None = None,
) -> LabelledScores:
    """Reads scores and labels of a run.

    Args:
        store: Where the run is.
        run_id: The run.
        criterion: Whose labels; it has levels.
        metrics: Whose scores, the verdict among them where wanted.
        group_attribute: An attribute of cases, or ``form``; empty for no groups.
        rule: How several labels are combined; the criterion's rule where None.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The criterion has no levels, there is no metric, or no case has the attribute.
    """
    if criterion.kind is ScaleKind.COMMENT or not criterion.levels:
        raise InvalidInput(f"{criterion.name} asks for a comment and has no levels.", "Choose a criterion with levels.")
    names = tuple(dict.fromkeys(metrics))
    if not names:
        raise InvalidInput("No score was chosen.", "Choose at least one score of the run.")
    matrix = score_matrix(store, run_id, names)
    with store.read() as connection:
        run = runs.get(connection, run_id)
        answered = runs.answered_ids(connection, run_id) - failures.failed_ids(connection, run_id)
        attributes = case_attributes.attributes(connection, run.test_set_id) if group_attribute else []
    labels_by_case = {label.case_id: label for label in one_labels(store, run_id, criterion.id, rule=rule)}
    case_labels = [labels_by_case.get(case_id) for case_id in matrix.case_ids]
    return LabelledScores(
        criterion=criterion,
        metrics=names,
        case_ids=matrix.case_ids,
        clusters=matrix.clusters,
        raw=matrix.values,
        turned=turned(matrix.values, names),
        answered=np.array([case_id in answered for case_id in matrix.case_ids], dtype=bool),
        level=np.array(
            [-1 if label is None else level_of(criterion, label.value) for label in case_labels], dtype=np.int64
        ),
        labels=labels_by_case,
        probability=np.array(
            [np.nan if label is None else label.probability for label in case_labels], dtype=np.float64
        ),
        random=np.array([label is not None and label.random for label in case_labels], dtype=bool),
        groups=_groups(attributes, group_attribute),
    )


def level_of(criterion: Criterion, value: float | None) -> int:
    """The number of the highest level a label reaches, -1 without one.

    A mean of several raters lies between levels; it counts as the highest level it reaches, so that it is accepted
    exactly where the mean is at least the lowest accepted level.

    >>> from core.domain.results.labels import Level
    >>> stars = tuple(Level(value=value, anchor="") for value in (1, 2, 3, 4))
    >>> faithful = Criterion(id="c", project_id="p", name="F", question="?", kind=ScaleKind.LIKERT, levels=stars)
    >>> [level_of(faithful, value) for value in (1.0, 2.67, 4.0, None)]
    [0, 1, 3, -1]
    """
    if value is None:
        return -1
    values = [level.value for level in criterion.levels]
    return max(int(np.searchsorted(values, value + 1e-9, side="right")) - 1, 0)


def accept_from(criterion: Criterion) -> int:
    """The number of the lowest level that counts as accepted."""
    return sum(level.value < criterion.accept_from for level in criterion.levels)


def criterion_of(store: Store, run_id: str, criterion_id: str) -> Criterion:
    """A criterion of the run's project, retired or not.

    Raises:
        NotFound: There is no such run, or its project has no such criterion.
    """
    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    for criterion in list_criteria(store, project_id, retired=True):
        if criterion.id == criterion_id:
            return criterion
    raise NotFound(f"The project has no criterion {criterion_id}.", "Choose one of the project's criteria.")


def group_attributes(store: Store, run_id: str) -> dict[str, dict[str, int]]:
    """What the cases of a run can be grouped by: how many have each value, by attribute; one value alone is no group.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        attributes = case_attributes.attributes(connection, runs.get(connection, run_id).test_set_id)
    counts: dict[str, Counter[str]] = {}
    for case_attributes_of in attributes:
        for name, value in case_attributes_of.items():
            counts.setdefault(name, Counter())[value] += 1
    return {name: dict(count.most_common()) for name, count in counts.items() if 1 < len(count) <= len(attributes) // 2}


def _groups(attributes: Sequence[object], name: str) -> tuple[str, ...]:
    if not name:
        return ()
    groups = tuple(
        str(attribute_values.get(name) or NO_GROUP) if isinstance(attribute_values, dict) else NO_GROUP
        for attribute_values in attributes
    )
    if all(group == NO_GROUP for group in groups):
        raise InvalidInput(f"No case of the run has the attribute {name}.", "Choose another attribute, or none.")
    return groups
