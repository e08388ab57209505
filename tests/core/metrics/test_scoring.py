"""Scoring samples: reasons for missing inputs, each sentence encoded once, batches that do not matter."""

import numpy as np
import pytest

from core.domain.results.responses import Context, Response, Score
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.metrics import Family, Measured, Metric, MetricSpec, Models, Need, Sample, sample_of, score_samples, scoring
from core.metrics.evidence import (
    Flow,
    SentenceScore,
    plan_json,
    read_plan,
    read_sentences,
    sentences_json,
    with_words,
    words_at,
)
from core.metrics.prepared import Part, Prepared, part_texts
from core.metrics.samples.sample import answerable


class CountingEncoder:
    """One-hot vectors by first letter, and a note of every text it was given."""

    name = "letters"

    def __init__(self):
        self.seen = []

    def encode(self, texts):
        self.seen += texts
        made = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in enumerate(texts):
            made[row, ord(text[0].lower()) - ord("a")] = 1.0
        return made


def metric(name, needs, measure):
    spec = MetricSpec(
        name=name, title=name, family=Family.BEHAVIOUR, unit="u", needs=needs, question="q", equation="e", source="s"
    )
    return Metric(name=name, spec=spec, measure=measure)


def share_found(prepared):
    found = prepared.similarity(Part.ANSWER, Part.CONTEXTS)
    return Measured(value=float(found.max(axis=1).mean()))


GROUNDED = metric("grounded", (Need.ANSWER, Need.CONTEXTS, Need.ENCODER), share_found)


def sample(number=0, **changes):
    return Sample(
        **{
            "case_id": f"c{number}",
            "question": "Quite a question?",
            "answer": "Apples are red. Bananas are not.",
            "contexts": (Context(document_id="d1", text="All apples are red. Cherries too."),),
            **changes,
        }
    )


def only(metric, one, models=None):
    ((found,),) = list(score_samples([one], [metric], models or Models(encoder=CountingEncoder())))
    return found


def test_each_distinct_sentence_of_the_needed_parts_is_encoded_once():
    encoder = CountingEncoder()
    batches = list(
        score_samples([sample(number) for number in range(5)], [GROUNDED, GROUNDED], Models(encoder=encoder))
    )
    assert sorted(encoder.seen) == ["All apples are red.", "Apples are red.", "Bananas are not.", "Cherries too."]
    # Answer sentences start with A and B, context sentences with A and C: (1 + 0) / 2.
    assert [score.value for batch in batches for score in batch] == [0.5] * 10


def test_nothing_is_encoded_that_no_metric_compares():
    encoder = CountingEncoder()
    plain = metric("plain", (Need.ANSWER,), lambda prepared: Measured(value=1.0))
    list(score_samples([sample()], [plain], Models(encoder=encoder)))
    assert encoder.seen == []


def test_scores_come_by_sample_and_do_not_depend_on_batches():
    many = [sample(number, answer=f"{letter}pples.") for number, letter in enumerate("abcde")]
    models = Models(encoder=CountingEncoder())
    whole = [score for batch in score_samples(many, [GROUNDED], models) for score in batch]
    parts = [score for batch in score_samples(many, [GROUNDED], models, batch=2) for score in batch]
    assert whole == parts
    assert [score.case_id for score in whole] == ["c0", "c1", "c2", "c3", "c4"]


@pytest.mark.parametrize(
    ("need", "changes", "status", "said"),
    [
        (Need.QUESTION, {"question": "  "}, Status.MISSING_INPUT, "no question"),
        (Need.ANSWER, {"answer": None, "error": "HTTP 500"}, Status.MISSING_INPUT, "HTTP 500"),
        (Need.ANSWER, {"answer": None}, Status.MISSING_INPUT, "no answer"),
        (Need.CONTEXTS, {"contexts": None}, Status.MISSING_INPUT, "not known what was retrieved"),
        (Need.CONTEXTS, {"contexts": (Context(document_id="d"),)}, Status.MISSING_INPUT, "by their ids only"),
        (
            Need.CONTEXTS,
            {"contexts": (Context(document_id="", text=" "), Context(document_id="", text=""))},
            Status.MISSING_INPUT,
            "The retrieved passages hold no text.",
        ),
        (
            Need.CONTEXTS,
            {"contexts": (Context(document_id="", text=" "), Context(document_id="", chunk_id="d:0"))},
            Status.MISSING_INPUT,
            "by their ids only",
        ),
        (Need.REFERENCE, {"references": (" ",)}, Status.MISSING_INPUT, "no reference"),
        (Need.DOCUMENT_IDS, {"contexts": (Context(document_id="", text="x"),)}, Status.MISSING_INPUT, "documents"),
        (Need.DOCUMENT_IDS, {"contexts": None}, Status.MISSING_INPUT, "documents"),
        (Need.CHUNK_IDS, {}, Status.MISSING_INPUT, "chunks"),
        (Need.GOLD_DOCUMENTS, {}, Status.NOT_APPLICABLE, "should be found"),
        (Need.GOLD_CHUNKS, {"gold_chunk_ids": ()}, Status.NOT_APPLICABLE, "should be found"),
        (Need.ANSWERABLE, {}, Status.MISSING_INPUT, "not known whether"),
        (Need.NLI, {}, Status.NO_MODEL, "NLI"),
    ],
)
def test_a_missing_input_is_a_reason_and_no_value(need, changes, status, said):
    found = only(metric("m", (need,), lambda prepared: Measured(value=1.0)), sample(**changes))
    assert (found.value, found.status) == (None, status)
    assert said in found.detail["reason"]


def test_what_the_answers_of_a_batch_do_is_read_together_and_only_where_a_metric_asks(monkeypatch):
    read = []
    monkeypatch.setattr(scoring, "read_ahead", lambda replies: read.append(list(replies)))
    answered = metric("answered", (Need.ANSWER,), lambda prepared: Measured(value=float(prepared.abstained)))
    plain = metric("plain", (Need.ANSWER,), lambda prepared: Measured(value=1.0))
    samples = [sample(1), sample(2, answer=None), sample(3)]
    assert list(score_samples(samples, [plain], Models()))
    assert read == []
    assert list(score_samples(samples, [answered], Models(), batch=2))
    texts = [(one.question, one.answer) for one in samples]
    assert read == [[texts[0]], [texts[2]]]


def test_without_an_encoder_the_metric_says_so():
    found = only(GROUNDED, sample(), Models())
    assert (found.value, found.status) == (None, Status.NO_MODEL)


def test_nothing_retrieved_is_not_the_same_as_not_known():
    found = only(metric("m", (Need.CONTEXTS,), lambda prepared: Measured(value=0.0)), sample(contexts=()))
    assert found.value == 0.0


def test_a_part_that_no_spec_names_was_not_encoded():
    with pytest.raises(KeyError, match="question was not encoded"):
        Prepared(sample(), lambda text: ()).vectors(Part.QUESTION)


def test_similarity_is_made_once_and_its_transpose_is_the_same():
    made = []
    only(
        metric("m", (Need.ANSWER, Need.CONTEXTS, Need.ENCODER), lambda one: made.append(one) or Measured(value=1.0)),
        sample(),
    )
    (prepared,) = made
    forth = prepared.similarity(Part.ANSWER, Part.CONTEXTS)
    assert forth.shape == (2, 2)
    assert prepared.similarity(Part.ANSWER, Part.CONTEXTS) is forth
    assert (prepared.similarity(Part.CONTEXTS, Part.ANSWER) == forth.T).all()


def test_what_a_family_shares_is_made_once():
    prepared = Prepared(sample(), lambda text: ())
    assert prepared.keep("x", lambda: [1]) is prepared.keep("x", lambda: [2])


def test_the_targets_own_word_decides_whether_it_abstained():
    assert Prepared(sample(abstained=True), lambda text: ()).abstained
    assert not Prepared(sample(abstained=False, answer="I do not know."), lambda text: ()).abstained
    assert Prepared(sample(answer="I do not know."), lambda text: ()).abstained
    assert not Prepared(sample(answer=None), lambda text: ()).abstained


def test_a_case_and_its_response_as_a_sample():
    case = TestCase(case_id="c", question="Q?", reference_answers=("R",), gold_document_ids=("t:1",))
    response = Response(case_id="c", answer="A", contexts=(Context(document_id="d", text="x"),), abstained=False)
    found = sample_of(case, response, gold=["d"])
    assert (found.answer, found.document_ids, found.gold_document_ids, found.answerable) == ("A", ("d",), ("d",), True)
    failed = sample_of(case, Response(case_id="c", answer=None, error="timeout"), contexts_known=False)
    assert (failed.contexts, failed.error) == (None, "timeout")
    assert sample_of(case, None).contexts is None
    assert sample_of(TestCase(case_id="c", question="Q?"), response).gold_document_ids is None


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({}, None),
        ({"reference_answers": ("R",)}, True),
        ({"gold_document_ids": ("d",)}, True),
        ({"attributes": {"answerable": "No"}}, False),
        ({"attributes": {"answerable": "UNANSWERABLE"}, "reference_answers": ("none",)}, False),
        ({"attributes": {"answerable": "partial"}}, True),
        ({"attributes": {"answerable": "conversational"}}, None),
    ],
)
def test_whether_a_case_can_be_answered(case, expected):
    assert answerable(TestCase(case_id="c", question="Q?", **case)) is expected


def test_evidence_reads_back_as_it_was_stored():
    scores = (
        SentenceScore(of=Part.ANSWER, at=(0, 0, 15), value=0.5, best=(0, 0, 19), best_of=Part.CONTEXTS, weight=0.25),
        SentenceScore(of=Part.ANSWER, at=(0, 16, 32), value=None, note="makes no claim"),
    )
    assert read_sentences({"sentences": sentences_json(scores)}) == scores
    flows = (Flow(source=(0, 0, 19), to=(0, 0, 15), mass=0.5, cost=0.125),)
    assert read_plan({"plan": plan_json(flows)}) == flows
    assert read_sentences({}) == read_plan({}) == ()


def test_words_come_from_the_sample():
    one = sample(references=("R1", "R2"))
    assert words_at(one, Part.ANSWER, (0, 0, 15)) == "Apples are red."
    assert words_at(one, Part.CONTEXTS, (0, 20, 33)) == "Cherries too."
    assert words_at(one, Part.REFERENCE, (1, 0, 2)) == "R2"
    assert words_at(one, Part.REFERENCE, (2, 0, 2)) == ""
    assert part_texts(one, Part.QUESTION) == ("Quite a question?",)


def test_evidence_can_carry_its_words():
    row = SentenceScore(of=Part.ANSWER, at=(0, 0, 15), value=0.5, best=(0, 0, 19), best_of=Part.CONTEXTS)
    found = with_words(sample(), Score(case_id="c", metric="m", value=0.5, detail={"sentences": sentences_json([row])}))
    (shown,) = found.detail["sentences"]
    assert shown["text"] == "Apples are red."
    assert shown["best_text"] == "All apples are red."
    assert with_words(sample(), Score(case_id="c", metric="m", value=0.5)).detail == {}


def test_a_sample_that_cannot_be_read_does_not_cost_the_ones_before_it():
    def broken():
        yield from (sample(number) for number in range(4))
        raise OSError("the file ends here")

    batches = score_samples(broken(), [GROUNDED], Models(encoder=CountingEncoder()), batch=2)
    assert [score.case_id for score in next(batches)] == ["c0", "c1"]
    assert [score.case_id for score in next(batches)] == ["c2", "c3"]
    with pytest.raises(OSError, match="the file ends here"):
        next(batches)
