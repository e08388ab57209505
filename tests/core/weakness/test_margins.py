"""What rows and columns explain of a map, against least squares; shrinkage in the cases one can check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.weakness.margins import additive, left_out, shrunken

ROWS = np.repeat(np.arange(4), 3)
COLUMNS = np.tile(np.arange(3), 4)


def least_squares(means: np.ndarray, weights: np.ndarray) -> np.ndarray:
    design = np.column_stack(
        [np.ones(12), *(row == ROWS for row in range(4)), *(column == COLUMNS for column in range(3))]
    )
    there = (weights > 0) & ~np.isnan(means)
    root = np.sqrt(weights[there])
    found = np.linalg.lstsq(design[there] * root[:, None], means[there] * root, rcond=None)[0]
    return design @ found


def test_the_fit_is_that_of_weighted_least_squares() -> None:
    draw = np.random.default_rng(0)
    means, weights = draw.random(12), draw.integers(1, 50, 12).astype(np.float64)
    weights[4] = 0.0
    assert additive(means, weights, ROWS, COLUMNS) == pytest.approx(least_squares(means, weights), abs=1e-5)


def test_a_cell_is_predicted_from_the_others() -> None:
    truth = 0.5 + 0.1 * ROWS - 0.05 * COLUMNS
    means = truth.copy()
    means[5] = 0.0
    found = left_out(means, np.full(12, 40.0), ROWS, COLUMNS, 5, (None, None))
    assert found == pytest.approx([truth[5]], abs=1e-5)


def test_a_cell_alone_in_its_row_cannot_be_predicted() -> None:
    weights = np.where((ROWS == 1) & (COLUMNS != 0), 0.0, 10.0)
    assert left_out(np.full(12, 0.5), weights, ROWS, COLUMNS, 3, (0.0, 1.0)).size == 0


def test_cells_that_differ_by_chance_only_become_what_the_margins_say() -> None:
    means, expected = np.array([0.5, 0.51, 0.49, 0.5]), np.full(4, 0.5)
    assert shrunken(means, np.full(4, 10.0), expected, 0.5).tolist() == expected.tolist()


def test_cells_that_really_differ_keep_their_means_the_more_cases_they_have() -> None:
    means, expected = np.array([0.1, 0.9, 0.1, 0.9]), np.full(4, 0.5)
    found = shrunken(means, np.array([5.0, 5.0, 500.0, 500.0]), expected, 0.4)
    assert 0.1 < found[2] < found[0] < 0.5
    assert found[2] == pytest.approx(0.1, abs=0.01)


def test_scores_without_any_noise_are_left_as_they_are() -> None:
    means = np.array([0.2, 0.4])
    assert shrunken(means, np.ones(2), np.array([0.3, 0.3]), 0.0).tolist() == [0.2, 0.4]


def test_a_cell_without_a_mean_stays_without_one() -> None:
    found = shrunken(np.array([np.nan, 0.4, 0.8]), np.array([0.0, 9.0, 9.0]), np.array([0.5, 0.5, 0.7]), 0.3)
    assert np.isnan(found[0])
    assert not np.isnan(found[1:]).any()


def test_nothing_explains_nothing() -> None:
    assert np.isnan(additive(np.full(12, np.nan), np.zeros(12), ROWS, COLUMNS)).all()
