"""A finished run of short answers that judges can be compared on, and a scripted model that plays all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets
from tests.support.models.fenced import fenced
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"


def add_run(store: Store, project_id: str, n: int = 24, *, judge: str = "recorded:people.jsonl") -> Run:
    """Stores a run of n answers, two of each filled SQL query.

    Of four answers in a row the first three are right; the last of the run has no answer. Their recorded verdicts are
    stored as those of the run.
    """
    cases = [
        TestCase(
            case_id=f"case-{number}",
            question=f"Who manages fund {number}?",
            reference_answers=(f"Manager {number}X",),
            form="short" if number % 2 else "long",
            group_id=f"group-{number // 2}",
        )
        for number in range(n)
    ]
    test_set = TestSet(id="ts_judged", project_id=project_id, name="Judged")
    run = Run(
        id="run_judged",
        project_id=project_id,
        test_set_id=test_set.id,
        target="recorded:answers.jsonl",
        judge=judge,
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    with store.write(ACTOR, "run.import", project_id=project_id, subject=run.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [response(number, n) for number in range(n)])
        scores.put(connection, run.id, [verdict(number, n) for number in range(n)])
    return run


def add_again(store: Store, run: Run, run_id: str, flip: Collection[str] = (), **fields: Any) -> Run:
    """The run once more, with other verdicts for some cases.

    Args:
        store: Where the run is.
        run: As `add_run` made it.
        run_id: Of the new one.
        flip: Cases whose verdict is the other one.
        fields: Of the new run, such as its target.
    """
    other = replace(run, id=run_id, **fields)
    with store.write(ACTOR, "test.again", project_id=run.project_id) as connection:
        runs.put(connection, other)
        ids = [f"case-{number}" for number in range(24)]
        runs.save_responses(connection, run_id, list(runs.responses(connection, run.id, ids).values()))
        verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC, ids)
        scores.put(
            connection,
            run_id,
            [
                replace(score, value=1.0 - score.value) if case_id in flip and score.value is not None else score
                for case_id, score in verdicts.items()
            ],
        )
    return other


def right(number: int) -> bool:
    """Whether the answer is right."""
    return number % 4 != 3


def response(number: int, n: int) -> Response:
    """The answer: right ones name the manager of the fund, wrong ones another, the last is none."""
    if number == n - 1:
        return Response(case_id=f"case-{number}", answer=None, error="it timed out")
    named = f"Manager {number}X" if right(number) else f"Somebody {number}"
    text = f"Fund {number} is managed by {named}."
    return Response(
        case_id=f"case-{number}", answer=f"It is {named}.", contexts=(Context(document_id=f"d{number}", text=text),)
    )


def verdict(number: int, n: int) -> Score:
    """The run's verdict."""
    failed = number == n - 1
    return Score(
        case_id=f"case-{number}",
        metric=VERDICT_METRIC,
        value=None if failed else float(right(number)),
        status=Status.NOT_JUDGED if failed else Status.SCORED,
        detail={"rule": "recorded", "reason": "As people said."},
    )


def add_judge(store: Store, run: Run, key: str, values: dict[str, float], judge: str = "") -> None:
    """Stores a judge's values by case id, as a finished job does."""
    with store.write(ACTOR, "run.judge", project_id=run.project_id, subject=run.id) as connection:
        scores.put(
            connection,
            run.id,
            [
                Score(case_id=case_id, metric=key, value=value, detail={"reason": f"{key} says {value:g}."})
                for case_id, value in values.items()
            ],
        )
        made = RunMetric(metric=key, version=1, options={"judge": judge or key}, finished=True, scored_at=AT)
        scores.put_run_metrics(connection, run.id, [made])


def model(body: dict[str, Any]) -> dict[str, Any]:
    """Plays every judging model: verdicts by the text, one claim an answer, supported where a passage says it."""
    read = fenced(body)
    if "response" in read:
        same = read["true_answer"][0] in read["response"][0]
        return {"reason": "As written.", "verdict": "Correct" if same else "Incorrect"}
    if "claim" in read:
        found = []
        for number, claim in enumerate(read["claim"], start=1):
            named = claim.removeprefix("It is ").rstrip(".")
            held = any(named in passage for passage in read["passage"])
            found.append({"claim": number, "reason": "As written.", "verdict": "Yes" if held else "No"})
        return {"verdicts": found}
    if len(read["answer"]) == 2:
        return {"reason": "As written.", "same": "Yes" if read["answer"][0] in read["answer"][1] else "No"}
    return {"claims": [read["answer"][0]]}
