"""As many questions as were asked for, or the reason why not."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.domain.errors import InvalidInput, Stopped
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.testset.corpus.questions.rules import QuestionRules
from core.testset.corpus.selection.selecting import Check, Limits, Selection
from core.testset.corpus.writing import Request, write_questions

NAMES = ("Juniper", "Saffron", "Obsidian", "Pewter", "Caraway", "Basalt", "Sorrel", "Kingfisher")


class Hashed:
    """A vector of a text's own, near a common one."""

    name = "hashed"
    dimension = 16

    def encode(self, texts):
        rows = [1.0 + np.random.default_rng(zlib.crc32(text.encode())).normal(size=16) for text in texts]
        found = np.asarray(rows, dtype=np.float32).reshape(len(rows), 16)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def collection():
    said = {
        "fee": "The annual fee of the {} card is £{}.",
        "limit": "Limit: £{1}00",
        "opened": "The {} card was launched in March {}.",
    }
    return [
        Chunk(
            id=f"{name}-{part}",
            document_id=name,
            position=place,
            text=text.format(name, 1990 + turn),
            page=None,
            section=(f"{name} card",),
            start=100 * place,
            end=100 * place + len(text.format(name, 1990 + turn)),
        )
        for turn, name in enumerate(NAMES)
        for place, (part, text) in enumerate(said.items())
    ]


CHUNKS = collection()
IDS = tuple(chunk.id for chunk in CHUNKS)
TITLES = {name: f"{name} card" for name in NAMES}
EVERY = Limits(similarity=-1.0, duplicate=1.0)


def request(n, kind=QuestionKind.SIMPLE, ids=IDS, stratum="cards"):
    return Request(stratum=stratum, kind=kind, n=n, chunk_ids=ids)


def write(*requests, limits=EVERY, **options):
    selection = Selection({chunk.id: chunk for chunk in CHUNKS}, Hashed(), limits=limits)
    return write_questions(requests, QuestionRules(CHUNKS, TITLES), selection, **options)


GIVEN = (QuestionKind.SIMPLE, QuestionKind.MULTI_DOCUMENT, QuestionKind.YES_NO, QuestionKind.MULTIPLE_CHOICE)
"""Kinds that cards without tables give."""


@pytest.mark.parametrize("kind", GIVEN)
def test_what_is_asked_for_is_delivered_under_its_stratum(kind):
    written = write(request(6, kind))
    (outcome,) = written.outcomes
    assert (outcome.accepted, outcome.missing, outcome.reason) == (6, 0, "")
    assert len(written.accepted) == 6
    assert {question.topic_id for question in written.accepted} == {"cards"}
    assert {question.kind for question in written.accepted} == {kind}


def test_one_passage_after_the_other_is_asked_before_any_is_asked_again():
    homes = Counter(question.home_chunk_id for question in write(request(24)).accepted)
    assert set(homes.values()) == {1}


def test_fewer_are_delivered_with_the_reason():
    outcome = write(request(100)).outcomes[0]
    assert outcome.accepted == outcome.candidates == 24
    assert outcome.reason == "There were no more candidates."
    nothing = write(request(3, ids=())).outcomes[0]
    assert (nothing.accepted, nothing.reason) == (0, "The stratum has no passages.")


def test_a_passage_without_facts_has_its_reason():
    chunk = Chunk(id="x", document_id="x", position=0, text="Hello.", section=(), page=None, start=0, end=6)
    selection = Selection({"x": chunk}, Hashed())
    written = write_questions([request(2, ids=("x",))], QuestionRules([chunk], {}), selection)
    assert written.outcomes[0].reason == "No question of this kind could be made from its passages."


def test_what_is_turned_down_is_kept_with_its_reason_and_counted():
    written = write(request(30), limits=Limits(similarity=1.0))
    (outcome,) = written.outcomes
    assert outcome.accepted == 0
    assert outcome.turned_down == {Check.SIMILARITY: 24}
    assert outcome.reason == "There were no more candidates; turned down: 24 too far from the passage."
    assert len(written.examined) == 24


def test_a_question_is_accepted_once_and_the_first_request_has_it():
    written = write(request(24), request(5, stratum="again"))
    first, second = written.outcomes
    assert (first.accepted, second.accepted) == (24, 0)
    assert second.turned_down == {Check.DUPLICATE: 24}


@pytest.mark.slow
@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 3))
@hypothesis_settings(max_examples=20)
def test_yes_and_no_differ_by_one_at_most(sizes, seed):
    requests = [request(n, QuestionKind.YES_NO, ids=IDS[start::4], stratum=str(start)) for start, n in enumerate(sizes)]
    selection = Selection({chunk.id: chunk for chunk in CHUNKS}, Hashed(), limits=EVERY)
    written = write_questions(requests, QuestionRules(CHUNKS, TITLES, seed=seed), selection)
    for outcome in written.outcomes:
        answers = Counter(
            question.reference for question in written.accepted if question.topic_id == outcome.request.stratum
        )
        assert outcome.accepted == min(outcome.request.n, 12)
        assert abs(answers["Yes"] - answers["No"]) <= 1
        assert outcome.accepted + outcome.missing == outcome.request.n


def test_single_questions_of_many_strata_are_no_and_yes_in_turn_whatever_stands_between():
    requests = [
        part
        for start in range(4)
        for part in (
            request(1, QuestionKind.YES_NO, ids=IDS[start::4], stratum=str(start)),
            request(1, ids=IDS[start::4], stratum=str(start)),
        )
    ]
    answers = Counter(question.reference for question in write(*requests).accepted)
    assert (answers["Yes"], answers["No"]) == (2, 2)


class Yeses:
    """Only questions with yes for an answer."""

    def candidates(self, kind, chunk_ids, most=None):
        for question in QuestionRules(CHUNKS, TITLES).candidates(kind, chunk_ids):
            if question.reference == "Yes":
                yield question


def test_where_only_one_answer_can_be_had_the_balance_is_kept_and_the_rest_is_missing():
    selection = Selection({chunk.id: chunk for chunk in CHUNKS}, Hashed(), limits=EVERY)
    (outcome,) = write_questions([request(6, QuestionKind.YES_NO)], Yeses(), selection).outcomes
    assert (outcome.accepted, outcome.missing) == (3, 3)
    assert outcome.reason


def test_the_same_questions_twice():
    requests = [request(5, kind) for kind in QuestionKind]
    assert write(*requests) == write(*requests)


def test_progress_ends_with_what_was_delivered_and_a_stop_is_obeyed():
    told = []
    write(request(5), request(4, QuestionKind.MULTI_DOCUMENT), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (9, 9)
    with pytest.raises(Stopped, match="0 of 5"):
        write(request(5), should_stop=lambda: True)


def test_a_negative_number_is_refused():
    with pytest.raises(InvalidInput, match="-1 questions of cards"):
        request(-1)


def test_every_accepted_support_is_in_its_chunk():
    texts = {chunk.id: chunk.text for chunk in CHUNKS}
    written = write(*(request(50, kind) for kind in QuestionKind))
    assert len(written.accepted) > 100
    for question in written.accepted:
        assert isinstance(question, DocumentQuestion)
        assert question.answerable == bool(question.support)
        for part in question.support:
            assert part.text
            assert texts[part.chunk_id][part.start : part.end] == part.text
