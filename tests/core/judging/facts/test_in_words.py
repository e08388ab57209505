"""Amounts, days and spans that documents write in words."""

import pytest

from core.judging.facts.values import reference_values


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("750000", "We rebuild up to three quarters of a million pounds."),
        ("1500000", "Limit: one and a half million."),
        ("1250000", "one and a quarter million"),
        ("500000", "half a million at most"),
        ("142000", "a hundred and forty-two thousand euros a year"),
        ("1100", "The bill was eleven hundred euros."),
        ("35", "thirty-five days"),
        ("30.0", "a thirty-hour week"),
        ("2019-01-07", "joins us on the seventh of January 2019"),
        ("1974-06-01", "since the first of June 1974"),
        ("2021-03-22", "on March the twenty-second, 2021"),
    ],
)
def test_it_is_read(reference, text):
    assert reference_values([reference])[0].stated_in(text)


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("500000", "half a dozen"),
        ("1500000", "one and a half thousand"),
        ("2019-01-07", "the seventh of January 2018"),
        ("100", "hundreds of them"),
    ],
)
def test_another_value_is_not(reference, text):
    assert not reference_values([reference])[0].stated_in(text)


def test_a_span_is_read_in_the_unit_that_is_asked_for():
    days = reference_values(["28"], ["How many days does a customer have?"])[0]
    assert days.stated_in("four weeks to think again")
    assert days.stated_in("28")
    assert not days.stated_in("28 weeks")
    share = reference_values(["30.0"], ["What percentage of commission is paid?"])[0]
    assert share.stated_in("30%")
    assert not share.stated_in("Thirty days to withdraw.")
