"""Which questions from documents pass the checks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support
from core.testset.corpus.selection.selecting import Check, Limits, Selection, copied_share

TEXT = "The annual fee of the Juniper card is £72. It can be paid monthly."
CHUNK = Chunk(
    id="c1", document_id="d1", position=0, text=TEXT, section=("Juniper card",), page=None, start=0, end=len(TEXT)
)
SECOND = Chunk(id="c2", document_id="d2", position=0, text=TEXT, section=(), page=None, start=0, end=len(TEXT))
SUPPORT = Support(chunk_id="c1", document_id="d1", start=0, end=42, text=TEXT[:42])
TWO = (SUPPORT, replace(SUPPORT, chunk_id="c2", document_id="d2"))
QUESTION = DocumentQuestion(
    kind=QuestionKind.SIMPLE,
    text="What does the Juniper card cost a year?",
    reference="£72",
    support=(SUPPORT,),
    made_by="property",
)


class Angles:
    """Unit vectors in a plane, at an angle (degrees) by text; what is not listed is at 0."""

    name = "angles"
    dimension = 2

    def __init__(self, **angles):
        self.angles = angles

    def encode(self, texts):
        radians = np.radians([self.angles.get(text, 0.0) for text in texts])
        return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def examine(*questions, angles=None, **options):
    return Selection({"c1": CHUNK, "c2": SECOND}, Angles(**(angles or {})), **options).examine(questions)


@pytest.mark.slow
def test_a_good_question_passes_with_its_figures():
    (found,) = examine(QUESTION, language="en")
    assert found.accepted
    assert found.reason == ""
    assert found.similarity == pytest.approx(1.0)
    assert found.copy == pytest.approx(3 / 8)  # "the Juniper card" of eight words


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"text": "**What** does the Juniper card cost a year?"}, Check.FORM),
        ({"text": "WHAT DOES THE JUNIPER CARD COST A YEAR?"}, Check.FORM),
        ({"support": ()}, Check.SUPPORT),
        ({"support": (replace(SUPPORT, chunk_id="c9"),)}, Check.SUPPORT),
        ({"support": (replace(SUPPORT, text="The annual fee is £72."),)}, Check.SUPPORT),
        ({"support": (replace(SUPPORT, start=0, end=0, text=""),)}, Check.SUPPORT),
        ({"reference": "£36"}, Check.ANSWER),
        ({"reference": " "}, Check.ANSWER),
        ({"kind": QuestionKind.YES_NO}, Check.ANSWER),
        ({"kind": QuestionKind.OUT_OF_SCOPE, "support": ()}, Check.ANSWER),
        ({"kind": QuestionKind.MULTI_HOP}, Check.SUPPORT),
        ({"kind": QuestionKind.MULTI_HOP, "support": TWO, "reference": "£72; 2%"}, Check.ANSWER),
        ({"kind": QuestionKind.MULTIPLE_CHOICE, "options": ("£36", "£48")}, Check.ANSWER),
        ({"text": "Is the yearly £72 of the Juniper card its annual fee?"}, Check.GIVEN_AWAY),
        ({"text": "Wie hoch ist die jährliche Gebühr der Karte bei dieser Bank?"}, Check.LANGUAGE),
        ({"text": "Can be paid monthly?"}, Check.COPY),
        ({"text": "It can be paid monthly?"}, Check.WORDING),
        ({"text": "What annual fee does the passage name for the card?"}, Check.WORDING),
        ({"text": "What is the the annual fee of the Juniper card?"}, Check.WORDING),
    ],
)
def test_each_fault_is_named(change, check):
    (found,) = examine(replace(QUESTION, **change), language="en")
    assert found.failed is check
    assert found.reason.endswith(".")


def test_without_a_language_of_the_documents_none_is_asked_for():
    (found,) = examine(replace(QUESTION, text="Wie hoch ist die jährliche Gebühr der Karte bei dieser Bank?"))
    assert found.accepted


def test_a_question_far_from_its_passage_is_turned_down_with_both_figures():
    (found,) = examine(QUESTION, angles={QUESTION.text: 80.0})
    assert found.failed is Check.SIMILARITY
    assert found.similarity == pytest.approx(np.cos(np.radians(80.0)), abs=1e-6)
    assert "0.17 (limit 0.30)" in found.reason


def test_the_same_words_are_a_duplicate_also_of_an_earlier_batch():
    selection = Selection({"c1": CHUNK}, Angles())
    (first,) = selection.examine([QUESTION])
    (second,) = selection.examine([replace(QUESTION, text=QUESTION.text.lower())])
    assert first.accepted
    assert (second.failed, second.duplicate_of) == (Check.DUPLICATE, QUESTION.id)


def test_nearly_the_same_words_are_a_duplicate_only_with_the_same_answer_from_the_same_passage():
    near = replace(QUESTION, text="How much is the Juniper card a year?")
    other = replace(
        QUESTION, text="Can the fee of the Juniper card be paid monthly?", kind=QuestionKind.YES_NO, reference="Yes"
    )
    found = examine(QUESTION, near, other, angles={near.text: 10.0, other.text: 12.0})
    assert [examined.failed for examined in found] == [None, Check.DUPLICATE, None]
    far = examine(QUESTION, near, angles={near.text: 30.0})  # cosine .87
    assert [examined.failed for examined in far] == [None, None]


def test_a_turned_down_question_makes_nothing_a_duplicate():
    found = examine(replace(QUESTION, reference="£36"), QUESTION)
    assert [examined.accepted for examined in found] == [False, True]


def test_out_of_scope_stands_on_nothing_and_is_measured_on_nothing():
    (found,) = examine(
        DocumentQuestion(
            kind=QuestionKind.OUT_OF_SCOPE, text="How many legs has a lobster?", reference="", made_by="far"
        )
    )
    assert found.accepted
    assert (found.similarity, found.copy) == (None, None)


@pytest.mark.parametrize("bad", [{"similarity": 1.5}, {"copy": -0.1}, {"duplicate": float("nan")}])
def test_a_limit_outside_its_range_is_refused_by_name(bad):
    with pytest.raises(InvalidInput, match=next(iter(bad))):
        Limits(**bad)


def test_copied_share_counts_the_longest_row_of_words():
    assert copied_share("paid monthly", TEXT) == 1.0
    assert copied_share("monthly paid", TEXT) == 0.5
    assert copied_share("?", TEXT) == 0.0


def test_the_nearest_accepted_question_is_measured_whether_it_is_a_repetition_or_not():
    near = replace(QUESTION, text="How much is the Juniper card a year?")
    found = examine(QUESTION, near, replace(near, text="And how much is it?"), angles={near.text: 30.0})
    assert found[0].nearest is None, "there was none before"
    assert found[1].nearest == pytest.approx(np.cos(np.radians(30.0)), abs=1e-6)
    assert (found[2].nearest, found[2].duplicate_of) == (pytest.approx(1.0), QUESTION.id), "at 0 degrees like the first"
    (again,) = examine(QUESTION, replace(QUESTION, text=QUESTION.text.lower()))[1:]
    assert (again.nearest, again.failed) == (1.0, Check.DUPLICATE)


PLACES = st.integers(-2, len(TEXT) + 2)
QUOTES = st.one_of(
    st.builds(lambda start, end: (start, end, TEXT[max(start, 0) : max(end, 0)]), PLACES, PLACES),
    st.tuples(PLACES, PLACES, st.sampled_from([TEXT, TEXT.lower(), "£72", "", "The fee is £72.", TEXT[:42] + " "])),
    st.just((0, 42, TEXT[:42])),
)


@given(st.lists(st.tuples(st.sampled_from(["c1", "c2", "c9"]), QUOTES), max_size=3), st.sampled_from(QuestionKind))
def test_whatever_is_quoted_an_accepted_question_stands_on_words_of_its_chunk(quotes, kind):
    parts = tuple(
        Support(chunk_id=chunk_id, document_id="d1", start=start, end=end, text=text)
        for chunk_id, (start, end, text) in quotes
    )
    (found,) = examine(
        replace(QUESTION, kind=kind, support=parts, reference="Yes" if kind.value == "yes_no" else "£72")
    )
    if found.accepted:
        assert parts
        for part in found.question.support:
            assert part.text
            assert TEXT[part.start : part.end] == part.text
    else:
        assert found.reason
