"""Twelve scores of each of 100,000 cases, read by the Results page, beside the limit that a page should feel immediate.

Means, correlations and all else that needs every value is read once after a change and cached by the page; its limit is
a wait that a person notices and accepts.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench.measure import Line, median_seconds
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.runs.scores.applicable import applicable
from core.runs.scores.comparing import correlations, disagreements
from core.runs.scores.samples import behaviour_of
from core.runs.scores.summary import metric_summaries, score_matrix
from core.runs.summary import summarise
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs
from core.store.testset import testsets

CASES = 100_000
IMMEDIATE_S, NOTICED_S = 0.5, 2.0
NAMES = (
    VERDICT_METRIC,
    "recall",
    "precision",
    "ndcg",
    "context_relevancy",
    "groundedness",
    "completeness",
    "wasserstein",
    "answer_relevancy",
    "embedding_similarity",
    "hit",
    "mrr",
)
SENTENCES = [
    {"of": "answer", "at": [0, 90 * place, 90 * place + 80], "value": 0.6, "best": [1, 10, 90], "best_of": "contexts"}
    for place in range(4)
]
EVIDENCE = {"sentences": SENTENCES, "worst": 2}
UNSCORED = 0.03


def lines() -> Iterator[Line]:
    """The reads of the Results page and of the comparison of metrics."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'bench.sqlite'}") as store:
        fill(store)
        yield from reads(store)


def reads(store: Store) -> Iterator[Line]:
    """The reads over a filled store."""
    matrix = score_matrix(store, "run", NAMES)
    for label, work, limit in (
        ("a page of 50, twelve scores each", lambda: _page(store, metrics=NAMES), IMMEDIATE_S),
        ("a page by groundedness, worst first", lambda: _page(store, metrics=NAMES, sort="groundedness"), IMMEDIATE_S),
        ("the last page by groundedness", lambda: _page(store, sort="groundedness", offset=99_900), IMMEDIATE_S),
        ("a page between 0.2 and 0.3", lambda: _page(store, sort="groundedness", low=0.2, high=0.3), IMMEDIATE_S),
        ("a page of the unscored", lambda: _page(store, sort="groundedness", metric_status="unscored"), IMMEDIATE_S),
        ("a run summed up", lambda: summarise(store, "run"), NOTICED_S),
        ("which metrics fit a run", lambda: applicable(store, "run"), IMMEDIATE_S),
        ("every value as a matrix", lambda: score_matrix(store, "run", NAMES), IMMEDIATE_S),
        ("means, intervals, reasons", lambda: metric_summaries(store, "run"), NOTICED_S),
        ("66 rank correlations", lambda: correlations(matrix), 3 * NOTICED_S),
        ("answerable by answered", lambda: behaviour_of(store, "run"), 10 * NOTICED_S),
        ("the greatest disagreements", lambda: disagreements(matrix, "groundedness", VERDICT_METRIC), IMMEDIATE_S),
    ):
        yield _line(label, work, limit)


def fill(store: Store, attributes: Callable[[int], Mapping[str, str]] = lambda number: {}) -> None:
    """A finished run of all the cases, in groups of four, with every score but a few.

    Args:
        store: An empty one.
        attributes: Gives the attributes of a case by its number.
    """
    draw = random.Random(0)
    project = create_project(store, "bench", "local")
    cases = [
        TestCase(
            case_id=f"{draw.getrandbits(48):012x}",
            question=f"Question number {number}?",
            reference_answers=("yes",),
            group_id=f"g{number // 4}",
            gold_document_ids=("d",),
            attributes=attributes(number),
        )
        for number in range(CASES)
    ]
    contexts = (Context(document_id="d", text="A passage. " * 40),)
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id="ts", project_id=project.id, name="bench"))
        testsets.put_cases(connection, "ts", cases)
        run = Run(id="run", project_id=project.id, test_set_id="ts", target="keyword", state=RunState.FINISHED)
        runs.put(connection, run)
        answer = "The answer is yes, as the second page says."
        responses = [Response(case_id=case.case_id, answer=answer, contexts=contexts) for case in cases]
        runs.save_responses(connection, "run", responses)
    for start in range(0, CASES, 2_000):
        with store.write("local", "bench.score", project_id=project.id) as connection:
            scores.put(
                connection,
                "run",
                [_score(draw, case.case_id, name) for case in cases[start : start + 2_000] for name in NAMES],
            )

    with store.read() as connection:
        case_ids, _ = run_inputs.groups(connection, "ts")
    with store.pulse() as connection:
        for name in NAMES:
            scores.keep_column(connection, "run", name, case_ids)


def _score(draw: random.Random, case_id: str, name: str) -> Score:
    if name != VERDICT_METRIC and draw.random() < UNSCORED:
        return Score(case_id=case_id, metric=name, value=None, status=Status.NOT_APPLICABLE, detail={"reason": "none"})
    value = float(draw.random() < 0.7) if name in (VERDICT_METRIC, "hit") else draw.random()
    return Score(case_id=case_id, metric=name, value=value, detail=EVIDENCE)


def _page(store: Store, **options: object) -> object:
    with store.read() as connection:
        return runs.page(connection, "run", limit=50, **options)  # type: ignore[arg-type]


def _line(what: str, work: Callable[[], object], limit: float) -> Line:
    against = "limit: feels immediate" if limit == IMMEDIATE_S else "limit: once after a change"
    return Line(
        what=f"{len(NAMES)} scores of {CASES:,} cases: {what}",
        seconds=median_seconds(work),
        against=against,
        other=limit,
    )
