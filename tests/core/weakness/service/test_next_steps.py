"""What a weak part says to look at next."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.diagnosis import Attribution
from core.diagnosis.service.blame import Blame, blame_of, counted
from core.domain.errors import InvalidInput, NotFound
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.runs.execute import execute_run
from core.runs.scores.scoring import score_run
from core.runs.service import create_run
from core.store.results import scores
from core.weakness.service.next_steps import what_next
from tests.support.small_bank import ACTOR as BANK_ACTOR
from tests.support.weakness.case_tables import case_table
from tests.support.weakness.sliced_run import ACTOR, sliced_cases, sliced_run

KNOWN = {"known_ids": ["0", "1", "2", "3"]}
"""So that it is known which documents there are."""


def judged(store, marks, *, retrieved=(), groups=None, options=KNOWN):
    """A run of a case a mark, 1 right, 0 wrong, - no verdict; all of document 0, each a fact of its own by default."""
    cases = [
        TestCase(
            case_id=f"c{place}",
            question=f"Question {place}?",
            reference_answers=("Yes", "Certainly"),
            group_id=groups[place] if groups else f"g{place}",
            gold_document_ids=("0",),
        )
        for place in range(len(marks))
    ]
    found = dict(enumerate(retrieved))
    responses = [
        Response(
            case_id=case.case_id,
            answer=f"Answer {place}.",
            contexts=(Context(document_id=found.get(place, "1"), text="Some text."),),
        )
        for place, case in enumerate(cases)
    ]
    run = sliced_run(store, cases=cases, responses=responses, options=options)
    put(store, run, VERDICT_METRIC, [None if mark == "-" else float(mark) for mark in marks])
    return run, [case.case_id for case in cases]


def put(store, run, metric, values):
    """Scores of c0, c1, ... instead of those there are."""
    made = [
        Score(
            case_id=f"c{place}",
            metric=metric,
            value=value,
            status=Status.NOT_JUDGED if value is None else Status.SCORED,
            detail={"reason": f"As recorded: {value}."},
        )
        for place, value in enumerate(values)
    ]
    with store.write(ACTOR, "test.score", project_id=run.project_id) as connection:
        scores.put(connection, run.id, made)


def test_the_module_most_wrong_answers_lie_with_is_named_with_its_share(store):
    # The first three retrieved document 1 instead of 0; the fourth had it and is wrong all the same.
    run, ids = judged(store, "000011", retrieved=("1", "1", "1", "0", "0", "1"))
    found = what_next(store, run.id, ids, "verdict")
    assert found.sentence == (
        "3 of 4 wrong answers: the document that states the fact was not retrieved. "
        "Check the retrieval for these questions first."
    )
    assert list(found.modules.items()) == [(Attribution.RETRIEVAL, 3), (Attribution.LANGUAGE_MODEL, 1)]
    assert (found.judged, found.of) == (6, 6)


def test_all_of_one_module_and_only_one_wrong_answer(store):
    run, ids = judged(store, "0011", retrieved=("0", "0"))
    assert what_next(store, run.id, ids, "verdict").sentence.startswith("All 2 wrong answers: the document that states")
    one = what_next(store, run.id, ids[:1], "verdict").sentence
    assert one.startswith("The one wrong answer: the document that states the fact was retrieved")
    assert one.endswith("Check the language model and its prompt first.")


def test_no_module_is_named_where_none_stands_out(store):
    run, ids = judged(store, "0000", retrieved=("0", "0", "1", "1"))
    assert what_next(store, run.id, ids, "verdict").sentence == (
        "No single module stands out among 4 wrong answers: retrieval 2, language model 2. Read the examples."
    )


def test_without_a_verdict_no_module_is_named(store):
    run, ids = judged(store, "---0")
    found = what_next(store, run.id, ids[:3], "verdict")
    assert found.sentence == (
        "None of the 3 cases has a verdict, so no module can be identified. Judge the answers first."
    )
    assert (dict(found.modules), found.judged, found.examples) == ({}, 0, ())
    part = what_next(store, run.id, ids[2:], "verdict").sentence
    assert part.endswith("1 of the 2 cases has no verdict.")


def test_where_all_answers_are_right_no_module_failed(store):
    run, ids = judged(store, "111-")
    assert what_next(store, run.id, ids, "verdict").sentence == (
        "All 3 judged answers are correct, so no module failed. Read the examples. 1 of the 4 cases has no verdict."
    )


def test_the_cases_that_are_not_in_the_part_stay_out(store):
    run, ids = judged(store, "0011", retrieved=("0", "1"))
    found = what_next(store, run.id, [ids[1], ids[3], "unknown"], "verdict")
    assert (dict(found.modules), found.of) == ({Attribution.RETRIEVAL: 1}, 2)
    assert [example.case_id for example in found.examples] == ["c1"]


@pytest.mark.slow
def test_retrieval_figures_here_and_elsewhere_with_their_n(store):
    run = sliced_run(store, options=KNOWN)
    missed = case_table(store, run.id, "verdict", where={"retrieval_rank": "not retrieved"}).case_ids
    # Recall is 0 for c12 to c15 and 1 for the others but c4, which failed, and c23, which is excluded.
    assert what_next(store, run.id, missed, "verdict").retrieval == (("recall", 0.0, 4, 1.0, 18),)
    nothing = what_next(store, run.id, ["c4"], "groundedness").retrieval[0]
    assert (math.isnan(nothing[1]), nothing[2:]) == (True, (0, pytest.approx(18 / 22), 22))


def test_examples_are_the_worst_scores_of_different_facts(store):
    run, ids = judged(store, "000000", groups=["a", "a", "a", "b", "c", "d"])
    put(store, run, "groundedness", [0.1, 0.2, 0.3, 0.4, 1.0, 0.35])
    found = what_next(store, run.id, ids, "groundedness").examples
    assert [(example.case_id, example.score) for example in found] == [("c0", 0.1), ("c5", 0.35), ("c3", 0.4)]
    # Of two facts only, the third comes from one of them; c4 has the best score there is.
    few = what_next(store, run.id, [*ids[:4], ids[4]], "groundedness").examples
    assert [example.case_id for example in few] == ["c0", "c3", "c1"]


def test_lower_scores_are_the_better_ones_where_the_metric_says_so(store):
    run, ids = judged(store, "0000")
    put(store, run, "wasserstein", [0.2, None, 0.9, 0.0])
    found = what_next(store, run.id, ids, "wasserstein").examples
    assert [example.case_id for example in found] == ["c2", "c0"]


def test_of_equally_bad_answers_those_of_the_named_module_come_first(store):
    run, ids = judged(store, "00000", retrieved=("0", "1", "0", "1", "1"))
    found = what_next(store, run.id, ids, "verdict")
    assert [example.case_id for example in found.examples] == ["c1", "c3", "c4"]
    assert found.examples == what_next(store, run.id, list(reversed(ids)), "verdict").examples


def test_an_example_has_its_evidence(store):
    run, ids = judged(store, "01", retrieved=("1", "0"))
    (example,) = what_next(store, run.id, ids, "verdict").examples
    assert (example.question, example.reference, example.answer) == ("Question 0?", "Yes | Certainly", "Answer 0.")
    assert (example.score, example.reason, example.module) == (0.0, "As recorded: 0.0.", Attribution.RETRIEVAL)
    assert "was not retrieved" in example.because
    assert example.contexts == ("1: Some text.",)


def test_long_passages_are_shown_by_their_beginning(store):
    cases = sliced_cases(2)
    passages = (Context(document_id="d", text="word\n" * 400), Context(document_id="e"), Context(document_id=""))
    given = [Response(case_id=case.case_id, answer="So.", contexts=passages) for case in cases]
    run = sliced_run(store, cases=cases, responses=given)
    (example,) = what_next(store, run.id, ["c0"], "verdict").examples
    long, bare, nothing = example.contexts
    assert (len(long) <= 3 + 240, long[:12], long[-3:]) == (True, "d: word word", "...")
    assert (bare, nothing) == ("e", "")


@pytest.mark.slow
def test_what_is_known_already_is_not_worked_out_again(store):
    run, ids = judged(store, "00", retrieved=("1", "1"))
    given = {case_id: Blame(module=Attribution.KNOWLEDGE_GAP, reason="Somebody looked.") for case_id in ids}
    found = what_next(store, run.id, ids, "verdict", blame=given)
    assert dict(found.modules) == {Attribution.KNOWLEDGE_GAP: 2}
    assert found.examples[0].because == "Somebody looked."
    nothing = what_next(store, run.id, ids, "verdict", blame={}).sentence
    assert nothing == "The root causes of the 2 wrong answers are not known. Diagnose the run."


def test_a_score_or_run_that_is_not_there_is_refused(store):
    run, ids = judged(store, "01")
    with pytest.raises(InvalidInput, match="no score mrr"):
        what_next(store, run.id, ids, "mrr")
    with pytest.raises(NotFound, match="run_none"):
        what_next(store, "run_none", ids, "verdict")


@pytest.mark.slow
def test_some_cases_are_blamed_as_the_whole_run_blames_them(store, bank):
    run = create_run(store, bank[1].id, actor=BANK_ACTOR, target="keyword", options={"k": 1})
    execute_run(store, run.id, actor=BANK_ACTOR)
    score_run(store, run.id, ["recall"], actor=BANK_ACTOR)
    whole = blame_of(store, run.id)
    assert len(whole) == 12
    for case_id in whole:
        some = blame_of(store, run.id, [case_id])
        assert case_id in some
        assert len(some) < 12
        assert {one: whole[one] for one in some} == some


def test_without_known_documents_every_response_is_a_witness(store):
    # c0 missed document 0. Only that another case retrieved it shows that it is there to be found.
    run, _ = judged(store, "01", retrieved=("1", "0"), options={})
    assert blame_of(store, run.id, ["c0"])["c0"].module is Attribution.RETRIEVAL
    assert blame_of(store, run.id, ["c0"])["c0"] == blame_of(store, run.id)["c0"]


def test_one_case_that_retrieved_something_shows_that_the_target_tells(store):
    cases = [*sliced_cases(4), replace(sliced_cases(5)[4], excluded="")]
    given = [
        Response(case_id=case.case_id, answer="So.", contexts=(Context(document_id="0"),) if place >= 3 else ())
        for place, case in enumerate(cases)
    ]
    run = sliced_run(store, cases=cases, responses=given, options=KNOWN)
    put(store, run, VERDICT_METRIC, [0.0, 0.0, 1.0])
    whole, some = blame_of(store, run.id), blame_of(store, run.id, ["c0"])
    assert some["c0"] == whole["c0"]
    assert some["c0"].module is Attribution.RETRIEVAL


def test_counts_name_wrong_answers_only():
    found = {
        "a": Blame(module=Attribution.CORRECT, reason=""),
        "b": Blame(module=Attribution.RETRIEVAL, reason=""),
        "c": Blame(module=Attribution.NOT_JUDGED, reason=""),
        "d": Blame(module=Attribution.KNOWLEDGE_GAP, reason=""),
        "e": Blame(module=Attribution.RETRIEVAL, reason=""),
    }
    assert list(counted(found, "abcdef").items()) == [(Attribution.RETRIEVAL, 2), (Attribution.KNOWLEDGE_GAP, 1)]
    assert np.sum(list(counted(found, "ac").values())) == 0
