"""Questions made by rules from read facts."""

from __future__ import annotations

import pytest

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.judging.match.reference import contains
from core.judging.match_judge import judge_match
from core.testset.corpus.questions.rules import QuestionRules
from core.text.words import fold

CARDS = {
    "juniper": ("Juniper card", "The annual fee of the Juniper card is £72.", "Limit: £100"),
    "saffron": ("Saffron card", "The annual fee of the Saffron card is £36.", "Limit: £250"),
    "obsidian": ("Obsidian card", "The annual fee of the Obsidian card is £120.", "Limit: £400"),
    "pewter": ("Pewter card", "The annual fee of the Pewter card is £18.", "The foreign fee of the Pewter card is 2%."),
}
TITLES = {document: parts[0] for document, parts in CARDS.items()}


def collection(cards=CARDS):
    return [
        Chunk(
            id=f"{document}-{place}",
            document_id=document,
            position=place,
            text=text,
            section=(title,),
            page=None,
            start=100 * place,
            end=100 * place + len(text),
        )
        for document, (title, *texts) in cards.items()
        for place, text in enumerate(texts)
    ]


def questions(kind, chunks=None, seed=0, of=None):
    chunks = chunks or collection()
    rules = QuestionRules(chunks, TITLES, seed=seed)
    return list(rules.candidates(kind, of or [chunk.id for chunk in chunks]))


def test_a_simple_question_asks_for_each_fact():
    written = {question.text: question.reference for question in questions(QuestionKind.SIMPLE)}
    assert len(written) == 8
    assert written["What is the annual fee of the Juniper card?"] == "£72"
    assert written["What is the limit of the Juniper card?"] == "£100"


def test_yes_and_no_are_balanced_in_any_beginning_of_the_list_and_no_is_never_true():
    written = questions(QuestionKind.YES_NO)
    for n in range(2, 9):
        yes = sum(question.reference == "Yes" for question in written[:n])
        assert abs(2 * yes - n) <= 1
    for question in written:
        said = question.text
        holds = any(contains(value, said) for value in _values(question))
        assert holds == (question.reference == "Yes"), said


def _values(question):
    return [part.text.rsplit(" ", 1)[-1].rstrip(".") for part in question.support]


def test_options_are_four_with_one_that_its_chunk_states():
    for question in questions(QuestionKind.MULTIPLE_CHOICE):
        assert len(set(question.options)) == 4
        stated = [option for option in question.options if contains(option, question.support[0].text)]
        assert stated == [question.reference]
        assert all(option in question.text for option in question.options)


def test_rules_write_no_question_that_needs_two_passages_of_one_subject():
    assert questions(QuestionKind.MULTI_HOP) == []


def on_one_page(*sentences):
    return collection({"page": ("Cards and branches", " ".join(sentences))})


def test_the_greater_of_two_amounts_is_the_reference():
    chunks = on_one_page(*(texts[0] for _, *texts in CARDS.values()))
    written = [question for question in questions(QuestionKind.INFERENCE, chunks) if question.made_by == "comparison"]
    fees = {"Juniper": 72, "Saffron": 36, "Obsidian": 120, "Pewter": 18}
    asked = [question for question in written if "annual fee" in question.text]
    assert len(asked) == 6  # pairs of four
    for question in asked:
        two = [name for name in fees if name in question.text]
        assert question.reference == f"{max(two, key=fees.get)} card"


def test_amounts_in_different_units_are_not_compared():
    texts = ("The fee of the Juniper card is £72.", "The fee of the Saffron card is 2%.")
    assert questions(QuestionKind.INFERENCE, on_one_page(*texts)) == []


def test_dates_are_compared_by_year():
    chunks = on_one_page("The Kestrel branch was opened in March 1998.", "The Marram branch was opened in May 2004.")
    (question,) = questions(QuestionKind.INFERENCE, chunks)
    assert question.reference == "Kestrel branch"
    assert question.text.startswith("Which was opened earlier, ")


def test_out_of_scope_asks_for_a_peers_property_or_an_absent_thing_of_the_domain():
    cards = {
        "juniper": ("Juniper Travel card", "The annual fee of the Juniper Travel card is £72."),
        "saffron": (
            "Saffron Student card",
            "The annual fee of the Saffron Student card is £36.",
            "The cash limit of the Saffron Student card is £90.",
        ),
    }
    titles = {document: parts[0] for document, parts in cards.items()}
    chunks = collection(cards)
    rules = QuestionRules(chunks, titles)
    written = list(rules.candidates(QuestionKind.OUT_OF_SCOPE, [chunk.id for chunk in chunks]))
    texts = {question.text: question for question in written}
    assert "What is the cash limit of the Juniper Travel card?" in texts
    assert "What is the annual fee of the Juniper Student card?" in texts
    every = fold("\n".join(chunk.text for chunk in chunks))
    for question in written:
        assert (question.reference, question.answerable, bool(question.near_chunk_id)) == ("", False, True)
        if question.made_by == "other subject":
            assert fold(question.text.rsplit(" of the ", 1)[1].rstrip("?")) not in every


def test_nothing_is_asked_about_what_two_chunks_contradict_each_other_on():
    cards = {**CARDS, "old": ("Old tariff", "The annual fee of the Juniper card is £60.")}
    chunks = collection(cards)
    rules = QuestionRules(chunks, TITLES)
    (group,) = rules.conflicts
    assert {fact.value for fact in group} == {"£72", "£60"}
    for kind in QuestionKind:
        for question in rules.candidates(kind, [chunk.id for chunk in chunks]):
            if question.answerable:
                assert "annual fee of the Juniper" not in question.text


def test_two_spellings_of_one_value_do_not_contradict_each_other():
    cards = {**CARDS, "old": ("Old tariff", "The annual fee of the Juniper card is GBP 72.00.")}
    assert QuestionRules(collection(cards), TITLES).conflicts == ()


@pytest.mark.parametrize("kind", QuestionKind)
def test_order_of_the_chunks_changes_nothing_and_the_seed_does(kind):
    forward = questions(kind)
    backward = questions(kind, list(reversed(collection())))
    assert [question.id for question in forward] == [question.id for question in backward]
    assert len({fold(question.text) for question in forward}) == len(forward)
    if len(forward) > 4:
        assert forward != questions(kind, seed=1)


@pytest.mark.parametrize("kind", QuestionKind)
def test_every_support_is_in_its_chunk(kind):
    texts = {chunk.id: chunk.text for chunk in collection()}
    for question in questions(kind):
        for part in question.support:
            assert texts[part.chunk_id][part.start : part.end] == part.text != ""


@pytest.mark.parametrize("kind", [QuestionKind.SIMPLE, QuestionKind.MULTIPLE_CHOICE])
def test_the_match_judge_takes_the_reference_for_right(kind):
    for question in questions(kind):
        answer = f"According to the documents it is {question.reference}."
        assert judge_match(question.text, [question.reference], answer).verdict.value == "correct", question.text


def test_questions_count_for_the_chunks_they_were_asked_of():
    written = questions(QuestionKind.SIMPLE, of=["juniper-0"])
    assert [question.home_chunk_id for question in written] == ["juniper-0"]
