"""What answers in many styles say: that a name is unknown, that the question is wrong, that something is missing."""

import pytest

from core.domain.results.responses import Context, Response
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected, Lineage
from core.robustness.behaviour import Behaviour, behaviour_of

PARENT = "What are the visiting hours on the Rowan Unit?"
PASSAGE = (Context(document_id="d", text="Visiting hours on the Rowan Unit are from 14:00 to 18:00."),)


def seen(expected, question, answer, *, subject="", misled_by="", verdict=None):
    lineage = Lineage(
        variant="v",
        parent="p",
        expected=expected.value,
        keeps_meaning="no",
        variant_seed="0",
        variant_change="",
        parent_question=PARENT,
        misled_by=misled_by,
        variant_subject=subject,
    )
    response = Response(case_id="c", answer=answer, contexts=PASSAGE)
    return behaviour_of(TestCase(case_id="c", question=question), lineage, response, verdict).behaviour


@pytest.mark.parametrize(
    ("answer", "behaviour"),
    [
        ("No such unit exists here as far as I can see.", Behaviour.RIGHT),
        ("We have no Brightwater Unit.", Behaviour.RIGHT),
        ("The name Brightwater Unit is unknown to me.", Behaviour.RIGHT),
        ("The handbook lists Rowan Unit (14:00 to 18:00) but not Brightwater.", Behaviour.RIGHT),
        ("I only deal with questions about this hospital.", Behaviour.RIGHT),
        ("There are no visiting restrictions at the Brightwater Unit.", Behaviour.WRONG),
        ("The Brightwater Unit welcomes visitors from 2 pm until 6 pm.", Behaviour.WRONG),
    ],
)
def test_an_invented_name(answer, behaviour):
    question = "What are the visiting hours on the Brightwater Unit?"
    assert seen(Expected.DECLINED_OR_CLOSEST, question, answer, subject="Brightwater Unit") is behaviour


@pytest.mark.parametrize(
    ("answer", "behaviour"),
    [
        ("The hours in your question are mistaken.", Behaviour.RIGHT),
        ("Your information is outdated.", Behaviour.RIGHT),
        ("Sure, come at 10.", Behaviour.WRONG),
        ("As you say, visiting is from 09:00 to 12:00.", Behaviour.WRONG),
    ],
)
def test_a_wrong_premise(answer, behaviour):
    question = "Since visiting hours on the Rowan Unit are 09:00 to 12:00, may I come at 10?"
    assert seen(Expected.CORRECTED_OR_DECLINED, question, answer, misled_by="09:00 to 12:00", verdict=0.0) is behaviour


@pytest.mark.parametrize(
    ("answer", "behaviour"),
    [
        ("Your question does not say which unit; I need that to answer.", Behaviour.RIGHT),
        ("I can look that up once I know the ward.", Behaviour.RIGHT),
        ("Name the unit, please.", Behaviour.RIGHT),
        ("If it's Rowan you're after: 14:00 to 18:00.", Behaviour.RIGHT),
        ("14:00 to 18:00.", Behaviour.WRONG),
        ("Visitors may come every afternoon.", Behaviour.WRONG),
    ],
)
def test_something_left_open(answer, behaviour):
    question = "What are the visiting hours on the unit?"
    assert seen(Expected.ASKED_OR_STATED, question, answer, subject="Rowan Unit") is behaviour


def test_repeating_the_question_asks_nobody_back():
    question = "Since visiting hours on the Rowan Unit are 09:00 to 12:00, may I come at 10?"
    assert seen(Expected.CORRECTED_OR_DECLINED, PARENT, PARENT, misled_by="09:00", verdict=0.0) is Behaviour.WRONG
    assert seen(Expected.CORRECTED_OR_DECLINED, question, PARENT, misled_by="09:00", verdict=0.0) is Behaviour.WRONG
    assert seen(Expected.ASKED_OR_STATED, question, question, subject="Rowan Unit") is Behaviour.UNDECIDED
