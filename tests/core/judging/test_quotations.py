"""A reason quotes the answer as it was written, and where that cannot be told stays as it is."""

import pytest

from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.judging import open_judge
from core.judging.quotations import as_written


@pytest.mark.parametrize(
    ("reason", "answer", "told"),
    [
        ('The answer has "jon þorsteinsson".', "Jón Þorsteinsson: 180.", 'The answer has "Jón Þorsteinsson".'),
        ('It ends: "whereas hvitajoku".', "41.9, whereas Hvítajökull has 88.", 'It ends: "whereas Hvítajökull".'),
        ("The answer says 3.28 km^2.", "It covers 3.28 km².", "The answer says 3.28 km²."),
        ('It says "o\'brien - zurich".', "**O’Brien** – ZÜRICH.", 'It says "O’Brien** – ZÜRICH".'),
        ('The answer has "an".', "Janet Ann", 'The answer has "an".'),
        ('The answer has "elsewhere".', "Here.", 'The answer has "elsewhere".'),
        ('The answer has "...".', "A.", 'The answer has "...".'),
        ("No quotation.", "A.", "No quotation."),
        ('It says "two lines".', "Two\nlines", 'It says "Two lines".'),
        ('The answer says "the best one".', 'The "best" one.', "The answer says \"The 'best' one\"."),
    ],
)
def test_a_quotation(reason, answer, told):
    assert as_written(reason, answer) == told


def test_what_the_reference_or_the_question_has_stays():
    assert as_written('It is "zürich" for "AB".', "Zürich, ab", "zürich", "AB") == 'It is "zürich" for "AB".'


@pytest.mark.parametrize(
    ("question", "reference", "answer", "words"),
    [
        ("Who is paid more?", "Jón Þorsteinsson", "Jón Þorsteinsson: 180 against 145.", '"Jón Þorsteinsson", the same'),
        ("How large is it in km²?", "9.35", "Søndre Isfall covers 7.71 km².", "says 7.71 km²,"),
    ],
)
def test_the_judge_quotes_the_answer(question, reference, answer, words):
    case = TestCase(case_id="c", question=question, reference_answers=(reference,))
    judgement = open_judge("match").judge(case, Response(case_id="c", answer=answer))
    assert words in judgement.reason
