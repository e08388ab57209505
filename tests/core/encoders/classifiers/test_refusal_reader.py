"""The reader of refusals: what it reads of long replies, and how well it does on authors it has not seen."""

import hashlib

import pytest

from bench.refusal_model import KEPT_APART, STYLES, blocks_of
from core.encoders.classifiers.refusal_reader import (
    FIRST_CHARACTERS,
    FIRST_OF_REPLY,
    LAST_CHARACTERS,
    MOST_OF_QUESTION,
    MOST_TOKENS,
    WEIGHTS,
    ends_of,
    open_refusal_reader,
    reads_as_english,
    refusal_odds,
)
from core.metrics import find_metric

DIGESTS = {10: "95fbe6265c69580612804b2404c99e7c2c7676505952f3490e1854a8260fffb0"}
"""Of the weights, by the version of the metric that reads with them."""


def test_other_weights_are_another_version():
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert DIGESTS[find_metric("answered").spec.version] == digest


def test_it_is_opened_once():
    assert open_refusal_reader() is open_refusal_reader()


def test_a_long_reply_is_read_by_its_beginning_and_its_end():
    words = [f"w{number}" for number in range(400)]
    reader = open_refusal_reader()
    ids, kinds = reader.tokens("Who pays it?", " ".join(words))
    assert len(ids) == len(kinds) == MOST_TOKENS
    short, _ = reader.tokens("Who pays it?", " ".join(words[:20]))
    last, _ = reader.tokens("", " ".join(words[-5:]))
    assert ids[: len(short) - 1] == short[:-1]
    assert ids[-len(last) + 2 :] == last[2:]
    assert kinds.index(1) + FIRST_OF_REPLY < MOST_TOKENS


def test_of_a_long_question_the_end_is_read():
    ids, kinds = open_refusal_reader().tokens("x " * 200 + "who pays?", "Nobody.")
    assert kinds.count(0) == MOST_OF_QUESTION + 2
    assert ids[kinds.count(0) - 4 : kinds.count(0) - 1] == open_refusal_reader().tokens("who pays?", "")[0][1:4]


def test_of_a_reply_of_megabytes_only_the_ends_are_read():
    begins, ends = "The fee is not in the leaflet. " + "It lists rooms and hours. " * 90, " So I cannot say." * 70
    long = begins + "x" * 5_000_000 + ends
    read = ends_of(long)
    assert len(read) == FIRST_CHARACTERS + LAST_CHARACTERS + 1
    assert read.startswith(begins[:1_000])
    assert read.endswith(ends[-900:])
    question = "What is the fee of a locker?"
    assert refusal_odds(question, long) == refusal_odds(question, read)
    assert ends_of(begins) == begins


@pytest.mark.parametrize("reply", ["", "?", "🎉", "金利が上昇した。"])
def test_any_text_has_finite_odds(reply):
    assert abs(refusal_odds("", reply)) < 50


@pytest.mark.parametrize(
    ("reply", "english"),
    [
        ("The leaflet keeps mum about it, I am afraid.", True),
        ("PF-2210", True),
        ("Dazu steht in den vorliegenden Unterlagen leider gar nichts geschrieben.", False),
        ("Les documents fournis ne précisent malheureusement pas le montant demandé.", False),
    ],
)
def test_the_language_it_knows(reply, english):
    assert reads_as_english(reply) is english


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("name", KEPT_APART)
def test_authors_it_has_not_seen(name):
    """An answer for each question alone would give .62; the figures are in docs/match-judge.md."""
    assert name in STYLES
    told = [(refusal_odds(reply.question, reply.text) > 0, reply.declines) for _, reply, _ in blocks_of(name)]
    right = sum(found and declines for found, declines in told)
    f1 = 2 * right / (sum(found for found, _ in told) + sum(declines for _, declines in told))
    assert f1 >= 0.80
