"""Documents are cut where they change the subject, and nowhere else."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import passages
from core.text.passages import PassageKind, plain, split_passages


def texts(text):
    return [passage.text for passage in split_passages(text)]


def test_examples_in_the_documentation():
    assert doctest.testmod(passages).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One is 4.50 p.a. and Dr. Lee agrees. Two.", ["One is 4.50 p.a. and Dr. Lee agrees.", "Two."]),
        (
            "a first line that was wrapped at the end of\nits width. Next.",
            ["a first line that was wrapped at the end of its width.", "Next."],
        ),
        ("Opening hours\nMonday to Friday", ["Opening hours", "Monday to Friday"]),
        ("- one\n  goes on\n* two\n3. three", ["one goes on", "two", "three"]),
        ("**Manager:** Jane\nFax: none", ["Manager: Jane", "Fax: none"]),
        ("See [the page](http://x.example/a_(b)) of *Jane* `now`", ["See the page of Jane now"]),
        ("2 * 3 * 4 and snake_case_name", ["2 * 3 * 4 and snake_case_name"]),
        (
            "It ended on the 30th of September, 2023. Each phase ended.",
            ["It ended on the 30th of September, 2023.", "Each phase ended."],
        ),
        ("Title\n=====\nText", ["Title", "Text"]),
        ("", []),
        ("-\n- \n---", ["-", "-"]),
    ],
)
def test_borders(text, expected):
    assert texts(text) == expected


def test_headings_stand_above_what_follows():
    found = split_passages("# A\n## B\nOne.\n## C ##\nTwo.\n**Bold:**\nThree.\n# D\nFour.")
    assert [(passage.text, passage.heading) for passage in found if passage.kind is not PassageKind.HEADING] == [
        ("One.", "A - B"),
        ("Two.", "A - C"),
        ("Three.", "A - C - Bold"),
        ("Four.", "D"),
    ]


def test_a_passage_knows_the_one_before_it():
    assert [passage.before for passage in split_passages("One. Two.\n\nThree.")] == ["", "One.", ""]


def test_each_cell_of_a_table_is_read_alone():
    table = "| Branch | Manager | Opened |\n|:--|---|--:|\n| **Hill Road** | Jane | 2001 |\n| Quay | | 2002 |"
    assert [(passage.text, passage.row) for passage in split_passages(table)] == [
        ("Branch: Hill Road", "Jane; 2001"),
        ("Hill Road, Manager: Jane", "Hill Road; 2001"),
        ("Hill Road, Opened: 2001", "Hill Road; Jane"),
        ("Branch: Quay", "2002"),
        ("Quay, Opened: 2002", "Quay"),
    ]


def test_a_table_of_two_columns_is_a_list_of_entries():
    assert [(passage.text, passage.row) for passage in split_passages("Branch | Manager\n---|---\nQuay | Jane")] == [
        ("Quay: Jane", "Branch; Manager")
    ]


def test_a_table_without_headers():
    assert texts("| a | b | c |\n| d | e | f |") == ["a", "a, b", "a, c", "d", "d, e", "d, f"]


def test_fields_of_a_record():
    assert texts("name: Card; fee: 3; note: a; b") == ["name: Card", "Card, fee: 3", "Card, note: a; b"]


@given(st.text(max_size=200))
def test_any_text_is_cut_and_no_passage_is_empty(text):
    assert all(passage.text.strip() for passage in split_passages(text))


@pytest.mark.slow
@given(st.lists(st.text(st.characters(categories=("L",)), min_size=1, max_size=8), min_size=1, max_size=30))
def test_no_word_of_plain_text_is_lost(words):
    text = " ".join(words)
    assert " ".join(texts(text)).split() == plain(text).split()
