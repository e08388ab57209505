"""Numbers, dates and plain values in text."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.judging.match import contains, find_dates, find_numbers, normalise_text, parse_date, parse_number
from core.judging.match.matching.ranges import parse_range
from core.judging.match.polar.booleans import said_truth
from core.judging.match.readers.layout.lists import list_parts
from core.judging.match.readers.texts.normalise import clean_text, key
from core.judging.match.surroundings.denial import negation


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,250,000.50", ["1250000.50"]),
        ("1.250.000,50", ["1250000.50"]),
        ("1,25,000", ["125000"]),
        ("1,2,3", ["1", "2", "3"]),
        (".5", ["0.5"]),
        ("1e6", ["1000000"]),
        ("3.5.2 and 192.168.1.1", []),
        ("a320, q3, b2b", []),
        ("2024-02-30", []),
        ("10/12 and 10:30", []),
        ("a-5", []),
        ("1" * 61, []),
        ("two three", []),
        ("one hundred and five thousand two hundred", ["105200"]),
        ("twelve dozen", ["144"]),
        ("seventy-first", ["71"]),
        ("-5 and minus 3", ["-5", "-3"]),
        ("1.23,4", []),
        ("5'12", []),
        ("½", ["0.5"]),
    ],
)
def test_numbers(text, values):
    found = [str(number.value) for number in find_numbers(normalise_text(text))]
    assert [Decimal(value) for value in found] == [Decimal(value) for value in values]


def test_bounds_units_and_other_readings():
    more, less, metres = find_numbers("more than 5, under 7 eur and 5 m")
    assert (more.sign_of_bound, less.sign_of_bound) == (">", "<")
    assert less.currency == "EUR"
    assert (metres.unit, metres.also) == ("m", (Decimal(5_000_000),))
    assert find_numbers("5 or more")[0].sign_of_bound == ">"
    assert find_numbers("5 or less")[0].sign_of_bound == "<"
    assert find_numbers("1 2 3", limit=2)[-1].value == 2


def test_only_a_number_is_a_number():
    assert parse_number("minus 5").value == -5
    assert parse_number("more than 5") is None
    assert parse_number("five people") is None
    assert parse_number("") is None


def test_only_a_range_is_a_range():
    assert parse_range("5-10")[1].value == 10
    assert parse_range("between 5 and 10")[0].value == 5
    assert parse_range("10-5") is None
    assert parse_range("5 and 10") is None
    assert parse_range("a-b") is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1-apr-23", ["2023-04-01"]),
        ("1 apr '99", ["1999-04-01"]),
        ("2023 april 1", ["2023-04-01"]),
        ("04/2023", ["2023-04"]),
        ("2023-04", ["2023-04"]),
        ("2023q2 and q2 2023", ["Q2 2023", "Q2 2023"]),
        ("summer 2020", ["summer 2020"]),
        ("may 5", ["????-05-05"]),
        ("31/02/2023", []),
        ("29 february 2023", []),
        ("12 am and 12 pm", ["00:00", "12:00"]),
        ("2023-04-01 09:30:15", ["2023-04-01 09:30:15"]),
        ("45-67-99", []),
        ("1 märz 2023".replace("ä", "a"), ["2023-03-01"]),
    ],
)
def test_dates(text, shown):
    assert [span.readings[0].shown() for span in find_dates(text)] == shown


def test_only_a_date_is_a_date():
    assert parse_date("saturday, 1 april 2023").readings[0].day == 1
    assert parse_date("on 1 april 2023") is not None
    assert parse_date("opened 1 april 2023") is None
    assert parse_date("ann") is None


@pytest.mark.parametrize(
    ("value", "text", "rule"),
    [
        ("Ann Lee", "Manager: **Ann Lee**", "text"),
        ("2023-04-01", "| opened | 1 April 2023 |", "date"),
        ("1250000", "EUR 1,250,000.00", "number"),
        ("5-10", "between 5 and 10 years", "range"),
        ("yes", "Open on Sunday: yes", "text"),
        ("loans, cards", "We sell loans, cards and more.", "text"),
    ],
)
def test_a_text_states_a_value(value, text, rule):
    assert contains(value, text).rule == rule


def test_a_text_states_no_value():
    assert contains("Paris", "Parish") is None
    assert contains("", "anything") is None
    assert contains("...", "anything...") is None
    assert contains("2023-04-01", "2 April 2023") is None


def test_lists_and_single_values():
    assert list_parts("1. loans\n2. cards") == ("loans", "cards")
    assert list_parts("Paris, Rome, and Oslo") == ("Paris", "Rome", "Oslo")
    assert list_parts("5 and 10") == ("5", "10")
    assert list_parts("Ann Lee") == ()


def test_yes_and_no():
    assert said_truth("the answer is no.", "is it open?") == (False, "no")
    assert said_truth("this statement is correct", "is it true that it is open?")[0] is True
    assert said_truth("1", "is it open?")[0] is True
    assert said_truth("the weather is nice", "is the branch open?") == (None, "")
    assert said_truth("the branch is not open", "is the branch not open?") == (None, "")


def test_a_former_value_counts_where_the_question_asks_for_it():
    assert negation("it was formerly ", "ann lee", "", "who manages it?") == "formerly"
    assert negation("it was formerly ", "ann lee", "", "who was the former manager?") == ""


def test_keys_of_the_same_words_are_the_same():
    assert key("The Müller’s—House") == key("the muller's - house")


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_normalising_twice_is_normalising_once(text):
    once = normalise_text(text)
    assert normalise_text(once) == once
    assert isinstance(clean_text(text), str)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_spans_are_where_they_say(text):
    plain = normalise_text(text)
    for found in (*find_numbers(plain), *find_dates(plain)):
        assert 0 <= found.start < found.end <= len(plain)
        assert plain[found.start : found.end] == found.text


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2, allow_nan=False, allow_infinity=False))
def test_a_formatted_number_comes_back(value):
    for shown in (f"{value}", f"{value:,}", f"{value:,}".translate(str.maketrans(",.", ".,"))):
        assert value in {find_numbers(shown)[0].value, *find_numbers(shown)[0].also}


@given(st.dates(min_value=__import__("datetime").date(1900, 1, 1)))
def test_a_formatted_date_comes_back(day):
    if day.year >= 2200:
        return
    for pattern in ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%b-%Y"):
        readings = find_dates(day.strftime(pattern).casefold())[0].readings
        assert (day.year, day.month, day.day) in {(found.year, found.month, found.day) for found in readings}
