"""Fitted faithfulness: weights that are never negative, predictions of cases nobody learned from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InsufficientData, InvalidInput
from core.metrics.comparison.faithfulness_fit import fit_faithfulness, parts_of
from core.metrics.comparison.faithfulness_parts import PARTS, claim_value, combine

NAMES = ("semantic", "lexical", "specifics")
SHARES = st.floats(0.0, 1.0)


def rows(seed=0, tasks=60):
    random = np.random.default_rng(seed)
    parts = random.uniform(size=(2 * tasks, 3))
    labels = 1.0 + 2.0 * parts[:, 0] + 1.0 * parts[:, 1] + 0.01 * random.normal(size=2 * tasks)
    return parts, labels, np.arange(2 * tasks) // 2


def test_it_finds_the_weights():
    # The ridge of 10 beside 120 standardised cases keeps 120 / 130 of a weight.
    found = fit_faithfulness(*rows())
    assert found.weights == pytest.approx((2.0 * 120 / 130, 120 / 130, 0.0), abs=0.06)
    assert (found.cases, found.groups) == (120, 60)
    assert sum(found.shares.values()) == pytest.approx(1.0)


def test_a_part_that_goes_the_wrong_way_gets_no_weight():
    parts, labels, groups = rows()
    turned = np.column_stack([parts[:, 0], 1.0 - parts[:, 1], parts[:, 2]])
    assert fit_faithfulness(turned, labels, groups).weights[1] == 0.0


def test_out_of_fold_predictions_do_not_see_their_group():
    """A label that only its own group could tell is not predicted: changing it leaves its prediction as it was."""
    parts, labels, groups = rows()
    before = fit_faithfulness(parts, labels, groups)
    changed = labels.copy()
    changed[groups == 7] = 40.0
    after = fit_faithfulness(parts, changed, groups)
    assert after.out_of_fold[groups == 7] == pytest.approx(before.out_of_fold[groups == 7], abs=1e-12)
    assert not np.allclose(after.out_of_fold, before.out_of_fold)


def test_the_same_seed_gives_the_same_bits():
    first, second, other = (fit_faithfulness(*rows(), seed=seed) for seed in (3, 3, 4))
    assert (first.out_of_fold == second.out_of_fold).all()
    assert not (first.out_of_fold == other.out_of_fold).all()


@pytest.mark.slow
@given(st.lists(SHARES, min_size=3, max_size=3), st.integers(0, 2), SHARES)
def test_predictions_never_fall_when_a_part_rises(parts, place, more):
    found = fit_faithfulness(*rows(), repeats=1)
    risen = [*parts]
    risen[place] = max(parts[place], more)
    low, high = found.predict([parts, risen])
    assert high >= low - 1e-12


@given(st.dictionaries(st.sampled_from(sorted(PARTS)), SHARES, min_size=1), st.data())
def test_the_shipped_score_never_falls_when_a_part_rises(parts, data):
    name = data.draw(st.sampled_from(sorted(parts)))
    risen = {**parts, name: max(parts[name], data.draw(SHARES))}
    assert claim_value(risen) >= claim_value(parts) - 1e-12
    assert 0.0 <= claim_value(parts) <= 1.0
    assert claim_value(dict.fromkeys(parts, 1.0)) == 1.0
    assert claim_value(dict.fromkeys(parts, 0.0)) == 0.0


@given(st.lists(SHARES, min_size=1, max_size=6), st.data())
def test_an_answer_never_falls_when_a_claim_rises(values, data):
    place = data.draw(st.integers(0, len(values) - 1))
    risen = [*values]
    risen[place] = max(values[place], data.draw(SHARES))
    weights = [1 / len(values)] * len(values)
    assert combine(risen, weights) >= combine(values, weights) - 1e-12
    assert min(values) - 1e-12 <= combine(values, weights) <= max(values) + 1e-12


def test_labels_that_do_not_differ_give_no_weights():
    parts, labels, groups = rows()
    found = fit_faithfulness(parts, np.full(labels.size, 3.0), groups)
    assert found.weights == (0.0, 0.0, 0.0)
    assert found.shares == dict.fromkeys(NAMES, 0.0)
    assert found.predict([[1.0, 1.0, 1.0]]) == pytest.approx([3.0])


def test_what_does_not_fit_is_refused():
    parts, labels, groups = rows()
    with pytest.raises(InsufficientData, match="at least 10 groups"):
        fit_faithfulness(parts[:8], labels[:8], groups[:8])
    with pytest.raises(InvalidInput, match="labels"):
        fit_faithfulness(parts, labels[1:], groups)
    with pytest.raises(InvalidInput, match="do not fit"):
        fit_faithfulness(parts, labels, groups, names=("semantic", "lexical"))
    with pytest.raises(InvalidInput, match="do not fit"):
        fit_faithfulness(parts, labels, groups, names=("semantic", "lexical", "taste"))
    with pytest.raises(InvalidInput, match="not a number"):
        fit_faithfulness(np.where(parts > 0.9, np.nan, parts), labels, groups)


def test_parts_of_a_stored_score():
    assert parts_of({"parts": {"semantic": 0.1, "lexical": 0.2, "specifics": 1.0}}, NAMES) == (0.1, 0.2, 1.0)
    assert parts_of({"rule": "nothing retrieved"}, NAMES) == (0.0, 0.0, 0.0)
    assert parts_of({"rule": "no claim"}, NAMES) == (0.5, 0.5, 0.5)
    with pytest.raises(InvalidInput, match="no part entailment"):
        parts_of({"parts": {"semantic": 0.1}}, ("semantic", "entailment"))
