"""Which judge can be trusted? Precision and recall of each judge of a run against reference verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate, Proportion
from core.domain.results.responses import Score, Verdict
from core.domain.results.runs import VERDICT_METRIC
from core.judges.disagreements import Disagreement, disagreeing_cases
from core.judges.figures import CurvePoint, JudgeComparison, JudgeFigures, PairAgreement
from core.judges.reading import reading, tendency
from core.judges.reference import LIVE_MATCH, JudgedCases, judged_cases, live_match
from core.judges.rules import SAME_RULES, by_rules, judge_of
from core.judging.decisive import agreement
from core.judging.stored import METRIC_PREFIX, RAGAS_FACT, REFERENCE_FREE, is_judge
from core.stats.agreement.clustered_kappa import clustered_kappa
from core.stats.weighted_proportion import weighted_proportion
from core.store.database import Store
from core.store.results import scores
from core.store.results.scores import RunMetric

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

THRESHOLD = 0.5
"""The lowest share of supported claims at which RAGAS-Fact calls an answer correct; the paper gives none."""
STEPS = 20
"""Thresholds of the curve, besides both ends."""
NOT_REACHED = "not reached"


def compare_judges(
    store: Store, run_id: str, *, reference: str = VERDICT_METRIC, threshold: float = THRESHOLD
) -> JudgeComparison:
    """Precision and recall of every judge of a run against reference verdicts.

    The reference verdicts are the classes, a judge's verdicts its predictions, as in section 3 and table 1 of GRAMMAR.
    A case counts for a judge where both have a verdict, unless the match rules gave both; the other cases are counted
    by reason. Intervals count semantic groups, not cases. Labelled cases are weighted by one over their chance to be
    drawn (:func:`core.stats.weighted_proportion.weighted_proportion`), so that shares are of all answers.

    Args:
        store: Where the run is.
        run_id: The run.
        reference: ``verdict``, another verdict metric of the run, or ``label:CRITERION`` for people's labels.
        threshold: Of RAGAS-Fact, in [0, 1].

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: There is no such reference, or the threshold lies outside.
    """
    if not 0.0 <= threshold <= 1.0:
        raise InvalidInput(f"The threshold is {threshold:g}.", "Give a share of claims from 0 to 1.")
    cases = judged_cases(store, run_id, reference)
    scores_by_judge = judge_scores(store, cases)
    with store.read() as connection:
        run_metrics = scores.of_run(connection, run_id)
    rules = {key: by_rules(store, cases, key, run_metrics) for key in (*scores_by_judge, reference)}
    figures = [
        _figures(cases, key, results, run_metrics.get(key), threshold, rules[key] & rules[reference])
        for key, results in scores_by_judge.items()
        if key != reference
    ]
    return JudgeComparison(
        reference=reference,
        title=cases.title,
        base=_share(cases, cases.truth, cases.decided),
        judges=tuple(sorted(figures, key=lambda item: (not item.sees_reference, item.key))),
        curve=_curve(cases, scores_by_judge[RAGAS_FACT]) if RAGAS_FACT in scores_by_judge else (),
        pairs=_pairs(cases, scores_by_judge, rules),
        undecided=int((~cases.decided).sum()),
        weighted=cases.weighted,
    )


def judge_scores(store: Store, cases: JudgedCases) -> dict[str, dict[str, Score]]:
    """The score of every judge for every case, by the judge's key and the case id, without evidence.

    The match judge is run on the spot where the run is small and has none of its verdicts.
    """
    with store.read() as connection:
        counts = scores.counts(connection, cases.run.id, cases.run.test_set_id)
        keys = [key for key in counts if is_judge(key)]
        by_case = scores.light(connection, cases.run.id, cases.case_ids, keys)
    scores_by_judge: dict[str, dict[str, Score]] = {key: {} for key in keys}
    for case_id, by_key in by_case.items():
        for key, score in by_key.items():
            scores_by_judge[key][case_id] = score
    if f"{METRIC_PREFIX}match" not in scores_by_judge and cases.run.judge != "match":
        scores_by_judge |= {LIVE_MATCH: rules} if (rules := live_match(store, cases)) else {}
    return scores_by_judge


def judge_disagreements(
    store: Store,
    run_id: str,
    judge: str,
    *,
    reference: str = VERDICT_METRIC,
    threshold: float = THRESHOLD,
    most: int = 200,
) -> tuple[tuple[Disagreement, ...], int]:
    """The cases where a judge and the reference differ, in the order of the test set, and how many there are.

    Args:
        store: Where the run is.
        run_id: The run.
        judge: Key of one of the judges of :func:`compare_judges`.
        reference: As there.
        threshold: As there.
        most: The most cases to return.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The run has no such judge, or there is no such reference.
    """
    cases = judged_cases(store, run_id, reference)
    scores_by_judge = judge_scores(store, cases)
    if judge not in scores_by_judge:
        raise InvalidInput(
            f"The run has no judge {judge!r}.", f"Use one of: {', '.join(scores_by_judge) or 'none yet'}."
        )
    predicted = calls_correct(judge, column(cases, scores_by_judge[judge]), threshold)
    return disagreeing_cases(store, cases, scores_by_judge[judge], predicted, key=judge, most=most)


def calls_correct(key: str, values: Floats, threshold: float) -> Bools:
    """Which answers a judge calls correct; False without a value, shape (n,)."""
    minimum = threshold if key == RAGAS_FACT else 1.0
    with np.errstate(invalid="ignore"):
        return np.asarray(values >= minimum - 1e-9, dtype=bool)


def column(cases: JudgedCases, results: Mapping[str, Score]) -> Floats:
    """The values of one judge in the order of the cases, NaN without one."""
    values = [results[case_id].value if case_id in results else None for case_id in cases.case_ids]
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _share(cases: JudgedCases, outcomes: Bools, among: Bools) -> Proportion:
    """The share of some of the cases that have a property, each with its weight; all three of shape (n,)."""
    return weighted_proportion(outcomes[among], cases.clusters[among], cases.weights[among])


def _figures(
    cases: JudgedCases,
    key: str,
    results: Mapping[str, Score],
    run_metric: RunMetric | None,
    threshold: float,
    same_rules: Bools,
) -> JudgeFigures:
    values = column(cases, results)
    scored = cases.decided & ~np.isnan(values)
    comparable = scored & ~same_rules
    predicted, truth = calls_correct(key, values, threshold), cases.truth
    precision, recall = _share(cases, truth, comparable & predicted), _share(cases, predicted, comparable & truth)
    kappa = Estimate(value=None, low=None, high=None, n=0, method="no case judged by both")
    if comparable.any():
        kappa = clustered_kappa(
            predicted[comparable], truth[comparable], cases.clusters[comparable], weights=cases.weights[comparable]
        )
    lacking = [cases.case_ids[place] for place in np.flatnonzero(cases.decided & ~scored)]
    reasons = Counter(results[case_id].status.value if case_id in results else NOT_REACHED for case_id in lacking)
    reasons.update({SAME_RULES: int((scored & same_rules).sum())})
    return JudgeFigures(
        key=key,
        judge=judge_of(cases.run, key, run_metric),
        precision=precision,
        recall=recall,
        kappa=kappa,
        both_correct=int((comparable & predicted & truth).sum()),
        too_kind=int((comparable & predicted & ~truth).sum()),
        too_harsh=int((comparable & ~predicted & truth).sum()),
        both_incorrect=int((comparable & ~predicted & ~truth).sum()),
        judged=int(comparable.sum()),
        of=int(cases.decided.sum()),
        unscored={reason: count for reason, count in reasons.most_common() if count},
        tendency=tendency(precision, recall, kappa),
        reading=reading(precision, recall, kappa),
        sees_reference=key not in REFERENCE_FREE,
        threshold=threshold if key == RAGAS_FACT else None,
        finished=run_metric is None or run_metric.finished,
    )


def _curve(cases: JudgedCases, results: Mapping[str, Score]) -> tuple[CurvePoint, ...]:
    values = column(cases, results)
    comparable = cases.decided & ~np.isnan(values)
    if not comparable.any():
        return ()
    points = []
    for threshold in np.linspace(0.0, 1.0, STEPS + 1):
        predicted = calls_correct(RAGAS_FACT, values, float(threshold))
        points.append(
            CurvePoint(
                threshold=float(round(threshold, 10)),
                precision=_share(cases, cases.truth, comparable & predicted),
                recall=_share(cases, predicted, comparable & cases.truth),
            )
        )
    return tuple(points)


def _pairs(
    cases: JudgedCases, scores_by_judge: Mapping[str, Mapping[str, Score]], rules: Mapping[str, Bools]
) -> tuple[PairAgreement, ...]:
    verdicts = {
        key: _verdicts(column(cases, scores_by_judge[key])) for key in scores_by_judge if key not in REFERENCE_FREE
    }
    clusters = cases.clusters.tolist()
    pairs = []
    for first_key, second_key in combinations(verdicts, 2):
        same_rules = rules[first_key] & rules[second_key]
        first_verdicts = [
            Verdict.NOT_JUDGED if same else verdict
            for verdict, same in zip(verdicts[first_key], same_rules, strict=True)
        ]
        if any(Verdict.NOT_JUDGED not in pair for pair in zip(first_verdicts, verdicts[second_key], strict=True)):
            pairs.append(
                PairAgreement(
                    first=first_key, second=second_key, found=agreement(first_verdicts, verdicts[second_key], clusters)
                )
            )
    return tuple(pairs)


def _verdicts(values: Floats) -> Sequence[Verdict]:
    return [
        Verdict.NOT_JUDGED if np.isnan(value) else Verdict.CORRECT if value == 1.0 else Verdict.INCORRECT
        for value in values
    ]
