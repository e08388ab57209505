"""Claim reading: what the reader adds to words, what it shows, and where it says nothing."""

import pytest

from core.domain.results.responses import Context
from core.domain.status import Status
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metrics, score_samples

PASSAGE = (
    "Members may borrow up to six books for three weeks. Loans can be renewed once, unless another member is waiting. "
    "The reading room is open from 9 am to 8 pm on weekdays and closed on Sundays."
)
TURNED = "Loans can be renewed once if another member is waiting."


def scored(*answers, language="en", contexts=(PASSAGE,)):
    samples = [
        Sample(
            case_id=str(place),
            question="What are the rules of the library?",
            answer=answer,
            contexts=tuple(Context(document_id=f"d{number}", text=text) for number, text in enumerate(contexts)),
        )
        for place, answer in enumerate(answers)
    ]
    metrics = find_metrics(["faithfulness", "claim_reading"])
    batches = score_samples(samples, metrics, Models(encoder=open_encoder("minilm"), language=language))
    return [tuple(pair) for scores in batches for pair in zip(scores[::2], scores[1::2], strict=True)]


def test_a_claim_in_other_words_gains_and_a_turn_of_a_copied_sentence_loses():
    [(far, read_far), (turned, read_turned)] = scored("You can take home six books at a time.", TURNED)
    assert read_far.value > far.value
    assert read_turned.value < turned.value


def test_a_sentence_as_it_stands_is_supported_and_one_that_only_looks_alike_is_read():
    passage = "The ticket costs $5. Visitors do pay for lunch."
    [(_, copied), (_, other)] = scored("The ticket costs  $5.", "The ticket costs £5.", contexts=(passage,))
    assert copied.value == pytest.approx(1.0)
    assert other.value < 1.0


def test_what_an_announcement_invents_counts_as_in_faithfulness():
    [(_, plain), (_, announced)] = scored(
        "The rules:\n\n- Members may borrow up to six books for three weeks.",
        "The 14 rules of 1987:\n\n- Members may borrow up to six books for three weeks.",
    )
    assert announced.value == pytest.approx(plain.value / 2)


def test_passages_that_come_twice_are_shown_once():
    [(_, once)], [(_, often)] = (
        scored("You can take home six books at a time.", contexts=(PASSAGE,) * times) for times in (1, 4)
    )
    assert often.value == pytest.approx(once.value, abs=1e-6)


def test_it_shows_each_claim_beside_the_sentence_that_is_nearest():
    [(_, score)] = scored("You can take home six books. Their names are kept secret. Thank you for asking!")
    rows = score.detail["sentences"]
    assert [row["value"] is None for row in rows] == [False, False, True]
    assert score.detail["worst"] == 1
    assert set(score.detail["parts"]) >= {"reading", "together", "specifics"}
    _, start, end = rows[0]["best"]
    assert PASSAGE[start:end] == "Members may borrow up to six books for three weeks."


def test_without_a_claim_and_without_passages_it_follows_the_rules_of_faithfulness():
    [(faithful, score)] = scored("I could not find that in the documents.")
    assert (score.value, score.detail["rule"]) == (faithful.value, "no claim")
    [(faithful, score)] = scored("Six books.", contexts=())
    assert (score.value, score.detail["rule"]) == (faithful.value, "nothing retrieved")


def test_it_says_nothing_of_other_languages():
    [(_, score)] = scored("Man darf sechs Bücher ausleihen.", language="de")
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert score.detail["reason"] == "The reader of claims knows English only."


@pytest.mark.parametrize("language", ["en-GB", "EN"])
def test_english_of_any_country_is_english(language):
    [(_, score)] = scored("You can take home six books.", language=language)
    assert score.status is Status.SCORED


@pytest.mark.parametrize("words", [900, 3_000])
def test_a_claim_and_a_passage_of_any_length_are_read(words):
    [(_, score)] = scored("The library lends books " * (words // 4) + ".", contexts=("A very long word " * words,))
    assert 0.0 <= score.value <= 1.0
