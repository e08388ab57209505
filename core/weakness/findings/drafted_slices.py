"""Slices of a search as parts beside the levels and cells that may explain them."""

from __future__ import annotations

from core.domain.findings import FindingKind
from core.weakness.findings.facts import PartFacts, SearchFacts
from core.weakness.findings.families import Candidate
from core.weakness.options import WeaknessOptions
from core.weakness.slices.report import Slice, SliceReport


def slice_candidates(report: SliceReport, options: WeaknessOptions) -> tuple[tuple[Candidate, SearchFacts], ...]:
    """The weak slices with how each was found; their figures are of the half that was held out."""
    within = sum(one.p_adjusted <= options.q for one in report.slices)
    limit = options.q * within / max(report.carried, 1)
    return tuple((_candidate(one, report, limit), _search(one, report)) for one in report.weak)


def _candidate(one: Slice, report: SliceReport, limit: float) -> Candidate:
    return Candidate(
        kind=FindingKind.SLICE,
        conditions=one.conditions,
        positions=one.cases,
        facts=PartFacts(
            n=one.mean.n,
            scored=one.mean.n,
            clusters=None,
            mean=one.mean.value or 0.0,
            low=one.mean.low,
            high=one.mean.high,
            rest=one.rest.value or 0.0,
            rest_scored=one.rest.n,
            effect=one.effect.value or 0.0,
            p_adjusted=one.p_adjusted,
            tested=report.carried,
            among="slices",
        ),
        p_value=one.p_value,
        limit=limit,
    )


def _search(one: Slice, report: SliceReport) -> SearchFacts:
    return SearchFacts(
        n=one.n,
        scored=one.scored,
        clusters=one.clusters,
        tried=report.tried,
        found_effect=one.found_effect,
        found_n=one.found_n,
        effect_low=one.effect.low,
        effect_high=one.effect.high,
        held_out=report.held_out,
    )
