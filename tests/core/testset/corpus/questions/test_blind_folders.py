"""Classes of questions that a blind judge rejected, in folders of an insurer, a port and a maker of compressors."""

from __future__ import annotations

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.rules import QuestionRules

KINDS = (QuestionKind.SIMPLE, QuestionKind.TABLE, QuestionKind.YES_NO, QuestionKind.OUT_OF_SCOPE)


def chunk(text, document="doc-1.md", section=(), position=0):
    return Chunk(
        id=f"{document}-{position}", document_id=document, position=position, text=text, section=section, page=None,
        start=1_000 * position, end=1_000 * position + len(text),
    )  # fmt: skip


def asked(kind, *chunks, titles):
    rules = QuestionRules(chunks, titles)
    return {question.text: question.reference for question in rules.candidates(kind, [one.id for one in chunks])}


def of_text(kind, text, title="Grooming rules", **more):
    return asked(kind, chunk(text, **more), titles={"doc-1.md": title})


def all_of(*chunks, titles):
    return [text for kind in KINDS for text in asked(kind, *chunks, titles=titles)]


def test_what_is_no_number_of_things_is_not_counted():
    text = "# Grooming rules\n\nThe 2025 Tarn budget has £1,946 unspent at 30 June. The Tarn salon has 14 dryers.\n"
    assert of_text(QuestionKind.SIMPLE, text) == {"How many dryers does the Tarn salon have?": "14"}


def test_an_answer_that_the_next_line_goes_on_with_is_left_out():
    text = "When does the pass start?\nThe pass starts on the day of purchase for Single\nTrip, and later for Annual.\n"
    assert of_text(QuestionKind.SIMPLE, text, "Pass leaflet") == {}
    cut = "When does the pass start?\nThe pass starts on the day of purchase for Single"
    assert of_text(QuestionKind.SIMPLE, cut, "Pass leaflet") == {}
    whole = "When does the office close?\n17:30 on weekdays\n"
    assert list(of_text(QuestionKind.SIMPLE, whole, "Pass leaflet").values()) == ["17:30 on weekdays"]
