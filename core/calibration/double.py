"""Double calibration: scores become probabilities of acceptance, and probabilities become sets with a promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration import checks
from core.calibration.decisions import Errors, Threshold, choose_threshold, errors_at
from core.calibration.populations import PopulationCheck, compare_populations
from core.calibration.probability.choosing import REPEATS, Choice, choose_model, fixed_choice
from core.calibration.probability.improvement import before_and_after
from core.calibration.probability.inputs import Inputs, as_probability, score_table
from core.calibration.probability.models import ModelName, ProbabilityModel, fit_model
from core.calibration.probability.quality import bins_for, reliability
from core.calibration.report import Counts, Decision, Report
from core.calibration.sets.conformal import Conformal, Method, conformalise, conformity
from core.calibration.sets.verdicts import (
    by_group,
    curve,
    decide,
    decided,
    expected_band,
    numbers,
    quantiles,
    set_counts,
    tally,
    without_own,
)
from core.calibration.splits import SHARES, Split, SplitPart, split_parts
from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.stats import clustered_proportion

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

AUTO = "auto"

MOST_DRAWN = 5_000_000
"""Draws times cases above which fewer draws are made than requested."""
LEAST_DRAWS = 200
"""The smallest number of draws, for an interval of 95%."""
LARGE = 20_000
"""Labels of the fit part above which models are compared on one dealing of the folds, not three."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Applied:
    """The result of a calibration for each case.

    Attributes:
        accepted: Probability of acceptance by people, shape (n,); NaN without a score.
        probabilities: Of every level, shape (n, levels); NaN without a score.
        sets: Which levels are in the set, shape (n, levels); none without a score.
        decisions: Accept, reject or ask a human; None without a score.
    """

    accepted: Floats
    probabilities: Floats
    sets: Bools
    decisions: tuple[Decision | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """A fitted double calibration.

    Attributes:
        report: The results, as plain data.
        model: Maps scores to probabilities.
        rule: Maps probabilities to sets.
        parts: The use of each case of the run (values of `SplitPart`), empty where it was not used, shape (n,).
    """

    report: Report
    model: ProbabilityModel
    rule: Conformal
    parts: NDArray[np.str_]

    def apply(self, scores: ArrayLike, groups: Sequence[str] | None = None) -> Applied:
        """Probabilities, sets and decisions of cases.

        Args:
            scores: Turned as for :func:`calibrate`, shape (n,) or (n, scores); a row with a NaN is unscored.
            groups: The group of each case, where the calibration was made by group.

        Raises:
            InvalidInput: The number of scores or groups differs.
        """
        table = score_table(scores)
        if table.shape[1] != len(self.report.names):
            raise InvalidInput(
                f"The calibration takes {len(self.report.names)} scores and there are {table.shape[1]}.",
                f"Give {', '.join(self.report.names)}.",
            )
        if groups is not None and len(groups) != len(table):
            raise InvalidInput(f"{len(groups)} groups for {len(table)} cases.", "Give one group a case.")
        scored: Bools = np.asarray(np.isfinite(table).all(axis=1))
        probabilities = np.full((len(table), self.report.levels), np.nan)
        sets = np.zeros(probabilities.shape, dtype=bool)
        if scored.any():
            probabilities[scored] = self.model.probabilities(table[scored])
            scored_groups = (
                None
                if groups is None
                else [group for group, is_scored in zip(groups, scored, strict=True) if is_scored]
            )
            sets[scored] = self.rule.sets(probabilities[scored], scored_groups)
        decisions = decide(sets, self.report.accept_from)
        return Applied(
            accepted=probabilities[:, self.report.accept_from :].sum(axis=1),
            probabilities=probabilities,
            sets=sets,
            decisions=tuple(
                decision if is_scored else None for decision, is_scored in zip(decisions, scored, strict=True)
            ),
        )


def calibrate(
    scores: ArrayLike,
    labels: ArrayLike,
    *,
    levels: int = 2,
    accept_from: int = 1,
    names: Sequence[str] | None = None,
    clusters: ArrayLike | None = None,
    random: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    groups: Sequence[str] | None = None,
    method: ModelName | str = AUTO,
    alpha: float = 0.1,
    conformal: Method = "lac",
    threshold: Threshold | None = None,
    agreement: Estimate | None = None,
    insist: bool = False,
    undecided: int = 0,
    shares: tuple[float, float, float] = SHARES,
    resamples: int = 500,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Calibration:
    """Calibrates scores to people's labels in two stages and tests the promise on a third part.

    Stage 1 fits the probability of each level on the fit part, stage 2 takes the conformal quantile on the conformal
    part, and every figure of the report is of the test part, which neither stage uses. Labels that were not drawn at
    random serve only the fit, with their weights.

    The work is bounded: above 5,000,000 draws times cases fewer draws are made, but at least 200 (500 on a test part of
    10,000 cases, 200 on one of 25,000 and more); above 20,000 labels of the fit part models are compared on a single
    assignment of the folds.

    Args:
        scores: Of every case of the run, higher is better, shape (n,) or (n, scores); NaN where unscored.
        labels: Level of each case as a whole number from 0, shape (n,); NaN where there is none.
        levels: How many levels there are.
        accept_from: The lowest level that counts as accepted, at least 1.
        names: Of the scores, for messages.
        clusters: What each case belongs to, shape (n,); each case alone by default.
        random: Whether the case was drawn at random to be labelled, shape (n,); all by default.
        weights: One over the chance of each labelled case to be labelled, shape (n,); equal by default.
        groups: Mondrian: the group of each case; a group with enough labels gets its own quantile.
        method: A model, or ``auto`` to choose by cross-validation on the fit part.
        alpha: The share of sets that may miss the label.
        conformal: ``lac`` (the paper's) or ``aps``.
        threshold: How to choose the lowest accepted probability, on the conformal part; 0.5 by default.
        agreement: Krippendorff's alpha of the raters.
        insist: Calibrate although raters do not agree.
        undecided: Rated cases without a combined label, for the report.
        shares: Of the random share to fit, conformalise, test.
        resamples: Draws of the bootstrap, and exchanges of the comparison of populations.
        seed: Of every random choice.
        progress: Called with the name of each stage as it begins.

    Raises:
        InsufficientData: Too few labels for the three parts or for a level.
        InvalidInput: Labels or scores do not vary or do not fit, or raters do not agree and `insist` is not set.

    Reference:
        HCAT, section 5.
    """
    notify = progress or (lambda _: None)
    run = Inputs(scores, labels, levels, accept_from, names, clusters, random, weights, groups)
    cautions = list(checks.check_agreement(agreement, insist=insist))
    usable = np.flatnonzero(run.labelled & run.scored)
    table, truth = run.table[usable], run.truth[usable].astype(np.int64)
    checks.refuse_useless(table, truth, levels=levels)
    sources, at_random = run.clusters[usable], run.random[usable]
    split = split_parts(sources, random=at_random, shares=shares, seed=seed, alpha=alpha)
    fit, in_conformal, test = (split.of(part) for part in (SplitPart.FIT, SplitPart.CONFORMAL, SplitPart.TEST))
    _refuse_flat(table[fit], int(fit.sum()))
    omega = run.weights[usable] * split.weights
    notify(f"Choosing a model on {int(fit.sum()):,} labels")
    choice = _choose(method, table[fit], truth[fit], sources[fit], omega[fit], levels, seed)
    notify(f"Fitting the {choice.model} model and its sets")
    model = fit_model(choice.model, table[fit], truth[fit], levels=levels, weights=omega[fit])
    probabilities = model.probabilities(table)
    accepted, chance = truth >= accept_from, probabilities[:, accept_from:].sum(axis=1)
    group_names = None if run.groups is None else [run.groups[place] for place in usable]
    of = _picker(group_names)
    rule = conformalise(
        probabilities[in_conformal],
        truth[in_conformal],
        alpha=alpha,
        method=conformal,
        groups=of(in_conformal),
        clusters=sources[in_conformal],
    )
    sets = rule.sets(probabilities[test], of(test))
    hits = sets[np.arange(len(sets)), truth[test]]
    before, reading = as_probability(run.table[run.scored], table, fit)
    limit = choose_threshold(
        threshold or Threshold(), chance[in_conformal], accepted[in_conformal], sources[in_conformal]
    )
    bins = bins_for(int(test.sum()))
    own_scores = conformity(probabilities[in_conformal], conformal)[
        np.arange(int(in_conformal.sum())), truth[in_conformal]
    ]
    counts = _counts(run, split, sources, at_random, undecided)
    notify(f"Comparing the labelled cases with the others of {counts.scored:,}")
    populations = _populations(run, usable[at_random], seed, draws_for(counts.scored, resamples))
    cautions += checks.check_scores(table, truth, sources, run.names)
    cautions += checks.check_sizes(
        counts.conformal,
        counts.clusters_conformal,
        alpha=alpha,
        tested=counts.test,
        groups=without_own(rule, of(in_conformal), group_names, sources[in_conformal]),
        needed=split.needed,
        random=counts.random,
    )
    cautions += checks.check_ties(own_scores)
    cautions += checks.check_populations(populations)
    cautions += checks.check_weights(targeted=counts.targeted, weighted=weights is not None)
    cautions += checks.check_unscored(counts.scored, counts.cases, counts.labelled_unscored)
    cautions += checks.check_undecided(counts.undecided, counts.labelled + counts.undecided)
    draws = draws_for(counts.test, resamples)
    notify(f"Testing on {counts.test:,} labels, {draws} draws")
    figures = before_and_after(before[test], chance[test], accepted[test], sources[test], seed=seed, resamples=draws)
    cautions += [caution for figure in figures if figure.name == "brier" for caution in checks.check_gain(figure)]
    all_sets = _all_sets(run, model, rule)
    if not rule.quantile().too_few:
        cautions += checks.check_full(int(all_sets.all(axis=1).sum()), len(all_sets), method=conformal)
    low, high = expected_band(rule, int(test.sum()))
    parts = np.full(len(run.table), "", dtype="<U9")
    parts[usable] = split.parts
    report = Report(
        names=run.names,
        levels=levels,
        accept_from=accept_from,
        alpha=alpha,
        conformal=conformal,
        shares=tuple(float(share) for share in shares),
        seed=seed,
        n=counts,
        choice=choice,
        reading=reading,
        figures=figures,
        bins_before=reliability(before[test], accepted[test], sources[test], bins=bins),
        bins_after=reliability(chance[test], accepted[test], sources[test], bins=bins),
        curve=curve(model, run.table[run.scored], accept_from),
        quantiles=quantiles(rule, of(in_conformal), group_names),
        coverage=clustered_proportion(hits, numbers(sources[test])),
        expected_low=low,
        expected_high=high,
        coverage_by_group=by_group(hits, sources[test], of(test)),
        sets=set_counts(sets),
        sets_all=set_counts(all_sets),
        decisions=decided(sets, accepted[test], sources[test], accept_from),
        decisions_all=tally(all_sets, accept_from),
        threshold=limit.value,
        threshold_how=limit.how,
        errors=_errors(chance[test], accepted[test], sources[test], limit.value),
        populations=populations,
        agreement=agreement,
        insisted=any(caution.code == "agreement_insisted" for caution in cautions),
        cautions=tuple(cautions),
    )
    return Calibration(report=report, model=model, rule=rule, parts=parts)


def draws_for(cases: int, requested: int) -> int:
    """The number of draws for a number of cases; see :func:`calibrate`.

    >>> [draws_for(cases, 500) for cases in (300, 10_000, 20_000, 60_000)]
    [500, 500, 250, 200]
    """
    return min(requested, max(MOST_DRAWN // max(cases, 1), LEAST_DRAWS))


def _refuse_flat(table: Floats, n: int) -> None:
    if (np.ptp(table, axis=0) == 0.0).all():
        raise InvalidInput(
            f"All {n} cases of the fit part have the same score.", "Choose a metric that differs between cases."
        )


def _choose(
    method: ModelName | str,
    table: Floats,
    truth: NDArray[np.int64],
    sources: ArrayLike,
    omega: Floats,
    levels: int,
    seed: int,
) -> Choice:
    if method == AUTO:
        repeats = REPEATS if truth.size <= LARGE else 1
        return choose_model(table, truth, clusters=sources, levels=levels, weights=omega, repeats=repeats, seed=seed)
    if method not in list(ModelName):
        raise InvalidInput(f"There is no model {method!r}.", f"Use {AUTO} or one of: {', '.join(ModelName)}.")
    return fixed_choice(ModelName(method), labels=truth, levels=levels, scores=table.shape[1])


def _picker(group_names: Sequence[str] | None) -> Callable[[Bools], list[str] | None]:
    """The groups of some of the labelled cases, None where there are no groups."""

    def pick(selection: Bools) -> list[str] | None:
        return None if group_names is None else [group_names[int(place)] for place in np.flatnonzero(selection)]

    return pick


def _counts(run: Inputs, split: Split, sources: ArrayLike, at_random: Bools, undecided: int) -> Counts:
    in_conformal, test = split.of(SplitPart.CONFORMAL), split.of(SplitPart.TEST)
    names = np.asarray(sources)
    return Counts(
        cases=len(run.table),
        scored=int(run.scored.sum()),
        labelled=int(run.labelled.sum()),
        labelled_unscored=int((run.labelled & ~run.scored).sum()),
        random=int(at_random.sum()),
        fit=split.count(SplitPart.FIT),
        conformal=int(in_conformal.sum()),
        test=int(test.sum()),
        unused=split.count(SplitPart.UNUSED),
        targeted=split.targeted,
        clusters_conformal=int(np.unique(names[in_conformal]).size),
        clusters_test=int(np.unique(names[test]).size),
        needed=split.needed,
        undecided=undecided,
    )


def _populations(run: Inputs, labelled_places: NDArray[np.intp], seed: int, draws: int) -> tuple[PopulationCheck, ...]:
    side = np.zeros(len(run.table), dtype=bool)
    side[labelled_places] = True
    comparisons = (
        compare_populations(run.table[:, place], side, run.clusters, name=name, seed=seed, draws=draws)
        for place, name in enumerate(run.names)
    )
    return tuple(comparison for comparison in comparisons if comparison is not None)


def _all_sets(run: Inputs, model: ProbabilityModel, rule: Conformal) -> Bools:
    group_names = None if run.groups is None else [run.groups[place] for place in np.flatnonzero(run.scored)]
    return rule.sets(model.probabilities(run.table[run.scored]), group_names)


def _errors(chance: Floats, accepted: Bools, sources: ArrayLike, threshold: float | None) -> Errors | None:
    return None if threshold is None else errors_at(chance, accepted, sources, threshold)
