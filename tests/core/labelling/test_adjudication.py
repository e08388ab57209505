"""Second looks: what waits for one, who may take it, and what is kept of it."""

import json

import pytest
from sqlalchemy import delete

from core.domain.errors import DecisionChanged, Forbidden, InvalidInput, NotFound
from core.domain.results.labels import Level, Part
from core.domain.sources.projects import Role
from core.labelling.adjudication import LONGEST_REASON, adjudicate, disputed, withdraw
from core.labelling.criteria import change_criterion, create_criterion
from core.labelling.one_label import one_labels
from core.labelling.rating.tasks import Given, save_labels
from core.labelling.rounds import close_round, create_round
from core.labelling.sampling.records import Drawn
from core.store import projects, tables
from core.store.trail import audit

FOUR = tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3, 4))
RATERS = ("ann", "ben", "cy")


@pytest.fixture
def criterion(useful):
    return useful


@pytest.fixture
def made(store, run, criterion):
    items = [Drawn(case_id=f"c{number}") for number in range(9)]
    practice = Drawn(case_id="c9", part=Part.PRACTICE)
    return create_round(
        store,
        run.id,
        name="R",
        criteria=[criterion],
        raters=RATERS,
        items=[practice, *items],
        overlap=3,
        repeat_share=0.5,
        actor="val",
    ).id


@pytest.fixture
def save(store, made, criterion):
    def make(case_id, *values, comment="", occurrence=0):
        for rater, value in zip(RATERS, values, strict=False):
            said = Given(cannot_judge=True) if value is None else Given(value=value, comment=comment)
            save_labels(
                store,
                made,
                rater,
                case_id,
                occurrence=occurrence,
                given={criterion: said},
                seconds=5.0,
                actor="lab",
            )

    return make


@pytest.fixture
def decide(store, run, criterion):
    def make(case_id, value, reason="The fee is named.", actor="val"):
        return adjudicate(store, run.id, case_id, criterion, value=value, reason=reason, actor=actor)

    return make


def test_cases_that_raters_see_differently_come_undecided_first_and_widest_apart_first(
    store, run, criterion, save, decide
):
    save("c0", 2, 2, 2)  # agreed
    save("c1", 1, 2, 2)  # a majority, one level apart
    save("c2", 2, 3)  # a tie, one level apart
    save("c3", 1, 4)  # a tie, three levels apart
    save("c4", 4, 1, 4)  # a majority, three levels apart
    save("c5", None)  # nobody could judge
    save("c6", 2, None)  # one could
    save("c7", 1, 4)
    decide("c7", 4)
    save("c9", 1, 4)  # practice
    found = disputed(store, run.id, criterion)
    assert [(one.case_id, one.value, one.why, one.spread, one.open) for one in found] == [
        ("c3", None, "tie", 3.0, True),
        ("c2", None, "tie", 1.0, True),
        ("c5", None, "cannot judge", 0.0, True),
        ("c4", 4.0, "majority of 3", 3.0, True),
        ("c1", 2.0, "majority of 3", 1.0, True),
        ("c6", 2.0, "one rater", 0.0, True),
        ("c7", None, "tie", 3.0, False),
    ]


def test_a_dispute_shows_what_each_rater_said_and_why(store, run, criterion, save):
    save("c0", 2, 4)
    save("c0", 1, comment="It names another fee.")  # ann again, on second thoughts
    (found,) = disputed(store, run.id, criterion)
    assert [(label.rater, label.value, label.comment) for label in found.labels] == [
        ("ann", 1.0, "It names another fee."),
        ("ben", 4.0, ""),
    ]


def test_under_the_mean_raters_that_differ_have_a_label_and_are_still_shown(store, run, criterion, save):
    change_criterion(store, criterion, rule="mean", actor="val")
    save("c0", 1, 4)
    (found,) = disputed(store, run.id, criterion)
    assert (found.value, found.why, found.open) == (2.5, "mean of 2", True)


def test_a_decision_is_what_people_say_and_is_shown_with_its_reason(store, run, criterion, save, decide):
    save("c0", 1, 4)
    made = decide("c0", 3, reason="  The fee is named, its date is not. ")
    assert (made.value, made.reason, made.actor) == (3.0, "The fee is named, its date is not.", "val")
    (found,) = disputed(store, run.id, criterion)
    assert found.decided == made
    (one,) = one_labels(store, run.id, criterion)
    assert (one.value, one.why, one.adjudicated, one.ratings) == (3.0, "adjudicated", True, 2)


def test_a_case_all_raters_agree_on_can_be_decided_otherwise(store, run, criterion, save, decide):
    save("c0", 1, 1, 1)
    decide("c0", None, reason="The answer is cut off.")
    (one,) = one_labels(store, run.id, criterion)
    assert (one.value, one.why) == (None, "adjudicated: cannot judge")
    assert [found.case_id for found in disputed(store, run.id, criterion)] == ["c0"]


def test_a_later_decision_replaces_the_earlier_and_the_trail_has_both(store, run, criterion, save, decide):
    save("c0", 1, 4)
    decide("c0", 1, reason="Nothing is right.")
    decide("c0", 4, reason="I looked again.", actor="ada")
    (one,) = one_labels(store, run.id, criterion)
    assert one.value == 4.0
    with store.read() as connection:
        entries = [one for one in audit.entries(connection) if one.action == "label.adjudicate"]
        assert audit.verify(connection).ok
    assert [(one.actor, json.loads(one.detail)["value"], json.loads(one.detail)["reason"]) for one in entries] == [
        ("ada", 4, "I looked again."),
        ("val", 1, "Nothing is right."),
    ]


def test_a_withdrawn_decision_leaves_what_the_raters_said(store, run, criterion, save, decide):
    save("c0", 1, 4)
    save("c1", 2, 2)
    before = one_labels(store, run.id, criterion)
    decided = decide("c0", 3, reason="The fee is named.")
    decide("c1", 4)
    assert withdraw(store, run.id, "c0", criterion, actor="ada") == decided
    (open_again, still) = disputed(store, run.id, criterion)
    assert (open_again.case_id, open_again.value, open_again.open) == ("c0", None, True)
    assert (still.case_id, still.open) == ("c1", False)
    assert one_labels(store, run.id, criterion)[0] == before[0]
    with store.read() as connection:
        entries = [one for one in audit.entries(connection) if one.action == "label.withdraw"]
        assert audit.verify(connection).ok
    assert [(one.actor, one.subject, json.loads(one.detail)) for one in entries] == [
        (
            "ada",
            run.id,
            {"case": "c0", "criterion": criterion, "value": 3.0, "reason": "The fee is named.", "decided_by": "val"},
        )
    ]


def test_only_validators_withdraw(store, run, criterion, save, decide):
    save("c0", 1, 4)
    decide("c0", 4)
    for actor in ("lab", "vic", "eve"):
        with pytest.raises(Forbidden):
            withdraw(store, run.id, "c0", criterion, actor=actor)
    (found,) = disputed(store, run.id, criterion)
    assert not found.open
    withdraw(store, run.id, "c0", criterion, actor="ada")


def test_what_nobody_decided_cannot_be_withdrawn(store, run, criterion, save, decide):
    save("c0", 1, 4)
    save("c1", 1, 4)
    decide("c1", 4)
    for case_id in ("c0", "c99"):
        with pytest.raises(NotFound, match=f"Nobody decided case {case_id} under Useful") as refused:
            withdraw(store, run.id, case_id, criterion, actor="val")
        assert refused.value.hint
    withdraw(store, run.id, "c1", criterion, actor="val")
    with pytest.raises(NotFound, match="Nobody decided case c1"):
        withdraw(store, run.id, "c1", criterion, actor="val")
    with store.read() as connection:
        assert [one.action for one in audit.entries(connection)].count("label.withdraw") == 1
    with pytest.raises(NotFound, match="no criterion crt_9"):
        withdraw(store, run.id, "c0", "crt_9", actor="val")
    with pytest.raises(NotFound, match="run_9"):
        withdraw(store, "run_9", "c0", criterion, actor="val")


def test_a_closed_round_can_still_be_decided(store, made, save, decide):
    save("c0", 1, 4)
    close_round(store, made, actor="val")
    assert decide("c0", 4).value == 4.0


def test_only_validators_decide(save, decide):
    save("c0", 1, 4)
    for actor in ("lab", "vic", "eve"):
        with pytest.raises(Forbidden):
            decide("c0", 4, actor=actor)
    assert decide("c0", 4, actor="ada").actor == "ada"


@pytest.mark.parametrize("value", [0, 5, 2.5, float("nan")])
def test_a_decision_is_a_level(save, decide, value):
    save("c0", 1, 4)
    with pytest.raises(InvalidInput, match="is no level of Useful"):
        decide("c0", value)


@pytest.mark.parametrize("reason", ["", "  ", "x" * (LONGEST_REASON + 1)])
def test_a_decision_has_a_reason_of_some_length(save, decide, reason):
    save("c0", 1, 4)
    with pytest.raises(InvalidInput, match="has a reason"):
        decide("c0", 4, reason=reason)


def test_what_nobody_labelled_cannot_be_decided(save, decide):
    save("c9", 1, 4)  # practice is no label of the case
    for case_id in ("c0", "c9", "c99"):
        with pytest.raises(NotFound, match=f"Nobody labelled case {case_id}"):
            decide(case_id, 4)


def test_a_comment_cannot_be_decided_and_has_no_disputes(store, run, criterion):
    remark = create_criterion(store, run.project_id, name="Remark", question="What?", kind="comment", actor="val").id
    with pytest.raises(InvalidInput, match="Remark is a comment"):
        adjudicate(store, run.id, "c0", remark, value=None, reason="so", actor="val")
    with pytest.raises(InvalidInput, match="Remark is a comment"):
        disputed(store, run.id, remark)


def test_what_is_gone_is_told(store, run, criterion, save, decide):
    save("c0", 1, 4)
    with pytest.raises(NotFound, match="no criterion crt_9"):
        adjudicate(store, run.id, "c0", "crt_9", value=1, reason="so", actor="val")
    with store.write("ada", "run.delete") as connection:
        connection.execute(delete(tables.runs).where(tables.runs.c.id == run.id))
    with pytest.raises(NotFound, match="run_1"):
        decide("c0", 4)
    with pytest.raises(NotFound, match="run_1"):
        disputed(store, run.id, criterion)


def test_a_decision_of_somebody_else_that_was_not_seen_is_not_replaced(store, run, criterion, save, decide):
    with store.write("own", "project.member", project_id=run.project_id) as connection:
        projects.set_role(connection, run.project_id, "bea", Role.VALIDATOR)
    save("c1", 1, 4)
    hers = decide("c1", 1, reason="Her view.")
    # He opened the case before there was a decision; he is told whose it is, and nothing is written.
    with pytest.raises(DecisionChanged, match="val decided case c1 under Useful"):
        adjudicate(store, run.id, "c1", criterion, value=4, reason="His view.", actor="bea", seen="")
    assert decided_now(store, run, criterion) == hers
    # The same decision with the same reason is no conflict.
    same = adjudicate(store, run.id, "c1", criterion, value=1, reason="Her view. ", actor="bea", seen="")
    # Once it is in view, it may be replaced.
    his = adjudicate(store, run.id, "c1", criterion, value=4, reason="His view.", actor="bea", seen=same.at)
    assert decided_now(store, run, criterion) == his
    with pytest.raises(DecisionChanged, match="bea"):
        withdraw(store, run.id, "c1", criterion, actor="val", seen=hers.at)
    assert decided_now(store, run, criterion) == his
    withdraw(store, run.id, "c1", criterion, actor="val", seen=his.at)
    with pytest.raises(DecisionChanged, match="withdrawn"):
        adjudicate(store, run.id, "c1", criterion, value=1, reason="Still.", actor="bea", seen=his.at)
    assert decided_now(store, run, criterion) is None


def decided_now(store, run, criterion):
    return next(dispute.decided for dispute in disputed(store, run.id, criterion) if dispute.case_id == "c1")
