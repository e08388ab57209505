"""Simulations: a system that ignores spelling is not called weak to it, and one that breaks is found."""

import numpy as np
import pytest

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected, Lineage
from core.robustness.pairs import Answered
from core.robustness.result import robustness_of
from core.stats import paired_permutation
from core.stats.comparisons.detectable import smallest_detectable

pytestmark = pytest.mark.statistical

RUNS, GROUPS, WORDINGS, KINDS = 300, 40, 3, 4


def answered(case_id, group, verdict, lineage=None):
    attributes = lineage.as_attributes() if lineage else {}
    case = TestCase(
        case_id=case_id, question="?", reference_answers=("a",), group_id=f"g{group}", attributes=attributes
    )
    return Answered(case=case, verdict=float(verdict))


def weak_kinds(generator, *, broken=0.0):
    """The kinds called weak for a system that answers at random about its own level for each group.

    Wordings of a group share how hard it is, so that cases of a group go together; `broken` is how often the variant of
    the first kind loses a right answer.
    """
    hard = generator.beta(2, 1, GROUPS)
    parents, variants = {}, []
    for group in range(GROUPS):
        for wording in range(WORDINGS):
            case_id = f"p{group}.{wording}"
            parents[case_id] = answered(case_id, group, generator.random() < hard[group])
            for kind in range(KINDS):
                right = generator.random() < hard[group]
                if kind == 0 and generator.random() < broken:
                    right = False
                lineage = Lineage(variant=f"k{kind}", parent=case_id, expected=Expected.SAME_ANSWER.value)
                variants.append(answered(f"v{kind}.{case_id}", group, right, lineage))
    return {figures.kind for figures in robustness_of(parents, variants).kinds if figures.weak}


def test_a_system_that_ignores_the_variants_is_seldom_called_weak():
    generator = np.random.default_rng(1)
    called = sum(bool(weak_kinds(generator)) for _ in range(RUNS))
    # Any of four kinds, at a level of 5% over both directions: 2.5% expected, and 5% with room for chance.
    assert called / RUNS <= 0.05 + 2.6 * (0.05 * 0.95 / RUNS) ** 0.5


def test_a_system_that_breaks_is_found_and_nothing_else_is():
    generator = np.random.default_rng(2)
    called = [weak_kinds(generator, broken=0.4) for _ in range(100)]
    assert sum("k0" in kinds for kinds in called) >= 90
    assert sum(bool(kinds - {"k0"}) for kinds in called) <= 12


@pytest.mark.parametrize("groups", [20, 60, 200])
def test_the_smallest_detectable_change_is_found_about_as_often_as_promised(groups):
    generator = np.random.default_rng(groups)

    def differences(change):
        """Parents right in 7 of 10, variants drawn anew in 3 of 10, of whose right ones a share breaks."""
        parent = generator.random(groups) < 0.7
        redrawn = generator.random(groups) < 0.3
        variant = np.where(redrawn, generator.random(groups) < 0.7, parent)
        variant &= generator.random(groups) >= change / 0.7
        return variant.astype(float) - parent

    promised = [smallest_detectable(differences(0.0)) for _ in range(20)]
    found = [paired_permutation(differences(change)).p_value <= 0.05 for change in promised for _ in range(30)]
    assert 0.7 <= np.mean(found) <= 0.97
