from dataclasses import replace

import pytest

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.store.results import runs
from core.store.testset import testsets
from tests.support.stores import with_run

CASES = [
    TestCase(
        case_id=f"c{number}",
        question=question,
        reference_answers=answers,
        form="short" if number % 2 else "long",
        group_id=f"g{number}",
        sql="SELECT Name FROM Client WHERE Id = :p0",
        sql_params={"p0": number},
        gold_document_ids=(f"client:{number}",),
        tables=("Client",),
        attributes={"topic": "clients"},
        sql_template_id="t1" if number < 2 else "t2",
    )
    for number, (question, answers) in enumerate(
        [
            ("Who is the ÉLAN account of O'Brien' OR 1=1 -- ?", ("Anna",)),
            ("What is 100% of [Artist.Name]?", ("one_two",)),
            ("What is 100 of it?", ("onextwo", "Überweisung")),
            ('Is "x\\y" a path?', ()),
        ]
    )
]


@pytest.fixture
def draft(store):
    with_run(store)
    with store.write("anna", "test_set.build") as connection:
        testsets.put(connection, TestSet(id="ts_2", project_id="prj_1", name="Second", counts={"questions": {"a": 1}}))
        testsets.put_cases(connection, "ts_2", CASES)
    return store


def ids(store, **filters):
    with store.read() as connection:
        cases = testsets.cases(connection, "ts_2", **filters)
        if not {"limit", "offset"} & set(filters):
            assert testsets.count(connection, "ts_2", **filters) == len(cases)
    return [case.case_id for case in cases]


def test_cases_come_back_as_they_were_in_their_order(draft):
    with draft.read() as connection:
        assert testsets.cases(connection, "ts_2") == tuple(CASES)
        assert testsets.case(connection, "ts_2", "c1") == CASES[1]
        assert testsets.get(connection, "ts_2").counts == {"questions": {"a": 1}}
        assert [test_set.id for test_set in testsets.all(connection, "prj_1")] == ["ts_2", "ts_1"]
        with pytest.raises(NotFound, match="no case c9"):
            testsets.case(connection, "ts_2", "c9")
        with pytest.raises(NotFound, match="no test set ts_9"):
            testsets.get(connection, "ts_9")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"form": "long"}, ["c0", "c2"]),
        ({"sql_template_id": "t1"}, ["c0", "c1"]),
        ({"form": "short", "sql_template_id": "t2"}, ["c3"]),
        ({"limit": 2, "offset": 1}, ["c1", "c2"]),
        ({"search": "élan"}, ["c0"]),
        ({"search": "o'brien' or 1=1 --"}, ["c0"]),
        ({"search": "100%"}, ["c1"]),
        ({"search": "ONE_TWO"}, ["c1"]),
        ({"search": "überWEISUNG"}, ["c2"]),
        ({"search": "[artist.name]"}, ["c1"]),
        ({"search": "x\\Y"}, ["c3"]),
        ({"search": "  "}, ["c0", "c1", "c2", "c3"]),
        ({"search": "/"}, []),
    ],
)
def test_filters(draft, filters, expected):
    assert ids(draft, **filters) == expected


def test_a_search_has_a_length(draft):
    with pytest.raises(InvalidInput, match="1001 characters"):
        ids(draft, search="x" * 1001)


def test_excluding_keeps_the_reason_and_including_puts_back(draft):
    with draft.write("anna", "test_set.exclude") as connection:
        testsets.exclude(connection, "ts_2", "c0", " odd name ")
        testsets.exclude(connection, "ts_2", "c1", " ")
    assert ids(draft) == ["c2", "c3"]
    assert ids(draft, include_excluded=True) == ["c0", "c1", "c2", "c3"]
    with draft.read() as connection:
        assert testsets.case(connection, "ts_2", "c0").excluded == "odd name"
        assert testsets.case(connection, "ts_2", "c1").excluded == "no reason given"
    with draft.write("anna", "test_set.include") as connection:
        testsets.include(connection, "ts_2", "c0")
    assert ids(draft) == ["c0", "c2", "c3"]


def test_a_frozen_set_never_changes(draft):
    hashed = cases_hash(CASES)
    with draft.write("anna", "test_set.freeze") as connection:
        testsets.freeze(connection, "ts_2", hashed, "2026-01-01T00:00:00+00:00")
    with draft.read() as connection:
        frozen = testsets.get(connection, "ts_2")
        assert (frozen.frozen, frozen.content_hash) == (True, hashed)
        assert cases_hash(testsets.cases(connection, "ts_2")) == hashed
    changes = [
        lambda c: testsets.put(c, replace(frozen, name="Other")),
        lambda c: testsets.put_cases(c, "ts_2", [replace(CASES[0], case_id="new")]),
        lambda c: testsets.exclude(c, "ts_2", "c0", "why"),
        lambda c: testsets.include(c, "ts_2", "c0"),
        lambda c: testsets.freeze(c, "ts_2", "x", "now"),
        lambda c: testsets.delete(c, "ts_2"),
    ]
    for change in changes:
        with pytest.raises(Conflict, match="was frozen at 2026"), draft.write("anna", "try") as connection:
            change(connection)
    with draft.read() as connection:
        assert testsets.get(connection, "ts_2") == frozen


def test_a_case_and_a_version_are_there_once(draft):
    with pytest.raises(Conflict, match="1 of 1 cases"), draft.write("anna", "try") as connection:
        testsets.put_cases(connection, "ts_2", [CASES[0]])
    twin = TestSet(id="ts_3", project_id="prj_1", name="Second", version=1)
    with pytest.raises(Conflict, match="Second, version 1, already"), draft.write("anna", "try") as connection:
        testsets.put(connection, twin)
    with draft.write("anna", "test_set.build") as connection:
        testsets.put(connection, replace(twin, version=2))


def test_deleting_a_draft_takes_its_cases_and_one_in_use_stays(draft):
    with draft.write("anna", "test_set.delete") as connection:
        testsets.delete(connection, "ts_2")
    assert ids(draft) == []
    with pytest.raises(Conflict, match="A run uses test set First"), draft.write("anna", "try") as connection:
        testsets.delete(connection, "ts_1")
    with draft.read() as connection:
        assert len(runs.all(connection, "prj_1")) == 1
