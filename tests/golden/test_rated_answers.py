"""Answers in today's manner, rated by authors who saw no rule: claim reading goes with them where words do not."""

import numpy as np
import pytest

from bench.rated_answers import areas, claims, rated, values
from core.stats import spearman

pytestmark = pytest.mark.slow

UNREAD = ("library", "services")
"""Sets whose faithful answers are far from the passage's words."""
EVERY = 2
"""Of the answers and claims every so many; ``python -m bench.rated_answers`` reads all of them."""


@pytest.fixture(scope="module")
def found():
    """The rank correlation with the mean rating by set and metric."""
    return {
        (name, metric): spearman(values(rows, metric), np.array([np.mean(row["ratings"]) for row in rows]))
        for name, every in rated()
        if name in UNREAD
        for rows in [every[::EVERY]]
        for metric in ("faithfulness", "claim_reading")
    }


@pytest.mark.parametrize("name", UNREAD)
def test_it_goes_further_with_the_ratings_than_words(found, name):
    assert found[name, "claim_reading"] > found[name, "faithfulness"] + 0.25


def test_supported_claims_have_more_than_others_more_often_than_by_words():
    [rows] = [every[: len(every) // EVERY] for name, every in claims() if name == "services"]
    words, read = (areas(values(rows, metric), rows) for metric in ("faithfulness", "claim_reading"))
    assert read[0] > max(0.5, words[0] + 0.3)
    assert read[1] > max(0.8, words[1] + 0.2)
