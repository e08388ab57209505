"""A question's subject, property and kind of value."""

import doctest

import pytest

from core.text import questions
from core.text.questions import asked, holds_kind


def test_examples_in_the_documentation():
    assert doctest.testmod(questions).failed == 0


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("manager of 'Harbour Street'", ("harbour street",)),
        ("manager of ‘Harbour Street’?", ("harbour street",)),
        ('the role of "Ann Lee" in "North"', ("ann lee", "north")),
        ("the client's manager at 'O'Brien & Sons'", ("o'brien & sons",)),
        ("the clients' branch and the banks' branch", ()),
        ("the manager of Harbour Street", ()),
        ("code '7'", ("7",)),
        ("'' of x", ()),
    ],
)
def test_subjects_stand_in_quotation_marks(question, subjects):
    assert asked(question).subjects == subjects


def test_the_word_date_is_said_by_a_date():
    assert tuple(asked("opening date of 'X'").spelled) == ("open",)
    assert tuple(asked("date of 'X'").spelled) == ("date",)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Who leads 'X'?", {"person"}),
        ("opening date of 'X'", {"date"}),
        ("How many clerks?", {"number"}),
        ("city of 'X'", set()),
    ],
)
def test_kinds(question, kinds):
    assert asked(question).kinds == kinds


@pytest.mark.parametrize(
    ("text", "kind", "held"),
    [
        ("on the 3rd of May 2014", "date", True),
        ("2014-05-03", "date", True),
        ("May 3, 2014", "date", True),
        ("room 4711", "date", False),
        ("4 clerks", "number", True),
        ("four clerks", "number", False),
        ("led by Jane Doe", "person", True),
        ("led by a person", "person", False),
    ],
)
def test_values(text, kind, held):
    assert holds_kind(text, kind) is held


@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("manager of the branch 'X'", {"branch"}),
        ("manager of the branch that is known by the name of 'X'", {"branch"}),
        ("manager of the branch whose name is 'X'", {"branch"}),
        ("limit of the loan product called 'X' at the branch 'Y'", {"loan", "product", "branch"}),
        ("manager of 'X'", set()),
        ("manager 'X'", set()),  # nothing else is asked
        ("'X' manager", set()),
    ],
)
def test_what_the_subject_is_said_to_be(question, types):
    assert asked(question).types == types
