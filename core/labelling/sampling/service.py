"""Draws cases of a stored run to label, and practice cases from those on which raters agreed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, Part, ScaleKind
from core.labelling.one_label import ratings_table
from core.labelling.sampling.draw import Draw, DrawPlan, Population, draw_cases
from core.labelling.sampling.records import Drawn
from core.metrics.direction import lower_is_better
from core.store.database import Store
from core.store.people import labels
from core.store.results import failures, runs, scores
from core.store.results.cases import attributes as case_attributes
from core.store.results.cases import run_inputs

DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunDraw:
    """Cases of a run to label.

    Attributes:
        draw: The draw, from the cases that could be drawn.
        run_cases: Cases of the run.
        without_answer: Cases among them without an answer, which are never drawn.
        left_out: Cases that an earlier round drew at random.
        chances: Chance of each included case to come into this round, in the order of the test set; of one that an
            earlier round drew the chance that it would have had.
    """

    draw: Draw
    run_cases: int
    without_answer: int
    left_out: int
    chances: tuple[float, ...]

    @property
    def items(self) -> tuple[Drawn, ...]:
        """The cases drawn."""
        return self.draw.items

    def design(self) -> dict[str, object]:
        """The sampling design that the round stores, with the chance of every case of the run."""
        return {
            **self.draw.design(),
            "run_cases": self.run_cases,
            "without_answer": self.without_answer,
            "left_out": self.left_out,
            "probabilities": [round(chance, DIGITS) for chance in self.chances],
        }


def draw_for_run(
    store: Store,
    run_id: str,
    plan: DrawPlan,
    *,
    metrics: Sequence[str] = (),
    threshold: float | None = None,
    topic: str = "",
    probability: Mapping[str, float] | None = None,
    leave_labelled: bool = False,
) -> RunDraw:
    """Draws cases of a run to label; see :func:`core.labelling.sampling.draw.draw_cases`.

    Cases without an answer cannot be labelled and are not in the population. On request, cases that earlier rounds
    drew at random are left out: they have their labels, and both random shares together are again a simple random
    sample. A case of an earlier targeted draw may be drawn again in the random share, since leaving it out would bias
    the random share against such cases; the targeted draw skips it.

    Args:
        store: Where the run is.
        run_id: The run.
        plan: How many cases to draw, and for which reasons.
        metrics: Whose scores; uncertainty and coverage use the first one.
        threshold: From which value on an answer is accepted, of the probability where there is one, else of the first
            metric.
        topic: The attribute of the cases that coverage uses besides the score; ``form`` is one.
        probability: Calibrated chance of acceptance by case id.
        leave_labelled: Whether to leave out what earlier rounds drew at random.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The plan cannot be carried out, or no case is left to draw.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        case_ids, groups = run_inputs.groups(connection, run.test_set_id)
        values = scores.columns(connection, run_id, list(metrics), case_ids)
        attributes = case_attributes.attributes(connection, run.test_set_id) if topic else []
        answered = runs.answered_ids(connection, run_id) - failures.failed_ids(connection, run_id)
        earlier = labels.items_of_run(connection, run_id) if leave_labelled else []
    at_random = {item.case_id for item in earlier if item.part is Part.RANDOM}
    targeted = {item.case_id for item in earlier if item.part is Part.TARGETED}
    open_ = np.array([case_id in answered for case_id in case_ids], dtype=bool)
    places = np.flatnonzero(open_).tolist()
    ids = [case_ids[place] for place in places]
    probabilities = probability or {}
    draw = draw_cases(
        Population(
            case_ids=ids,
            scores=values[open_],
            names=tuple(metrics),
            lower=tuple(lower_is_better(metric) for metric in metrics),
            probability=None
            if probability is None
            else np.array([probabilities.get(case_id, np.nan) for case_id in ids], dtype=float),
            threshold=threshold,
            topics=[attributes[place].get(topic, "") for place in places] if topic else None,
            clusters=[groups[place] for place in places],
            known=np.array([case_id in targeted for case_id in ids], dtype=bool),
            done=np.array([case_id in at_random for case_id in ids], dtype=bool),
        ),
        plan,
    )
    chances = np.zeros(len(case_ids))
    chances[open_] = draw.probabilities
    return RunDraw(
        draw=draw,
        run_cases=len(case_ids),
        without_answer=int((~open_).sum()),
        left_out=len(ids) - draw.population,
        chances=tuple(chances.tolist()),
    )


def practice_items(
    store: Store,
    run_id: str,
    criteria: Sequence[str],
    *,
    n: int = 5,
    avoid: Collection[str] = (),
    seed: int = 0,
) -> tuple[Drawn, ...]:
    """Practice cases: labelled ones on which two or more raters all agreed, or which a second look decided.

    A case qualifies where this holds for every criterion with levels. Cases are taken in turn from the combinations of
    gold levels, so that raters practise on every kind of answer.

    Args:
        store: Where the run is.
        run_id: The run.
        criteria: Ids of the round's criteria; comments have no right answer and are skipped.
        n: The largest number of cases.
        avoid: Cases that must not be used, such as those drawn for the round.
        seed: Of the choice.

    Returns:
        At most n cases with their gold levels; fewer, or none, where people agreed on fewer.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: No criterion has levels.
    """
    with store.read() as connection:
        scales = [labels.criterion(connection, criterion_id) for criterion_id in criteria]
        scales = [criterion for criterion in scales if criterion.kind is not ScaleKind.COMMENT]
        decided = {scale.id: labels.adjudications_of(connection, run_id, scale.id) for scale in scales}
    if not scales:
        raise InvalidInput("Comments have no right answer to practise on.", "Choose a criterion with levels.")
    gold: dict[str, dict[str, float]] = {}
    explanations: dict[str, list[str]] = {}
    for criterion in scales:
        agreed = _unanimous(store, run_id, criterion)
        adjudications = {
            adjudication.case_id: adjudication
            for adjudication in decided[criterion.id].values()
            if adjudication.value is not None
        }
        for case_id, (value, reason) in agreed.items():
            if case_id not in decided[criterion.id]:
                gold.setdefault(case_id, {})[criterion.id] = value
                explanations.setdefault(case_id, []).append(reason)
        for case_id, adjudication in adjudications.items():
            if adjudication.value is not None:
                gold.setdefault(case_id, {})[criterion.id] = adjudication.value
                explanations.setdefault(case_id, []).append(
                    f"{_level_text(criterion, adjudication.value)} {adjudication.reason}".strip()
                )
    usable = [case_id for case_id in gold if len(gold[case_id]) == len(scales) and case_id not in set(avoid)]
    return tuple(
        Drawn(case_id=case_id, part=Part.PRACTICE, gold=gold[case_id], explanation=" ".join(explanations[case_id]))
        for case_id in _in_turn(sorted(usable), gold, n, seed)
    )


def _unanimous(store: Store, run_id: str, criterion: Criterion) -> dict[str, tuple[float, str]]:
    """The level that all of two or more raters gave, by case, with a sentence about it."""
    table = ratings_table(store, run_id, criterion.id)
    agreed = {}
    for place, case_id in enumerate(table.case_ids):
        levels = table.values[:, place]
        levels = levels[~np.isnan(levels)]
        if levels.size >= 2 and np.ptp(levels) == 0.0 and not table.cannot_judge[:, place].any():
            value = float(levels[0])
            agreed[case_id] = value, f"{_level_text(criterion, value)} All {levels.size} raters chose this level."
    return agreed


def _level_text(criterion: Criterion, value: float) -> str:
    anchor = next((level.anchor for level in criterion.levels if level.value == value), "")
    return f"{criterion.name}: {anchor or format(value, 'g')}."


def _in_turn(case_ids: Sequence[str], gold: Mapping[str, Mapping[str, float]], n: int, seed: int) -> list[str]:
    """Up to n cases, one of each combination of levels after the other, at random within it."""
    rng = np.random.default_rng(seed)
    by_levels: dict[tuple[tuple[str, float], ...], list[str]] = {}
    for place in rng.permutation(len(case_ids)).tolist():
        by_levels.setdefault(tuple(sorted(gold[case_ids[place]].items())), []).append(case_ids[place])
    queues = [by_levels[levels] for levels in sorted(by_levels)]
    sequence: list[str] = []
    while len(sequence) < n and any(queues):
        sequence += [queue.pop() for queue in queues if queue]
    return sequence[:n]
