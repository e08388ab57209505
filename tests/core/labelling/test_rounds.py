"""Rounds: what is put to whom, checked before anybody is asked."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.labels import LabelItem, Part, RoundOrigin
from core.labelling.criteria import change_criterion, create_criterion
from core.labelling.rating.tasks import Given, labels_of_task, next_task, save_labels, tasks
from core.labelling.rounds import add_rater, close_round, create_round, get_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.project.service import create_project, delete_project
from core.store.people import labels
from core.store.testset import testsets
from core.store.trail import audit

NAN = float("nan")


everywhere = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
"""What the database has a part in; the rest is tried on SQLite only, as a schema on PostgreSQL takes a second."""


def cases(number, **options):
    return [Drawn(case_id=f"c{place}", **options) for place in range(number)]


def first_round(store, run, *criteria, **changed):
    given = {"name": "First", "raters": ["anna", "ben"], "items": cases(6), "actor": "val", **changed}
    return create_round(store, run.id, criteria=criteria, **given)


def rows(store, made, rater):
    return [(task.case_id, task.occurrence) for task in tasks(store, made.id, rater)]


@everywhere
def test_a_round_reads_back_as_it_was_made(store, run, correct):
    made = first_round(
        store,
        run,
        correct,
        name=" First ",
        raters=["anna", " ben "],
        overlap_share=0.5,
        repeat_share=0.25,
        show_reference=False,
        seed=7,
        design={"population": 12, "counts": [{"part": "random", "drawn": 6}]},
        origin="simulated",
    )
    assert get_round(store, made.id) == made
    assert (made.name, made.raters, made.criteria) == ("First", ("anna", "ben"), (correct,))
    assert (made.overlap, made.overlap_share, made.repeat_share, made.seed) == (2, 0.5, 0.25, 7)
    assert (made.show_reference, made.origin, made.closed) == (False, RoundOrigin.SIMULATED, False)
    assert (made.created_by, made.design["population"]) == ("val", 12)
    with store.read() as connection:
        entry = audit.entries(connection, run.project_id)[0]
    assert (entry.action, entry.subject) == ("labels.round", made.id)
    assert json.loads(entry.detail) == {"cases": 6, "name": "First", "raters": ["anna", "ben"], "run": run.id}


@everywhere
def test_the_cases_of_a_round_keep_how_they_were_drawn(store, run, correct):
    items = [
        Drawn(case_id="c3", part=Part.TARGETED, stratum="uncertain", probability=0.25),
        Drawn(case_id="c1", part=Part.PRACTICE, gold={correct: 1.0}, explanation="It says so."),
        Drawn(case_id="c0", probability=0.1),
    ]
    made = first_round(store, run, correct, items=items)
    with store.read() as connection:
        assert labels.items(connection, made.id) == [
            LabelItem(round_id=made.id, case_id="c0", probability=0.1),
            LabelItem(
                round_id=made.id,
                case_id="c1",
                part=Part.PRACTICE,
                gold={correct: 1.0},
                explanation="It says so.",
            ),
            LabelItem(round_id=made.id, case_id="c3", part=Part.TARGETED, stratum="uncertain", probability=0.25),
        ]
    assert rows(store, made, "anna")[0] == ("c1", 0)
    assert {part.part for part in tasks(store, made.id, "ben")} == set(Part)


@everywhere
def test_a_name_is_that_of_one_round_of_a_run(store, run, correct):
    first_round(store, run, correct)
    with pytest.raises(Conflict, match="has a round named First already") as refused:
        first_round(store, run, correct, name=" fIRST ")
    assert "another name" in refused.value.hint
    assert [one.name for one in list_rounds(store, run.project_id)] == ["First"]


def test_rounds_are_listed_newest_first_for_a_project_or_a_run(store, run, correct):
    made = [first_round(store, run, correct, name=name) for name in ("B", "C", "A")]
    assert list_rounds(store, run.project_id) == tuple(reversed(made))
    assert list_rounds(store, run.project_id, run.id) == tuple(reversed(made))
    assert list_rounds(store, run.project_id, "run_x") == ()
    assert list_rounds(store, "prj_x") == ()


def test_the_same_seed_gives_everybody_the_same_tasks(store, run, correct):
    first, again, other = (
        first_round(store, run, correct, name=name, items=cases(11), repeat_share=0.2, seed=seed)
        for name, seed in (("A", 3), ("B", 3), ("C", 4))
    )
    for rater in ("anna", "ben"):
        assert rows(store, first, rater) == rows(store, again, rater)
        assert rows(store, first, rater) != rows(store, other, rater)
    assert rows(store, first, "anna") != rows(store, first, "ben")


def test_more_overlap_than_raters_means_all_of_them(store, run, correct):
    made = first_round(store, run, correct, overlap=9)
    assert made.overlap == 2
    assert [len(tasks(store, made.id, rater)) for rater in made.raters] == [6, 6]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": " "}, "1 to 200 characters"),
        ({"name": "x" * 201}, "has 201"),
        ({"raters": []}, "1 to 200 raters"),
        ({"raters": ["anna", " anna "]}, "each once; there are 2 names"),
        ({"raters": [f"r{number}" for number in range(201)]}, "there are 201 names"),
        ({"raters": ["anna", "  "]}, "blank or too long"),
        ({"raters": ["x" * 201]}, "blank or too long"),
        ({"items": []}, "there are 0"),
        ({"items": cases(2) + cases(1)}, "there are 3 with 2 ids"),
        ({"items": cases(12)}, "1 of 12 cases have no response in run run_1, such as c11"),
        ({"items": [Drawn(case_id="nowhere")]}, "such as nowhere"),
        ({"overlap": 0}, "overlap is 0"),
        ({"overlap_share": -0.1}, "overlap share is -0.1"),
        ({"overlap_share": 1.01}, "overlap share is 1.01"),
        ({"overlap_share": NAN}, "overlap share is nan"),
        ({"repeat_share": 2.0}, "repeat share is 2.0"),
        ({"repeat_share": NAN}, "repeat share is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "seed is 9223372036854775808"),
        ({"items": cases(2, probability=0.0)}, "c0 has the chance 0.0"),
        ({"items": cases(2, probability=1.5)}, "c0 has the chance 1.5"),
        ({"items": cases(2, probability=NAN)}, "c0 has the chance nan"),
    ],
)
def test_what_cannot_be_a_round_is_refused_with_a_remedy(store, run, correct, changed, message):
    with pytest.raises(InvalidInput, match=message) as raised:
        first_round(store, run, correct, **changed)
    assert raised.value.hint
    assert list_rounds(store, run.project_id) == ()


@everywhere
def test_the_largest_seed_is_stored(store, run, correct):
    made = first_round(store, run, correct, seed=2**63 - 1)
    assert get_round(store, made.id).seed == 2**63 - 1


def test_a_round_asks_the_project_s_own_criteria_that_are_in_use(store, run, correct):
    other = create_project(store, "Other", "val")
    foreign = create_criterion(store, other.id, name="X", question="X?", kind="binary", actor="val")
    with pytest.raises(InvalidInput, match="does not exist in this project"):
        first_round(store, run, foreign.id)
    with pytest.raises(InvalidInput, match="at least one criterion, each once"):
        first_round(store, run, correct, correct)
    with pytest.raises(InvalidInput, match="at least one criterion, each once"):
        first_round(store, run)
    change_criterion(store, correct, retired=True, actor="val")
    with pytest.raises(InvalidInput, match="is retired"):
        first_round(store, run, correct)


def test_a_round_that_runs_goes_on_with_a_criterion_that_is_retired(store, run, correct):
    made = first_round(store, run, correct)
    change_criterion(store, correct, retired=True, actor="val")
    save_labels(store, made.id, "anna", "c0", given={correct: Given(value=1)}, seconds=1, actor="lab")
    assert labels_of_task(store, made.id, "anna", "c0")[correct].value == 1.0


@pytest.mark.parametrize("value", [2.0, 0.5, NAN, float("inf")])
def test_the_right_answer_to_a_practice_case_is_a_level(store, run, correct, value):
    items = [*cases(2), Drawn(case_id="c5", part=Part.PRACTICE, gold={correct: value})]
    with pytest.raises(InvalidInput, match="practice case c5 is not a level"):
        first_round(store, run, correct, items=items)


def test_the_right_answer_is_to_a_question_that_is_asked(store, run, correct):
    items = [*cases(2), Drawn(case_id="c5", part=Part.PRACTICE, gold={"crt_x": 1.0})]
    with pytest.raises(InvalidInput, match="is not a level of its criterion"):
        first_round(store, run, correct, items=items)


def test_cases_that_were_excluded_are_not_put_to_people(store, run, correct):
    with store.write("val", "case.exclude") as connection:
        testsets.exclude(connection, run.test_set_id, "c2", "broken")
    with pytest.raises(InvalidInput, match="such as c2"):
        first_round(store, run, correct)


@pytest.mark.parametrize("actor", ["lab", "vic", "nobody"])
def test_only_a_validator_makes_closes_and_extends_rounds(store, run, correct, actor):
    with pytest.raises(Forbidden):
        first_round(store, run, correct, actor=actor)
    made = first_round(store, run, correct)
    with pytest.raises(Forbidden):
        close_round(store, made.id, actor=actor)
    with pytest.raises(Forbidden):
        add_rater(store, made.id, "cleo", actor=actor)
    assert get_round(store, made.id) == made


@pytest.mark.slow
@everywhere
def test_what_is_gone_is_said_to_be_gone(store, run, correct):
    made = first_round(store, run, correct)
    with pytest.raises(NotFound, match="run_x"):
        create_round(store, "run_x", name="A", criteria=[correct], raters=["anna"], items=cases(1), actor="val")
    with pytest.raises(NotFound, match="no label round rnd_x"):
        get_round(store, "rnd_x")
    delete_project(store, run.project_id, actor="ada")
    for act in (get_round, lambda *given: close_round(*given, actor="val")):
        with pytest.raises(NotFound, match=f"no label round {made.id}"):
            act(store, made.id)
    with pytest.raises(NotFound, match=f"no label round {made.id}"):
        add_rater(store, made.id, "cleo", actor="val")
    with pytest.raises(NotFound):
        first_round(store, run, correct)
    assert list_rounds(store, run.project_id) == ()


def test_a_closed_round_takes_no_label_until_it_is_opened_again(store, run, correct):
    made = first_round(store, run, correct)
    given = {correct: Given(value=1)}
    save_labels(store, made.id, "anna", "c0", given=given, seconds=1, actor="lab")
    assert close_round(store, made.id, actor="val") == replace(made, closed=True)
    with pytest.raises(Conflict, match="closed"):
        save_labels(store, made.id, "anna", "c1", given=given, seconds=1, actor="lab")
    with pytest.raises(Conflict, match="closed"):
        add_rater(store, made.id, "cleo", actor="val")
    assert labels_of_task(store, made.id, "anna", "c0")[correct].value == 1.0
    assert close_round(store, made.id, closed=False, actor="val") == made
    save_labels(store, made.id, "anna", "c1", given=given, seconds=1, actor="lab")
    with store.read() as connection:
        actions = [entry.action for entry in audit.entries(connection, run.project_id)]
    assert [action for action in actions if action.startswith("labels.")] == [
        "labels.open",
        "labels.close",
        "labels.round",
    ]


@everywhere
def test_a_rater_who_comes_later_changes_nothing_for_the_others(store, run, correct):
    practice = [Drawn(case_id="c10", part=Part.PRACTICE), Drawn(case_id="c9", part=Part.PRACTICE)]
    made = first_round(store, run, correct, items=[*practice, *cases(6)], repeat_share=0.5)
    given = {correct: Given(value=1)}
    for case_id in ("c10", "c9", "c4"):
        save_labels(store, made.id, "anna", case_id, given=given, seconds=1, actor="lab")
    before = {rater: tasks(store, made.id, rater) for rater in made.raters}
    after = add_rater(store, made.id, " cleo ", actor="val")
    assert after == replace(made, raters=("anna", "ben", "cleo"))
    assert get_round(store, made.id) == after
    assert {rater: tasks(store, made.id, rater) for rater in made.raters} == before
    assert labels_of_task(store, made.id, "anna", "c4")[correct].value == 1.0
    # Two of practice in the order of the others, six cases, half of them again.
    own = rows(store, made, "cleo")
    assert own[:2] == [("c10", 0), ("c9", 0)]
    assert len(own) == 2 + 6 + 3
    assert next_task(store, made.id, "cleo").case_id == "c10"


def test_a_rater_is_there_once_and_has_a_name(store, run, correct):
    made = first_round(store, run, correct)
    with pytest.raises(Conflict, match="anna is a rater of First already"):
        add_rater(store, made.id, " anna", actor="val")
    for name in (" ", "x" * 201):
        with pytest.raises(InvalidInput, match="blank or too long"):
            add_rater(store, made.id, name, actor="val")
    assert get_round(store, made.id) == made


@everywhere
def test_raters_who_come_at_once_are_all_there(store, run, correct):
    made = first_round(store, run, correct, items=cases(11))
    names = [f"late {number}" for number in range(8)]
    start = Barrier(len(names))

    def come(name):
        start.wait()
        add_rater(store, made.id, name, actor="val")

    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(come, names))
    assert sorted(get_round(store, made.id).raters[2:]) == names
    assert {len(tasks(store, made.id, name)) for name in names} == {11}
    with store.read() as connection:
        assert audit.verify(connection).ok


@everywhere
def test_a_round_that_closes_while_raters_come_loses_neither(store, run, correct):
    made = first_round(store, run, correct)
    start = Barrier(2)

    def come():
        start.wait()
        try:
            add_rater(store, made.id, "cleo", actor="val")
        except Conflict:
            return False
        return True

    def close():
        start.wait()
        close_round(store, made.id, actor="val")

    with ThreadPoolExecutor(2) as pool:
        came, closed = pool.submit(come), pool.submit(close)
        closed.result()
        there = came.result()
    found = get_round(store, made.id)
    assert found.closed
    assert ("cleo" in found.raters) is there


@pytest.mark.slow
@everywhere
def test_a_hundred_raters_have_a_place(store, run, correct):
    names = [f"rater {number:03}" for number in range(100)]
    made = first_round(store, run, correct, raters=names, items=cases(11), overlap=100)
    assert get_round(store, made.id).raters == tuple(names)
    assert all(len(tasks(store, made.id, name)) == 11 for name in names[::33])
