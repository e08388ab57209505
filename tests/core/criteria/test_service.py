"""Setting, changing and locking criteria: every version stays, and the trail says who changed what, when and why."""

import json
from dataclasses import replace

import pytest

from core.criteria.service import criteria, criteria_changes, criterion, in_words, lock_criteria, save_criteria
from core.domain.errors import Conflict, Forbidden, InvalidInput
from core.domain.results.acceptance import Bound, Direction
from core.project.service import create_project
from core.store.trail import audit

ACCURATE = criterion("accuracy", 0.9, bound="lower bound", note="As the desk staff reach.")
GAPS = criterion("knowledge_gap", 0.05, direction="at_most")


@pytest.fixture
def project(store):
    return create_project(store, "Bank", "local").id


def newest(store, project):
    with store.read() as connection:
        assert audit.verify(connection)[0]
        return audit.entries(connection, project)[0]


def test_criteria_are_kept_in_order_with_who_and_when(store, project):
    saved = save_criteria(store, project, [ACCURATE, GAPS], actor="local")
    assert criteria(store, project) == saved
    assert [in_words(one) for one in saved] == [
        "Accuracy: lower bound at least 0.9",
        "Wrong through a knowledge gap: at most 0.05",
    ]
    assert all(one.set_at and one.set_by == "local" and one.version == 1 and not one.locked for one in saved)


def test_a_draft_may_be_changed_without_a_reason_and_the_rest_stays_as_it_is(store, project):
    accurate, gaps = save_criteria(store, project, [ACCURATE, GAPS], actor="local")
    changed = save_criteria(store, project, [replace(accurate, threshold=0.85), gaps], actor="local")
    assert [one.version for one in changed] == [2, 1]
    assert changed[1] == gaps
    entry = newest(store, project)
    assert entry.action == "criteria.change"
    (told,) = json.loads(entry.detail)["set"]
    assert (told["before"]["threshold"], told["after"]["threshold"]) == (0.9, 0.85)


def test_the_same_criteria_are_not_written_again(store, project):
    saved = save_criteria(store, project, [ACCURATE], actor="local")
    entry = newest(store, project)
    assert save_criteria(store, project, saved, actor="local") == saved
    assert newest(store, project) == entry


def test_a_locked_criterion_changes_only_with_a_reason_and_is_unlocked_by_it(store, project):
    save_criteria(store, project, [ACCURATE], actor="local")
    (locked,) = lock_criteria(store, project, actor="local")
    assert locked.locked
    assert locked.locked_by == "local"
    assert newest(store, project).action == "criteria.lock"
    with pytest.raises(InvalidInput, match="The criterion on Accuracy is locked"):
        save_criteria(store, project, [replace(locked, threshold=0.7)], actor="local")
    with pytest.raises(InvalidInput, match="is locked"):
        save_criteria(store, project, [], actor="local")
    assert criteria(store, project) == (locked,)
    (changed,) = save_criteria(
        store, project, [replace(locked, threshold=0.7)], actor="local", reason="Agreed with the owner."
    )
    assert (changed.threshold, changed.version, changed.locked, changed.reason) == (
        0.7,
        2,
        False,
        "Agreed with the owner.",
    )
    first, second = criteria_changes(store, project)
    assert first.before is None
    assert (second.before, second.after, second.was_locked) == (locked, changed, True)


def test_locking_twice_keeps_the_first_time(store, project):
    save_criteria(store, project, [ACCURATE], actor="local")
    first = lock_criteria(store, project, actor="local")
    entry = newest(store, project)
    assert lock_criteria(store, project, actor="local") == first
    assert newest(store, project) == entry


def test_a_removed_criterion_stays_among_the_versions(store, project):
    accurate, gaps = save_criteria(store, project, [ACCURATE, GAPS], actor="local")
    assert save_criteria(store, project, [gaps], actor="local") == (gaps,)
    last = criteria_changes(store, project)[-1]
    assert last.before == accurate
    assert last.after.removed
    with pytest.raises(Conflict, match="any more"):
        save_criteria(store, project, [accurate, gaps], actor="local")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: criterion("beauty", 1), "no figure 'beauty'"),
        (lambda: criterion("accuracy", 90), "90 is no threshold for Accuracy"),
        (lambda: criterion("accuracy", float("nan")), "nan is no threshold"),
        (lambda: criterion("accuracy", 0.9, bound="upper bound"), "it is the favourable end"),
        (lambda: criterion("knowledge_gap", 0.1, direction="at_most", bound="lower bound"), "the favourable end"),
        (lambda: criterion("accuracy", 0.9, direction="above"), "'above' is no direction"),
        (lambda: criterion("accuracy", 0.9, note="x" * 1_001), "1,001 characters"),
    ],
    ids=["figure", "percent", "nan", "upper", "lower", "direction", "note"],
)
def test_what_is_no_criterion_is_refused(given, message):
    with pytest.raises(InvalidInput, match=message):
        given()


def test_two_criteria_on_the_same_number_are_refused(store, project):
    with pytest.raises(InvalidInput, match="Two criteria compare the lower bound of Accuracy"):
        save_criteria(store, project, [ACCURATE, replace(ACCURATE, threshold=0.8)], actor="local")
    both = save_criteria(store, project, [ACCURATE, replace(ACCURATE, bound=Bound.ESTIMATE)], actor="local")
    assert len(both) == 2


def test_the_verdict_is_another_name_of_accuracy_and_metrics_have_their_direction():
    assert criterion("verdict", 0.5).metric == "accuracy"
    assert criterion("precision@5", 0.5).metric == "precision@5"
    assert criterion("groundedness", 0.5, direction=Direction.AT_LEAST).direction is Direction.AT_LEAST


def test_only_validators_set_and_lock(store, project):
    with pytest.raises(Forbidden):
        save_criteria(store, project, [ACCURATE], actor="eve")
    save_criteria(store, project, [ACCURATE], actor="local")
    with pytest.raises(Forbidden):
        lock_criteria(store, project, actor="eve")


def test_nothing_can_be_locked_where_nothing_is_set(store, project):
    with pytest.raises(InvalidInput, match="no criterion to lock"):
        lock_criteria(store, project, actor="local")
