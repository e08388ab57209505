"""Criteria, rounds, tasks, labels and second looks: read back as they were, in order, gone with their run."""

from contextlib import suppress
from dataclasses import replace

import pytest
from sqlalchemy import delete, event, func, select

from core.domain.errors import Conflict, NotFound
from core.domain.results.labels import (
    Adjudication,
    Criterion,
    Label,
    LabelItem,
    LabelRound,
    LabelRule,
    LabelStatus,
    LabelTask,
    Level,
    Part,
    RoundOrigin,
    ScaleKind,
    Span,
)
from core.store import projects, tables
from core.store.database import Store
from core.store.people import labels
from core.store.trail import audit
from tests.support.stores import sqlite_url, with_run

CORRECT = Criterion(
    id="crt_1",
    project_id="prj_1",
    name="Correct",
    question="Is it?",
    kind=ScaleKind.BINARY,
    levels=(Level(value=0, anchor="no"), Level(value=1, anchor="yes")),
    rule=LabelRule.ADJUDICATED,
    guidelines="Read **all** of it.",
    created_at="2026-11-21T05:00:00+00:00",
    created_by="anna",
)
REMARK = Criterion(
    id="crt_2", project_id="prj_1", name="Remark", question="What else?", kind=ScaleKind.COMMENT, position=1
)
ROUND = LabelRound(
    id="rnd_1",
    project_id="prj_1",
    run_id="run_1",
    name="First",
    criteria=("crt_1", "crt_2"),
    raters=("anna", "bo"),
    origin=RoundOrigin.IMPORTED,
    overlap=2,
    overlap_share=0.5,
    repeat_share=0.1,
    show_reference=False,
    seed=2**40,
    design={"drawn": {"random": 3}, "probabilities": [0.5, 1.0, 0.25]},
    created_at="2026-11-21T05:00:00+00:00",
    created_by="anna",
)
SECOND = replace(ROUND, id="rnd_2", name="Second")


@pytest.fixture
def filled(store):
    """A run of six cases, two criteria, and a round with c0 for practice and c1 to c5 by chance, for anna and bo."""
    with_run(store, 6)
    with write(store) as connection:
        labels.put_criterion(connection, CORRECT)
        labels.put_criterion(connection, REMARK)
        labels.put_round(connection, ROUND)
        labels.add_items(connection, [item(f"c{n}", Part.RANDOM if n else Part.PRACTICE) for n in range(6)])
        labels.put_tasks(connection, [task(rater, f"c{n}", n) for rater in ("anna", "bo") for n in range(6)])
    return store


def write(store):
    return store.write("anna", "test.prepare", project_id="prj_1")


def item(case_id, part=Part.RANDOM, **fields):
    return LabelItem(round_id="rnd_1", case_id=case_id, part=part, **fields)


def task(rater, case_id, position, **fields):
    part = Part.PRACTICE if case_id == "c0" else Part.RANDOM
    return LabelTask(round_id="rnd_1", rater=rater, case_id=case_id, position=position, part=part, **fields)


def label(case_id, rater="anna", value=1.0, *, at=1, **fields):
    said = {"round_id": "rnd_1", "criterion_id": "crt_1", "seconds": 10.0, **fields}
    return Label(case_id=case_id, rater=rater, value=value, at=f"2026-11-21T06:00:{at:02}+00:00", **said)


def keep(store, *made):
    with write(store) as connection:
        labels.put(connection, made)


def read(store, what, *arguments, **named):
    with store.read() as connection:
        return what(connection, *arguments, **named)


def test_what_is_stored_reads_back_as_it_was(filled):
    gold = item("c0", Part.PRACTICE, gold={"crt_1": 1.0}, explanation="It says so.", stratum="", probability=1.0)
    said = label(
        "c1",
        value=None,
        status=LabelStatus.CANNOT_JUDGE,
        comment="Half of it is cut off.\nSee page 2.",
        spans=(Span(where="answer", start=0, end=4), Span(where="context 1", start=3, end=9)),
        seconds=12.5,
    )
    with write(filled) as connection:
        labels.add_items(connection, [gold])
        labels.put(connection, [said])
    assert read(filled, labels.criterion, "crt_1") == CORRECT
    assert read(filled, labels.criteria_of, "prj_1") == [CORRECT, REMARK]
    assert read(filled, labels.round_of, "rnd_1") == ROUND
    assert read(filled, labels.item, "rnd_1", "c0") == gold
    assert read(filled, labels.task, "rnd_1", "bo", "c3", 0) == task("bo", "c3", 3)
    assert read(filled, labels.of_task, "rnd_1", "anna", "c1", 0) == [said]


def test_what_is_not_there_is_said_so(filled):
    for what, arguments in (
        (labels.criterion, ["crt_9"]),
        (labels.round_of, ["rnd_9"]),
        (labels.item, ["rnd_1", "c9"]),
    ):
        with pytest.raises(NotFound) as told:
            read(filled, what, *arguments)
        assert arguments[-1] in told.value.message
        assert told.value.hint
    assert read(filled, labels.task, "rnd_1", "anna", "c1", 1) is None
    assert read(filled, labels.criteria_of, "prj_9") == []


@pytest.mark.slow
def test_a_project_has_no_two_criteria_of_one_name(filled):
    with pytest.raises(Conflict), write(filled) as connection:
        labels.put_criterion(connection, replace(CORRECT, id="crt_3"))


def test_rounds_come_newest_first(filled):
    with write(filled) as connection:
        labels.put_round(connection, SECOND)
        # A change keeps a round's place.
        labels.put_round(connection, replace(ROUND, closed=True))
    assert [label_round.id for label_round in read(filled, labels.rounds, "prj_1")] == ["rnd_2", "rnd_1"]
    assert [label_round.closed for label_round in read(filled, labels.rounds, "prj_1", "run_1")] == [False, True]
    assert read(filled, labels.rounds, "prj_1", "run_9") == []


def test_cases_of_a_round_can_be_asked_for_by_part(filled):
    assert [item.case_id for item in read(filled, labels.items, "rnd_1")] == ["c0", "c1", "c2", "c3", "c4", "c5"]
    assert [item.case_id for item in read(filled, labels.items, "rnd_1", Part.PRACTICE)] == ["c0"]


def test_the_next_task_is_the_first_open_one_and_what_was_put_off_comes_last(filled):
    def upcoming(but=None):
        found = read(filled, labels.next_task, "rnd_1", "anna", but=but)
        return None if found is None else found.case_id

    assert upcoming() == "c0"
    assert upcoming(but=("c0", 0)) == "c1"
    assert upcoming(but=("c0", 1)) == "c0"  # the repetition is another task
    with write(filled) as connection:
        for case_id in ("c0", "c4"):
            labels.mark_task(connection, task("anna", case_id, 0), done_at="2026-11-21T06:00:00+00:00")
        for case_id, times in (("c1", 2), ("c2", 1), ("c3", 1)):
            labels.mark_task(connection, task("anna", case_id, 0), skipped=times)
    order = []
    for _ in range(4):
        order.append(upcoming())
        with write(filled) as connection:
            labels.mark_task(connection, task("anna", order[-1], 0), done_at="2026-11-21T06:00:01+00:00")
    assert order == ["c5", "c2", "c3", "c1"]
    assert upcoming() is None
    assert read(filled, labels.next_task, "rnd_1", "bo").case_id == "c0"


def test_tasks_are_gone_through_backwards_by_the_time_they_were_saved(filled):
    times = {"c3": "06:00:01", "c1": "06:00:02", "c5": "06:00:02"}
    with write(filled) as connection:
        for case_id, at in times.items():
            labels.mark_task(connection, task("anna", case_id, 0), done_at=f"2026-11-21T{at}+00:00")
    back = []
    shown = read(filled, labels.last_done, "rnd_1", "anna")
    while shown is not None:
        back.append(shown.case_id)
        shown = read(filled, labels.last_done, "rnd_1", "anna", before=shown.done_at, position=shown.position)
    assert back == ["c5", "c1", "c3"]  # of two of the same moment the later in order is the last
    assert read(filled, labels.last_done, "rnd_1", "bo") is None


def test_tasks_are_counted_by_part_and_state(filled):
    with write(filled) as connection:
        labels.mark_task(connection, task("anna", "c0", 0), done_at="2026-11-21T06:00:00+00:00")
        labels.mark_task(connection, task("anna", "c1", 0), skipped=2)
        labels.mark_task(connection, task("anna", "c2", 0), skipped=1)
    assert read(filled, labels.task_counts, "rnd_1") == {
        "anna": {("practice", True, False): 1, ("random", False, True): 2, ("random", False, False): 3},
        "bo": {("practice", False, False): 1, ("random", False, False): 5},
    }
    assert read(filled, labels.task_counts, "rnd_9") == {}


def test_repeats_and_open_tasks_are_counted_by_rater(filled):
    with write(filled) as connection:
        labels.put_tasks(connection, [task("anna", "c1", 6, occurrence=1), task("anna", "c2", 7, occurrence=1)])
        labels.mark_task(connection, task("anna", "c1", 0, occurrence=1), done_at="2026-11-21T06:00:00+00:00")
        for place in range(6):
            labels.mark_task(connection, task("bo", f"c{place}", 0), done_at="2026-11-21T06:00:00+00:00")
    assert read(filled, labels.repeat_counts, "rnd_1") == {"anna": (1, 2)}
    assert read(filled, labels.unfinished, ["rnd_1", "rnd_9"]) == {"rnd_1": {"anna"}}
    assert read(filled, labels.unfinished, []) == {}


def test_a_run_has_labels_where_a_person_gave_a_level_of_a_case_that_counts(filled):
    assert read(filled, labels.labelled_runs, "prj_1") == set()
    remark = label("c1", criterion_id="crt_2", value=None, comment="Cut off.")
    keep(filled, label("c0"), remark, label("c2", value=None, status=LabelStatus.CANNOT_JUDGE))
    assert read(filled, labels.labelled_runs, "prj_1") == set()
    keep(filled, label("c1"), label("c2"))
    assert read(filled, labels.labelled_runs, "prj_1") == {("run_1", "crt_1")}
    assert read(filled, labels.labelled_runs, "prj_9") == set()


def test_a_later_label_replaces_the_earlier_of_the_same_task_only(filled):
    keep(filled, label("c1"), label("c1", occurrence=1), label("c1", "bo"))
    keep(filled, label("c1", value=0.0, comment="on second thoughts"))
    assert [stored.value for stored in read(filled, labels.of_task, "rnd_1", "anna", "c1", 0)] == [0.0]
    assert [stored.value for stored in read(filled, labels.of_task, "rnd_1", "anna", "c1", 1)] == [1.0]
    assert [stored.value for stored in read(filled, labels.of_task, "rnd_1", "bo", "c1", 0)] == [1.0]
    assert read(filled, labels.count_of_project, "prj_1") == 3


def test_labels_are_taken_away_by_criterion(filled):
    keep(filled, label("c1"), label("c1", criterion_id="crt_2", value=None, comment="short"), label("c1", "bo"))
    with write(filled) as connection:
        labels.remove(connection, task("anna", "c1", 1), [])
        labels.remove(connection, task("anna", "c1", 1), ["crt_1"])
    assert [stored.criterion_id for stored in read(filled, labels.of_task, "rnd_1", "anna", "c1", 0)] == ["crt_2"]
    assert len(read(filled, labels.of_task, "rnd_1", "bo", "c1", 0)) == 1


def test_time_on_a_task_is_the_longest_of_its_labels_and_unmeasured_is_left_out(filled):
    keep(
        filled,
        label("c0", seconds=90.0),  # practice
        label("c1", seconds=4.0),
        label("c1", criterion_id="crt_2", value=None, seconds=9.0),
        label("c1", occurrence=1, seconds=3.0),
        label("c2", seconds=0.0),
        label("c2", "bo", seconds=7.0),
    )
    seconds = read(filled, labels.seconds_of, "rnd_1")
    assert {rater: sorted(times) for rater, times in seconds.items()} == {"anna": [3.0, 9.0], "bo": [7.0]}


def test_labels_of_a_run_come_by_time_over_all_rounds_without_practice(filled):
    with write(filled) as connection:
        labels.put_round(connection, SECOND)
        labels.add_items(connection, [LabelItem(round_id="rnd_2", case_id=item) for item in ("c0", "c1")])
    keep(
        filled,
        label("c2", at=3),
        label("c0", at=2),  # practice in the first round
        label("c1", "bo", at=5),
        label("c1", at=4, criterion_id="crt_2", value=None),
        label("c0", at=1, round_id="rnd_2"),  # not in the second
        label("c1", at=3, round_id="rnd_2"),
    )
    stored = read(filled, labels.of_run, "run_1", "crt_1")
    # c2 of the first round and c1 of the second are of the same second; the older round comes first.
    assert [(item.round_id, item.case_id) for item in stored] == [
        ("rnd_2", "c0"),
        ("rnd_1", "c2"),
        ("rnd_2", "c1"),
        ("rnd_1", "c1"),
    ]
    assert len(read(filled, labels.of_run, "run_1")) == 5
    assert [item.rater for item in read(filled, labels.of_run, "run_1", "crt_1", ["c1"])] == ["anna", "bo"]
    assert [item.case_id for item in read(filled, labels.practice, "rnd_1")] == ["c0"]
    items = read(filled, labels.items_of_run, "run_1")
    assert [(item.round_id, item.case_id) for item in items] == [
        *(("rnd_1", f"c{n}") for n in range(1, 6)),
        ("rnd_2", "c0"),
        ("rnd_2", "c1"),
    ]
    assert read(filled, labels.of_run, "run_9") == []


def test_a_second_look_replaces_the_earlier_one(filled):
    first = Adjudication(
        run_id="run_1",
        case_id="c1",
        criterion_id="crt_1",
        value=None,
        reason="cut off",
        actor="anna",
        at="2026-11-21T06:00:00+00:00",
    )
    for made in (first, replace(first, value=1.0, actor="bo")):
        with write(filled) as connection:
            labels.put_adjudication(connection, made)
    assert read(filled, labels.adjudications_of, "run_1", "crt_1") == {"c1": replace(first, value=1.0, actor="bo")}
    assert read(filled, labels.adjudications_of, "run_1", "crt_2") == {}


def test_a_criterion_is_labelled_by_a_label_or_a_second_look(filled):
    assert not read(filled, labels.is_labelled, "crt_1")
    keep(filled, label("c0"))
    assert read(filled, labels.is_labelled, "crt_1")
    assert not read(filled, labels.is_labelled, "crt_2")


def test_labels_of_a_criterion_that_does_not_exist_are_refused_with_the_whole_write(filled):
    with pytest.raises(Conflict):
        keep(filled, label("c1"), label("c1", criterion_id="crt_9"))
    assert read(filled, labels.count_of_project, "prj_1") == 0


@pytest.mark.slow
@pytest.mark.parametrize("gone", ["run", "project"])
def test_labels_go_with_their_run_and_the_trail_stays(filled, gone):
    keep(filled, label("c1"))
    with write(filled) as connection:
        look = Adjudication(
            run_id="run_1", case_id="c1", criterion_id="crt_1", value=1.0, reason="so", actor="anna", at="2026"
        )
        labels.put_adjudication(connection, look)
    before = read(filled, audit.count)
    with write(filled) as connection:
        if gone == "run":
            connection.execute(delete(tables.runs).where(tables.runs.c.id == "run_1"))
        else:
            projects.remove(connection, "prj_1")
    with filled.read() as connection:
        for table in (
            tables.label_rounds,
            tables.label_items,
            tables.label_tasks,
            tables.labels,
            tables.adjudications,
        ):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0
        assert len(labels.criteria_of(connection, "prj_1")) == (2 if gone == "run" else 0)
        assert audit.count(connection) == before + 1
        assert audit.verify(connection).ok
    with pytest.raises(NotFound, match="deleted with its run"):
        read(filled, labels.round_of, "rnd_1")


def test_text_that_no_database_can_hold_does_not_lose_the_label(filled):
    keep(filled, label("c1", comment="half \ud800 a sign, and \x00"))
    (found,) = read(filled, labels.of_task, "rnd_1", "anna", "c1", 0)
    assert found.comment == "half \ufffd a sign, and \ufffd"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "arguments", "table", "by"),
    [
        (labels.next_task, ("rnd_1", "anna"), "label_tasks", "round_id=? AND rater=?"),
        (labels.last_done, ("rnd_1", "anna"), "label_tasks", "round_id=? AND rater=?"),
        (labels.task, ("rnd_1", "anna", "c1", 0), "label_tasks", "round_id=? AND rater=? AND case_id=?"),
        (labels.of_task, ("rnd_1", "anna", "c1", 0), "labels", "round_id=? AND case_id=?"),
        (labels.item, ("rnd_1", "c1"), "label_items", "round_id=? AND case_id=?"),
        (labels.of_run, ("run_1", "crt_1"), "labels", "criterion_id=?"),
    ],
)
def test_what_is_read_most_is_found_by_a_key(tmp_path, what, arguments, table, by):
    with Store.open(sqlite_url(tmp_path)) as store, store.read() as connection:
        sent = []
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        with suppress(NotFound):
            what(connection, *arguments)
        plans = [
            row[3]
            for words, values in list(sent)
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {words}", values)
        ]
    assert not [step for step in plans if step.startswith("SCAN")]
    assert any(step.startswith(f"SEARCH {table} ") and by in step for step in plans), plans
