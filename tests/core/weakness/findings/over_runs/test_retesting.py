"""A finding over runs: one thread, retested, merged, with one decision for all."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.findings import Finding, FindingKind, FindingStatus, Outcome
from core.domain.results.responses import Response
from core.domain.results.runs import RunState
from core.domain.testset.cases import TestSet as Questions
from core.store.people import findings as stored
from core.store.results import runs
from core.store.testset import testsets
from core.store.trail import audit
from core.weakness.findings.exports import findings_as_csv, findings_as_json
from core.weakness.findings.naming import name_of
from core.weakness.findings.over_runs.merging import merge_findings, merges_of, split_findings
from core.weakness.findings.over_runs.retesting import decide, retest_findings
from core.weakness.findings.over_runs.threads import proposals, thread_of, threads, waits_for_retest
from core.weakness.findings.search import FindingSearch
from core.weakness.findings.service import change_finding, findings, record_findings
from tests.support.weakness.planted_run import ACTOR, planted_run, put_scores
from tests.support.weakness.planted_table import planted_table

QUICK = FindingSearch(slices=False, clusters=False)


def weak(rate):
    """Tables whose cell loans x number is right in so many of ten."""
    return planted_table(lambda topic, kind, _: rate if (topic, kind) == ("loans", "number") else 8)


@pytest.fixture
def run(store):
    first = planted_run(store, weak(2))
    record_findings(store, first.id, "verdict", None, ACTOR, search=QUICK)
    return first


def next_run(store, run, table, *, number=2, test_set="ts_1"):
    again = replace(run, id=f"run_{number}", test_set_id=test_set, created_at="2026-11-22T05:00:00+00:00")
    with store.read() as connection:
        cases = testsets.cases(connection, "ts_1")
    if test_set != "ts_1":
        cases = [replace(case, case_id=f"other-{case.case_id}", group_id=f"o{case.group_id}") for case in cases]
        table = replace(table, case_ids=tuple(case.case_id for case in cases))
    with store.write(ACTOR, "test.prepare", project_id=run.project_id) as connection:
        if test_set != "ts_1":
            testsets.put(connection, Questions(id=test_set, project_id=run.project_id, name="Other"))
            testsets.put_cases(connection, test_set, cases)
        runs.put(connection, again)
        runs.save_responses(connection, again.id, [Response(case_id=case.case_id, answer="It is.") for case in cases])
    put_scores(store, again, table)
    return again


def test_the_same_weakness_of_two_runs_is_one_finding_with_one_decision(store, run):
    (first,) = findings(store, run.id)
    change_finding(store, first.id, status="in progress", owner="berta", due="2026-12-31", title="Loans", actor=ACTOR)
    second_run = next_run(store, run, weak(1))
    (second,) = record_findings(store, second_run.id, "verdict", None, ACTOR, search=QUICK)
    assert second.id != first.id
    (thread,) = threads(store, run.project_id)
    assert [one.run_id for one in thread.seen] == ["run_1", "run_2"]
    assert (second.status, second.owner, second.due, thread.name) == (
        FindingStatus.IN_PROGRESS,
        "berta",
        "2026-12-31",
        "Loans",
    )
    change_finding(store, second.id, status="accepted", actor=ACTOR)
    assert {one.status for one in thread_of(store, run.project_id, thread.id).seen} == {FindingStatus.ACCEPTED}


def test_its_name_is_in_the_words_of_the_domain(store, run):
    (found,) = findings(store, run.id)
    assert name_of(found) == "Questions about loans whose answer is a number"
    cluster = replace(found, kind=FindingKind.CLUSTER, conditions=(("place on the topic map", "Loans; rate, loan"),))
    assert name_of(cluster) == "Failures about Loans: rate, loan"
    assert name_of(replace(found, title="<b>Loans</b>")) == "<b>Loans</b>"
    assert name_of(replace(found, score="groundedness")).startswith("Low groundedness for questions")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "outcome"),
    [(8, Outcome.FIXED), (2, Outcome.STILL_THERE), (0, Outcome.STILL_THERE), (5, Outcome.STILL_THERE)],
    ids=["fixed", "same", "a little worse", "better"],
)
def test_a_retest_on_the_same_questions_pairs_the_cases(store, run, rate, outcome):
    # 20 cases of the cell, 20 groups: 4 right before; 16, 4, 0 and 10 after, 8 of 10 elsewhere. Four that broke and
    # none that was fixed are no evidence yet: 2 / 2^4 = 0.125.
    second = next_run(store, run, weak(rate))
    assert waits_for_retest(store, second.id, threads(store, run.project_id)) == 1
    (retest,) = retest_findings(store, second.id, actor=ACTOR)
    assert (retest.outcome, retest.paired, retest.against) == (outcome, 20, run.id)
    assert retest.change.value == pytest.approx((rate - 2) / 10)
    assert retest.before.value == pytest.approx(0.2)
    assert retest.after.value == pytest.approx(rate / 10)
    assert retest.deficit.value == pytest.approx(0.8 - rate / 10, abs=0.01)
    (thread,) = threads(store, run.project_id)
    assert thread.retests == (retest,)
    assert waits_for_retest(store, second.id, [thread]) == 0
    assert retest_findings(store, second.id, actor=ACTOR)[0].id == retest.id  # once for each run
    assert len(threads(store, run.project_id)[0].retests) == 1
    with store.read() as connection:
        entry = audit.entries(connection, run.project_id)[0]
        assert audit.verify(connection)[0]
    assert (entry.action, json.loads(entry.detail)) == ("findings.retest", {outcome.value: 1})


def test_a_finding_that_got_worse_is_called_so(store):
    first = planted_run(store, weak(4))
    record_findings(store, first.id, "verdict", None, ACTOR, search=QUICK)
    (retest,) = retest_findings(store, next_run(store, first, weak(0)).id, actor=ACTOR)
    assert (retest.outcome, retest.change.value) == (Outcome.WORSE, pytest.approx(-0.4))


@pytest.mark.slow
def test_other_questions_with_the_same_conditions_are_another_sample(store, run):
    second = next_run(store, run, weak(8), test_set="ts_2")
    (retest,) = retest_findings(store, second.id, actor=ACTOR)
    assert (retest.outcome, retest.paired) == (Outcome.FIXED, 0)
    assert "part of a rise may be chance" in retest.reason
    assert retest.change.low < retest.change.value < retest.change.high


def test_a_run_without_its_cases_or_its_score_tests_nothing(store, run):
    table = weak(8)
    gone = replace(table.score, values=np.full(len(table), np.nan))
    unscored = next_run(store, run, replace(table, score=gone))
    (retest,) = retest_findings(store, unscored.id, actor=ACTOR)
    assert retest.outcome is Outcome.NOT_TESTED
    assert "too few of its cases" in retest.reason
    assert retest.change is None
    (thread,) = threads(store, run.project_id)
    assert thread.last == retest


def test_a_resolved_finding_that_is_still_there_is_told(store, run):
    (found,) = findings(store, run.id)
    change_finding(store, found.id, status="resolved", actor=ACTOR)
    assert not threads(store, run.project_id)[0].back
    with store.write(ACTOR, "test.earlier", project_id=run.project_id) as connection:
        decided = replace(stored.get(connection, found.id), changed_at="2026-11-21T06:00:00+00:00", changed_by=ACTOR)
        stored.decide(connection, replace(decided, status=FindingStatus.RESOLVED))
    second = next_run(store, run, weak(2))
    retest_findings(store, second.id, actor=ACTOR)
    assert threads(store, run.project_id)[0].back


def test_a_dismissed_finding_is_not_retested_and_a_running_run_not_asked(store, run):
    (found,) = findings(store, run.id)
    second = next_run(store, run, weak(2))
    change_finding(store, found.id, status="dismissed", actor=ACTOR)
    assert retest_findings(store, second.id, actor=ACTOR) == ()
    with store.write(ACTOR, "run.change", project_id=run.project_id, subject=second.id) as connection:
        runs.set_state(connection, second.id, RunState.RUNNING)
    with pytest.raises(InvalidInput, match="not finished"):
        retest_findings(store, second.id, actor=ACTOR)
    with pytest.raises(Forbidden):
        retest_findings(store, second.id, actor="eve")


def test_of_one_severity_the_strongest_comes_first(store, run):
    (first,) = findings(store, run.id)
    weaker = replace(
        first, id="fnd_less", conditions=(("form", "long"),), figures={"explains": first.explains / 2}, thread=""
    )
    stronger = replace(
        first, id="fnd_more", conditions=(("topic", "savings"),), figures={"explains": first.explains * 2}, thread=""
    )
    with store.write(ACTOR, "findings.record", project_id=run.project_id) as connection:
        stored.put(connection, [weaker, stronger])
    order = ["fnd_more", first.id, "fnd_less"]
    assert [thread.newest.id for thread in threads(store, run.project_id)] == order
    assert [one.id for one in findings(store, run.id)] == order


def test_findings_that_overlap_are_proposed_and_merged_by_a_person(store, run):
    (first,) = findings(store, run.id)
    second_run = next_run(store, run, weak(2))
    other = Finding(
        id="fnd_other",
        project_id=run.project_id,
        run_id=second_run.id,
        kind=FindingKind.SLICE,
        score="verdict",
        conditions=(("topic", "loans"),),
        text="Questions about loans are weak.",
        case_ids=first.case_ids[:15],
    )
    with store.write(ACTOR, "findings.record", project_id=run.project_id) as connection:
        stored.put(connection, [other])
    retest_findings(store, second_run.id, actor=ACTOR)
    (pair,) = proposals(threads(store, run.project_id))
    assert pair.share == pytest.approx(15 / 20)
    assert proposals(threads(store, run.project_id), share=0.8) == ()
    change_finding(store, first.id, owner="berta", actor=ACTOR)
    into = thread_of(store, run.project_id, pair.first.id if pair.first.newest.id == first.id else pair.second.id)
    gone = pair.second.id if into.id == pair.first.id else pair.first.id
    merged = merge_findings(store, run.project_id, gone, into.id, actor=ACTOR)
    assert {one.id for one in merged.seen} == {first.id, "fnd_other"}
    assert {one.owner for one in merged.seen} == {"berta"}
    assert len(threads(store, run.project_id)) == 1
    with pytest.raises(InvalidInput, match="two different ones"):
        merge_findings(store, run.project_id, into.id, into.id, actor=ACTOR)
    # A later search that finds either name goes on with the one finding.
    third = next_run(store, run, weak(2), number=3)
    again = replace(other, id="fnd_third", run_id=third.id)
    with store.write(ACTOR, "findings.record", project_id=run.project_id) as connection:
        stored.put(connection, [again])
    (whole,) = threads(store, run.project_id)
    # The merge is taken back: each has its own owner again, and what was found since goes with its conditions.
    (merge,) = merges_of(store, run.project_id, whole)
    alone = split_findings(store, run.project_id, whole.id, merge.entry, actor=ACTOR)
    assert alone.id == gone
    by_id = {one.id: one for thread in threads(store, run.project_id) for one in thread.seen}
    assert by_id[first.id].thread != by_id["fnd_other"].thread == by_id["fnd_third"].thread
    assert (by_id[first.id].owner, by_id["fnd_other"].owner) == ("berta", "")
    assert merges_of(store, run.project_id, thread_of(store, run.project_id, into.id)) == ()
    with pytest.raises(InvalidInput, match="cannot be taken back"):
        split_findings(store, run.project_id, into.id, merge.entry, actor=ACTOR)


def test_exports_carry_name_due_and_retest(store, run):
    (found,) = findings(store, run.id)
    change_finding(store, found.id, due="2026-12-31", title="=HYPERLINK(1)", actor=ACTOR)
    second = next_run(store, run, weak(8))
    (retest,) = retest_findings(store, second.id, actor=ACTOR)
    (thread,) = threads(store, run.project_id)
    (row,) = findings_as_json([thread.newest], {thread.id: retest})
    assert (row["name"], row["due"], row["retest"]["outcome"]) == ("=HYPERLINK(1)", "2026-12-31", "fixed")
    text = findings_as_csv([thread.newest], {thread.id: retest})
    assert "'=HYPERLINK(1)" in text
    assert "2026-12-31" in text
    assert ",fixed,run_2," in text


def test_what_change_and_deficit_say():
    def estimate(value, low, high):
        return Estimate(value=value, low=low, high=high, n=40)

    none, some = estimate(0.01, -0.1, 0.1), estimate(0.2, 0.1, 0.3)
    assert decide(estimate(0.3, 0.1, 0.5), none)[0] is Outcome.FIXED
    assert decide(estimate(0.3, 0.1, 0.5), some)[0] is Outcome.STILL_THERE
    assert decide(estimate(0.0, -0.1, 0.1), some)[0] is Outcome.STILL_THERE
    assert decide(estimate(0.0, -0.1, 0.1), none)[0] is Outcome.UNCLEAR
    assert decide(estimate(-0.3, -0.5, -0.1), none)[0] is Outcome.WORSE
    # Where less is better a fall is the change for the better.
    assert decide(estimate(-0.3, -0.5, -0.1), none, sign=-1.0)[0] is Outcome.FIXED
    assert decide(Estimate(value=0.3, low=None, high=None, n=3), none)[0] is Outcome.UNCLEAR
