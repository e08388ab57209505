"""The headline of a run."""

import json

import pytest

from core.domain.errors import NotFound
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.runs.summary import summarise
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR


@pytest.mark.slow
def test_before_anything_is_asked(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    summary = summarise(store, run.id)
    assert (summary.cases, summary.answered, summary.failed) == (12, 0, 0)
    assert summary.scored == {"verdict": 0}
    assert summary.unscored == {"verdict": {"not_reached": 12}}
    assert (summary.accuracy.num, summary.accuracy.den, summary.accuracy.value) == (0, 0, None)


def test_ten_of_twelve_in_six_clusters(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    execute_run(store, run.id, actor=ACTOR)
    summary = summarise(store, run.id)
    assert (summary.accuracy.num, summary.accuracy.den) == (10, 12)
    assert summary.accuracy.value == pytest.approx(10 / 12)
    assert summary.accuracy.clusters == 6
    assert (summary.scored, summary.unscored) == ({"verdict": 12}, {"verdict": {}})


def test_a_failed_target_is_a_reason_of_its_own(store, bank, tmp_path):
    cases = bank_cases()
    rows = [{"case_id": case.case_id, "answer": case.reference_answers[0]} for case in cases[:8]]
    rows += [{"case_id": cases[8].case_id, "error": "timeout"}]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    verdicts = tmp_path / "v.jsonl"
    given = [{"case_id": case.case_id, "verdict": "correct"} for case in cases[:6]]
    verdicts.write_text("\n".join(json.dumps(row) for row in given))
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}", judge=f"recorded:{verdicts}")
    execute_run(store, run.id, actor=ACTOR)
    summary = summarise(store, run.id)
    # 12 cases: 8 answered, of which 6 have a verdict; 1 recorded as failed, 3 without a row.
    assert (summary.answered, summary.failed) == (12, 4)
    assert summary.scored == {"verdict": 6}
    assert summary.unscored == {"verdict": {"not_judged": 2, "target_failed": 4}}
    assert (summary.accuracy.num, summary.accuracy.den) == (6, 6)


def test_an_unknown_run(store):
    with pytest.raises(NotFound, match="run_none"):
        summarise(store, "run_none")
