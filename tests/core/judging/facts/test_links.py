"""A question that joins two records is answered by two pages, of which the first names the second."""

import pytest

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence, passages_state
from core.judging.facts.subjects import Rivals

STAFF = Rivals(["Jane Peacock", "Nancy Edwards", "Andrew Adams"])
QUESTIONS = (
    "birth date of the manager of 'Jane Peacock'",
    "When was the manager of the employee 'Jane Peacock' born (birth date)?",
)
JANE = Document(
    id="employee:3",
    title="Jane Peacock",
    text="Jane Peacock is an employee. The birth date of Jane Peacock is 1973-08-29. The manager of Jane Peacock is "
    "Nancy Edwards. The city of Jane Peacock is Calgary.",
)
NANCY = Document(
    id="employee:2",
    title="Nancy Edwards",
    text="Nancy Edwards is an employee. The birth date of Nancy Edwards is 1958-12-08. The manager of Nancy Edwards is "
    "Andrew Adams. The city of Nancy Edwards is Calgary.",
)
ANDREW = Document(
    id="employee:1",
    title="Andrew Adams",
    text="Andrew Adams is an employee. The birth date of Andrew Adams is 1962-02-18.",
)


def fact(answer="1958-12-08", *, joined=True):
    return Fact.of([answer], ["Jane Peacock"], QUESTIONS, [STAFF], joined=joined)


@pytest.mark.parametrize("gold", [(JANE, NANCY), (JANE,), ()])
def test_the_page_that_the_subjects_page_names_states_it(gold):
    finding = find_evidence(fact(), gold, FactIndex([JANE, NANCY, ANDREW]))
    assert finding.evidence is FactEvidence.PRESENT
    assert (finding.document_id, finding.passage) == ("employee:2", "The birth date of Nancy Edwards is 1958-12-08.")


def test_the_birth_date_of_somebody_further_on_states_nothing():
    finding = find_evidence(fact("1962-02-18"), (JANE, NANCY), FactIndex([JANE, NANCY, ANDREW]))
    assert finding.evidence is FactEvidence.CONTRADICTED
    assert (finding.document_id, finding.other_value) == ("employee:2", "1958-12-08")


def test_the_subjects_own_birth_date_is_no_other_value():
    finding = find_evidence(fact(), (JANE,), FactIndex([JANE, ANDREW]))
    assert finding.evidence is FactEvidence.ABSENT


def test_a_question_about_one_record_is_not_followed_to_another():
    finding = find_evidence(fact(joined=False), (), FactIndex([JANE, NANCY, ANDREW]))
    assert finding.evidence is not FactEvidence.PRESENT


def test_the_second_page_alone_answers_nothing():
    index = FactIndex([JANE, NANCY, ANDREW])
    first, second = (JANE.id, "The manager of Jane Peacock is Nancy Edwards."), (NANCY.id, NANCY.text)
    stating = {JANE.id, NANCY.id}
    assert passages_state(fact(), [first, second], stating, index) is True
    assert passages_state(fact(), [second], stating, index) is False
    assert passages_state(fact(), [first], stating, index) is False


COURSE = Document(id="course:3", title="Advanced Waves", text="Code: WAV352\nCredit points: 5")
TIMETABLE = Document(
    id="timetable.md",
    title="Timetable",
    text="| Course | Lecturer | Room | Places | Exam on |\n|---|---|---|---|---|\n"
    "| Advanced Waves | Bjorn Ivarsson | F38 | 84 | 21 January 2024 |\n"
    "| Tidal Law | Celia Brandt | G36 | 91 | 3 May 2024 |",
)
ROOM = ("room of course 'WAV352'", "What is the room of the course 'WAV352'?")


@pytest.mark.parametrize(
    ("answer", "subjects", "gold_known", "expected"),
    [
        # one subject by a date, by a whole name or by a first and a last name; the code stands on another page
        ("F38", ["2024-01-21", "WAV352"], False, FactEvidence.UNDECIDED),
        ("84", ["WAV352", "Bjorn Ivarsson"], False, FactEvidence.UNDECIDED),
        ("2024-01-21", ["WAV352", "Bjorn", "Ivarsson"], False, FactEvidence.UNDECIDED),
        # another row, nothing of the subjects beside it, a single name that many have, a page that should be there
        ("G36", ["2024-01-21", "WAV352"], False, FactEvidence.ABSENT),
        ("F38", ["2024-02-02", "WAV352"], False, FactEvidence.ABSENT),
        ("F38", ["WAV352", "Bjorn"], False, FactEvidence.ABSENT),
        ("F38", ["2024-01-21", "WAV352"], True, FactEvidence.ABSENT),
    ],
)
def test_what_two_pages_may_state_together_is_no_gap(answer, subjects, gold_known, expected):
    asked = Fact.of([answer], subjects, ROOM, joined=True)
    found = find_evidence(asked, [], FactIndex([COURSE, TIMETABLE]), gold_known=gold_known)
    assert found.evidence is expected


def test_what_stands_on_very_many_pages_is_beside_nothing():
    notes = [Document(id=f"n{number}", title="", text="Bjorn Ivarsson was in room F38.") for number in range(60)]
    asked = Fact.of(["F38"], ["WAV352", "Bjorn Ivarsson"], ROOM, joined=True)
    for pages, expected in ((notes[:9], FactEvidence.UNDECIDED), (notes, FactEvidence.ABSENT)):
        assert find_evidence(asked, [], FactIndex([COURSE, *pages]), gold_known=False).evidence is expected


def test_the_second_page_says_nothing_of_a_subject_whose_own_page_is_gone():
    """Without the page of Jane nobody knows that Nancy is her manager."""
    index = FactIndex([NANCY, ANDREW])
    assert find_evidence(fact(), [NANCY], index, gold_whole=False).evidence is FactEvidence.ABSENT
    index = FactIndex([JANE, NANCY, ANDREW])
    assert find_evidence(fact(), [JANE, NANCY], index, gold_whole=False).evidence is FactEvidence.PRESENT
