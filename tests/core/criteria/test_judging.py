"""Criteria judged by a run: met, not met, cannot be told; and whether they were set in time."""

from dataclasses import replace

import pytest

from core.criteria.judging import criterion_results, decide, removed_since
from core.criteria.readings import Reading, from_share, nothing
from core.criteria.service import criterion, save_criteria
from core.domain.estimates import Estimate
from core.domain.results.acceptance import CriterionVerdict
from core.domain.results.runs import RunState
from core.project.service import create_project
from core.stats import wilson
from core.store import acceptance as stored
from core.store.results import runs
from tests.support.runs.scored_run import add_run, rows

MET, MISSED, OPEN = CriterionVerdict.MET, CriterionVerdict.NOT_MET, CriterionVerdict.CANNOT_TELL
BEFORE, AFTER = "2026-11-01T00:00:00+00:00", "2026-11-22T00:00:00+00:00"
"""The runs of `scored_run` are of 21 November."""


def share(num, den, *, missing=0, unresolved=0):
    return from_share(
        wilson(num, den),
        of=den + missing,
        missing=missing,
        what="judged",
        unresolved=unresolved,
        unresolved_what="wrong answers without a module",
    )


@pytest.mark.parametrize(
    ("one", "reading", "verdict"),
    [
        (criterion("accuracy", 0.9), share(90, 100), MET),  # 0.9 reaches 0.9
        (criterion("accuracy", 0.9), share(89, 100), MISSED),
        # Wilson of 95/100 is [0.888, 0.978]
        (criterion("accuracy", 0.88, bound="lower bound"), share(95, 100), MET),
        (criterion("accuracy", 0.9, bound="lower bound"), share(95, 100), MISSED),
        (criterion("knowledge_gap", 0.05, direction="at_most"), share(5, 100), MET),
        # Wilson of 5/100 is [0.022, 0.112]
        (criterion("knowledge_gap", 0.11, direction="at_most", bound="upper bound"), share(5, 100), MISSED),
        (criterion("knowledge_gap", 0.12, direction="at_most", bound="upper bound"), share(5, 100), MET),
    ],
    ids=["reaches", "below", "lower met", "lower missed", "at most", "upper missed", "upper met"],
)
def test_a_threshold_is_compared_with_the_number_the_criterion_names(one, reading, verdict):
    assert decide(one, reading)[0] is verdict


def test_few_cases_without_an_outcome_are_told_and_decide_nothing():
    verdict, reason, compared = decide(criterion("accuracy", 0.9), share(92, 97, missing=3))
    assert (verdict, reason) == (MET, "3 of 100 cases are not judged. " + reason.partition("judged. ")[2])
    assert compared == pytest.approx(92 / 97)


def test_many_cases_without_an_outcome_that_could_turn_it_leave_it_open():
    # 80 of 80 judged are right; with the 20 others wrong it would be 0.80, below 0.9.
    verdict, reason, _ = decide(criterion("accuracy", 0.9), share(80, 80, missing=20))
    assert verdict is OPEN
    assert reason == "20 of 100 cases are not judged. They could turn the verdict."
    # With 0.75 asked for they cannot: 0.80 reaches it.
    verdict, reason, _ = decide(criterion("accuracy", 0.75), share(80, 80, missing=20))
    assert verdict is MET
    assert reason == "20 of 100 cases are not judged. They could not turn the verdict."
    # And a missed one stays missed where even all of them right would not do: (10 + 20) / 100 = 0.3.
    assert decide(criterion("accuracy", 0.9), share(10, 80, missing=20))[0] is MISSED


def test_wrong_answers_without_a_module_leave_a_share_of_modules_open():
    # 3 of 100 are gaps, 20 more may be: between 0.03 and 0.23.
    gaps = criterion("knowledge_gap", 0.05, direction="at_most")
    assert decide(gaps, share(3, 100, unresolved=20))[0] is OPEN
    assert decide(replace(gaps, threshold=0.3), share(3, 100, unresolved=20))[0] is MET
    assert decide(replace(gaps, threshold=0.02), share(3, 100, unresolved=20))[0] is MISSED


def test_a_score_without_bounds_is_open_as_soon_as_many_cases_lack_it():
    mean = Estimate(value=2.0, low=1.5, high=2.5, n=50)
    reading = Reading(estimate=mean, of=100, missing=50)
    assert decide(criterion("accuracy", 0.9), reading)[0] is OPEN


def test_no_interval_and_no_value_leave_it_open_with_the_reason():
    one_cluster = Estimate(value=1.0, low=None, high=None, n=5, method="one cluster, no interval")
    verdict, reason, _ = decide(criterion("accuracy", 0.9, bound="lower bound"), Reading(estimate=one_cluster, of=5))
    assert (verdict, reason) == (OPEN, "There is no lower bound: one cluster, no interval.")
    verdict, reason, compared = decide(criterion("accuracy", 0.9), nothing("The run is not calibrated."))
    assert (verdict, reason, compared) == (OPEN, "The run is not calibrated.", None)


def test_an_estimate_inside_its_interval_says_that_another_sample_may_differ():
    # Wilson of 92/100 is [0.850, 0.959]
    assert "another sample could miss it" in decide(criterion("accuracy", 0.9), share(92, 100))[1]
    assert "another sample could meet it" in decide(criterion("accuracy", 0.95), share(92, 100))[1]
    assert decide(criterion("accuracy", 0.5), share(92, 100))[1] == ""


@pytest.fixture
def run(store):
    return add_run(store, create_project(store, "Bank", "local").id, rows(12))


def test_every_kind_of_figure_is_judged_or_says_why_not(store, run):
    names = ["accuracy", "calibrated_accuracy", "abstention", "knowledge_gap", "flip_rate", "groundedness", "mrr", "f1"]
    # 11 of 12 are judged, 7 of them right (every third of the first eleven is wrong).
    save_criteria(store, run.project_id, [criterion(name, 0.5) for name in names], actor="local")
    results = {one.criterion.metric: one for one in criterion_results(store, run.id)}
    accuracy = results["accuracy"]
    assert (accuracy.estimate.n, accuracy.of) == (11, 12)
    assert accuracy.estimate.value == pytest.approx(7 / 11)
    # 7 of 12 are right at least, 8 at most: 0.583 still reaches 0.5.
    assert (accuracy.verdict, accuracy.compared) == (MET, accuracy.estimate.value)
    assert results["groundedness"].verdict is MET
    assert results["groundedness"].estimate.value == pytest.approx(0.62)
    assert {name: one.verdict for name, one in results.items() if one.estimate.value is None} == dict.fromkeys(
        ("calibrated_accuracy", "abstention", "flip_rate", "mrr", "f1"), OPEN
    )
    assert "not calibrated" in results["calibrated_accuracy"].reason
    assert "no unanswerable case" in results["abstention"].reason
    assert "No variants" in results["flip_rate"].reason
    assert "not scored with f1" in results["f1"].reason
    assert results["mrr"].reason == "None of the 12 cases has a value: missing input 12."


def test_a_run_that_goes_on_is_not_judged(store, run):
    save_criteria(store, run.project_id, [criterion("accuracy", 0.1)], actor="local")
    with store.write("local", "run.change", project_id=run.project_id, subject=run.id) as connection:
        runs.set_state(connection, run.id, RunState.RUNNING)
    (one,) = criterion_results(store, run.id)
    assert (one.verdict, one.reason) == (OPEN, "The run is not finished; let it end.")


def put(store, run, *versions):
    with store.write("local", "criteria.change", project_id=run.project_id) as connection:
        stored.add(connection, versions)


def stored_one(run, **fields):
    return replace(criterion("accuracy", 0.5), id="crt_1", project_id=run.project_id, set_by="ada", **fields)


def test_a_result_says_whether_its_criterion_was_set_in_time(store, run):
    put(store, run, stored_one(run, set_at=BEFORE, locked_at=BEFORE))
    (one,) = criterion_results(store, run.id)
    assert (one.set_after_run, one.locked_before_run, one.standing) == (False, True, "locked before this run")
    put(store, run, stored_one(run, set_at=AFTER, version=2, threshold=0.4, locked_at=AFTER))
    (one,) = criterion_results(store, run.id)
    assert (one.set_after_run, one.locked_before_run) == (True, False)
    assert one.standing == "set after this run was started"


def test_a_criterion_of_before_that_was_locked_later_says_so(store, run):
    put(store, run, stored_one(run, set_at=BEFORE, locked_at=AFTER))
    (one,) = criterion_results(store, run.id)
    assert one.standing == "set before this run, not locked by then"


def test_a_criterion_removed_after_the_run_is_told(store, run):
    first = stored_one(run, set_at=BEFORE, locked_at=BEFORE)
    put(store, run, first)
    assert removed_since(store, run.id) == ()
    put(store, run, stored_one(run, set_at=AFTER, version=2, removed=True, reason="Not met."))
    assert criterion_results(store, run.id) == ()
    assert removed_since(store, run.id) == (first,)
