"""The sample project's people: three raters played by a machine, and a round that waits for a real one.

What the simulated raters say follows the judge's verdict with each rater's own slips. It shows how labels are used and
says nothing about how people would judge; every screen marks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from core.domain.results.labels import (
    Criterion,
    Label,
    LabelRound,
    LabelTask,
    Level,
    Part,
    RoundOrigin,
    ScaleKind,
)
from core.domain.results.responses import Response
from core.domain.results.runs import VERDICT_METRIC, Run
from core.labelling.criteria import CORRECT, create_criterion, list_criteria
from core.labelling.rounds import close_round, create_round, list_rounds
from core.labelling.sampling.draw import Draw, DrawPlan, Population, draw_cases
from core.labelling.sampling.records import Drawn
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs, scores
from core.store.results.cases import run_inputs

SIMULATED: Final = "Simulated raters"
YOUR_TURN: Final = "Your turn"
RATERS: Final = ("Simulated rater A", "Simulated rater B", "Simulated rater C")
SLIPS: Final = {RATERS[0]: (0.02, 0.03), RATERS[1]: (0.05, 0.05), RATERS[2]: (0.02, 0.15)}
"""Chance of a rater to call a correct answer incorrect, and the other way round; the last one is lenient."""
UNCLEAR: Final = 0.04
"""Share of cases so worded that every rater is as likely to say one as the other."""
LABELLED, REPEATED = 300, 0.1
YOU: Final = "You"
YOURS = 12
SEED = 0
CORRECT_NAME: Final = str(CORRECT["name"])
HELPFUL: Final = "Helpful"
HELPFUL_LEVELS = (
    Level(value=1, anchor="No help"),
    Level(value=2, anchor="Little help"),
    Level(value=3, anchor="Helps, with something missing"),
    Level(value=4, anchor="All that was asked for"),
)


def simulate_raters(store: Store, run: Run, actor: str) -> LabelRound:
    """Gives the sample's run two criteria, a finished round of simulated raters and a round for a person to try.

    What is there already stays; killed at any moment the rest is made the next time.

    Args:
        store: Where the run is.
        run: The sample's finished run.
        actor: Who the sample is made by.

    Returns:
        The simulated round.
    """
    correct, helpful = _criteria(store, run, actor)
    rounds_by_name = {existing.name: existing for existing in list_rounds(store, run.project_id, run.id)}
    with store.read() as connection:
        answered = run_inputs.answered_cases(connection, run)
    simulated = rounds_by_name.get(SIMULATED)
    if simulated is None:
        draw = _random_draw(answered, LABELLED, SEED)
        simulated = create_round(
            store,
            run.id,
            name=SIMULATED,
            criteria=[correct.id, helpful.id],
            raters=RATERS,
            items=draw.items,
            overlap=len(RATERS),
            overlap_share=0.5,
            repeat_share=REPEATED,
            seed=SEED,
            design=draw.design(),
            origin=RoundOrigin.SIMULATED,
            actor=actor,
        )
    _say(store, run, simulated, (correct, helpful), actor)
    if not simulated.closed:
        simulated = close_round(store, simulated.id, actor=actor)
    if YOUR_TURN not in rounds_by_name:
        _yours(store, run, simulated, (correct, helpful), answered, actor)
    return simulated


def has_people(store: Store, run: Run) -> bool:
    """Whether all of it is there: the round for a person is made last."""
    return any(existing.name == YOUR_TURN for existing in list_rounds(store, run.project_id, run.id))


def _criteria(store: Store, run: Run, actor: str) -> tuple[Criterion, Criterion]:
    existing = {criterion.name: criterion for criterion in list_criteria(store, run.project_id, retired=True)}
    correct = existing.get(CORRECT_NAME) or create_criterion(store, run.project_id, actor=actor, **CORRECT)  # type: ignore[arg-type]
    helpful = existing.get(HELPFUL) or create_criterion(
        store,
        run.project_id,
        name=HELPFUL,
        question="How far does the answer help the person who asked?",
        kind=ScaleKind.LIKERT,
        levels=HELPFUL_LEVELS,
        accept_from=3,
        guidelines="Think of a customer at the counter. An answer that declines helps nobody, however polite it is.",
        actor=actor,
    )
    return correct, helpful


def _random_draw(case_ids: Sequence[str], total: int, seed: int) -> Draw:
    """A random draw, the same for the same seed."""
    population = Population(case_ids=tuple(case_ids), scores=np.empty((len(case_ids), 0)), names=())
    return draw_cases(population, DrawPlan(total=min(total, len(case_ids)), seed=seed))


def _yours(
    store: Store,
    run: Run,
    simulated: LabelRound,
    criteria: tuple[Criterion, Criterion],
    answered: Sequence[str],
    actor: str,
) -> None:
    """A round for whoever looks at the sample: practice with gold, then a few cases that nobody labelled."""
    with store.read() as connection:
        seen = {item.case_id for item in labels.items(connection, simulated.id)}
        verdicts = _verdicts(store, run)
    by_verdict = {
        verdict: [case for case in answered if case in seen and verdicts.get(case) == verdict] for verdict in (1.0, 0.0)
    }
    # One of each kind is learnt from most, so the practice has correct and incorrect answers.
    gold = [*by_verdict[1.0][:1], *by_verdict[0.0][:1], *by_verdict[1.0][1:2]]
    practice = [
        Drawn(
            case_id=case_id,
            part=Part.PRACTICE,
            gold={criteria[0].id: verdicts[case_id]},
            explanation="The answer says what the database says."
            if verdicts[case_id]
            else "The answer does not say what the database says; the reference shows what it is.",
        )
        for case_id in gold
    ]
    draw = _random_draw([case_id for case_id in answered if case_id not in seen], YOURS, SEED + 1)
    create_round(
        store,
        run.id,
        name=YOUR_TURN,
        criteria=[criterion.id for criterion in criteria],
        raters=[YOU],
        items=[*practice, *draw.items],
        overlap=1,
        seed=SEED,
        design=draw.design(),
        actor=actor,
    )


def _say(store: Store, run: Run, label_round: LabelRound, criteria: tuple[Criterion, Criterion], actor: str) -> None:
    """Writes what the simulated raters say of all their cases at once."""
    with store.read() as connection:
        tasks = [task for rater in label_round.raters for task in labels.tasks(connection, label_round.id, rater)]
        responses = runs.responses(connection, run.id, {task.case_id for task in tasks})
    if all(task.done_at for task in tasks):
        return
    verdicts = _verdicts(store, run)
    begun = datetime.now(UTC) - timedelta(hours=2)
    new_labels: list[Label] = []
    done: list[LabelTask] = []
    for task in tasks:
        rng = np.random.default_rng([SEED, label_round.raters.index(task.rater), task.position, task.occurrence])
        at = (begun + timedelta(seconds=14 * task.position)).isoformat(timespec="milliseconds")
        seconds = float(np.round(rng.lognormal(2.4, 0.5), 1))
        right = _sees_as_right(task, verdicts.get(task.case_id) == 1.0, rng)
        levels = (float(right), _help(task, right, responses[task.case_id], rng))
        new_labels += [
            Label(
                round_id=label_round.id,
                case_id=task.case_id,
                criterion_id=criterion.id,
                rater=task.rater,
                occurrence=task.occurrence,
                value=level,
                seconds=seconds,
                at=at,
            )
            for criterion, level in zip(criteria, levels, strict=True)
        ]
        done.append(
            LabelTask(
                round_id=task.round_id,
                rater=task.rater,
                case_id=task.case_id,
                occurrence=task.occurrence,
                position=task.position,
                part=task.part,
                done_at=at,
            )
        )
    with store.write(
        actor,
        "labels.simulate",
        project_id=run.project_id,
        subject=label_round.id,
        detail={"labels": len(new_labels), "raters": list(label_round.raters), "seed": SEED},
    ) as connection:
        labels.put(connection, new_labels)
        labels.put_tasks(connection, done)


def _sees_as_right(task: LabelTask, right: bool, rng: np.random.Generator) -> bool:
    # Whether a case is unclear is the same for every rater; what a rater makes of it is not.
    unclear = np.random.default_rng([SEED, *task.case_id.encode()]).random() < UNCLEAR
    slip = 0.5 if unclear else SLIPS[task.rater][0 if right else 1]
    return bool(right != (rng.random() < slip))


def _help(task: LabelTask, right: bool, response: Response, rng: np.random.Generator) -> float:
    if right:
        return 4.0 if rng.random() < 0.7 else 3.0
    usual = 1.0 if response.abstained else 2.0
    # The lenient rater gives one more, now and then.
    return usual + float(rng.random() < (0.3 if task.rater == RATERS[-1] else 0.1))


def _verdicts(store: Store, run: Run) -> dict[str, float]:
    with store.read() as connection:
        case_ids, _ = run_inputs.groups(connection, run.test_set_id)
        values = scores.columns(connection, run.id, [VERDICT_METRIC], case_ids)[:, 0]
    return {case_id: float(value) for case_id, value in zip(case_ids, values, strict=True) if not np.isnan(value)}
