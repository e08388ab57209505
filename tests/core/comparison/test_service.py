"""Two stored runs compared: on the sample bank, between stores, and where something is missing."""

from __future__ import annotations

import pytest

from core.comparison.service import compare_runs
from core.domain.errors import InvalidInput, NotFound
from core.domain.results.responses import Score
from core.store.results import scores
from tests.support.runs.compared_run import add_again, add_run
from tests.support.small_bank import ACTOR


@pytest.fixture
def first(store, bank):
    return add_run(store, bank[0].id)


def test_a_run_against_one_with_other_verdicts(store, first):
    add_again(store, first, "run_better", flip=("case-3", "case-7"))
    result = compare_runs(store, first.id, "run_better")
    assert result.cases == 24
    assert [pair.case.case_id for pair in result.fixed] == ["case-3", "case-7"]
    assert result.broken == ()
    # The last of the 24 cases has no answer.
    assert result.accuracy.difference.n == 23
    # A recording gives the same answers whenever it is run.
    assert (result.noise, result.noise_runs) == (None, 0)
    assert "recording" in result.no_noise


def test_a_run_with_all_settings_of_the_first_is_noise(store, first):
    live = add_again(store, first, "run_live", target="http:system.yaml")
    assert "no other finished run" in compare_runs(store, live.id, first.id).no_noise
    add_again(store, first, "run_repeated", flip=("case-3", "case-7"), target="http:system.yaml")
    result = compare_runs(store, live.id, first.id)
    assert (result.noise.num, result.noise.den, result.noise_runs, result.no_noise) == (2, 23, 1, "")


def test_the_same_run_in_two_orders_says_the_opposite(store, first):
    add_again(store, first, "run_better", flip=("case-3", "case-7"))
    there, back = compare_runs(store, first.id, "run_better"), compare_runs(store, "run_better", first.id)
    assert there.accuracy.difference.value == -back.accuracy.difference.value
    assert [pair.case.case_id for pair in back.broken] == ["case-3", "case-7"]


def test_scores_of_one_run_only_are_not_compared(store, first):
    add_again(store, first, "run_better")
    with store.write(ACTOR, "test.score", project_id=first.project_id) as connection:
        scores.put(connection, first.id, [Score(case_id="case-0", metric="recall", value=1.0)])
    assert compare_runs(store, first.id, "run_better").metrics == ()


def test_what_cannot_be_compared(store, first):
    with pytest.raises(InvalidInput, match="Both runs"):
        compare_runs(store, first.id, first.id)
    with pytest.raises(NotFound):
        compare_runs(store, first.id, "run_nowhere")
