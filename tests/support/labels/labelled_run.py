"""A finished run whose answers have scores, and labels of simulated raters saved through the label service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.domain.identity import new_id
from core.domain.results.labels import Criterion, LabelRound, Level, Part, RoundOrigin, ScaleKind
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.labelling.criteria import create_criterion
from core.labelling.rating.tasks import Given, save_labels, tasks
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"
METRICS = ("groundedness", "completeness", "wasserstein", "lexical_precision")
"""Two good scores, one where lower is better, one that is noise."""
TOPICS = ("loans", "cards", "accounts")
RATERS = ("rater-1", "rater-2", "rater-3")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labelled:
    """A run with labels.

    Attributes:
        run: The run.
        quality: How good each case is, by case id; what the raters would say without mistakes.
        binary: The criterion "Correct", levels 0 and 1.
        likert: The criterion "Faithful", levels 1 to 4, accepted from 3.
        round: The round, None without one.
    """

    run: Run
    quality: dict[str, float]
    binary: Criterion
    likert: Criterion
    round: LabelRound | None = field(default=None)


def add_run(store: Store, project_id: str, *, n: int = 240, seed: int = 0, name: str = "Quality") -> Run:
    """Stores a run of n answers, two of each filled SQL query; the last has no answer, the one before no score."""
    quality = qualities(n, seed)
    rng = np.random.default_rng(seed + 1)
    cases = [
        TestCase(
            case_id=f"case-{number}",
            question=f"What is fee number {number}?",
            reference_answers=(f"Fee {number} is {number} percent.",),
            form="short" if number % 2 else "long",
            group_id=f"group-{number // 2}",
            attributes={"topic": TOPICS[number // 2 % len(TOPICS)]},
        )
        for number in range(n)
    ]
    test_set = TestSet(id=f"ts_{name.casefold()}", project_id=project_id, name=name)
    run = Run(
        id=f"run_{name.casefold()}",
        project_id=project_id,
        test_set_id=test_set.id,
        target=f"recorded:{name}",
        judge="recorded",
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    near = np.clip(quality + rng.normal(0.0, 0.08, n), 0.0, 1.0)
    columns = {
        "groundedness": near,
        "completeness": np.clip(quality + rng.normal(0.0, 0.2, n), 0.0, 1.0),
        "wasserstein": np.clip(1.0 - quality + rng.normal(0.0, 0.15, n), 0.0, 1.0),
        "lexical_precision": rng.uniform(0.0, 1.0, n),
        VERDICT_METRIC: (quality + rng.normal(0.0, 0.2, n) > 0.5).astype(float),
    }
    made = [
        Score(case_id=case.case_id, metric=metric, value=float(values[number]))
        if number < n - 2
        else Score(case_id=case.case_id, metric=metric, value=None, status=Status.MISSING_INPUT)
        for metric, values in columns.items()
        for number, case in enumerate(cases)
        if number < n - 1
    ]
    with store.write(ACTOR, "run.import", project_id=project_id, subject=run.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [_response(case.case_id, place, n) for place, case in enumerate(cases)])
        scores.put(connection, run.id, made)
        scores.put_run_metrics(
            connection,
            run.id,
            [RunMetric(metric=metric, version=1, finished=True, scored_at=AT, scored_by=ACTOR) for metric in METRICS],
        )
    return run


def qualities(n: int, seed: int = 0) -> np.ndarray:
    """How good each answer is, evenly spread over 0 to 1."""
    return np.random.default_rng(seed).permutation((np.arange(n) + 0.5) / n)


def add_criteria(store: Store, project_id: str) -> tuple[Criterion, Criterion]:
    """The binary criterion "Correct" and the criterion "Faithful" of four levels."""
    binary = create_criterion(
        store,
        project_id,
        name="Correct",
        question="Is the answer correct?",
        kind=ScaleKind.BINARY,
        levels=(Level(value=0, anchor="Incorrect"), Level(value=1, anchor="Correct")),
        accept_from=1,
        actor=ACTOR,
    )
    anchors = ("Invented", "Partly invented", "Mostly supported", "Supported")
    likert = create_criterion(
        store,
        project_id,
        name="Faithful",
        question="Does the answer say only what the passages say?",
        kind=ScaleKind.LIKERT,
        levels=tuple(Level(value=value, anchor=anchor) for value, anchor in enumerate(anchors, start=1)),
        accept_from=3,
        actor=ACTOR,
    )
    return binary, likert


def add_labels(
    store: Store,
    run: Run,
    criteria: Sequence[Criterion],
    case_ids: Sequence[str],
    *,
    quality: dict[str, float],
    seed: int = 0,
    slip: float = 0.06,
    raters: Sequence[str] = RATERS,
    part: Part = Part.RANDOM,
    probability: float | None = None,
    name: str = "",
    origin: RoundOrigin = RoundOrigin.SIMULATED,
) -> LabelRound:
    """Labels cases as raters would who know the quality and now and then slip.

    Args:
        store: Where the run is.
        run: The run.
        criteria: Which to answer.
        case_ids: Which cases.
        quality: How good each is; it is accepted with chance 1 / (1 + exp(-10 (quality - 0.5))).
        seed: Of what people think of a case, and of the slips.
        slip: Chance of a rater to say the opposite, or the level beside it.
        raters: Who.
        part: Why these cases.
        probability: Chance of each to be drawn; the share of them among all where None.
        name: Of the round; one of its own when empty.
        origin: Simulated unless a test needs people.
    """
    chance = len(case_ids) / len(quality) if probability is None else probability
    made = create_round(
        store,
        run.id,
        name=name or new_id("rnd"),
        criteria=[criterion.id for criterion in criteria],
        raters=list(raters),
        items=[Drawn(case_id=case_id, part=part, stratum="", probability=chance) for case_id in case_ids],
        overlap=len(raters),
        seed=seed,
        design={"random_probability": chance if part is Part.RANDOM else 0.0},
        origin=origin,
        actor=ACTOR,
    )
    fill(store, made, criteria, quality=quality, seed=seed, slip=slip)
    return made


def fill(
    store: Store,
    made: LabelRound,
    criteria: Sequence[Criterion],
    *,
    quality: dict[str, float],
    seed: int = 0,
    slip: float = 0.06,
) -> None:
    """Labels every case of a round; see :func:`add_labels`."""
    for number, rater in enumerate(made.raters):
        rng = np.random.default_rng([seed, number])
        for task in tasks(store, made.id, rater):
            given = {
                criterion.id: Given(value=_said(criterion, task.case_id, quality[task.case_id], seed, rng, slip))
                for criterion in criteria
            }
            save_labels(
                store, made.id, rater, task.case_id, occurrence=task.occurrence, given=given, seconds=8.0, actor=ACTOR
            )


def labelled_run(store: Store, project_id: str, *, n: int = 240, labelled: int = 160, seed: int = 0) -> Labelled:
    """A run of n answers of which three simulated raters labelled some, drawn at random, under both criteria."""
    run = add_run(store, project_id, n=n, seed=seed)
    binary, likert = add_criteria(store, project_id)
    quality = {f"case-{number}": float(value) for number, value in enumerate(qualities(n, seed))}
    answered = [f"case-{number}" for number in range(n - 1)]
    drawn = np.random.default_rng(seed + 2).permutation(len(answered))[:labelled]
    made = None
    if labelled:
        made = add_labels(
            store, run, (binary, likert), [answered[place] for place in sorted(drawn)], quality=quality, seed=seed
        )
    return Labelled(run=run, quality=quality, binary=binary, likert=likert, round=made)


def _response(case_id: str, place: int, n: int) -> Response:
    if place == n - 1:
        return Response(case_id=case_id, answer=None, error="it timed out")
    text = f"Fee {place} is {place} percent of the loan."
    return Response(case_id=case_id, answer=text, contexts=(Context(document_id=f"doc-{place}", text=text),))


def _said(
    criterion: Criterion, case_id: str, quality: float, seed: int, rng: np.random.Generator, slip: float
) -> float:
    # What people think of the case is the same for every rater; only the slips are their own.
    mood = np.random.default_rng([seed, int(case_id.split("-")[1]), criterion.position]).logistic(0.0, 0.1)
    opinion = quality + mood
    slips = rng.random() < slip
    if criterion.kind is ScaleKind.BINARY:
        return float((opinion >= 0.5) != slips)
    level = int(np.clip(np.floor(4.0 * opinion), 0, 3))
    return float(int(np.clip(level + (rng.choice([-1, 1]) if slips else 0), 0, 3)) + 1)


def write_store(folder: Path, **options: int) -> tuple[Path, Labelled]:
    """A store file with one project and its labelled run; tests that change it copy the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plumbline.sqlite"
    with Store.open(f"sqlite:///{path}") as store:
        made = labelled_run(store, create_project(store, "Loans assistant", ACTOR).id, **options)
    return path, made
