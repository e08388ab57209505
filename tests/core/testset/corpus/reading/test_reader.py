"""Facts that rules read out of passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.facts import FactRule
from core.testset.corpus.reading.reader import Reader
from core.testset.corpus.reading.tables.units import unit_words
from core.testset.corpus.reading.vocabulary.periods import read_period

COVER = "For the quarterly period ended April 1, 2023\n\nAcme Inc.\n(Exact name of Registrant as specified in its charter)\n\n"  # noqa: E501
STATEMENT = (
    "Table: Statements of operations (In millions, except per share amounts)\n"
    "|  | Three months ended April 1, 2023 | Three months ended March 26, 2022 |\n| --- | --- | --- |\n"
)


def read(text, title="Juniper card", section=("Juniper card",)):
    chunk = Chunk(id="c1", document_id="d1", position=0, text=text, section=section, page=None, start=0, end=len(text))
    return Reader([chunk], {"d1": title}).read(chunk)


def told(text, title="Juniper card"):
    return [(fact.rule.value, fact.subject.words, fact.attribute, fact.value) for fact in read(text, title)]


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
            "the Kestrel Rise branch",
            "opened",
            "March 1998",
        ),
        ("The Kestrel Rise branch has 118 lockers.", "count", "the Kestrel Rise branch", "lockers", "118"),
        ("The Kestrel Fountain was designed by Ada Finch.", "agent", "the Kestrel Fountain", "designed", "Ada Finch"),
        ("Annual fee: £72", "key_value", "the Juniper card", "annual fee", "£72"),
    ],
)
def test_each_shape_is_read(text, rule, subject, attribute, value):
    assert told(text) == [(rule, subject, attribute, value)]


@pytest.mark.parametrize(
    "text",
    [
        "The fee of this card is £72.",  # which card is said elsewhere
        "The fee of the Juniper card is not published.",
        "The fee of the Juniper card is being reviewed.",
        "The fee of the Juniper card is charged monthly, and the limit is £500.",
        "It was opened in March 1998.",
        "The account is a savings product and was launched in June 2018.",
        "A Lombard Loan is a loan on securities.",  # defines by its own word
        "Organised mining was started in 1903.",  # the capital of a sentence names nothing
        "The Kestrel branch is believed to be opened in 1998.",
        "Is the fee of the Juniper card £72?",
        "The fee of the Juniper card is £72",  # no end: it may go on in the next chunk
        "Note: £72",
        "For a lump sum that is not needed soon: the rate is fixed.",
        "Serial number: ",
        "Airworthiness certificate: Serial Number:",
        "Day | Counter\nMonday | 9.00 to 16.00",  # the first row may not be the header
        "| Day | Counter |\n|---|---|\n| Monday to Thursday | 9.30 to 16.30 |",  # of which branch?
        "",
    ],
)
def test_what_is_not_plain_is_left_alone(text):
    assert told(text) == []


def test_cells_have_company_period_unit_group_and_a_plain_value():
    text = (
        COVER
        + STATEMENT
        + (
            "| Net sales: Products | $ 73,929 | $ 77,457 |\n| Total net sales | 94,836 | 97,278 |\n"
            "| Earnings per share: Basic | $ 1.53 | $ 1.54 |\n| Other income/(expense), net | 64 | (160) |\n"
        )
    )
    facts = {(fact.attribute, fact.period.words): fact for fact in read(text, "acme q2")}
    sales = facts["total net sales", "the three months ended April 1, 2023"]
    assert (sales.subject.words, sales.value, sales.unit) == ("Acme", "94,836", "in millions of dollars")
    assert facts["net sales for products", "the three months ended March 26, 2022"].value == "77,457"
    assert facts["basic earnings per share", "the three months ended April 1, 2023"].unit == "in dollars"
    assert not any("other income" in attribute for attribute, _ in facts), "its sign is not plain"
    for fact in facts.values():
        assert fact.value in text[fact.start : fact.end]


def test_figures_of_accounts_without_a_unit_are_left_alone():
    bare = STATEMENT.replace(" (In millions, except per share amounts)", "")
    assert [
        fact for fact in read(COVER + bare + "| Total net sales | $94,836 | $97,278 |\n", "acme q2") if fact.period
    ] == []


def test_a_row_that_stands_twice_or_means_a_change_is_left_alone():
    rows = (
        "| Share of sales | 8% | 7% |\n| Share of sales | 6% | 5% |\n"
        "| Changes in operating assets: Inventories | 1,065 | 2,548 |\n| Beginning balances | 56,727 | 71,932 |\n"
    )
    assert [fact for fact in read(COVER + STATEMENT + rows, "acme q2") if fact.period] == []


@pytest.mark.parametrize(
    ("title", "label", "cells", "unit"),
    [
        ("Sales (in millions)", "net sales", "$ 4", "in millions of dollars"),
        ("Sales (in thousands of euros)", "net sales", "4", "in thousands of euros"),
        ("Sales", "net sales", "$ 4", ""),
        ("Sales (in millions)", "effective tax rate", "4", None),
        ("Sales (in millions)", "earnings per share", "$ 4", None),
        (
            "Sales (in millions, except number of shares which are reflected in thousands)",
            "shares issued",
            "$4",
            "in thousands",
        ),
    ],
)
def test_a_unit_is_read_or_unclear(title, label, cells, unit):
    assert unit_words(title, label, cells) == unit


@pytest.mark.parametrize(
    ("head", "phrase", "rest"),
    [
        ("Three Months Ended April 1, 2023", "for the three months ended April 1, 2023", ""),
        ("April 1, 2023 Adjusted Cost", "as of April 1, 2023", "Adjusted Cost"),
        ("30 June 2022", "as of 30 June 2022", ""),
        ("FY2021", "in fiscal 2021", ""),
        ("Q3 2022", "in the third quarter of 2022", ""),
    ],
)
def test_a_period_is_read_with_the_rest_of_its_head(head, phrase, rest):
    period, left = read_period(head)
    assert (period.phrase, left) == (phrase, rest)


@pytest.mark.parametrize(
    "head", ["Change", "April 1, 2023 and March 26, 2022", "1998-2003", "Model 2022/23", "12,2023.5"]
)
def test_no_period_is_guessed(head):
    assert read_period(head)[0] is None


def test_a_report_is_named_by_its_number_and_its_cause_is_read():
    text = (
        "Accident Number: NYC08CA048\nRunway Surface Type: Asphalt\nDestination: (LBE)\nOperator: On file\n\n"
        "The Board determines the probable cause(s) of this accident to be:\nThe pilot's failure to keep control."
    )
    other = text.replace("048", "055").replace("Asphalt", "Grass")
    chunks = [
        Chunk(id=name, document_id=name, position=0, text=said, section=(), page=None, start=0, end=len(said))
        for name, said in (("a", text), ("b", other))
    ]
    reader = Reader(chunks, {"a": "20080109X00035", "b": "20071229X02007"})
    facts = {fact.attribute: fact for fact in reader.read(chunks[0])}
    assert set(facts) == {"runway surface type", "probable cause"}
    assert facts["runway surface type"].subject.words == "accident NYC08CA048"
    assert facts["probable cause"].value == "the pilot's failure to keep control"


def test_a_document_without_a_name_of_its_own_gives_no_facts_that_need_one():
    assert read("Annual fee: £72", title="20080109X00035", section=()) == ()


def test_text_cut_into_words_is_read_as_it_is_meant():
    text = "`` Nice for What '' is a song recorded by Canadian rapper Drake ."
    facts = read(text, "Nice for What", section=())
    assert [fact.value for fact in facts if fact.rule is FactRule.AGENT] == ["Canadian rapper Drake"]


names = st.sampled_from(["Juniper card", "Gorse Ninety Day account", "Weaver's Yard branch", "ATM 7"])
amounts = st.integers(1, 10**7).map(lambda n: f"£{n / 100:,.2f}")
lines = st.one_of(
    st.builds("The annual fee of the {} is {}.".format, names, amounts),
    st.builds("| {} | {} |".format, names, amounts),
    st.builds("{}: {}".format, st.sampled_from(["Limit", "Late fee", "<script>", "Ignore all rules", "a|b"]), amounts),
    st.text(alphabet="ab .|:-#*\n_[]()<>{}\"'$%2023", max_size=40),
)


@pytest.mark.slow
@given(st.lists(lines, max_size=8))
def test_every_fact_stands_where_it_is_said_to_stand_whatever_the_text(parts):
    text = "\n".join(["| Item | Value |", "|---|---|", *parts])
    for fact in read(text):
        place = " ".join(text[fact.start : fact.end].split())
        assert place
        assert fact.value in place or fact.value.rstrip(".") in place
        assert not set("<>{}|") & set(fact.attribute + fact.value)
