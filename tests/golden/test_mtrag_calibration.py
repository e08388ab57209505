"""The MTRAG human evaluation: how far its raters agree, and whether calibrated scores keep their promise on it."""

import numpy as np
import pytest

from bench.mtrag import read_rows
from bench.mtrag_calibration import ALPHAS, DOCS, SPLITS, agreement, are_faithful, calibrate
from tests.support.shared_data import shared

FILE = "mtrag/reference_subset_with_human_evaluations.json"


@pytest.fixture(scope="module")
def rows():
    return read_rows(shared(FILE))


def calibrated(rows, name):
    """A score that is in the file; nothing is encoded."""
    return calibrate(rows, name, np.array([row.shipped[name] for row in rows]))


def test_the_raters_agree_as_far_as_the_page_says(rows):
    lines = agreement(rows)
    assert "| faithfulness | .531 [.454, .601] | .593 [.520, .661] | .57 |" in lines
    assert "| appropriateness | .073 [-.007, .154] | .074 [-.019, .181] | .08 |" in lines
    page = DOCS.read_text(encoding="utf-8")
    assert all(line in page for line in lines)
    assert int(are_faithful(rows).sum()) == 236


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Bert-KPrec", "rb_llm"])
def test_the_promise_is_kept_on_average_by_good_and_weak_scores(rows, name):
    found = calibrated(rows, name)
    # Splits overlap, so that 200 of them are worth some ten: 2 sd of one split's coverage (.04) over sqrt(10).
    assert found.coverage.shape == (len(ALPHAS), SPLITS)
    for alpha, coverage in zip(ALPHAS, found.coverage, strict=True):
        assert 1 - alpha - 0.025 < coverage.mean()
    assert found.ece[1] <= found.ece[0] + 0.01
    assert found.brier[1] < found.base


@pytest.mark.slow
def test_a_better_score_decides_more(rows):
    good, weak = calibrated(rows, "Bert-KPrec"), calibrated(rows, "rb_llm")
    assert good.single[0].mean() > weak.single[0].mean() + 0.2
