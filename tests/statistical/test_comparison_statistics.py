"""Simulations: two runs of one system are seldom told apart; a better module is found, and in no other place."""

import numpy as np
import pytest

from core.comparison.pairs import CasePair
from core.comparison.result import compared
from core.diagnosis import Attribution
from core.domain.testset.cases import TestCase
from core.robustness.pairs import Answered

pytestmark = pytest.mark.statistical

TRIALS, GROUPS, WORDINGS = 300, 60, 3
WRONG = (Attribution.KNOWLEDGE_GAP, Attribution.RETRIEVAL, Attribution.LANGUAGE_MODEL)


def outcome(generator, hard, module, mended, better):
    """An answer of a group: wrong as often as the group is hard, by the group's module unless that was mended."""
    if generator.random() >= hard:
        return 1.0, Attribution.CORRECT
    if module is better and generator.random() < mended:
        return 1.0, Attribution.CORRECT
    return 0.0, module


def comparison(generator, *, better=None, mended=0.0):
    pairs = []
    for group in range(GROUPS):
        hard, module = generator.beta(2, 2), WRONG[group % len(WRONG)]
        for wording in range(WORDINGS):
            case = TestCase(
                case_id=f"{group}.{wording}",
                question="?",
                group_id=f"g{group}",
                form=("short", "long", "casual")[wording],
                attributes={"topic": f"topic {group % 4}"},
            )
            before = outcome(generator, hard, module, 0.0, better)
            after = outcome(generator, hard, module, mended, better)
            pairs.append(
                CasePair(
                    before=Answered(case=case, verdict=before[0]),
                    after=Answered(case=case, verdict=after[0]),
                    module_before=before[1],
                    module_after=after[1],
                )
            )
    return compared(pairs)


def test_two_runs_of_one_system_are_seldom_told_apart():
    generator = np.random.default_rng(11)
    trials = [comparison(generator) for _ in range(TRIALS)]
    called = sum(trial.accuracy.p_value <= 0.05 for trial in trials)
    # 5% of 300 are 15; 99.9% of such binomials lie below 28.
    assert called <= 27
    assert sum(any(change.p_adjusted <= 0.05 for change in trial.modules) for trial in trials) <= 27
    # Three forms and four topics, adjusted together.
    assert all(len(trial.slices) == 7 for trial in trials)
    assert sum(any(one.change.p_adjusted <= 0.05 for one in trial.slices) for trial in trials) <= 27


def test_intervals_cover_no_difference():
    generator = np.random.default_rng(12)
    covered = 0
    for _ in range(TRIALS):
        difference = comparison(generator).accuracy.difference
        covered += difference.low <= 0.0 <= difference.high
    # 95% of 300 are 285; 99.9% of such binomials lie above 272.
    assert covered >= 273


@pytest.mark.parametrize("better", WRONG, ids=str)
def test_a_better_module_is_found_there_and_nowhere_else(better):
    generator = np.random.default_rng(13)
    moved = [
        {
            change.name: change.difference.value
            for change in comparison(generator, better=better, mended=0.9).modules
            if change.p_adjusted <= 0.05
        }
        for _ in range(100)
    ]
    # Fewer errors of the module: its share of the cases falls.
    assert sum(changes.get(str(better), 0.0) < 0.0 for changes in moved) >= 95
    # Two modules that did not change, adjusted together with the third: 5% at most, with room for chance.
    assert sum(bool(changes.keys() - {str(better)}) for changes in moved) <= 11
