"""A run whose answers are recorded and whose verdicts a scripted model gives."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from core.domain.llm import Endpoint
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.runs.service import create_run
from core.store.database import Store
from core.store.models import endpoints
from core.store.testset import testsets
from core.testset.service import freeze_test_set
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import Body, LlmServer

ACTOR = "local"


def verdict(body: Body) -> dict[str, str]:
    """What the model says: an answer with an even number is right."""
    (answer,) = fenced(body)["response"]
    even = int(answer.split()[1].rstrip(".")) % 2 == 0
    return {"reason": f"It says {answer}", "verdict": "Correct" if even else "Incorrect"}


def project_with_cases(store: Store, cases: int) -> TestSet:
    """A project with a frozen test set of so many cases c0, c1, ..."""
    project = create_project(store, "Bank", ACTOR)
    listed = [
        TestCase(
            case_id=f"c{number}",
            question=f"Question {number}?",
            reference_answers=(f"Truth {number}",),
            form="short",
            group_id=f"g{number // 2}",
        )
        for number in range(cases)
    ]
    test_set = TestSet(id="ts_1", project_id=project.id, name="First")
    with store.write(ACTOR, "test.prepare") as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, listed)
    return freeze_test_set(store, test_set.id, actor=ACTOR)


def judged_run(
    store: Store,
    folder: Path,
    server: LlmServer,
    cases: int,
    *,
    endpoint: dict[str, object] | None = None,
    **options: object,
) -> Run:
    """A planned run of a new project: recorded answers ``Answer 0.``, ``Answer 1.``, ... judged by the server's model.

    Args:
        store: Where to.
        folder: For the recording.
        server: The scripted model.
        cases: How many.
        endpoint: Settings of the endpoint other than its address.
        options: Of the run.
    """
    test_set = project_with_cases(store, cases)
    stored = Endpoint(id="end_1", project_id=test_set.project_id, name="Scripted", base_url=server.base_url)
    with store.write(ACTOR, "test.prepare") as connection:
        endpoints.put(connection, replace(stored, **(endpoint or {})))  # type: ignore[arg-type]
    return planned(store, folder, server, test_set, cases, **options)


def planned(store: Store, folder: Path, server: LlmServer, test_set: TestSet, cases: int, **options: object) -> Run:
    """One more planned run of the same plan."""
    recording = folder / "answers.jsonl"
    rows = [{"case_id": f"c{number}", "answer": f"Answer {number}."} for number in range(cases)]
    recording.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return create_run(
        store, test_set.id, actor=ACTOR, target=f"recorded:{recording}", judge=f"llm:{server.spec()}", options=options
    )
