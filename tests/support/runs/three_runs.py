"""Three finished runs of one test set, with the verdicts a test asks for."""

from __future__ import annotations

from core.domain.identity import new_id
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.sources.projects import SourceKind
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet
from core.store import sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

MODES = ("closed_book", "oracle", "retrieval")


def frozen_set(store: Store, project_id: str, groups: int, *, wordings: int = 1, name: str = "Facts") -> TestSet:
    """A frozen test set: group g asks for City g, whose document is ``branch:g``."""
    test_set = TestSet(id=new_id("ts"), project_id=project_id, name=name)
    cases = [
        TestCase(
            case_id=f"g{group}w{wording}",
            question=f"In wording {wording}, where is branch {group}?",
            reference_answers=(f"City {group}",),
            form="short",
            group_id=f"g{group}",
            gold_document_ids=(f"branch:{group}",),
        )
        for group in range(groups)
        for wording in range(wordings)
    ]
    with store.write("local", "test.prepare", project_id=project_id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, "hash", "2026-01-01T00:00:00+00:00")
        return testsets.get(connection, test_set.id)


def judged_run(
    store: Store, test_set: TestSet, marks: str, *, options: dict[str, object] | None = None, target: str = "openai:m@u"
) -> Run:
    """A finished run: one mark a case, 1 right, 0 wrong, - without a verdict because the target failed."""
    with store.read() as connection:
        cases = testsets.cases(connection, test_set.id)
        corpus = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
    run = Run(
        id=new_id("run"),
        project_id=test_set.project_id,
        test_set_id=test_set.id,
        target=target,
        corpus_id=corpus.id if corpus else "",
        state=RunState.FINISHED,
        options=options or {},
        created_at="2026-01-02T03:04:05+00:00",
        created_by="local",
    )
    responses, verdicts = [], []
    for case, mark in zip(cases, marks, strict=True):
        right = case.reference_answers[0] if mark == "1" else "Nowhere"
        responses.append(
            Response(
                case_id=case.case_id,
                answer=None if mark == "-" else right,
                contexts=(Context(document_id=case.gold_document_ids[0], text="A page."),),
                error="It timed out." if mark == "-" else "",
            )
        )
        verdicts.append(
            Score(
                case_id=case.case_id,
                metric=VERDICT_METRIC,
                value=None if mark == "-" else float(mark),
                status=Status.NOT_JUDGED if mark == "-" else Status.SCORED,
                detail={"rule": "text"},
            )
        )
    with store.write("local", "test.run", project_id=run.project_id) as connection:
        runs.put(connection, run)
        runs.save_responses(connection, run.id, responses)
        scores.put(connection, run.id, verdicts)
    return run


def experiment_of(store: Store, test_set: TestSet, *marks: str, name: str = "exp_1") -> dict[str, Run]:
    """The runs of an experiment by mode: closed book, oracle, live, as far as marks are given."""
    return {
        mode: judged_run(store, test_set, given, options={"mode": mode, "experiment": name})
        for mode, given in zip(MODES, marks, strict=False)
    }
