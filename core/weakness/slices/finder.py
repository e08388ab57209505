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
    """Finds slices that are worse than all other cases.

    The clusters are halved. On the first half every conjunction with enough cases is compared with the rest, and those
    that others do not explain are chosen. Only these are tested, on the second half, which was not used to choose them:
    the search does not bias their effects and p-values there, however many conjunctions it tried.

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
    cluster_count = int(np.unique(clusters).size)
    if reason := _hopeless(table, values, cluster_count, options):
        return SliceReport(unscored=unscored, reason=reason)
    in_discovery = discovery_half(clusters, [item.codes[scored] for item in table.attributes], options.seed)
    fields = searchable(table.attributes, scored, clusters, in_discovery, options.least)
    half = Half(table.score.sign * values[in_discovery], clusters[in_discovery])
    codes = [item[in_discovery] for item in fields.codes]
    effect = least_effect(table.score, options.weakness())
    candidates, tried = search(
        half, codes, depth=options.depth, least=options.least, least_effect=effect, most=CANDIDATES
    )
    held_out_codes = [item[~in_discovery] for item in fields.codes]
    held_out = Half(table.score.sign * values[~in_discovery], clusters[~in_discovery])
    carried = choose(
        half,
        codes,
        candidates,
        most=options.most,
        least_effect=effect,
        usable=lambda item: _testable(held_out, inside(held_out_codes, item), options.least),
    )
    masks = [inside(held_out_codes, item) for item in carried]
    held_out_places = np.flatnonzero(scored)[~in_discovery].astype(np.int64)
    checked = check(table.score, values[~in_discovery], clusters[~in_discovery], masks)
    return SliceReport(
        slices=_slices(table, fields, carried, checked, masks, held_out, held_out_places, effect, options),
        tried=tried,
        carried=len(carried),
        discovery=int(in_discovery.sum()),
        held_out=int((~in_discovery).sum()),
        unscored=unscored,
        same=tuple(
            (item.name, *(twin.name for twin in twins))
            for item, twins in zip(fields.attributes, fields.twins, strict=True)
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
        return "The cases have no attributes."
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
    table: CaseTable,
    fields: Fields,
    chosen: tuple[Candidate, ...],
    checked: tuple[Checked, ...],
    masks: list[Bools],
    half: Half,
    places: Ints,
    effect: float,
    options: SliceOptions,
) -> tuple[Slice, ...]:
    """The slices as they are reported, the weak ones first."""
    adjusted = benjamini_hochberg([candidate.p_value for candidate in checked])
    significant = [
        number
        for number, candidate in enumerate(checked)
        if adjusted[number] <= options.q and (candidate.effect.value or 0.0) >= effect - 1e-12
    ]
    explained_by = explained(half, [masks[number] for number in significant])
    reasons = {
        number: significant[explainer]
        for number, explainer in zip(significant, explained_by, strict=True)
        if explainer is not None
    }
    names_of = [
        tuple((fields.attributes[at].name, fields.attributes[at].levels[level]) for at, level in candidate.conditions)
        for candidate in chosen
    ]
    slices = []
    for number, (candidate, checked_slice) in enumerate(zip(chosen, checked, strict=True)):
        cases = _cases(fields, candidate)
        with_score = cases[table.scored[cases]]
        slices.append(
            Slice(
                conditions=names_of[number],
                same_as=tuple(pair for at, level in candidate.conditions for pair in fields.same_as(at, level)),
                n=cases.size,
                scored=with_score.size,
                clusters=int(np.unique(table.clusters[with_score]).size),
                mean=checked_slice.mean,
                rest=checked_slice.rest,
                effect=checked_slice.effect,
                p_value=checked_slice.p_value,
                p_adjusted=float(adjusted[number]),
                weak=number in significant and number not in reasons,
                found_effect=candidate.effect,
                found_n=candidate.n,
                explained_by=names_of[reasons[number]] if number in reasons else (),
                cases=cases,
                held_out=places[masks[number]],
            )
        )
    return tuple(sorted(slices, key=_worst_first))


def _cases(fields: Fields, candidate: Candidate) -> Ints:
    """Positions of all cases of a slice."""
    return np.flatnonzero(inside([attribute.codes for attribute in fields.attributes], candidate)).astype(np.int64)


def _worst_first(weak_slice: Slice) -> tuple[bool, float, float, Conditions]:
    effect = -(weak_slice.effect.value or 0.0)
    return (not weak_slice.weak, effect if weak_slice.weak else weak_slice.p_value, effect, weak_slice.conditions)
