"""The slice finder: which conjunctions of up to three attributes are weak, found on one half and shown on the other."""

from __future__ import annotations

import numpy as np

from core.stats import benjamini_hochberg
from core.weakness.parts import least_effect
from core.weakness.slices.check import Checked, check
from core.weakness.slices.choice import choose, inside
from core.weakness.slices.fields import Fields, searchable
from core.weakness.slices.halving import discovery_half
from core.weakness.slices.relatives import explained
from core.weakness.slices.report import Conditions, Slice, SliceOptions, SliceReport
from core.weakness.slices.search import Candidate, Half, search
from core.weakness.table import Bools, CaseTable, Floats, Ints

__all__ = ["Conditions", "Slice", "SliceOptions", "SliceReport", "find_slices"]

CANDIDATES = 400
"""Slices of the search whose overlap is looked at."""


def find_slices(table: CaseTable, options: SliceOptions | None = None) -> SliceReport:
    """Looks for slices that are worse than all other cases.

    The clusters are halved. On the first half every conjunction with enough cases is compared with the rest, and those
    that say something of their own are chosen. Only these are tested, on the second half, which had no part in choosing
    them: their effects and p-values there are not made larger by the search, however many conjunctions it tried.

    Cases without a score are in no half; they make no slice weak and none good.

    Args:
        table: The cases.
        options: How to search and what counts as weak.

    Reference:
        Y. Chung et al. (2019), Slice Finder: automated data slicing for model validation, for the search. D. R. Cox
        (1975), A note on data-splitting for the evaluation of significance levels, for the halves.
    """
    options = options or SliceOptions()
    scored = table.scored
    unscored = int((~scored).sum())
    values, clusters = table.score.values[scored], table.clusters[scored]
    held = int(np.unique(clusters).size)
    if reason := _hopeless(table, values, held, options):
        return SliceReport(unscored=unscored, reason=reason)
    first = discovery_half(clusters, [one.codes[scored] for one in table.attributes], options.seed)
    fields = searchable(table.attributes, scored, clusters, first, options.least)
    half = Half(table.score.sign * values[first], clusters[first])
    codes = [one[first] for one in fields.codes]
    effect = least_effect(table.score, options.weakness())
    found, tried = search(half, codes, depth=options.depth, least=options.least, least_effect=effect, most=CANDIDATES)
    second = [one[~first] for one in fields.codes]
    other = Half(table.score.sign * values[~first], clusters[~first])
    chosen = choose(
        half, codes, found, most=options.most, least_effect=effect,
        usable=lambda one: _testable(other, inside(second, one), options.least),
    )  # fmt: skip
    masks = [inside(second, one) for one in chosen]
    checked = check(table.score, values[~first], clusters[~first], masks)
    return SliceReport(
        slices=_slices(table, fields, chosen, checked, masks, other, effect, options),
        tried=tried,
        carried=len(chosen),
        discovery=int(first.sum()),
        held_out=int((~first).sum()),
        unscored=unscored,
        same=tuple(
            (one.name, *(twin.name for twin in twins))
            for one, twins in zip(fields.attributes, fields.twins, strict=True)
            if twins
        ),
        left_out=fields.left_out,
        reason="" if fields.attributes else "No attribute has two levels with enough cases to be searched.",
    )


def _hopeless(table: CaseTable, values: Floats, clusters: int, options: SliceOptions) -> str:
    """Why nothing can be found, or an empty text."""
    if not values.size:
        return "No case has a score." if len(table) else "There are no cases."
    if not table.attributes:
        return "The cases have no attributes to be told apart by."
    if float(np.ptp(values)) == 0.0:
        return f"All {values.size} scores are {values[0]:g}: no slice is worse than another."
    # A slice and the cases outside it need so many in each half.
    need = 4 * options.least
    if clusters < need:
        return f"The search needs {need} groups of cases with a score, and there are {clusters}."
    return ""


def _testable(half: Half, mask: Bools, least: int) -> bool:
    """Whether a slice has enough clusters in a half, inside and outside."""
    if half.alone:
        return bool(least <= mask.sum() <= half.n - least)
    return min(np.unique(half.clusters[mask]).size, np.unique(half.clusters[~mask]).size) >= least


def _slices(
    table: CaseTable, fields: Fields, chosen: tuple[Candidate, ...], checked: tuple[Checked, ...], masks: list[Bools],
    half: Half, effect: float, options: SliceOptions,
) -> tuple[Slice, ...]:  # fmt: skip
    """The slices as they are reported, the weak ones first."""
    adjusted = benjamini_hochberg([one.p_value for one in checked])
    shown = [
        number
        for number, one in enumerate(checked)
        if adjusted[number] <= options.q and (one.effect.value or 0.0) >= effect - 1e-12
    ]
    by = explained(half, [masks[number] for number in shown])
    reasons = {number: shown[other] for number, other in zip(shown, by, strict=True) if other is not None}
    named = [
        tuple((fields.attributes[at].name, fields.attributes[at].levels[level]) for at, level in one.conditions)
        for one in chosen
    ]
    made = []
    for number, (one, held) in enumerate(zip(chosen, checked, strict=True)):
        cases = _cases(fields, one)
        with_score = cases[table.scored[cases]]
        made.append(
            Slice(
                conditions=named[number],
                same_as=tuple(pair for at, level in one.conditions for pair in fields.same_as(at, level)),
                n=cases.size, scored=with_score.size, clusters=int(np.unique(table.clusters[with_score]).size),
                mean=held.mean, rest=held.rest, effect=held.effect, p_value=held.p_value,
                p_adjusted=float(adjusted[number]), weak=number in shown and number not in reasons,
                found_effect=one.effect, found_n=one.n,
                explained_by=named[reasons[number]] if number in reasons else (), cases=cases,
            )
        )  # fmt: skip
    return tuple(sorted(made, key=_worst_first))


def _cases(fields: Fields, one: Candidate) -> Ints:
    """Positions of all cases of a slice."""
    return np.flatnonzero(inside([attribute.codes for attribute in fields.attributes], one)).astype(np.int64)


def _worst_first(one: Slice) -> tuple[bool, float, float, Conditions]:
    effect = -(one.effect.value or 0.0)
    return (not one.weak, effect if one.weak else one.p_value, effect, one.conditions)
