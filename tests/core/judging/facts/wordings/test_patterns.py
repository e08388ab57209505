"""Sentences that documents have for many subjects, and what stands in the value's place."""

import pytest

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.subjects import Rivals
from core.judging.facts.wordings.patterns import Pattern, in_pattern, patterns_of
from core.judging.facts.wordings.statements import Cut, ToldFact

NAMES = ("Salt Tide", "Blue Letter", "Last Chapel", "Silent Market", "Copper Orchard")
VALUES = ("838500", "1122000", "552000", "61500", "1396500")


def fact(name: str, value: str, question: str = "insured value of artwork '{}'") -> Fact:
    return Fact.of([value], [name], [question.format(name)], [Rivals(NAMES)])


def sources(name: str, text: str) -> list[Source]:
    return [Source.of(Document(id=name, title=name, text=text))]


def told(name: str, value: str, text: str):
    return ToldFact.read(fact(name, value), sources(name, text))


def worth(number: str) -> str:
    return f"It hangs in the hall. For cover we carry it at EUR {int(number):,}, and it was bought in 1950."


@pytest.fixture
def shown():
    return patterns_of([told(name, value, worth(value)) for name, value in zip(NAMES, VALUES, strict=True)][:3])


@pytest.mark.parametrize(
    ("page", "evidence", "other"),
    [
        (worth("61500"), FactEvidence.PRESENT, ""),
        (worth("90000"), FactEvidence.CONTRADICTED, "90,000"),
        ("It hangs in the hall. For cover we carry it at EUR unknown.", None, ""),
        ("It hangs in the hall and cost 90,000.", None, ""),
    ],
)
def test_what_stands_in_the_place_of_the_value(shown, page, evidence, other):
    finding = in_pattern(told("Silent Market", "61500", page), shown)
    assert (finding and finding.evidence, finding.other_value if finding else "") == (evidence, other)


def test_a_page_that_names_several_is_read_part_by_part(shown):
    page = Document(
        id="two",
        title="Salt Tide / Silent Market",
        text=f"# Salt Tide / Silent Market\n\n## Salt Tide\n\n{worth('838500')}\n\n## Silent Market\n\nIt is lost.",
    )
    assert in_pattern(ToldFact.read(fact("Silent Market", "61500"), [Source.of(page)]), shown) is None


def test_a_sentence_with_other_properties_of_the_same_kind_is_no_pattern():
    """Two facts have their value there by chance; the pages of the others say elsewhere what theirs is."""
    pages = [
        ("Salt Tide", "1901", "It was shown in 1901."),
        ("Blue Letter", "1902", "It was shown in 1902."),
        ("Last Chapel", "1903", "It was shown in 1950. Painted 1903."),
        ("Silent Market", "1904", "It was shown in 1951. Painted 1904."),
    ]
    assert all("shown" not in pattern.before for pattern in patterns_of([told(*page) for page in pages]))


def test_a_moved_passage_that_is_led_by_its_subject_counts(shown):
    notes = Document(id="notes", title="Notes", text="Silent Market: For cover we carry it at EUR 61,500.")
    finding = in_pattern(ToldFact.read(fact("Silent Market", "61500"), [Source.of(notes)]), shown)
    assert finding is not None
    assert finding.evidence is FactEvidence.PRESENT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The head is 12 m.", "12"),
        ("The head is 56.5 m.", "56.5"),
        ("The head is high.", ""),
        ("The lift is 12 m.", ""),
    ],
)
def test_no_number_is_cut_in_two(text, value):
    cut = Cut.of(fact("Salt Tide", "12"), text).clauses()[0]
    assert Pattern(("the", "head", "is"), ("m",)).value_in(cut) == value
    assert Pattern(("the", "head", "is", "*", "."), ("m",)).value_in(cut) == ""


def test_each_thing_a_sentence_says_is_read_by_itself():
    cut = Cut.of(fact("Salt Tide", "12"), "It is in Usk and the firm holds a licence; it pays, and it may leave.")
    assert [" ".join(clause.tokens) for clause in cut.clauses()][:4] == [
        "it is in usk",
        "the firm holds a licence",
        "it pays",
        "it may leave",
    ]
