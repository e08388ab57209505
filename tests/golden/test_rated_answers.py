"""Answers in today's manner, rated by authors who saw no rule: claim support goes with them where words do not."""

import numpy as np
import pytest

from bench.rated_answers import claims, rated, values
from core.stats import spearman

pytestmark = pytest.mark.slow

UNREAD = ("library", "services")
"""Sets that nothing was chosen on."""


@pytest.fixture(scope="module")
def found():
    """The rank correlation with the mean rating by set and metric."""
    return {
        (name, metric): spearman(values(rows, metric), np.array([np.mean(row["ratings"]) for row in rows]))
        for name, rows in rated()
        if name in UNREAD
        for metric in ("faithfulness", "claim_support")
    }


@pytest.mark.parametrize("name", UNREAD)
def test_it_goes_further_with_the_ratings_than_words(found, name):
    assert found[name, "claim_support"] > found[name, "faithfulness"] + 0.25


def test_supported_claims_have_more_than_contradicted_ones():
    from bench.rated_answers import areas

    [(_, rows)] = [(name, rows) for name, rows in claims() if name == "services"]
    contradicted, absent = areas(values(rows, "claim_support"), rows)
    assert min(contradicted, absent) > 0.7
