"""Whether what a page says may be the reference in another form: "United States" for "USA", "J. Doe" for "Jane Doe".

Such a page is no contradiction, and whether it states the fact is for a person to say. A real change nearly always
keeps the form of the value that it replaces, so few contradictions are lost.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.match.aliases.countries import country
from core.judging.match.aliases.currencies import currency
from core.judging.match.judge import judge_match
from core.judging.match.readers.figures.numbers import parse_number
from core.judging.match.readers.texts.normalise import normalise_text
from core.judging.match.verdicts import UNPROVEN
from core.text.words import STOP_WORDS, fold

MOST_LETTERS: Final = 4
"""Longer words are not taken for abbreviations."""
FEWEST_DIGITS: Final = 5
"""From so many digits on, the same ones with other signs between them are the same number of an account or a phone."""
FEWEST_OF_A_PHONE: Final = 7
"""From so many digits on, more may stand before them: the code of a country."""
MEASURES: Final = frozenset(
    {
        *(Decimal(times) for times in (7, 12, 24, 60, 100, 1000, 3600, 1_000_000)),
        *(1 / Decimal(times) for times in (100, 1000, 1_000_000)),
    }
)
"""How many times a number without a unit is one with a unit: of minutes and hours, cents and dollars, thousands."""
CALLED_BY_NUMBER: Final = re.compile(r"[-+()./\s\d]+")
BETWEEN_ENTRIES: Final = re.compile(r",(?=[^\W\d])|\s*[;|]\s*")
"""What stands between the entries of a list in a column; a comma with a blank stands in names and addresses too."""
IN_A_SENTENCE: Final = re.compile(r"\s*[,;|]\s*(?:and\s)?|\sand\s")
"""The same where it is known that it is a list."""
YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")
RUN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def doubted(fact: Fact, finding: FactFinding) -> FactFinding:
    """A contradiction by what may be the fact's own value in another form is undecided; all else stays as it is."""
    if finding.evidence is not FactEvidence.CONTRADICTED or not finding.other_value:
        return finding
    if not any(may_be_same(value.text, finding.other_value) for value in fact.values):
        return finding
    return replace(finding, evidence=FactEvidence.UNDECIDED, document_ids=())


def may_be_same(value: str, other: str) -> bool:
    """Whether two values may be two forms of one.

    Args:
        value: As the reference has it.
        other: As a document has it.

    >>> [may_be_same("Sales Rep", other) for other in ("Sales Representative", "Sales Manager")]
    [True, False]
    >>> [may_be_same("90", other) for other in ("1.5 hours", "2 hours", "95")]
    [True, False, False]
    >>> [may_be_same("1969", other) for other in ("sixty-nine", "'69", "96")]
    [True, True, False]
    >>> [may_be_same("Trailers,Cuts", other) for other in ("Cuts,Trailers", "Trailers,Cuts,Songs")]
    [True, False]
    """
    if _other_entries(value, other):
        return False
    return (
        _is_one_name(value, other)
        or _same_digits(value, other)
        or _other_measure(value, other)
        or _is_short_year(value, other)
        or _same_words(value, other)
        or _matches(value, other)
        or _matches(other, value)
    )


def _matches(reference: str, answer: str) -> bool:
    """Whether one value may state the other; both are values, so what does not state it is another one."""
    judgement = judge_match("", [reference], answer)
    return judgement.verdict is not Verdict.INCORRECT and UNPROVEN not in judgement.detail


def _other_entries(value: str, other: str) -> bool:
    """Whether both are lists, and one has an entry that the other has not."""
    if not BETWEEN_ENTRIES.search(value) and not BETWEEN_ENTRIES.search(other):
        return False
    entries, others = ({fold(entry.strip()) for entry in IN_A_SENTENCE.split(text)} for text in (value, other))
    return min(len(entries), len(others)) > 1 and entries != others


def _is_one_name(value: str, other: str) -> bool:
    """Whether both name one country or one currency."""
    money = currency(value)
    return bool(country(value) & country(other)) or bool(money and money == currency(other))


def _same_digits(value: str, other: str) -> bool:
    """Whether both are one number of a phone or an account with other signs, or without the code of a country."""
    if not CALLED_BY_NUMBER.fullmatch(value) or not CALLED_BY_NUMBER.fullmatch(other):
        return False
    # "1250.50" is an amount, "555.123.4567" is none.
    if any("." in text and parse_number(normalise_text(text)) is not None for text in (value, other)):
        return False
    short, long = sorted((re.sub(r"\D", "", value), re.sub(r"\D", "", other)), key=len)
    if len(short) < FEWEST_DIGITS:
        return False
    return short == long or (len(short) >= FEWEST_OF_A_PHONE and long.endswith(short.removeprefix("0")))


def _other_measure(value: str, other: str) -> bool:
    """Whether a bare number of the database is the document's number in another measure: 90 and "1.5 hours"."""
    bare, measured = parse_number(normalise_text(value)), parse_number(normalise_text(other))
    if bare is None or measured is None or bare.unit or bare.currency or not measured.plain:
        return False
    return bool(measured.unit or measured.currency) and bare.plain / measured.plain in MEASURES


def _is_short_year(value: str, other: str) -> bool:
    """Whether one is a year and the other its last two digits: 1969 and "sixty-nine"."""
    number = parse_number(normalise_text(other).lstrip("'"))
    return bool(YEAR.fullmatch(value.strip())) and number is not None and number.value == int(value.strip()[-2:])


def _same_words(value: str, other: str) -> bool:
    """Whether both have the same figures in one order and the same words in any, some of them abbreviated."""
    runs = [[run for run in RUN.findall(fold(text)) if run not in STOP_WORDS] for text in (value, other)]
    figures, letters = (
        [[run for run in own if run[0].isdigit() is wanted] for own in runs] for wanted in (True, False)
    )
    if figures[0] != figures[1] or len(letters[0]) != len(letters[1]) or not letters[0]:
        return False
    left = list(letters[1])
    for word in letters[0]:
        mate = next((mate for mate in left if mate == word), None)
        mate = mate or next((mate for mate in left if _is_short_for(*sorted((word, mate), key=len))), None)
        if mate is None:
            return False
        left.remove(mate)
    return True


def _is_short_for(short: str, long: str) -> bool:
    """Whether a short word has the first letter of a longer one, and the others in order: "rep", "blvd", "st", "m"."""
    if len(short) > MOST_LETTERS or len(long) < len(short) + 2 or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)
