"""What people are asked: well formed, one name once, and worded as it was answered."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.labels import Adjudication, Label, LabelRule, Level, ScaleKind
from core.labelling.criteria import change_criterion, create_criterion, ensure_default_criteria, list_criteria
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.project.service import create_project, delete_project
from core.store.people import labels
from core.store.trail import audit

FOUR = tuple(Level(value=value, anchor=f"level {value}") for value in (1, 2, 3, 4))
LIKERT = {"name": "Useful", "question": "Is it useful?", "kind": "likert", "levels": FOUR, "accept_from": 3}
BINARY = {"name": "Correct", "question": "Is it correct?", "kind": ScaleKind.BINARY}
REMARK = {"name": "Remarks", "question": "What else?", "kind": "comment"}


@pytest.fixture
def project(run):
    return run.project_id


def labelled(store, run, criterion):
    """Stores one label under a criterion."""
    made = create_round(
        store, run.id, name="R", criteria=[criterion.id], raters=["lab"], items=[Drawn(case_id="c0")], actor="val"
    )
    label = Label(round_id=made.id, case_id="c0", criterion_id=criterion.id, rater="lab", value=1.0, at="2026-01-01")
    with store.write("lab", "label.save") as connection:
        labels.put(connection, [label])


def test_a_criterion_reads_back_as_it_was_given(store, project):
    made = create_criterion(store, project, rule="mean", guidelines=" Look twice. ", actor="val", **LIKERT)
    assert list_criteria(store, project) == (made,)
    assert (made.kind, made.rule, made.levels, made.accept_from) == (ScaleKind.LIKERT, LabelRule.MEAN, FOUR, 3)
    assert (made.guidelines, made.created_by, made.position, made.retired) == ("Look twice.", "val", 0, False)
    with store.read() as connection:
        entry = audit.entries(connection, project)[0]
    assert (entry.action, entry.actor, entry.subject) == ("criterion.create", "val", made.id)


def test_a_binary_criterion_is_no_and_yes_unless_it_is_worded(store, project):
    made = create_criterion(store, project, actor="val", **BINARY)
    assert [(level.value, level.anchor) for level in made.levels] == [(0, "No"), (1, "Yes")]


def test_criteria_keep_their_order_and_retired_ones_are_left_out(store, project):
    made = [create_criterion(store, project, actor="val", **given) for given in (LIKERT, BINARY, REMARK)]
    assert [criterion.position for criterion in made] == [0, 1, 2]
    gone = change_criterion(store, made[1].id, retired=True, actor="val")
    assert list_criteria(store, project) == (made[0], made[2])
    assert list_criteria(store, project, retired=True) == (made[0], gone, made[2])
    # The place of the retired one stays taken.
    last = create_criterion(store, project, name="New", question="New?", kind="comment", actor="val")
    assert last.position == 3
    assert change_criterion(store, gone.id, retired=False, actor="val") == made[1]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": "  "}, "1 to 80 characters"),
        ({"name": "x" * 81}, "has 81"),
        ({"question": " "}, "question of Useful has 0"),
        ({"question": "x" * 10_001}, "question of Useful has 10,001"),
        ({"guidelines": "x" * 10_001}, "guidelines of Useful has 10,001"),
        ({"kind": "stars"}, "no kind 'stars'"),
        ({"rule": "loudest"}, "no rule 'loudest'"),
        ({"levels": FOUR[::-1]}, "not in order"),
        ({"levels": (*FOUR, FOUR[3])}, "not in order"),
        ({"levels": (*FOUR[:3], Level(value=4, anchor="  "))}, "one has no description"),
        ({"levels": (*FOUR[:3], Level(value=4, anchor="x" * 501))}, "description of a level of Useful is too long"),
        ({"levels": FOUR[:2], "accept_from": 2}, "has 2 levels"),
        ({"levels": tuple(Level(value=value, anchor="x") for value in range(11))}, "has 11 levels"),
        ({"levels": ()}, "has 0 levels"),
        ({"accept_from": 1}, "accepts from 1"),
        ({"accept_from": 5}, "accepts from 5"),
        ({"kind": "binary"}, "are not 0 and 1"),
        ({"kind": "comment"}, "is a comment and has levels"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_remedy(store, project, changed, message):
    with pytest.raises(InvalidInput, match=message) as raised:
        create_criterion(store, project, actor="val", **{**LIKERT, **changed})
    assert raised.value.hint
    assert list_criteria(store, project) == ()


@pytest.mark.parametrize("name", ["Useful", "USEFUL", " useful ", "uSeFuL"])
def test_a_name_is_there_once_whatever_its_letter_case(store, project, name):
    first = create_criterion(store, project, actor="val", **LIKERT)
    with pytest.raises(Conflict, match="already"):
        create_criterion(store, project, actor="val", **{**BINARY, "name": name})
    # Retired criteria keep their name: their labels are still read under it.
    change_criterion(store, first.id, retired=True, actor="val")
    with pytest.raises(Conflict, match="already"):
        create_criterion(store, project, actor="val", **{**BINARY, "name": name})
    other = create_criterion(store, project, actor="val", **BINARY)
    with pytest.raises(Conflict, match="already"):
        change_criterion(store, other.id, name=name, actor="val")
    assert change_criterion(store, first.id, name="useful", actor="val").name == "useful"


def test_two_projects_may_use_one_name(store, project):
    second = create_project(store, "Second", "ada")
    made = [create_criterion(store, one, actor="ada", **BINARY) for one in (project, second.id)]
    assert [list_criteria(store, one) for one in (project, second.id)] == [(made[0],), (made[1],)]


def test_of_two_people_who_add_one_name_at_once_one_does(store, project):
    start = Barrier(8)

    def add(number):
        start.wait()
        try:
            create_criterion(store, project, actor="val", **{**BINARY, "name": "correct" if number % 2 else "CORRECT"})
        except Conflict:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(add, range(8))) == 1
    assert len(list_criteria(store, project)) == 1


def test_what_is_given_changes_and_the_rest_stays(store, project):
    old = create_criterion(store, project, actor="val", **LIKERT)
    new = change_criterion(
        store,
        old.id,
        name=" Helpful ",
        question="Does it help?",
        guidelines="Be strict.",
        rule="adjudicated",
        accept_from=4,
        anchors=["no", "a little", "mostly", " yes "],
        actor="val",
    )
    assert (new.name, new.question, new.guidelines, new.accept_from) == ("Helpful", "Does it help?", "Be strict.", 4)
    assert [(level.value, level.anchor) for level in new.levels] == [
        (1, "no"),
        (2, "a little"),
        (3, "mostly"),
        (4, "yes"),
    ]
    assert (new.rule, new.id, new.position, new.created_at) == (LabelRule.ADJUDICATED, old.id, 0, old.created_at)
    assert list_criteria(store, project) == (new,)


def test_the_audit_trail_says_what_a_change_was(store, project):
    made = create_criterion(store, project, actor="val", **LIKERT)
    change_criterion(store, made.id, accept_from=4, rule=LabelRule.MEAN, question=made.question, actor="val")
    with store.read() as connection:
        entry = audit.entries(connection, project)[0]
    assert entry.action == "criterion.change"
    assert json.loads(entry.detail) == {
        "changed": {"accept_from": {"from": 3, "to": 4}, "rule": {"from": "majority", "to": "mean"}}
    }


def test_a_change_that_changes_nothing_leaves_no_trace(store, project):
    made = create_criterion(store, project, actor="val", **LIKERT)
    with store.read() as connection:
        before = audit.count(connection)
    anchors = [level.anchor for level in made.levels]
    assert change_criterion(store, made.id, actor="val") == made
    assert change_criterion(store, made.id, name=" Useful", accept_from=3, anchors=anchors, actor="val") == made
    with store.read() as connection:
        assert audit.count(connection) == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": ""}, "1 to 80"),
        ({"question": ""}, "question of Useful"),
        ({"accept_from": 1}, "accepts from 1"),
        ({"rule": "first"}, "no rule 'first'"),
        ({"anchors": ["a", "b"]}, "4 levels, and there are 2 anchors"),
        ({"anchors": ["a", "b", " ", "d"]}, "one has no description"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(store, project, changed, message):
    made = create_criterion(store, project, actor="val", **LIKERT)
    with pytest.raises(InvalidInput, match=message):
        change_criterion(store, made.id, actor="val", **changed)
    assert list_criteria(store, project) == (made,)


@pytest.mark.parametrize("changed", [{"question": "Is it?"}, {"anchors": ["a", "b", "c", "d"]}])
def test_the_wording_is_frozen_once_it_was_answered(store, run, changed):
    made = create_criterion(store, run.project_id, actor="val", **LIKERT)
    assert change_criterion(store, made.id, actor="val", question="Useful to whom?").question == "Useful to whom?"
    labelled(store, run, made)
    with pytest.raises(Conflict, match="Useful already has labels for its present wording"):
        change_criterion(store, made.id, actor="val", **changed)
    # Along with something that may change it is refused as well, and nothing changes.
    with pytest.raises(Conflict, match="Useful already has labels for its present wording"):
        change_criterion(store, made.id, actor="val", name="Other", **changed)
    assert list_criteria(store, run.project_id)[0].name == "Useful"


def test_how_answers_are_read_may_change_after_they_were_given(store, run):
    made = create_criterion(store, run.project_id, actor="val", **LIKERT)
    labelled(store, run, made)
    anchors = [level.anchor for level in made.levels]
    changed = change_criterion(
        store,
        made.id,
        name="Helpful",
        rule="mean",
        accept_from=2,
        guidelines="More words.",
        question=made.question,
        anchors=anchors,
        retired=True,
        actor="val",
    )
    assert (changed.name, changed.rule, changed.accept_from, changed.retired) == ("Helpful", LabelRule.MEAN, 2, True)


def test_a_second_look_freezes_the_wording_too(store, run):
    made = create_criterion(store, run.project_id, actor="val", **LIKERT)
    look = Adjudication(
        run_id=run.id, case_id="c0", criterion_id=made.id, value=2.0, reason="So it is.", actor="val", at="2026-01-01"
    )
    with store.write("val", "label.adjudicate") as connection:
        labels.put_adjudication(connection, look)
    with pytest.raises(Conflict, match="present wording"):
        change_criterion(store, made.id, question="Is it?", actor="val")


def test_people_who_change_different_things_at_once_all_get_them(store, project):
    """Each change read the criterion before the others wrote: the last one to write undid the others."""
    made = create_criterion(store, project, actor="val", **LIKERT)
    changes = [
        {"name": "Helpful"},
        {"question": "Does it help?"},
        {"guidelines": "Be strict."},
        {"rule": "mean"},
        {"accept_from": 4},
        {"retired": True},
    ]
    start = Barrier(len(changes))

    def change(given):
        start.wait()
        change_criterion(store, made.id, actor="val", **given)

    with ThreadPoolExecutor(len(changes)) as pool:
        list(pool.map(change, changes))
    (found,) = list_criteria(store, project, retired=True)
    assert (found.name, found.question, found.guidelines) == ("Helpful", "Does it help?", "Be strict.")
    assert (found.rule, found.accept_from, found.retired) == (LabelRule.MEAN, 4, True)


@pytest.mark.parametrize("actor", ["lab", "vic", "nobody"])
def test_only_a_validator_defines_and_changes(store, project, actor):
    with pytest.raises(Forbidden):
        create_criterion(store, project, actor=actor, **LIKERT)
    with pytest.raises(Forbidden):
        ensure_default_criteria(store, project, actor=actor)
    made = create_criterion(store, project, actor="val", **LIKERT)
    with pytest.raises(Forbidden):
        change_criterion(store, made.id, retired=True, actor=actor)
    assert list_criteria(store, project) == (made,)


def test_what_is_gone_is_said_to_be_gone(store, run):
    made = create_criterion(store, run.project_id, actor="val", **LIKERT)
    with pytest.raises(NotFound, match="no criterion crt_x"):
        change_criterion(store, "crt_x", name="Y", actor="val")
    delete_project(store, run.project_id, actor="ada")
    with pytest.raises(NotFound, match=f"no criterion {made.id}"):
        change_criterion(store, made.id, name="Y", actor="val")
    with pytest.raises(NotFound, match="no project prj_1"):
        create_criterion(store, run.project_id, actor="val", **BINARY)
    assert list_criteria(store, run.project_id) == ()


def test_a_project_without_criteria_gets_two_that_most_need(store, project):
    correct, faithful = ensure_default_criteria(store, project, actor="val")
    assert [(level.value, level.anchor) for level in correct.levels] == [(0, "Incorrect"), (1, "Correct")]
    assert (correct.kind, correct.accept_from) == (ScaleKind.BINARY, 1)
    assert [level.value for level in faithful.levels] == [1, 2, 3, 4]
    assert (faithful.kind, faithful.accept_from, faithful.position) == (ScaleKind.LIKERT, 3, 1)
    assert ensure_default_criteria(store, project, actor="val") == (correct, faithful)


def test_a_project_with_any_criterion_is_left_alone(store, project):
    made = create_criterion(store, project, actor="val", **REMARK)
    assert ensure_default_criteria(store, project, actor="val") == (made,)
    # One who retired all of them does not want them back, and is not offered a retired one either.
    change_criterion(store, made.id, retired=True, actor="val")
    assert ensure_default_criteria(store, project, actor="val") == ()


def test_two_people_who_ask_for_the_first_criteria_at_once_get_them_once(store, project):
    start = Barrier(6)

    def ask(_):
        start.wait()
        ensure_default_criteria(store, project, actor="val")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(ask, range(6)))
    assert sorted(criterion.name for criterion in list_criteria(store, project)) == ["Correct", "Faithful"]
