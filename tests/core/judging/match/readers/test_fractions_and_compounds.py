"""Fractions in words and figures, quantities in two units, months by other names, tables without bars."""

import pytest

from core.judging.match.aliases.calendar import names_of, places
from core.judging.match.readers.figures.numbers import find_numbers
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.normalise import match_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a quarter", "0.25"),
        ("one in four", "0.25"),
        ("25 out of 100", "0.25"),
        ("1/4", "0.25"),
        ("two thirds of them", "0.6667"),
        ("two and a half percent", "2.5"),
        ("minus two and a half percent", "-2.5"),
        ("3 3/4 %", "3.75"),
        ("an hour and a half", "5400"),
        ("1 h 30 min", "5400"),
        ("4 minutes and 51 seconds", "291"),
        ("5 ft 11 inches", "1.8034"),
    ],
)
def test_the_first_number(text, value):
    assert float(find_numbers(match_text(text))[0].value) == pytest.approx(float(value))


@pytest.mark.parametrize("text", ["24 months, 12 days", "2 h, 90 min"])
def test_quantities_that_do_not_go_together(text):
    assert len(find_numbers(text)) == 2


def test_a_table_without_bars():
    lines = figure_text("Ratio 2022 2021\nTier 1 14.2% 13.9%\nTotal 16.8% 16.1%").split("\n")
    assert "14.2%" in lines[0]
    assert "2022" in lines[0]
    assert len(lines) == 4


def test_months_and_days_by_other_names():
    assert {"sept", "septembre"} <= set(names_of("September"))
    assert "montag" in names_of("Monday")
    assert names_of("Chang") == ()
    assert places("sept", "it ends in sept. 2022") == [(11, 15)]
