"""The reader of refusals: which languages it knows, and how well it does on authors it has not seen."""

import hashlib

import pytest

from bench.refusal_model import KEPT_APART, STYLES, blocks_of
from core.encoders.classifiers import refusal_reader
from core.encoders.classifiers.refusal_reader import (
    WEIGHTS,
    open_refusal_reader,
    reads_as_english,
    refusal_odds,
    refusal_odds_of,
)
from core.metrics import find_metric

DIGESTS = {11: "f11d6f8b87783c28d72e184869fc2fd1ee921d85aa9719295a55cc88b86d922f"}
"""Of the weights, by the version of the metric that reads with them."""


def test_other_weights_are_another_version():
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert DIGESTS[find_metric("answered").spec.version] == digest


def test_it_is_opened_once():
    assert open_refusal_reader() is open_refusal_reader()


def test_replies_read_together_have_the_odds_that_each_has_alone(monkeypatch):
    monkeypatch.setattr(refusal_reader, "_remembered", {})
    replies = [
        ("Who audits it?", "The leaflet keeps mum about it."),
        ("Who audits it?", "Marlow & Finch."),
        ("Who audits it?", "The leaflet keeps mum about it."),
        ("", ""),
    ]
    together = refusal_odds_of(replies)
    monkeypatch.setattr(refusal_reader, "_remembered", {})
    assert together == [refusal_odds(*reply) for reply in replies]
    assert together[0] > 0 > together[1]
    assert refusal_odds_of([]) == []


def test_what_was_read_is_remembered_up_to_a_number(monkeypatch):
    read = []

    class Reader:
        def log_odds_of(self, pairs):
            read.extend(pairs)
            return [1.0] * len(pairs)

    monkeypatch.setattr(refusal_reader, "_remembered", {})
    monkeypatch.setattr(refusal_reader, "KEPT", 3)
    monkeypatch.setattr(refusal_reader, "open_refusal_reader", Reader)
    refusal_odds_of([("q", "a"), ("q", "b"), ("q", "a")])
    refusal_odds_of([("q", "b"), ("q", "c"), ("q", "d")])
    refusal_odds("q", "b")
    assert read == [("q", "a"), ("q", "b"), ("q", "c"), ("q", "d")]
    refusal_odds("q", "a")
    assert read[4:] == [("q", "a")]


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


FLOORS = {"styles/terse_and_rows.txt": 0.75, "styles/bank_reports.txt": 0.72}
"""Where an author is not held to the floor of all: half of these are values or facts of something else."""


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("name", KEPT_APART)
def test_authors_it_has_not_seen(name):
    """An answer for each question alone would give .62; the figures are in docs/match-judge.md."""
    assert name in STYLES
    replies = [reply for _, reply, _ in blocks_of(name)]
    odds = refusal_odds_of([(reply.question, reply.text) for reply in replies])
    told = [(odd > 0, reply.declines) for odd, reply in zip(odds, replies, strict=True)]
    right = sum(found and declines for found, declines in told)
    f1 = 2 * right / (sum(found for found, _ in told) + sum(declines for _, declines in told))
    assert f1 >= FLOORS.get(name, 0.80)
