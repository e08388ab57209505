"""Answerable x answered as GroUSE's judge sees both, beside the same by rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.estimates import Proportion
from core.domain.results.responses import Score
from core.domain.status import Status
from core.metrics.samples.answerability import Cell, answering
from core.runs.scores.answering import known as known_answering
from core.runs.scores.samples import RunSamples
from core.stats import clustered_proportion
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs

ANSWERED, ANSWERABLE = "grouse_answer_relevancy", "grouse_completeness"
"""Null by these says that the answer declines, and that the retrieved passages do not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBehaviour:
    """The table of a run by its judge.

    The judge looks whether the retrieved passages answer the question; the rules go by whether the documents do. So an
    answerable question whose passages were not found is not answerable here.

    Attributes:
        shares: Each cell's share of its row: of what the judge calls answerable, or not.
        cases: Ids of the cases of each cell, in the order of the test set.
        not_judged: Answered cases that lack one of the two judgements, by the status of the first that is missing.
        answered_alike: How often judge and rules agree on whether the target answered.
        answerable_alike: How often the judge agrees with what is known of the case.
        differing: Cases where judge and rules differ on whether the target answered.
    """

    shares: Mapping[Cell, Proportion]
    cases: Mapping[Cell, tuple[str, ...]]
    not_judged: Mapping[str, int]
    answered_alike: Proportion
    answerable_alike: Proportion
    differing: tuple[str, ...]

    @property
    def judged(self) -> int:
        """Cases in the four cells."""
        return sum(len(some) for some in self.cases.values())


def judged_behaviour(store: Store, run_id: str) -> JudgedBehaviour | None:
    """The table of a run; None where its answers were not judged by both metrics.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        if not {ANSWERED, ANSWERABLE} <= set(scores.of_run(connection, run_id)):
            return None
        groups = dict(zip(*run_inputs.groups(connection, run.test_set_id), strict=True))
        reached = run_inputs.answered_cases(connection, run)
        judged = scores.light(connection, run_id, reached, (ANSWERED, ANSWERABLE))
        by_rules = known_answering(connection, run_id)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups.values()))}
    case_ids: dict[Cell, list[str]] = {cell: [] for cell in Cell}
    missing: Counter[str] = Counter()
    alike: tuple[list[bool], list[int]] = ([], [])
    known: tuple[list[bool], list[int]] = ([], [])
    differing: list[str] = []
    for sample in RunSamples(store, run).read(reached, contexts=False):
        does = answering(sample, by_rules)
        if does is None:
            continue
        found = judged.get(sample.case_id, {})
        answered, answerable = (_said(found.get(name)) for name in (ANSWERED, ANSWERABLE))
        cluster = numbers[groups[sample.case_id]]
        if answered is not None:
            same = answered == does.answers
            alike[0].append(same)
            alike[1].append(cluster)
            differing += [] if same else [sample.case_id]
        if answerable is not None and sample.answerable is not None:
            known[0].append(answerable == sample.answerable)
            known[1].append(cluster)
        if answered is None or answerable is None:
            missing[_why(found.get(ANSWERED) if answered is None else found.get(ANSWERABLE))] += 1
            continue
        name = f"{'answered' if answered else 'declined'}_{'answerable' if answerable else 'unanswerable'}"
        case_ids[Cell(name)].append(sample.case_id)
    clusters = {case_id: numbers[group] for case_id, group in groups.items()}
    return JudgedBehaviour(
        shares=_shares(case_ids, clusters),
        cases={cell: tuple(some) for cell, some in case_ids.items()},
        not_judged=dict(missing),
        answered_alike=clustered_proportion(*alike),
        answerable_alike=clustered_proportion(*known),
        differing=tuple(differing),
    )


def _shares(case_ids: Mapping[Cell, list[str]], clusters: Mapping[str, int]) -> dict[Cell, Proportion]:
    shares = {}
    for row in (
        (Cell.ANSWERED_ANSWERABLE, Cell.DECLINED_ANSWERABLE),
        (Cell.ANSWERED_UNANSWERABLE, Cell.DECLINED_UNANSWERABLE),
    ):
        cases = [(case_id, cell) for cell in row for case_id in case_ids[cell]]
        for cell in row:
            shares[cell] = clustered_proportion(
                [of is cell for _, of in cases], [clusters[case_id] for case_id, _ in cases]
            )
    return shares


def _said(score: Score | None) -> bool | None:
    """True for a grade, False for the judge's null, None where it did not judge."""
    if score is None:
        return None
    return {Status.SCORED: True, Status.NULL_JUDGEMENT: False}.get(score.status)


def _why(score: Score | None) -> str:
    return Status.NOT_JUDGED.value if score is None else score.status.value
