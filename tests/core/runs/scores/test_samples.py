"""A run's cases as samples: what is known to be retrieved, gold ids as they were retrieved."""

import json

import pytest

from core.domain.errors import NotFound
from core.domain.results.responses import Context, Response
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase
from core.runs.execute import execute_run
from core.runs.scores.samples import RunSamples, behaviour_of, sample_for, tells_contexts
from core.runs.service import create_run
from core.store.results import runs
from tests.support.bank_cases import bank_cases
from tests.support.small_bank import ACTOR


@pytest.fixture
def run(store, bank):
    made = create_run(store, bank[1].id, actor=ACTOR, target="keyword", options={"k": 2})
    execute_run(store, made.id, actor=ACTOR)
    return made


def test_a_case_as_it_was_scored(store, run):
    sample = sample_for(store, run.id, "arden-short")
    assert (sample.case_id, sample.references, sample.gold_document_ids) == (
        "arden-short",
        ("Ines Okoro",),
        ("branch:1",),
    )
    assert len(sample.contexts) == 2
    assert sample.answerable
    assert sample_for(store, run.id, "farley-short").gold_document_ids is None  # no document of the corpus
    with pytest.raises(NotFound, match="no case nobody"):
        sample_for(store, run.id, "nobody")
    with pytest.raises(NotFound, match="run_none"):
        sample_for(store, "run_none", "arden-short")


def test_a_case_that_was_not_reached_has_no_sample(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    with pytest.raises(NotFound, match="has no answer in run"):
        sample_for(store, run.id, "arden-short")


def test_samples_come_in_the_order_of_the_test_set(store, run):
    with store.read() as connection:
        found = runs.get(connection, run.id)
    samples = RunSamples(store, found)
    ids = [case.case_id for case in bank_cases()]
    assert [sample.case_id for sample in samples.read(ids)] == ids
    assert [sample.contexts for sample in samples.read(ids[:2], contexts=False)] == [None, None]


@pytest.mark.parametrize(
    ("target", "mode", "known"),
    [
        ("keyword", None, True),
        ("bm25", None, True),
        ("recorded:x", None, False),
        ("gone", None, False),
        ("openai:m@http://a/v1", "retrieval", True),
        ("openai:m@http://a/v1", "oracle", True),
        ("openai:m@http://a/v1", "closed_book", False),
    ],
)
def test_which_targets_tell_what_they_retrieve(target, mode, known):
    assert tells_contexts(target, {"mode": mode} if mode else {}) is known


def test_nobody_knows_what_was_retrieved_where_no_response_tells(store, bank, tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"case_id": case.case_id, "answer": "Nobody."} for case in bank_cases()]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}")
    execute_run(store, run.id, actor=ACTOR)
    assert sample_for(store, run.id, "arden-short").contexts is None
    # One response with passages is enough: the others then retrieved nothing.
    rows[0]["contexts"] = [{"document_id": "branch:1", "text": "Its manager."}]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    again = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}")
    execute_run(store, again.id, actor=ACTOR)
    assert sample_for(store, again.id, "arden-long").contexts == ()


def test_a_failed_target_has_not_retrieved_nothing(store, bank):
    run = create_run(store, bank[1].id, actor=ACTOR, target="keyword")
    case = bank_cases()[0]
    failed = Response(case_id=case.case_id, answer=None, error="HTTP 500")
    sample = RunSamples(store, run).sample(case, failed)
    assert (sample.contexts, sample.answer, sample.error) == (None, None, "HTTP 500")


@pytest.mark.parametrize(
    ("known", "retrieved", "gold"),
    [
        (["client:1", "client:2"], ["client:1.0"], ("client:1.0",)),  # as it was retrieved
        (["client:1"], ["client:2"], ("client:1",)),  # by the corpus's own id
        (["client:2"], ["client:2"], None),  # the corpus does not have it
        (["1"], ["1"], ("1",)),  # a document keyed without its table
        (None, ["client:1.0"], ("client:1.0",)),
        (None, ["other"], ("Client:1",)),  # nobody knows the documents
    ],
)
def test_gold_documents_by_the_ids_that_were_retrieved(store, known, retrieved, gold):
    run = Run(
        id="r", project_id="p", test_set_id="t", target="x", options={} if known is None else {"known_ids": known}
    )
    case = TestCase(case_id="c", question="?", gold_document_ids=("Client:1", "client:1.0"))
    response = Response(case_id="c", answer="x", contexts=tuple(Context(document_id=item) for item in retrieved))
    found = RunSamples(store, run).sample(case, response).gold_document_ids
    assert found is None if gold is None else found[0] == gold[0]


def test_answerable_by_answered(store, bank, tmp_path):
    """Twelve answerable cases in six groups: eight answered, two declined, two without an answer."""
    path = tmp_path / "answers.jsonl"
    cases = bank_cases()
    rows = [{"case_id": case.case_id, "answer": case.reference_answers[0]} for case in cases[:8]]
    rows += [{"case_id": case.case_id, "answer": "I do not know."} for case in cases[8:10]]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    run = create_run(store, bank[1].id, actor=ACTOR, target=f"recorded:{path}")
    assert behaviour_of(store, run.id).total == 0
    execute_run(store, run.id, actor=ACTOR)
    found = behaviour_of(store, run.id)
    answered = found.answered_answerable
    assert (answered.num, answered.den, answered.clusters) == (8, 10, 5)
    assert (found.declined_answerable.num, found.unanswerable, found.failed) == (2, 0, 2)
    with pytest.raises(NotFound, match="run_none"):
        behaviour_of(store, "run_none")
