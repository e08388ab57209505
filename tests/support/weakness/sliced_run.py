"""A small finished run whose cases differ in everything that weakness is looked for along."""

from __future__ import annotations

from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import templates, testsets

ACTOR = "local"
AT = "2026-11-21T05:00:00+00:00"
TOPICS = ("loans", "cards", "")
LENGTHS = (3, 5, 8, 12, 17, 21, 30, 44)
"""Words of the questions, one after the other."""


def sliced_cases(n: int = 24) -> list[TestCase]:
    """Cases c0, c1, ...: two of each filled query; every third has no topic; branch 3 has no document."""
    return [
        TestCase(
            case_id=f"c{number}",
            question=" ".join(["word"] * LENGTHS[number % len(LENGTHS)]),
            reference_answers=(f"Truth {number}",),
            form="short" if number % 2 else "long",
            group_id=f"g{number // 2}",
            gold_document_ids=(f"branch:{number % 4}",),
            tables=("branch", "city") if number % 2 else ("branch",),
            attributes={
                **({"topic": TOPICS[number % 3]} if TOPICS[number % 3] else {}),
                "year": str(2000 + number),
                "key": f"00{number}",
            },
            sql_template_id="sql_1" if number % 4 else "sql_gone",
            text_template_id="text_1" if number % 2 else "text_2",
            excluded="Odd." if number == n - 1 else "",
        )
        for number in range(n)
    ]


def responses_of(cases: list[TestCase]) -> list[Response]:
    """Up to three passages each: the right document third, second, first or not at all; c4 failed."""
    return [
        Response(
            case_id=case.case_id,
            answer=None if number == 4 else "It says so. " * (1 + number % 3),
            contexts=() if number == 4 else tuple(_passages(number)),
            error="It timed out." if number == 4 else "",
        )
        for number, case in enumerate(cases)
    ]


def _passages(number: int) -> list[Context]:
    others = [Context(document_id=f"other-{place}", text="Nothing of the kind.") for place in range(3)]
    right = Context(document_id=f"{number % 4}", text="What is asked for.")  # by its bare key
    place = (2, 1, 0, None)[number // 4 % 4]
    return others if place is None else [*others[:place], right, *others[place + 1 :]]


def sliced_run(
    store: Store,
    *,
    cases: list[TestCase] | None = None,
    responses: list[Response] | None = None,
    target: str = "recorded:answers",
    options: dict[str, object] | None = None,
) -> Run:
    """Stores the run: the verdict is wrong for loans in the long form; groundedness grows; wasserstein falls."""
    made = sliced_cases() if cases is None else cases
    given = responses_of(made) if responses is None else responses
    project = create_project(store, "Sliced", ACTOR)
    run = Run(
        id="run_1",
        project_id=project.id,
        test_set_id="ts_1",
        target=target,
        state=RunState.FINISHED,
        options=options or {},
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    sql = SqlTemplate(id="sql_1", sql="SELECT phone\nFROM branch\nWHERE name = '[branch.name]';")
    texts = [
        TextTemplate(id="text_1", sql_template_id="sql_1", form="short", text="Phone of [branch.name]?"),
        TextTemplate(id="text_2", sql_template_id="sql_1", form="long", text="Phone of [branch.name]?"),
    ]
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        templates.put_sql(connection, project.id, sql)
        templates.put_text(connection, project.id, texts)
        testsets.put(connection, TestSet(id="ts_1", project_id=project.id, name="Sliced"))
        testsets.put_cases(connection, "ts_1", made)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, given)
        scores.put(connection, run.id, [score for number, case in enumerate(made) for score in _scores(number, case)])
        known = [RunMetric(metric=name, version=1, finished=True) for name in ("groundedness", "wasserstein", "recall")]
        scores.put_run_metrics(connection, run.id, known)
    return run


def _scores(number: int, case: TestCase) -> list[Score]:
    if number == 4:
        return [Score(case_id=case.case_id, metric=VERDICT_METRIC, value=None, status=Status.MISSING_INPUT)]
    wrong = case.attributes.get("topic") == "loans" and case.form == "long"
    found = (number // 4) % 4 != 3
    return [
        Score(
            case_id=case.case_id,
            metric=VERDICT_METRIC,
            value=float(not wrong),
            detail={"rule": "text", "reason": "It says something else." if wrong else "It says the same."},
        ),
        Score(case_id=case.case_id, metric="groundedness", value=number / 40),
        Score(case_id=case.case_id, metric="wasserstein", value=number / 50),
        Score(case_id=case.case_id, metric="recall", value=float(found)),
    ]
