"""What may be wrong with a calibration: warnings that say what to do, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.improvement import Figure
from core.calibration.populations import PopulationCheck
from core.calibration.splits import least_conformal
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.stats.rank_correlation import rank_correlation

Floats = NDArray[np.float64]

TENTATIVE = 0.667
"""Krippendorff's least alpha for tentative conclusions."""
TIED = 0.8
"""Share of different conformity scores below which sets over-cover noticeably."""
DIFFERENT = 0.05
"""P-value below which two score distributions are said to differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """Something to know before the promise is believed.

    Attributes:
        code: Of what kind, stable.
        text: What is the matter, with its numbers.
        remedy: What to do about it.
    """

    code: str
    text: str
    remedy: str


def refuse_useless(scores: Floats, labels: ArrayLike, *, levels: int) -> None:
    """Refuses scores or labels that nothing can be learnt from.

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
    seen = np.unique(truth)
    if seen.size == 1:
        raise InvalidInput(
            f"All {truth.size} labels are of one level ({seen[0]:g}), so no score can be told from another.",
            "Label more cases, doubtful ones among them, until a second level occurs.",
        )
    missing = sorted(set(range(levels)) - {int(level) for level in seen})
    if missing:
        named = ", ".join(str(level) for level in missing)
        raise InvalidInput(
            f"No case has the level {named} (levels count from 0), so its probability cannot be learnt.",
            "Label more cases, or calibrate accepted against not accepted.",
        )
    if (np.ptp(scores, axis=0) == 0.0).all():
        raise InvalidInput(
            f"Every one of the {truth.size} labelled cases has the same score.",
            "Choose another metric: a constant tells no case from another.",
        )


def check_agreement(alpha: Estimate | None, *, insist: bool = False) -> tuple[Caution, ...]:
    """Whether raters agree enough for their label to be calibrated to.

    Args:
        alpha: Krippendorff's alpha with its interval; None where it is not known.
        insist: Calibrate all the same; the warning then stays.

    Raises:
        InvalidInput: The lower end of the interval is 0 or less and nobody insists.

    Reference:
        K. Krippendorff (2004), Reliability in content analysis: .800 for conclusions, .667 for tentative ones.
    """
    if alpha is None or alpha.value is None:
        why = f" ({alpha.method})" if alpha is not None and alpha.method else ""
        return (
            Caution(
                code="agreement_unknown",
                text=f"How far raters agree is not known{why}: the labels may be one person's opinion.",
                remedy="Let a second rater label a share of the cases.",
            ),
        )
    said = f"Krippendorff's alpha is {alpha.value:.2f} on {alpha.n} cases"
    if alpha.low is not None and alpha.high is not None:
        said += f" [{alpha.low:.2f}, {alpha.high:.2f}]"
    if alpha.low is not None and alpha.low <= 0.0:
        if not insist:
            raise InvalidInput(
                f"The raters agree no better than chance may make them: {said}.",
                "Make the guidelines clearer and adjudicate, or insist, and the report will say so.",
            )
        return (
            Caution(
                code="agreement_insisted",
                text=f"{said}, which chance alone may give; the calibration was insisted on.",
                remedy="Do not use it for decisions; make the guidelines clearer and label again.",
            ),
        )
    if alpha.value < TENTATIVE:
        return (
            Caution(
                code="agreement_low",
                text=f"{said}, below {TENTATIVE:.3f}: other raters would give other labels.",
                remedy="Adjudicate disagreements, make the guidelines clearer, or take a criterion people agree on.",
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
        alpha: The promise.
        tested: Cases of the test part.
        groups: Cases and clusters of the conformal part, of each group that has no quantile of its own.
        needed: Random labels from which on all parts are large enough.
        random: Random labels there are.
    """
    least, found, promise = least_conformal(alpha), [], f"{100 * (1 - alpha):g}%"
    if n < least:
        found.append(
            Caution(
                code="too_few",
                text=f"{n} labels cannot promise {promise}: it takes {least}, so every set holds every level.",
                remedy=f"Label {max(needed - random, 1):,} more cases drawn at random, or choose a larger alpha.",
            )
        )
    elif clusters < least:
        found.append(
            Caution(
                code="few_clusters",
                text=f"The {n} labels of the conformal part come from {clusters} sources; to promise {promise} "
                f"for a new source takes {least}, so every set holds every level.",
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
        found.append(
            Caution(
                code="too_few_in_group",
                text=f"No promise of their own for groups with fewer than {least} {unit}: {', '.join(small)}. They "
                "use the quantile of all.",
                remedy="Label more cases of these groups drawn at random, from other sources, or choose coarser ones.",
            )
        )
    if tested < 30:
        found.append(
            Caution(
                code="small_test",
                text=f"The test part has {tested} cases: coverage and errors are known only roughly.",
                remedy="Read the intervals, and label more cases drawn at random.",
            )
        )
    return tuple(found)


def check_scores(scores: Floats, labels: ArrayLike, clusters: ArrayLike, names: Sequence[str]) -> tuple[Caution, ...]:
    """Whether each score differs between cases and rises with the labels, as its direction says.

    Args:
        scores: Of labelled cases, higher is better, shape (n, m).
        labels: Their levels, shape (n,).
        clusters: What each belongs to, shape (n,).
        names: Of the scores.
    """
    found = []
    for place, name in enumerate(names):
        column = scores[:, place]
        if np.ptp(column) == 0.0:
            found.append(
                Caution(
                    code="constant_score",
                    text=f"{name} is the same for all {column.size} labelled cases and says nothing.",
                    remedy="Leave it out.",
                )
            )
            continue
        rho = rank_correlation(column, labels, clusters)
        if rho.value is None or rho.low is None or rho.high is None:
            continue
        said = f"Spearman {rho.value:.2f} [{rho.low:.2f}, {rho.high:.2f}] on {rho.n} labels"
        if rho.high < 0.0:
            found.append(
                Caution(
                    code="wrong_direction",
                    text=f"{name} falls where people's labels rise ({said}), against its stated direction; a model "
                    "that may only rise makes nothing of it.",
                    remedy="Check the direction of the metric and of the scale, or leave the score out.",
                )
            )
        elif rho.low <= 0.0:
            found.append(
                Caution(
                    code="unrelated",
                    text=f"{name} shows no relation with people's labels that chance could not make ({said}).",
                    remedy="Expect most cases to go to people; choose another metric or label more cases.",
                )
            )
    return tuple(found)


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
            text=f"The {scores.size} conformity scores have {different} different values: sets cover at least what is "
            "promised and may cover more.",
            remedy="A score with finer steps, or the logistic or ordinal model, gives smaller sets.",
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
            remedy="Look why the metric gives none; the promise is about scored cases only.",
        ),
    )


def check_populations(checks: Sequence[PopulationCheck]) -> tuple[Caution, ...]:
    """Whether the labelled random share looks like the rest of the run."""
    return tuple(
        Caution(
            code="populations_differ",
            text=f"{one.name}: the {one.labelled:,} labelled random cases and the other {one.rest:,} differ in their "
            f"scores (largest gap of the distributions {one.distance:.2f}, means {one.shift:+.2f} standard deviations "
            f"apart, p = {one.p_value:.3f}).",
            remedy="The promise holds for cases like the labelled ones: draw labels at random from the whole run.",
        )
        for one in checks
        if one.p_value < DIFFERENT
    )


def check_undecided(undecided: int, looked: int) -> tuple[Caution, ...]:
    """Whether people looked at cases and came to no one label.

    Args:
        undecided: Cases with ratings and no one label.
        looked: All cases that people looked at.
    """
    if not undecided:
        return ()
    return (
        Caution(
            code="undecided",
            text=f"{undecided:,} of {looked:,} looked-at cases have no one label (tie, cannot judge); the promise is "
            "about the others.",
            remedy="Decide them by a second look.",
        ),
    )


def check_full(full: int, cases: int, *, method: str) -> tuple[Caution, ...]:
    """Whether every set holds every level although there are labels enough.

    Args:
        full: Scored cases whose set holds every level.
        cases: Scored cases.
        method: ``lac`` or ``aps``.
    """
    if not cases or full < cases:
        return ()
    return (
        Caution(
            code="full_sets",
            text=f"Each of the {cases:,} sets holds every level although there are labels enough: no case is decided.",
            remedy="Use LAC, whose sets are the smallest."
            if method == "aps"
            else "Take a score that tells more, another model, or a larger alpha.",
        ),
    )


def check_weights(*, targeted: int, weighted: bool) -> tuple[Caution, ...]:
    """Whether a targeted draw is undone in the fit."""
    if not targeted or weighted:
        return ()
    return (
        Caution(
            code="no_weights",
            text=f"{targeted:,} targeted cases are in the fit part and their chances to be drawn are not known: the "
            "probabilities may lean towards doubtful cases.",
            remedy="Give the chance of each case to be labelled.",
        ),
    )


def check_gain(brier: Figure) -> tuple[Caution, ...]:
    """Whether the calibrated probability is surely worse than the score read as one.

    Args:
        brier: Brier score on the test part, before and after.
    """
    change = brier.change
    if change.low is None or change.low <= 0.0 or brier.before.value is None or brier.after.value is None:
        return ()
    return (
        Caution(
            code="worse",
            text=f"The score read as a probability does better than the calibrated one on the test part (Brier score "
            f"{brier.before.value:.3f} before, {brier.after.value:.3f} after).",
            remedy="Label more cases to fit on, or take another model.",
        ),
    )
