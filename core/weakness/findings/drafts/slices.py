"""Slices of a search as candidates beside the levels and cells that may explain them."""

from __future__ import annotations

from core.domain.results.findings import FindingKind
from core.weakness.findings.drafts.facts import PartFacts, SearchFacts
from core.weakness.findings.drafts.families import Candidate
from core.weakness.options import WeaknessOptions
from core.weakness.slices.report import Slice, SliceReport


def slice_candidates(report: SliceReport, options: WeaknessOptions) -> tuple[tuple[Candidate, SearchFacts], ...]:
    """The weak slices with how each was found; their figures are of the half that was held out."""
    within = sum(found_slice.p_adjusted <= options.q for found_slice in report.slices)
    limit = options.q * within / max(report.carried, 1)
    return tuple((_candidate(found_slice, report, limit), _search(found_slice, report)) for found_slice in report.weak)


def _candidate(weak_slice: Slice, report: SliceReport, limit: float) -> Candidate:
    return Candidate(
        kind=FindingKind.SLICE,
        conditions=weak_slice.conditions,
        positions=weak_slice.cases,
        facts=PartFacts(
            n=weak_slice.mean.n,
            scored=weak_slice.mean.n,
            clusters=None,
            mean=weak_slice.mean.value or 0.0,
            low=weak_slice.mean.low,
            high=weak_slice.mean.high,
            rest=weak_slice.rest.value or 0.0,
            rest_scored=weak_slice.rest.n,
            effect=weak_slice.effect.value or 0.0,
            p_adjusted=weak_slice.p_adjusted,
            tested=report.carried,
            among="slices",
        ),
        p_value=weak_slice.p_value,
        limit=limit,
    )


def _search(weak_slice: Slice, report: SliceReport) -> SearchFacts:
    return SearchFacts(
        n=weak_slice.n,
        scored=weak_slice.scored,
        clusters=weak_slice.clusters,
        tried=report.tried,
        found_effect=weak_slice.found_effect,
        found_n=weak_slice.found_n,
        effect_low=weak_slice.effect.low,
        effect_high=weak_slice.effect.high,
        held_out=report.held_out,
    )
