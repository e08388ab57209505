"""Checks of a calibration: warnings with their remedies, and inputs that are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.populations import PopulationCheck
from core.calibration.probability.improvement import Figure
from core.calibration.splits import least_conformal
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.stats.ranks.rank_correlation import rank_correlation

Floats = NDArray[np.float64]

TENTATIVE = 0.667
"""Krippendorff's least alpha for tentative conclusions."""
TIED = 0.8
"""Share of different conformity scores below which sets over-cover noticeably."""
DIFFERENT = 0.05
"""P-value below which two score distributions are said to differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A limitation of a calibration that its reader must know.

    Attributes:
        code: The kind of caution; stable.
        text: The limitation, with its numbers.
        remedy: What to do about it.
    """

    code: str
    text: str
    remedy: str


def refuse_useless(scores: Floats, labels: ArrayLike, *, levels: int) -> None:
    """Refuses scores or labels to which no model can be fitted.

    Args:
        scores: Of labelled cases, shape (n, m), finite.
        labels: Their levels, shape (n,).
        levels: How many levels there are.

    Raises:
        InsufficientData: There is no labelled case with a score.
        InvalidInput: All labels are of one level, or all scores are equal.
    """
    truth = np.asarray(labels)
    if not truth.size:
        error = InsufficientData(1, 0, "labelled cases with a score")
        error.hint = "Label some cases, and score them with the metric."
        raise error
    observed = np.unique(truth)
    if observed.size == 1:
        raise InvalidInput(
            f"All {truth.size} labels are of one level ({observed[0]:g}), so no score can be calibrated.",
            "Label more cases, including doubtful ones, until a second level occurs.",
        )
    absent_levels = sorted(set(range(levels)) - {int(level) for level in observed})
    if absent_levels:
        listed = ", ".join(str(level) for level in absent_levels)
        raise InvalidInput(
            f"No case has the level {listed} (levels count from 0), so its probability cannot be estimated.",
            "Label more cases, or calibrate accepted against not accepted.",
        )
    if (np.ptp(scores, axis=0) == 0.0).all():
        raise InvalidInput(
            f"Every one of the {truth.size} labelled cases has the same score.",
            "Choose another metric: a constant score does not distinguish cases.",
        )


def check_agreement(alpha: Estimate | None, *, insist: bool = False) -> tuple[Caution, ...]:
    """Whether raters agree enough for a calibration to their labels.

    Args:
        alpha: Krippendorff's alpha with its interval; None where it is not known.
        insist: Calibrate nevertheless; the warning then stays.

    Raises:
        InvalidInput: The lower end of the interval is 0 or less and `insist` is not set.

    Reference:
        K. Krippendorff (2004), Reliability in content analysis: .800 for conclusions, .667 for tentative ones.
    """
    if alpha is None or alpha.value is None:
        reason = f" ({alpha.method})" if alpha is not None and alpha.method else ""
        return (
            Caution(
                code="agreement_unknown",
                text=f"Rater agreement is not known{reason}: the labels may be one person's opinion.",
                remedy="Have a second rater label a share of the cases.",
            ),
        )
    figures = f"Krippendorff's alpha is {alpha.value:.2f} on {alpha.n} cases"
    if alpha.low is not None and alpha.high is not None:
        figures += f" [{alpha.low:.2f}, {alpha.high:.2f}]"
    if alpha.low is not None and alpha.low <= 0.0:
        if not insist:
            raise InvalidInput(
                f"Rater agreement is not distinguishable from chance: {figures}.",
                "Clarify the guidelines and adjudicate, or insist; the report will then state it.",
            )
        return (
            Caution(
                code="agreement_insisted",
                text=f"{figures}, not distinguishable from chance; the calibration was insisted on.",
                remedy="Do not use it for decisions; clarify the guidelines and label again.",
            ),
        )
    if alpha.value < TENTATIVE:
        return (
            Caution(
                code="agreement_low",
                text=f"{figures}, below {TENTATIVE:.3f}: other raters might give other labels.",
                remedy="Adjudicate disagreements, clarify the guidelines, or choose a criterion people agree on.",
            ),
        )
    return ()


def check_sizes(
    n: int, clusters: int, *, alpha: float, tested: int, groups: Mapping[str, tuple[int, int]], needed: int, random: int
) -> tuple[Caution, ...]:
    """Whether the conformal part is large enough for the promise, over all and by group.

    Args:
        n: Cases of the conformal part.
        clusters: Clusters of the conformal part.
        alpha: The share of sets that may miss the label.
        tested: Cases of the test part.
        groups: Cases and clusters of the conformal part, of each group that has no quantile of its own.
        needed: The smallest number of random labels for which all parts are large enough.
        random: Random labels available.
    """
    least, cautions, promise = least_conformal(alpha), [], f"{100 * (1 - alpha):g}%"
    if n < least:
        cautions.append(
            Caution(
                code="too_few",
                text=f"{n} labels cannot promise {promise}: {least} are needed, so every set contains every level.",
                remedy=f"Label {max(needed - random, 1):,} more cases drawn at random, or choose a larger alpha.",
            )
        )
    elif clusters < least:
        cautions.append(
            Caution(
                code="few_clusters",
                text=f"The {n} labels of the conformal part come from {clusters} sources; a promise of "
                f"{promise} for a new source needs {least}, so every set contains every level.",
                remedy="Label cases of more sources.",
            )
        )
    shared = any(sources < count for count, sources in groups.values())
    small = [
        f"{group} ({count} of {sources} sources)" if shared else f"{group} ({count})"
        for group, (count, sources) in groups.items()
    ]
    if small and n >= least:
        unit = "labelled sources" if shared else "labels"
        cautions.append(
            Caution(
                code="too_few_in_group",
                text=f"Groups with fewer than {least} {unit} have no promise of their own: {', '.join(small)}. They "
                "use the quantile of all cases.",
                remedy="Label more cases of these groups drawn at random, from other sources, or choose coarser ones.",
            )
        )
    if tested < 30:
        cautions.append(
            Caution(
                code="small_test",
                text=f"The test part has {tested} cases: coverage and errors are known only roughly.",
                remedy="Read the intervals, and label more cases drawn at random.",
            )
        )
    return tuple(cautions)


def check_scores(scores: Floats, labels: ArrayLike, clusters: ArrayLike, names: Sequence[str]) -> tuple[Caution, ...]:
    """Whether each score varies between cases and rises with the labels, as its stated direction requires.

    Args:
        scores: Of labelled cases, higher is better, shape (n, m).
        labels: Their levels, shape (n,).
        clusters: What each belongs to, shape (n,).
        names: Of the scores.
    """
    cautions = []
    for place, name in enumerate(names):
        column = scores[:, place]
        if np.ptp(column) == 0.0:
            cautions.append(
                Caution(
                    code="constant_score",
                    text=f"{name} is the same for all {column.size} labelled cases and carries no information.",
                    remedy="Leave it out.",
                )
            )
            continue
        rho = rank_correlation(column, labels, clusters)
        if rho.value is None or rho.low is None or rho.high is None:
            continue
        figures = f"Spearman {rho.value:.2f} [{rho.low:.2f}, {rho.high:.2f}] on {rho.n} labels"
        if rho.high < 0.0:
            cautions.append(
                Caution(
                    code="wrong_direction",
                    text=f"{name} falls where people's labels rise ({figures}), against its stated direction; a "
                    "model that can only rise cannot use it.",
                    remedy="Check the direction of the metric and of the scale, or leave the score out.",
                )
            )
        elif rho.low <= 0.0:
            cautions.append(
                Caution(
                    code="unrelated",
                    text=f"{name} has no demonstrable relation with people's labels ({figures}).",
                    remedy="Expect that most cases go to people; choose another metric or label more cases.",
                )
            )
    return tuple(cautions)


def check_ties(conformity: ArrayLike) -> tuple[Caution, ...]:
    """Whether conformity scores of the labels are tied so often that sets cover more than promised.

    Args:
        conformity: Of the true labels of the conformal part, shape (n,).
    """
    scores = np.asarray(conformity, dtype=np.float64)
    different = int(np.unique(scores).size)
    if scores.size < 2 or different >= TIED * scores.size:
        return ()
    return (
        Caution(
            code="ties",
            text=f"The {scores.size} conformity scores have {different} different values: coverage is at least the "
            "promised one and may be higher.",
            remedy="Use a score with finer steps, or the logistic or ordinal model, for smaller sets.",
        ),
    )


def check_unscored(scored: int, cases: int, labelled_unscored: int) -> tuple[Caution, ...]:
    """Whether the whole run is scored.

    Args:
        scored: Cases with every score.
        cases: Cases of the run.
        labelled_unscored: Labelled cases that lack a score.
    """
    if scored >= cases:
        return ()
    labelled = f", {labelled_unscored:,} of them labelled" if labelled_unscored else ""
    return (
        Caution(
            code="unscored",
            text=f"{cases - scored:,} of {cases:,} cases have no score{labelled}; they get no probability and no set.",
            remedy="Find out why the metric gives none; the promise covers scored cases only.",
        ),
    )


def check_populations(checks: Sequence[PopulationCheck]) -> tuple[Caution, ...]:
    """Whether the scores of the labelled random share are distributed like those of the other cases of the run."""
    return tuple(
        Caution(
            code="populations_differ",
            text=f"{check.name}: the {check.labelled:,} labelled random cases and the other {check.rest:,} differ in "
            f"their scores (largest gap of the distributions {check.distance:.2f}, means {check.shift:+.2f} standard "
            f"deviations apart, p = {check.p_value:.3f}).",
            remedy="The promise holds for cases like the labelled ones: draw labels at random from the whole run.",
        )
        for check in checks
        if check.p_value < DIFFERENT
    )


def check_undecided(undecided: int, rated: int) -> tuple[Caution, ...]:
    """Whether some rated cases have no combined label.

    Args:
        undecided: Cases with ratings and no combined label.
        rated: All cases with ratings.
    """
    if not undecided:
        return ()
    return (
        Caution(
            code="undecided",
            text=f"{undecided:,} of {rated:,} rated cases have no combined label (tie, cannot judge); the promise "
            "covers the others.",
            remedy="Adjudicate them.",
        ),
    )


def check_full(full: int, cases: int, *, method: str) -> tuple[Caution, ...]:
    """Whether every set contains every level although there are enough labels.

    Args:
        full: Scored cases whose set contains every level.
        cases: Scored cases.
        method: ``lac`` or ``aps``.
    """
    if not cases or full < cases:
        return ()
    return (
        Caution(
            code="full_sets",
            text=f"Each of the {cases:,} sets contains every level despite enough labels: no case is decided.",
            remedy="Use LAC, whose sets are the smallest."
            if method == "aps"
            else "Choose a more informative score, another model, or a larger alpha.",
        ),
    )


def check_weights(*, targeted: int, weighted: bool) -> tuple[Caution, ...]:
    """Whether the fit corrects for a targeted draw."""
    if not targeted or weighted:
        return ()
    return (
        Caution(
            code="no_weights",
            text=f"{targeted:,} targeted cases are in the fit part and their chances to be drawn are not known: the "
            "probabilities may be biased towards doubtful cases.",
            remedy="Give the chance of each case to be labelled.",
        ),
    )


def check_gain(brier: Figure) -> tuple[Caution, ...]:
    """Whether the calibrated probability is significantly worse than the score read as a probability.

    Args:
        brier: Brier score on the test part, before and after.
    """
    change = brier.change
    if change.low is None or change.low <= 0.0 or brier.before.value is None or brier.after.value is None:
        return ()
    return (
        Caution(
            code="worse",
            text=f"On the test part the score read as a probability is better than the calibrated one (Brier score "
            f"{brier.before.value:.3f} before, {brier.after.value:.3f} after).",
            remedy="Label more cases for the fit, or choose another model.",
        ),
    )
