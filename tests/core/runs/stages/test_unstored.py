"""Cases asked and judged without a run: every case has its response and its verdict, and a stop is obeyed."""

import pytest

from core.domain.errors import Stopped, TargetFailed
from core.domain.results.responses import Response
from core.judging import open_judge
from core.runs.stages.unstored import answers_of, verdicts_of
from tests.support.bank_cases import bank_cases


class Scripted:
    """Answers everything but one question rightly, several at a time."""

    name = "scripted"
    concurrency = 3
    words_to_encode = 0

    def __init__(self) -> None:
        self.answers = {case.case_id: case.reference_answers[0] for case in bank_cases()}

    def prepare(self, progress, should_stop) -> bool:
        return not should_stop()

    def answer(self, case_id: str, question: str) -> Response:
        if case_id == "farley-long":
            raise TargetFailed("It has no Farley.")
        return Response(case_id=case_id, answer=self.answers[case_id])


def going_on() -> bool:
    return False


def test_every_case_is_asked_and_judged_and_a_failure_is_a_response():
    told = []
    cases = bank_cases()
    responses = answers_of(Scripted(), cases, progress=lambda *now: told.append(now), should_stop=going_on)
    assert set(responses) == {case.case_id for case in cases}
    assert responses["farley-long"].error == "It has no Farley."
    assert told[-1] == ("Asking", 12, 12)
    verdicts = verdicts_of(open_judge("match"), cases, responses, should_stop=going_on)
    assert {case_id for case_id, score in verdicts.items() if score.value != 1.0} == {"farley-long"}
    assert verdicts["farley-long"].value is None


def test_nothing_is_asked_of_no_case():
    assert answers_of(Scripted(), [], progress=lambda *_: None, should_stop=lambda: True) == {}


def test_a_stop_leaves_nothing_half_done():
    target = Scripted()
    with pytest.raises(Stopped, match="after 0 of 12 cases"):
        answers_of(target, bank_cases(), progress=lambda *_: None, should_stop=lambda: True)
    target.words_to_encode = 10
    with pytest.raises(Stopped):
        answers_of(target, bank_cases(), progress=lambda *_: None, should_stop=lambda: True)
    responses = {case.case_id: Response(case_id=case.case_id, answer="x") for case in bank_cases()}
    with pytest.raises(Stopped, match="after 0 of 12 answers"):
        verdicts_of(open_judge("match"), bank_cases(), responses, should_stop=lambda: True)
