"""Finished runs over one test set of two origins: questions from a database in two forms, and from documents."""

from __future__ import annotations

from dataclasses import replace

from core.domain.results.responses import Response, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"
SET = TestSet(
    id="ts_mixed",
    project_id="",
    name="Mixed",
    options={"limit": 100},
    counts={
        "sql_templates": 1,
        "sql_queries": 2,
        "questions": {"short": 2, "long": 2},
        "document_questions": {"Simple": 2},
    },
)


def mixed_set(store: Store, project_id: str) -> TestSet:
    """The frozen test set: two facts in a short and a long form, and two questions from documents."""
    cases = [
        *(
            TestCase(
                case_id=f"{form}{fact}",
                question=f"Which city is branch {fact} in ({form})?",
                reference_answers=(f"City {fact}",),
                form=form,
                group_id=f"g{fact}",
                sql="SELECT city FROM branch",
                tables=("branch",),
                sql_template_id="t1",
                attributes={"operation": "look-up"},
            )
            for fact in range(2)
            for form in ("short", "long")
        ),
        *(
            TestCase(
                case_id=f"doc{number}",
                question=f"What does page {number} say?",
                reference_answers=(f"Page {number} says so.",),
                group_id=f"p{number}",
                gold_document_ids=(f"page-{number}.md",),
                gold_chunk_ids=(f"chk_{number}",),
                attributes={"made_by": "count", "topic": "pages"},
            )
            for number in range(2)
        ),
    ]
    with store.write(ACTOR, "test.prepare", project_id=project_id) as connection:
        testsets.put(connection, replace(SET, project_id=project_id))
        testsets.put_cases(connection, SET.id, cases)
        testsets.freeze(connection, SET.id, cases_hash(cases), AT)
    return SET


def mixed_run(store: Store, project_id: str, *, run_id: str = "run_mixed", target: str = "bm25", at: str = AT) -> Run:
    """A finished run on that set: wrong in the questions of the database, right in those from documents."""
    run = Run(
        id=run_id,
        project_id=project_id,
        test_set_id=SET.id,
        target=target,
        judge="match",
        state=RunState.FINISHED,
        created_at=at,
        created_by=ACTOR,
        finished_at=at,
    )
    with store.read() as connection:
        cases = testsets.cases(connection, SET.id)
    with store.write(ACTOR, "test.prepare", project_id=project_id) as connection:
        runs.put(connection, run)
        runs.save_responses(
            connection, run_id, [Response(case_id=case.case_id, answer=case.reference_answers[0]) for case in cases]
        )
        scores.put(connection, run_id, [_verdict(case) for case in cases])
    return run


def _verdict(case: TestCase) -> Score:
    right = not case.form
    return Score(
        case_id=case.case_id,
        metric=VERDICT_METRIC,
        value=float(right),
        detail={"verdict": str(Verdict.CORRECT if right else Verdict.INCORRECT)},
    )
