"""Codes that documents put in words."""

import pytest

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.subjects import Rivals
from core.judging.facts.wordings.spellings import in_words, spellings_of
from core.judging.facts.wordings.statements import ToldFact

WORDS = {"OPR": "operator", "GRD": "grader", "SCL": "scale clerk"}
CREW = [(f"Hand {place:02}", list(WORDS)[place % 3]) for place in range(18)]


def told(name: str, code: str, text: str):
    fact = Fact.of([code], [name], [f"role code of '{name}'"], [Rivals(one for one, _ in CREW)])
    return ToldFact.read(fact, [Source.of(Document(id="crew", title="Who works here", text=text))])


def line(name: str, word: str) -> str:
    return f"{name}, {word}, came to us in May."


@pytest.mark.parametrize(
    ("word", "evidence"),
    [("grader", FactEvidence.PRESENT), ("operator", FactEvidence.CONTRADICTED), ("cook", None)],
)
def test_the_word_in_the_place_is_the_code(word, evidence):
    shown = spellings_of([told(name, code, line(name, WORDS[code])) for name, code in CREW])
    finding = in_words(told("Hand 19", "GRD", line("Hand 19", word)), shown)
    assert (finding and finding.evidence) == evidence


def test_words_that_do_not_follow_the_code_tell_nothing():
    words = ["the firm", "the company"]
    known = [told(name, code, line(name, words[place % 2])) for place, (name, code) in enumerate(CREW)]
    assert spellings_of(known) == ()


def test_a_few_records_that_agree_may_agree_by_chance():
    few = [("Hand 01", "1"), ("Hand 02", "1"), ("Hand 03", "0"), ("Hand 04", "0")]
    words = {"1": "the firm", "0": "the company"}
    assert spellings_of([told(name, code, line(name, words[code])) for name, code in few]) == ()


def test_what_stands_before_the_name_is_said_of_another():
    known = [told(name, code, f"The {WORDS[code]} shop is swept by {name} daily.") for name, code in CREW]
    assert spellings_of(known) == ()
