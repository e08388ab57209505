"""Answerable x answered by GroUSE's judge beside the rules, and judges beside each other."""

import pytest

from core.domain.results.responses import Score
from core.domain.results.runs import RunState
from core.domain.status import Status
from core.judges.behaviour import ANSWERABLE, ANSWERED, judged_behaviour
from core.judges.spread import spreads
from core.metrics.samples.answerability import Cell
from core.runs.execute import execute_run
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from tests.support.runs.judged_run import ACTOR, judged_run, verdict
from tests.support.servers.llm_server import LlmServer

NULL = Status.NULL_JUDGEMENT
GRADES = {  # relevancy, completeness
    "c0": (5.0, 4.0),
    "c1": (NULL, 4.0),
    "c2": (3.0, NULL),
    "c3": (NULL, NULL),
    "c4": (Status.PARSE_FAILED, 4.0),
    "c5": (5.0, Status.TIMEOUT),
}


def score(case_id, metric, said, **detail):
    value = said if isinstance(said, float) else None
    status = Status.SCORED if value is not None else said
    return Score(case_id=case_id, metric=metric, value=value, status=status, detail=detail)


@pytest.fixture
def run(store, tmp_path):
    with LlmServer(verdict) as server:
        planned = judged_run(store, tmp_path, server, 8)
        assert execute_run(store, planned.id, actor=ACTOR)
    with store.read() as connection:
        finished = runs.get(connection, planned.id)
    assert finished.state is RunState.FINISHED
    return finished


def put(store, run, items):
    with store.write(ACTOR, "test.prepare") as connection:
        names = {item.metric for item in items}
        scores.put_run_metrics(
            connection,
            run.id,
            [RunMetric(metric=name, version=1, options={}, scored_by=ACTOR, generation=1) for name in names],
        )
        scores.put(connection, run.id, items)


def test_the_four_cells_by_a_judge_and_what_it_did_not_judge(store, run):
    assert judged_behaviour(store, run.id) is None, "nobody judged it"
    items = [
        score(case_id, metric, said)
        for case_id, both in GRADES.items()
        for metric, said in zip((ANSWERED, ANSWERABLE), both, strict=True)
    ]
    put(store, run, items)
    table = judged_behaviour(store, run.id)
    assert table.cases == {
        Cell.ANSWERED_ANSWERABLE: ("c0",),
        Cell.DECLINED_ANSWERABLE: ("c1",),
        Cell.ANSWERED_UNANSWERABLE: ("c2",),
        Cell.DECLINED_UNANSWERABLE: ("c3",),
    }
    assert table.judged == 4
    assert {cell: (share.num, share.den) for cell, share in table.shares.items()} == dict.fromkeys(Cell, (1, 2))
    assert table.not_judged == {"parse_failed": 1, "timeout": 1, "not_judged": 2}
    # by rules all eight answers answer; the judge gives c1 and c3 null
    assert (table.answered_alike.num, table.answered_alike.den) == (3, 5)
    assert table.differing == ("c1", "c3")
    # every case has a reference, so all are known to be answerable
    assert (table.answerable_alike.num, table.answerable_alike.den) == (3, 5)


def test_the_cases_where_judges_are_furthest_apart_come_first(store, run):
    def judges(*said):
        return [
            {"judge": f"m{place}@u", "value": value, "status": "scored" if value is not None else "null_judgement"}
            for place, value in enumerate(said)
        ]

    put(
        store,
        run,
        [
            score("c0", ANSWERED, 5.0, judges=judges(5.0, 5.0)),
            score("c1", ANSWERED, 3.0, judges=judges(5.0, 1.0)),
            score("c2", ANSWERED, NULL, judges=judges(None, None)),
            score("c3", ANSWERED, Status.NOT_JUDGED, judges=judges(4.0, None)),
            score("c4", ANSWERED, 3.0),
        ],
    )
    found = spreads(store, run.id, ANSWERED)
    assert [item.case_id for item in found] == ["c1", "c3", "c0", "c2"]
    assert [item.agree for item in found] == [False, False, True, True]
    assert (found[0].apart, found[0].question) == (4.0, "Question 1?")
