"""Facts that rules read out of passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import contains
from core.testset.corpus.facts import FactRule, read_facts


def chunk(text, section=("Juniper card",)):
    return Chunk(id="c1", document_id="d1", position=0, text=text, section=section, page=None, start=0, end=len(text))


def told(text, title="Juniper card"):
    return [(fact.rule, fact.subject, fact.attribute, fact.value) for fact in read_facts(chunk(text), title)]


@pytest.mark.parametrize(
    ("text", "rule", "subject", "attribute", "value"),
    [
        ("The annual fee of the Juniper card is £72.", "property", "the Juniper card", "annual fee", "£72"),
        (
            "The head of the Northern Dales region is Ada Finch.",
            "property",
            "the Northern Dales region",
            "head",
            "Ada Finch",
        ),
        (
            "The Kestrel Rise branch was opened in March 1998.",
            "event",
            "The Kestrel Rise branch",
            "opened",
            "March 1998",
        ),
        ("The Kestrel Rise branch has 118 lockers.", "count", "The Kestrel Rise branch", "lockers", "118"),
        ("A Lombard Loan is a loan on securities.", "definition", "A Lombard Loan", "", "a loan on securities"),
        ("Annual fee: £72", "key_value", "Juniper card", "Annual fee", "£72"),
    ],
)
def test_each_shape_is_read(text, rule, subject, attribute, value):
    assert told(text) == [(FactRule(rule), subject, attribute, value)]


def test_what_comes_before_the_fact_is_kept_as_its_condition():
    (fact,) = read_facts(chunk("On the whole balance, the interest rate of the Gorse account is 2.90%."))
    assert (fact.condition, fact.attribute, fact.value, fact.kind) == (
        "On the whole balance",
        "interest rate",
        "2.90%",
        "number",
    )


@pytest.mark.parametrize(
    "text",
    [
        "The fee of this card is £72.",  # which card is said elsewhere
        "The fee of the Juniper card is not published.",
        "The fee of the Juniper card is being reviewed.",
        "The fee of the Juniper card is charged monthly, and the limit is £500.",
        "It was opened in March 1998.",
        "The account is a savings product and was launched in June 2018.",
        "Is the fee of the Juniper card £72?",
        "The fee of the Juniper card is £72",  # no end: it may go on in the next chunk
        "Note: £72",
        "For a lump sum that is not needed soon: the rate is fixed.",
        "Day | Counter\nMonday | 9.00 to 16.00",  # the first row may not be the header
        "",
    ],
)
def test_what_is_not_plain_is_left_alone(text):
    assert told(text) == []


def test_cells_of_a_table_are_of_their_row_and_of_the_document_where_the_header_says_nothing():
    text = (
        "| Item | Value |\n|---|---|\n| Contactless limit | £100 |\n\n| Day | Counter |\n|---|---|\n| Friday | 9 to 5 |"
    )
    assert told(text) == [
        (FactRule.TABLE, "Juniper card", "Contactless limit", "£100"),
        (FactRule.TABLE, "Friday", "Counter", "9 to 5"),
    ]


def test_a_row_with_other_cells_than_its_header_is_left_out():
    assert told("| A | B | C |\n|---|---|---|\n| Friday | 9 to 5 |\n| Monday | 1 | 2 |") == [
        (FactRule.TABLE, "Monday", "B", "1"),
        (FactRule.TABLE, "Monday", "C", "2"),
    ]


def test_a_document_without_title_or_heading_gives_no_facts_that_need_one():
    assert read_facts(chunk("Annual fee: £72", section=())) == ()


def test_a_subject_without_a_name_needs_its_document():
    named, unnamed = (
        read_facts(chunk(f"The {what} has 30 lockers."))[0].named for what in ("Kestrel branch", "main vault")
    )
    assert named
    assert not unnamed


names = st.sampled_from(["Juniper card", "Gorse Ninety Day account", "Weaver's Yard branch", "ATM 7"])
amounts = st.integers(1, 10**7).map(lambda n: f"£{n / 100:,.2f}")
lines = st.one_of(
    st.builds("The annual fee of the {} is {}.".format, names, amounts),
    st.builds("| {} | {} |".format, names, amounts),
    st.builds("{}: {}".format, st.sampled_from(["Limit", "Late fee"]), amounts),
    st.text(alphabet="ab .|:-#*\n_[]()", max_size=30),
)


@given(st.lists(lines, max_size=8))
def test_every_fact_stands_where_it_is_said_to_stand(parts):
    text = "\n".join(["| Item | Value |", "|---|---|", *parts])
    for fact in read_facts(chunk(text)):
        place = " ".join(text[fact.start : fact.end].split())
        assert place
        assert contains(fact.value, place) is not None or fact.value in place
