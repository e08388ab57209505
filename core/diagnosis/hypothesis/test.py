# ruff: noqa: PT028 - test_hypothesis is a test of statistics, not of code
"""Is one value of an attribute answered worse than another, and in which module?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.diagnosis.documents import DocumentReader
from core.diagnosis.hypothesis.bootstrap import ModuleTest
from core.diagnosis.hypothesis.comparison import (
    Sides,
    TestedModule,
    compare_sides,
    exchanges_of,
    paired_values,
    unpaired_values,
)
from core.diagnosis.hypothesis.conclusion import cannot_conclude, conclude
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.results.diagnosis import POLICIES, UNJUDGED, DiagnosisRow, Policy, Unjudged, check_choice
from core.stats.comparisons.detectable import smallest_detectable, smallest_detectable_between
from core.stats.comparisons.multiplicity import holm
from core.stats.comparisons.permutation import (
    PermutationTest,
    exchange_permutation,
    paired_permutation,
    unpaired_permutation,
)
from core.stats.resampling import LEAST_CLUSTERS, cluster_bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesisReport:
    """The comparison of two values, module by module.

    Attributes:
        paired: Whether the values were compared within semantic groups.
        tests: One per module, in the order overall, retrieval, language model, retrieval database.
        conclusion: The result, in plain words.
        cannot_conclude: The limits of the result, one sentence each.
    """

    attribute: str
    a: str
    b: str
    paired: bool
    tests: tuple[ModuleTest, ...]
    conclusion: str
    cannot_conclude: tuple[str, ...]
    seed: int

    def as_json(self) -> dict[str, object]:
        """The command line's form, without the diagnoses of both sides."""
        return {
            "tests": [test.as_json() for test in self.tests],
            "conclusion": self.conclusion,
            "cannot_conclude": list(self.cannot_conclude),
            "attribute": self.attribute,
            "values": [self.a, self.b],
            "paired": self.paired,
            "seed": self.seed,
        }


def test_hypothesis(
    rows: Sequence[DiagnosisRow],
    *,
    attribute: str,
    a: str,
    b: str,
    policy: Policy = "plain",
    unjudged: Unjudged = "exclude",
    known_ids: Collection[str] | None = None,
    seed: int = 0,
) -> HypothesisReport:
    """Compares two values of an attribute in every module (GRAMMAR, section 5, with statistics).

    The difference is the mean over semantic groups of the share of `a` minus the share of `b`; each group counts once.
    Where groups hold both values (forms do) it is taken within groups, and tested by flipping signs; else the groups of
    the two sides are compared, and tested by exchanging labels between groups. Intervals come from a bootstrap of
    groups; p-values are Holm-adjusted over the modules that could be tested.

    Args:
        rows: All rows of a run.
        attribute: "form", or a name among the rows' attributes.
        a: One value.
        b: The other.
        policy: As in :func:`core.diagnosis.diagnose`.
        unjudged: As there.
        known_ids: The ids of the corpus; gold ids that are not among them are no retrieval misses and are left out.
        seed: For draws; the same seed gives the same report.

    Raises:
        InvalidInput: The values are equal, or no row has one of them.
        InsufficientData: No module has six groups to compare.
    """
    check_choice("The policy", policy, POLICIES)
    check_choice("The treatment of unjudged rows", unjudged, UNJUDGED)
    _check_values(rows, attribute, a, b)
    reader = DocumentReader(rows, known_ids)
    sides = compare_sides(rows, attribute, a, b, reader=reader, policy=policy, unjudged=unjudged)
    paired = _pairs(sides[TestedModule.OVERALL], sides[TestedModule.RETRIEVAL])
    tests = [_test(module, sides[module], paired=paired, seed=seed) for module in TestedModule]
    if all(test.p_value is None for test in tests):
        groups_text = f"semantic groups with {'both values' if paired else 'each value'} of {attribute}"
        raise InsufficientData(LEAST_CLUSTERS, max(test.groups for test in tests), groups_text)
    adjusted = holm([test.p_value for test in tests])
    adjusted_tests = tuple(replace(test, p_adjusted=value) for test, value in zip(tests, adjusted, strict=True))
    return HypothesisReport(
        attribute=attribute,
        a=a,
        b=b,
        paired=paired,
        tests=adjusted_tests,
        conclusion=conclude(attribute, a, b, adjusted_tests),
        cannot_conclude=cannot_conclude(
            attribute, a, b, adjusted_tests, sides, paired=paired, corpus_known=known_ids is not None
        ),
        seed=seed,
    )


def _check_values(rows: Sequence[DiagnosisRow], attribute: str, a: str, b: str) -> None:
    if a == b:
        raise InvalidInput(f"Both values of {attribute} are {a!r}.", "Compare two different values.")
    present = {value for row in rows if (value := row.value_of(attribute)) is not None}
    for value in (a, b):
        if value not in present:
            occurring = ", ".join(sorted(present)[:8]) or "none"
            raise InvalidInput(f"No row has {attribute} {value!r}.", f"Values that occur: {occurring}.")


def _pairs(overall: Sides, retrieval: Sides) -> bool:
    """Whether to compare within groups: wherever groups have both values, unless those are few and the others many."""
    shared = max(len(overall.shared), len(retrieval.shared))
    if shared >= LEAST_CLUSTERS or shared == 0:
        return shared > 0
    alone = min(len(overall.a), len(overall.b)) - len(overall.shared)
    return alone < LEAST_CLUSTERS


def _test(module: TestedModule, sides: Sides, *, paired: bool, seed: int) -> ModuleTest:
    if paired:
        pairs = np.array(paired_values(module, sides, sides.shared), dtype=np.float64).reshape(-1, 2)
        values_a, values_b = pairs[:, 0], pairs[:, 1]
        groups, smallest = len(pairs), len(pairs)
    else:
        values_a, values_b = (np.array(side, dtype=np.float64) for side in unpaired_values(module, sides))
        groups, smallest = len(values_a) + len(values_b), min(len(values_a), len(values_b))
    if smallest < LEAST_CLUSTERS:
        requirement = "groups have both values" if paired else "groups are on the smaller side"
        reason = f"{smallest} {requirement}; {LEAST_CLUSTERS} are needed."
        return ModuleTest(module=module, groups=smallest, reason=reason)
    if paired:
        difference = cluster_bootstrap(values_a - values_b, seed=seed)
        test = _paired(module, sides, values_a - values_b, seed)
        detectable = smallest_detectable(values_a - values_b, comparisons=len(TestedModule))
    else:
        difference = cluster_bootstrap(values_a, other=values_b, seed=seed)
        test = unpaired_permutation(values_a, values_b, alike=sides.same_size, seed=seed)
        detectable = smallest_detectable_between(values_a, values_b, comparisons=len(TestedModule))
    return ModuleTest(
        module=module,
        groups=groups,
        a=float(values_a.mean()),
        b=float(values_b.mean()),
        difference=difference,
        p_value=test.p_value,
        method=f"{test.method}; {difference.method}; Holm over modules",
        detectable=detectable,
    )


def _paired(module: TestedModule, sides: Sides, differences: NDArray[np.float64], seed: int) -> PermutationTest:
    """Sign flips; where groups have unequal numbers of rows, the larger p-value of these and of exchanging labels.

    Flips allow for rows of one value that succeed or fail together but ask for symmetric differences; exchanges are
    exact for any sizes but require exchangeable rows. Where sizes are unequal both tests must reject.
    """
    flips = paired_permutation(differences, seed=seed)
    if sides.even:
        return flips
    within = exchange_permutation(float(differences.sum()), exchanges_of(module, sides, sides.shared), seed=seed)
    if within.p_value <= flips.p_value:
        return flips
    return within
