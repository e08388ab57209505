"""What makes up for kinds and strata that give no questions."""

from __future__ import annotations

from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support
from core.testset.corpus.making_up import Sparing, further_requests
from core.testset.corpus.writing import Request, RequestOutcome

KINDS = {QuestionKind.SIMPLE: 2, QuestionKind.TREND: 1, QuestionKind.YES_NO: 1}


def outcome(stratum, kind, n, accepted, passages=4):
    request = Request(stratum=stratum, kind=kind, n=n, chunk_ids=tuple(f"{stratum}{at}" for at in range(passages)))
    return RequestOutcome(request=request, accepted=accepted, candidates=accepted)


def test_a_kind_that_gave_all_makes_up_for_one_that_did_not():
    outcomes = [outcome("a", QuestionKind.SIMPLE, 4, 4), outcome("a", QuestionKind.TREND, 3, 1)]
    (request,) = further_requests(outcomes, KINDS)
    assert (request.stratum, request.kind, request.n) == ("a", QuestionKind.SIMPLE, 2)


def test_a_stratum_without_questions_is_made_up_for_by_the_others_in_proportion():
    outcomes = [
        outcome("a", QuestionKind.SIMPLE, 4, 4, passages=9),
        outcome("b", QuestionKind.SIMPLE, 4, 4, passages=3),
        outcome("c", QuestionKind.SIMPLE, 4, 0),
    ]
    assert {request.stratum: request.n for request in further_requests(outcomes, KINDS)} == {"a": 3, "b": 1}


def test_nothing_is_requested_where_all_is_there_or_nothing_can_give():
    assert further_requests([outcome("a", QuestionKind.SIMPLE, 4, 4)], KINDS) == ()
    assert further_requests([outcome("a", QuestionKind.SIMPLE, 4, 3)], KINDS) == ()


class Repeating:
    """Asks about one row again and again, and once about another."""

    def candidates(self, kind, chunk_ids, most=None):
        for place, text in ((0, "a"), (0, "b"), (0, "c"), (0, "d"), (9, "e")):
            support = Support(chunk_id="x", document_id="x.md", start=place, end=place + 3, text="row")
            yield DocumentQuestion(
                kind=kind, text=f"What is {text}?", reference="row", support=(support,), made_by="table"
            )


def test_one_row_of_a_table_does_not_fill_a_test_set():
    source = Sparing(Repeating())
    assert [question.text[8] for question in source.candidates(QuestionKind.TABLE, ["x"])] == ["a", "b", "c", "e"]
    assert [question.text[8] for question in source.candidates(QuestionKind.YES_NO, ["x"])] == ["e"]


def test_what_was_offered_and_not_accepted_counts_no_longer():
    source = Sparing(Repeating())
    offered = list(source.candidates(QuestionKind.TABLE, ["x"]))
    source.settle(offered[:1])
    assert [question.text[8] for question in source.candidates(QuestionKind.YES_NO, ["x"])] == ["a", "b", "e"]
