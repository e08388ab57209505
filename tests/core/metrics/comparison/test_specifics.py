"""Numbers, dates, codes and names of an answer that occur nowhere in its contexts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.comparison.specifics import find_specifics


def absent(text, *known):
    return [one.text for one in find_specifics(text, known) if not one.found]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("It costs 1,200.", "The fee is 1200 a year."),
        ("Capital expenditure was $1,577 million.", "Purchases of PP&E (in millions): 1,577"),
        ("The net loss was -$95 million.", "Net income (loss): $(95) million"),
        ("Sales fell to -12.", "| | 2022 |\n|---|---|\n| Sales | (12) |"),
        ("It costs 1,200 euros.", "The fee is twelve hundred."),
        ("Fifty people came.", "There were 50 of them."),
        ("Rates rose to 4.5%.", "Rates are 4.50 percent."),
        ("The rate is 4.5%.", "The rate is 0.045."),
        ("About 2.3 million people live there.", "The population is 2,341,000."),
        ("It grew by 3.4%.", "It grew by 3.38%."),
        ("It opened on 3 May 2014.", "Opening date: 2014-05-03."),
        ("It opened in May 2014.", "It opened on May 3, 2014."),
        ("It opened on 3 May 2014.", "In 2014 it moved. It opened on May 3."),
        ("It opens at 8:30 a.m.", "Open from 8:30 to 16:00."),
        ("It is a 401(k).", "A 401k is a pension plan."),
        ("Fill in form FL-600.", "The form is called FL-600."),
        ("Use version 6.15.0.", "New in 6.15.0: schedules."),
        ("An FHA loan is cheaper.", "The Federal Housing Administration insures loans."),
        ("He lives in the United States.", "The U.S. has 50 states."),
        ("You need ETFs.", "An ETF is a fund."),
        ("The manager is Jane Doe's brother.", "Jane Doe has a brother."),
        ("He asked the Bank of England.", "the bank of england decides"),
        ("There are two ways.", "There are ways."),
        ("See step 3 first.", "No number here."),
        ("Paris is large.", "The first word of a sentence may be any word."),
        ("Identify The Type Of Order: choose one.", "You choose one."),
        ("", "x"),
        ("\U0001f389 \ud800", "x"),
    ],
)
def test_what_is_there(text, known):
    assert absent(text, known) == []


@pytest.mark.parametrize(
    ("text", "known", "missing"),
    [
        ("It costs 1,250.", "The fee is 1200 a year.", ["1,250"]),
        ("Rates rose to 4.6%.", "Rates are 4.5%.", ["4.6%"]),
        ("About 2.3 million people.", "The population is 2,841,000.", ["2.3 million"]),
        ("It opened on 4 May 2014.", "It opened on 3 May 2014.", ["4 may 2014"]),
        ("It opened on 3 May 2015.", "It opened on 3 May 2014.", ["3 may 2015"]),
        ("It opened in 2015.", "It opened on 3 May 2014.", ["2015"]),
        ("Fill in form FL-601.", "The form is called FL-600.", ["FL-601"]),
        ("Use version 6.16.0.", "New in 6.15.0: schedules.", ["6.16.0"]),
        ("Ask Jane Roe about it.", "Jane Doe knows.", ["Jane Roe"]),
        ("It is run by the IRS.", "The tax office runs it.", ["IRS"]),
        ("Thirty people came.", "There were 50 of them.", ["thirty"]),
        ("It is in Basel. It is in Geneva.", "It is in Geneva.", ["Basel"]),
    ],
)
def test_what_is_missing(text, known, missing):
    assert absent(text, known) == missing


def test_any_of_the_texts_may_hold_it():
    assert absent("The Basel branch costs 5 and 6.", "The fee is 5.", "What about Basel?", "It was 6.") == []


def test_each_is_told_once():
    assert absent("It is 7, and again 7.", "x") == ["7"]


TEXTS = st.text(alphabet="Aa Bb9.,:%-/5\n€IRS中", max_size=60)


@given(TEXTS, TEXTS, TEXTS)
def test_another_text_never_makes_a_specific_missing(text, known, other):
    before = {(one.kind, one.text): one.found for one in find_specifics(text, [known])}
    after = {(one.kind, one.text): one.found for one in find_specifics(text, [known, other])}
    assert before.keys() == after.keys()
    assert all(after[key] for key, found in before.items() if found)


@given(st.integers(13, 10**6), st.integers(13, 10**6))
def test_a_whole_number_is_found_exactly_where_it_is_stated(said, known):
    assert absent(f"It is {said}.", f"There are {known} of them.") == ([] if said == known else [str(said)])


@pytest.mark.slow
def test_a_long_text_is_read_to_its_end():
    # How long it takes is measured in bench/bench_long_inputs.py.
    text = "Rates rose to 4.5% on 3 May 2014 in Basel, said Jane Doe of FL-600. " * 2_000
    assert absent(text, text) == []


def test_a_scale_that_no_text_states_is_not_assumed():
    assert absent("Capital expenditure was $1,577 million.", "Purchases of PP&E: 1,577") == ["$1,577 million"]
    assert absent("It was $1,577 billion.", "Purchases of PP&E (in millions): 1,577") == ["$1,577 billion"]
