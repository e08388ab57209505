"""Scores changed by people: the original is kept, refused where it makes no sense, and can be written back."""

import pytest

from core.diagnosis.service.rows import diagnosis_rows
from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.runs.execute import execute_run
from core.runs.scores.edits import EDITOR, edit_score, edits, restore_score
from core.runs.scores.scoring import score_run
from core.runs.service import create_run
from core.runs.summary import summarise
from core.store import projects
from core.store.results import scores
from core.store.trail import audit
from tests.support.small_bank import ACTOR

CASE = "arden-short"


@pytest.fixture
def run(store, bank):
    made = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2, "metrics": ["precision"]})
    execute_run(store, made.id, actor=ACTOR)
    return made


def change(store, run, value, *, metric="precision", case=CASE, reason="Both pages belong to it.", actor=ACTOR):
    return edit_score(store, run.id, case, metric, value=value, reason=reason, actor=actor)


def restore(store, run, *, metric="precision", case=CASE, reason="I was wrong.", actor=ACTOR):
    return restore_score(store, run.id, case, metric, reason=reason, actor=actor)


def stored(store, run, metric="precision", case=CASE):
    with store.read() as connection:
        return scores.get(connection, run.id, case, metric)


def test_a_change_keeps_the_original_and_the_evidence(store, run):
    before = stored(store, run)
    after = change(store, run, 1.0)
    assert (before.value, after.value, after.edited) == (0.5, 1.0, True)
    assert after == stored(store, run)
    assert after.detail == before.detail
    [edit] = edits(store, run.id)
    assert (edit.before_value, edit.before_status, edit.before_edited) == (0.5, Status.SCORED, False)
    assert (edit.value, edit.status, edit.reason, edit.actor) == (1.0, Status.SCORED, "Both pages belong to it.", ACTOR)
    assert edit.at
    with store.read() as connection:
        newest = audit.entries(connection, limit=1)[0]
        assert audit.verify(connection).ok
    assert (newest.action, newest.subject, newest.actor) == ("score.edit", run.id, ACTOR)
    assert '"case":"arden-short"' in newest.detail


def test_what_the_machine_measured_comes_back(store, run):
    before = stored(store, run)
    change(store, run, 1.0)
    change(store, run, None, reason="Nobody can tell.")
    change(store, run, 0.5, reason="It is a half after all.")
    change(store, run, 0.25)
    assert restore(store, run) == before
    assert stored(store, run) == before
    history = edits(store, run.id, CASE)
    assert [edit.value for edit in history] == [0.5, 0.25, 0.5, None, 1.0]
    assert [edit.before_edited for edit in history] == [True, True, True, True, False]
    assert edits(store, run.id, "arden-long") == ()
    with pytest.raises(Conflict, match="as it was measured"):
        restore(store, run)


def test_after_a_new_measurement_that_one_comes_back(store, run):
    change(store, run, 1.0)
    restore(store, run)
    with store.write(ACTOR, "test.measured_anew") as connection:
        [score] = [stored(store, run)]
        scores.put(connection, run.id, [type(score)(case_id=CASE, metric="precision", value=1.0)])
    change(store, run, 0.0)
    assert restore(store, run).value == 1.0


@pytest.mark.slow
def test_a_change_by_somebody_else_is_not_overwritten_unseen(store, bank, run):
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, bank[0].id, "bert", Role.VALIDATOR)
    seen = stored(store, run)
    change(store, run, 1.0, reason="All of it.", actor="bert")
    told = r"bert changed the precision of case arden-short to 1 meanwhile: All of it\."
    with pytest.raises(Conflict, match=told) as error:
        edit_score(store, run.id, CASE, "precision", value=0.0, reason="None of it.", actor=ACTOR, seen=seen)
    assert "You saw 0.5" in error.value.hint
    with pytest.raises(Conflict, match=told):
        restore_score(store, run.id, CASE, "precision", reason="So.", actor=ACTOR, seen=seen)
    assert len(edits(store, run.id)) == 1
    now = stored(store, run)
    assert edit_score(store, run.id, CASE, "precision", value=0.0, reason="So.", actor=ACTOR, seen=now).value == 0.0


def test_a_score_that_was_measured_anew_is_not_overwritten_unseen(store, run):
    seen = stored(store, run)
    with store.write(ACTOR, "test.measured_anew") as connection:
        scores.put(connection, run.id, [type(seen)(case_id=CASE, metric="precision", value=0.75)])
    with pytest.raises(Conflict, match=r"was measured again in the meantime and is 0\.75 now"):
        edit_score(store, run.id, CASE, "precision", value=0.0, reason="So.", actor=ACTOR, seen=seen)


def test_no_value_is_not_judged(store, run):
    after = change(store, run, None)
    assert (after.value, after.status) == (None, Status.NOT_JUDGED)
    summary = summarise(store, run.id)
    assert (summary.scored["precision"], summary.unscored["precision"]) == (9, {"not_applicable": 2, "not_judged": 1})
    with pytest.raises(Conflict, match="is no value already"):
        change(store, run, None)


def test_a_reason_can_become_a_value(store, run):
    assert stored(store, run, case="farley-long").status is Status.NOT_APPLICABLE
    change(store, run, 0.0, case="farley-long")
    assert summarise(store, run.id).scored["precision"] == 11
    assert restore(store, run, case="farley-long").status is Status.NOT_APPLICABLE


def test_a_changed_verdict_counts_everywhere(store, run):
    assert (summarise(store, run.id).accuracy.num, stored(store, run, VERDICT_METRIC).value) == (10, 1.0)
    change(store, run, 0.0, metric=VERDICT_METRIC, reason="It names the wrong person.")
    summary = summarise(store, run.id)
    assert (summary.accuracy.num, summary.accuracy.den) == (9, 12)
    [row] = [row for row in diagnosis_rows(store, run.id).rows if row.case_id == CASE]
    assert row.verdict.value == "incorrect"
    assert stored(store, run, VERDICT_METRIC).detail["verdict"] == "correct"  # what the judge saw stays to be read
    restore(store, run, metric=VERDICT_METRIC)
    assert summarise(store, run.id).accuracy.num == 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "value", "message"),
    [
        ("precision", 1.5, "1.5 is not a value of precision"),
        ("precision", -0.1, "is not a value of precision"),
        ("precision", float("nan"), "nan is not a value"),
        ("precision", float("inf"), "inf is not a value"),
        (VERDICT_METRIC, 0.5, "0.5 is not a verdict"),
        (VERDICT_METRIC, 2.0, "2 is not a value of verdict"),
    ],
)
def test_values_that_cannot_be(store, run, metric, value, message):
    with pytest.raises(InvalidInput, match=message):
        change(store, run, value, metric=metric)
    assert edits(store, run.id) == ()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2_001])
def test_a_change_has_a_reason(store, run, reason):
    with pytest.raises(InvalidInput, match=r"a reason of 1 to 2,000 characters"):
        change(store, run, 1.0, reason=reason)
    change(store, run, 1.0)
    with pytest.raises(InvalidInput, match="a reason"):
        restore(store, run, reason=reason)


def test_what_is_not_there_is_not_changed(store, bank, run):
    with pytest.raises(NotFound, match="no case nobody"):
        change(store, run, 1.0, case="nobody")
    with pytest.raises(NotFound, match="no score of recall"):
        change(store, run, 1.0, metric="recall")
    with pytest.raises(NotFound, match="no score of recall"):
        restore(store, run, metric="recall")
    with pytest.raises(NotFound, match="run_none"):
        edit_score(store, "run_none", CASE, "precision", value=1.0, reason="So.", actor=ACTOR)
    with pytest.raises(Conflict, match=r"is 0.5 already"):
        change(store, run, 0.5)
    with store.read() as connection:
        assert "score.edit" not in {entry.action for entry in audit.entries(connection, limit=None)}


def test_only_a_validator_changes_scores(store, bank, run):
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, bank[0].id, "lena", Role.LABELLER)
        projects.set_role(connection, bank[0].id, "vito", Role.VALIDATOR)
    assert EDITOR is Role.VALIDATOR
    with pytest.raises(Forbidden, match="lena is labeller"):
        change(store, run, 1.0, actor="lena")
    assert change(store, run, 1.0, actor="vito").edited
    with pytest.raises(Forbidden, match="lena is labeller"):
        restore(store, run, actor="lena")
    assert [edit.actor for edit in edits(store, run.id)] == ["vito"]


def test_scoring_again_leaves_a_change_alone(store, run):
    change(store, run, 1.0)
    assert score_run(store, run.id, ["precision"], actor=ACTOR)
    assert stored(store, run).value == 1.0
