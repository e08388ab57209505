"""The reference in a comparison of judges: a judge's verdicts, or people's labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.results.labels import ScaleKind
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.specs import placed_spec, short_spec
from core.judging import open_judge
from core.judging.stored import REFERENCE_FREE, is_judge
from core.labelling.criteria import list_criteria
from core.labelling.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.runs.scores.summary import score_matrix
from core.runs.scores.verdict import verdict_score
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs

LABEL_PREFIX = "label:"
"""Before the id of a criterion, where people's labels are the reference."""
LIVE_MATCH = "match"
"""The match judge where its verdicts are not stored: they are computed when they are read."""
MOST_LIVE = 2_000
"""Cases that rules judge while a person waits; about three seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceChoice:
    """Verdicts that can serve as the reference.

    Attributes:
        key: ``verdict``, a verdict metric, or ``label:CRITERION``.
        title: For people.
        n: Cases with one.
        people: Whether people gave them.
    """

    key: str
    title: str
    n: int
    people: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedCases:
    """The included cases of a run with their reference verdict.

    Attributes:
        run: The run.
        title: What the reference is, for people.
        case_ids: In the order of the test set, shape (n,).
        clusters: Number of the filled SQL query of each, shape (n,).
        decided: Whether there is a reference verdict, shape (n,).
        truth: Whether the answer is correct; False where not decided, shape (n,).
        weights: One over the chance of the case to be labelled, 1 without a draw, shape (n,).
    """

    run: Run
    title: str
    case_ids: tuple[str, ...]
    clusters: npt.NDArray[np.int64]
    decided: npt.NDArray[np.bool_]
    truth: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64]

    @property
    def weighted(self) -> bool:
        """Whether the decided cases have different weights."""
        return bool(self.decided.any() and np.ptp(self.weights[self.decided]) > 0.0)


def reference_choices(store: Store, run_id: str) -> tuple[ReferenceChoice, ...]:
    """The possible references in a run: its own verdicts first, then people's labels, then other judges.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        counts = scores.counts(connection, run_id, run.test_set_id)
        run_metrics = scores.of_run(connection, run_id)
    own_verdicts, other_judges = [], []
    for key, count in counts.items():
        if not is_judge(key) or key in REFERENCE_FREE or not count.scored:
            continue
        if key == VERDICT_METRIC:
            own_verdicts.append(
                ReferenceChoice(key=key, title=f"Verdict of the run ({short_spec(run.judge)})", n=count.scored)
            )
        else:
            judge = placed_spec(str(run_metrics[key].options.get("judge", key))) if key in run_metrics else key
            other_judges.append(ReferenceChoice(key=key, title=f"Verdict of {judge}", n=count.scored))
    people = []
    for criterion in list_criteria(store, run.project_id, retired=True):
        if criterion.kind is ScaleKind.COMMENT or not criterion.levels:
            continue
        run_labels = labelled_scores(store, run_id, criterion, [VERDICT_METRIC])
        if n := int(run_labels.labelled.sum()):
            title = f"People: {criterion.name}"
            people.append(ReferenceChoice(key=f"{LABEL_PREFIX}{criterion.id}", title=title, n=n, people=True))
    return (*own_verdicts, *people, *other_judges)


def judged_cases(store: Store, run_id: str, reference: str) -> JudgedCases:
    """The cases of a run with the reference verdicts.

    Args:
        store: Where the run is.
        run_id: The run.
        reference: ``verdict``, another verdict metric of the run, or ``label:CRITERION``.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: There is no such reference.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    if reference.startswith(LABEL_PREFIX):
        criterion = criterion_of(store, run_id, reference.removeprefix(LABEL_PREFIX))
        run_labels = labelled_scores(store, run_id, criterion, [VERDICT_METRIC])
        return JudgedCases(
            run=run,
            title=_people(run_labels),
            case_ids=run_labels.case_ids,
            clusters=run_labels.clusters,
            decided=run_labels.labelled,
            truth=run_labels.labelled & run_labels.accepted,
            weights=np.where(
                run_labels.labelled, 1.0 / np.where(run_labels.labelled, run_labels.probability, 1.0), 1.0
            ),
        )
    if not is_judge(reference) or reference in REFERENCE_FREE:
        raise InvalidInput(
            f"{reference!r} cannot serve as the reference.",
            "Use the run's verdict, another judge that sees the true answer, or people's labels.",
        )
    matrix = score_matrix(store, run_id, [reference])
    values = matrix.column(reference)
    if reference == VERDICT_METRIC:
        title = f"the run's verdict ({short_spec(run.judge)})"
    else:
        with store.read() as connection:
            run_metric = scores.run_metric(connection, run_id, reference)
        spec = placed_spec(str(run_metric.options.get("judge", reference))) if run_metric else reference
        title = f"the verdict of {spec}"
    return JudgedCases(
        run=run,
        title=title,
        case_ids=matrix.case_ids,
        clusters=matrix.clusters,
        decided=~np.isnan(values),
        truth=values == 1.0,
        weights=np.ones(values.size),
    )


def _people(run_labels: LabelledScores) -> str:
    """Whose labels are the reference, with the number from simulated raters."""
    label_rows = [
        run_labels.labels[case_id]
        for case_id, is_labelled in zip(run_labels.case_ids, run_labels.labelled, strict=True)
        if is_labelled
    ]
    simulated = sum(label.simulated for label in label_rows)
    note = f" ({simulated:,} of {len(label_rows):,} by simulated raters)" if simulated else ""
    return f"people's labels under {run_labels.criterion.name}{note}"


def live_match(store: Store, cases: JudgedCases) -> dict[str, Score]:
    """The match judge's verdicts, made now; none for a run of more than `MOST_LIVE` cases."""
    if len(cases.case_ids) > MOST_LIVE:
        return {}
    judge = open_judge("match")
    with store.read() as connection:
        pairs = list(run_inputs.pairs(connection, cases.run, cases.case_ids, contexts=False))
    return {case.case_id: verdict_score(case.case_id, judge.judge(case, response)) for case, response in pairs}
