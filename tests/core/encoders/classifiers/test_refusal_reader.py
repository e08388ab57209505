"""The reader of refusals: which languages it knows, and how well it does on authors it has not seen."""

import hashlib

import pytest

from bench.refusal_model import KEPT_APART, STYLES, blocks_of
from core.encoders.classifiers.refusal_reader import WEIGHTS, open_refusal_reader, reads_as_english, refusal_odds
from core.metrics import find_metric

DIGESTS = {11: "f11d6f8b87783c28d72e184869fc2fd1ee921d85aa9719295a55cc88b86d922f"}
"""Of the weights, by the version of the metric that reads with them."""


def test_other_weights_are_another_version():
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert DIGESTS[find_metric("answered").spec.version] == digest


def test_it_is_opened_once():
    assert open_refusal_reader() is open_refusal_reader()


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
    told = [(refusal_odds(reply.question, reply.text) > 0, reply.declines) for _, reply, _ in blocks_of(name)]
    right = sum(found and declines for found, declines in told)
    f1 = 2 * right / (sum(found for found, _ in told) + sum(declines for _, declines in told))
    assert f1 >= FLOORS.get(name, 0.80)
