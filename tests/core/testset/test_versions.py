"""Versions of a test set: the next one from a changed database, and what differs."""

from __future__ import annotations

import pytest

from core.domain.testset.cases import TestCase
from core.store.testset import testsets
from core.testset.service import build_test_set, exclude_case, freeze_test_set
from core.testset.versions import differences, next_version, other_versions
from tests.core.testset.conftest import CITY, CITY_SHORT
from tests.support.small_bank import ACTOR


def case(name: str, *answers: str) -> TestCase:
    return TestCase(case_id=name, question=f"{name}?", reference_answers=answers)


@pytest.mark.parametrize(
    ("before", "after", "kept", "moved", "added", "gone"),
    [
        ([], [], 0, [], [], []),
        ([case("a", "1")], [case("a", "1")], 1, [], [], []),
        ([case("a", "1", "2")], [case("a", "2", "1")], 1, [], [], []),
        ([case("a", "1")], [case("a", "2")], 0, ["a"], [], []),
        ([case("a", "1")], [case("a", "1", "2")], 0, ["a"], [], []),
        ([case("a", "1"), case("b", "1")], [case("c", "1"), case("b", "1")], 1, [], ["c"], ["a"]),
    ],
    ids=["empty", "same", "other order", "other answer", "one answer more", "new and gone"],
)
def test_what_differs(before, after, kept, moved, added, gone):
    found = differences(before, after)
    assert found.kept == kept
    assert [one.case_id for one in found.moved] == moved
    assert [one.case_id for one in found.added] == added
    assert [one.case_id for one in found.gone] == gone


@pytest.fixture
def cities(bank):
    template = bank.approved_sql(CITY, CITY.replace("SELECT city", "SELECT city, branch_id"))
    bank.approved_text(template, CITY_SHORT)
    return bank


def cases_of(store, test_set, **options):
    with store.read() as connection:
        return testsets.cases(connection, test_set.id, **options)


def test_the_next_version_reads_the_database_as_it_is_now_and_keeps_what_was_excluded(cities):
    first = build_test_set(cities.store, cities.project_id, actor=ACTOR, name="Cities", seed=3)
    before = cases_of(cities.store, first)
    exclude_case(cities.store, first.id, before[0].case_id, "Nobody asks this.", actor=ACTOR)
    freeze_test_set(cities.store, first.id, actor=ACTOR)
    before = cases_of(cities.store, first)
    cities.change(
        "UPDATE branch SET city = 'Newtown' WHERE branch_id = 2;"
        "DELETE FROM account WHERE branch_id = 3; DELETE FROM branch WHERE branch_id = 3;"
        "INSERT INTO branch VALUES (7, 'Garth Branch', 'Garth', 'Ada Low')"
    )
    second = next_version(cities.store, first, actor=ACTOR)
    assert (second.name, second.version, second.options["seed"], second.frozen) == ("Cities", 2, 3, False)
    found = differences(before, cases_of(cities.store, second))
    assert [(one.before, one.after) for one in found.moved] == [(("Belmont",), ("Newtown",))]
    assert [one.reference_answers for one in found.added] == [("Garth",)]
    assert [one.reference_answers for one in found.gone] == [("Corwen",)]
    assert found.kept == 3
    left_out = [one for one in cases_of(cities.store, second, include_excluded=True) if one.excluded]
    assert [(one.reference_answers, one.excluded) for one in left_out] == [(("Arden",), "Nobody asks this.")]
    assert [one.id for one in other_versions(cities.store, second)] == [first.id]
    assert cases_of(cities.store, first) == before
