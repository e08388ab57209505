"""Double calibration of machine scores against human ratings: the MTRAG human evaluation.

``python -m bench.mtrag_calibration FILE`` prints the table of the README; with ``--write`` the whole result goes to
docs/mtrag-calibration.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bench.mtrag import RATINGS, Row, estimate_text, read_rows, score
from core.calibration import conformalise, fit_model
from core.calibration.probability.quality import brier_score, expected_calibration_error
from core.encoders.embedding import open_encoder
from core.stats import krippendorff_alpha, spearman

DOCS = Path(__file__).resolve().parents[1] / "docs" / "mtrag-calibration.md"
OURS = ("faithfulness", "groundedness", "lexical_precision", "completeness", "answer_relevancy")
SHIPPED = ("Bert-KPrec", "rl_f", "RougeL", "rb_llm")
FAITHFUL = 3.0
"""The least mean rating that counts as faithful."""
SPLITS = 200
SHARES = (0.4, 0.3, 0.3)
ALPHAS = (0.1, 0.2)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A score over all random splits; every figure is of the test parts.

    Attributes:
        ece: Expected calibration error of the score read as a probability, then of the calibrated one.
        brier: The same for the Brier score.
        base: Brier score of the share of faithful answers in the fit part, for whatever score.
        coverage: Share of sets that hold the label, by alpha and split, shape (alphas, splits).
        single: Share of sets with exactly one label, same shape.
        right: Share of those that hold the label, same shape; NaN where there is none.
        tested: Answers in the test part of each split.
        conformal: Answers in the conformal part of each split.
    """

    name: str
    ece: tuple[float, float]
    brier: tuple[float, float]
    base: float
    coverage: Floats
    single: Floats
    right: Floats
    tested: NDArray[np.int64]
    conformal: NDArray[np.int64]


def calibrate(rows: Sequence[Row], name: str, values: Floats) -> Calibrated:
    """Fits, conformalises and tests a score on `SPLITS` random splits of the tasks."""
    faithful = are_faithful(rows).astype(int)
    _, tasks = np.unique([row.task for row in rows], return_inverse=True)
    rng = np.random.default_rng(0)
    errors, briers, bases = [], [], []
    coverage, single, right = (np.full((len(ALPHAS), SPLITS), np.nan) for _ in range(3))
    tested, conformal_sizes = np.zeros(SPLITS, dtype=np.int64), np.zeros(SPLITS, dtype=np.int64)
    for split in range(SPLITS):
        fit, conformal, test = _split(tasks, rng)
        model = fit_model("logistic", values[fit], faithful[fit])
        after = model.probabilities(values[test])[:, 1]
        low, high = values[fit].min(), values[fit].max()
        before = np.clip((values[test] - low) / (high - low), 0.0, 1.0)
        truth = faithful[test]
        errors.append([expected_calibration_error(chance, truth) for chance in (before, after)])
        briers.append([brier_score(chance, truth) for chance in (before, after)])
        bases.append(brier_score(np.full(truth.size, faithful[fit].mean()), truth))
        tested[split], conformal_sizes[split] = test.sum(), conformal.sum()
        for place, alpha in enumerate(ALPHAS):
            rule = conformalise(model.probabilities(values[conformal]), faithful[conformal], alpha=alpha)
            sets = rule.sets(model.probabilities(values[test]))
            held_label = sets[np.arange(truth.size), truth]
            decided = sets.sum(axis=1) == 1
            coverage[place, split] = held_label.mean()
            single[place, split] = decided.mean()
            if decided.any():
                right[place, split] = held_label[decided].mean()
    (ece_before, ece_after), (brier_before, brier_after) = np.mean(errors, axis=0), np.mean(briers, axis=0)
    return Calibrated(
        name=name,
        ece=(float(ece_before), float(ece_after)),
        brier=(float(brier_before), float(brier_after)),
        base=float(np.mean(bases)),
        coverage=coverage,
        single=single,
        right=right,
        tested=tested,
        conformal=conformal_sizes,
    )


def are_faithful(rows: Sequence[Row]) -> NDArray[np.bool_]:
    """Which answers count as faithful."""
    return np.array([row.human["faithfulness"] >= FAITHFUL for row in rows])


def _split(tasks: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray[np.bool_]]:
    """Three parts of the rows; the answers to one task stay together."""
    order = rng.permutation(tasks.max() + 1)
    ends = np.round(np.cumsum([0.0, *SHARES]) * order.size).astype(int)
    return [np.isin(tasks, order[start:end]) for start, end in pairwise(ends)]


def agreement(rows: Sequence[Row]) -> list[str]:
    """How far the raters agree, a line a rating."""
    lines = [
        "| rating | alpha, ordinal | alpha, interval | one rater against the mean of the others |",
        "|---|---|---|---|",
    ]
    for rating in RATINGS:
        raters = sorted({rater for row in rows for rater in row.rated[rating]})
        table = np.array([[row.rated[rating].get(rater, np.nan) for row in rows] for rater in raters])
        alphas = [estimate_text(krippendorff_alpha(table, level=level)) for level in ("ordinal", "interval")]
        against = f"{_one_against_others(rows, rating):.2f}".lstrip("0")
        lines.append(f"| {rating} | {' | '.join(alphas)} | {against} |")
    return lines


def _one_against_others(rows: Sequence[Row], rating: str) -> float:
    """Spearman of a rating with the mean of the others of the same answer, over all ratings."""
    ratings, means = [], []
    for row in rows:
        row_ratings = list(row.rated[rating].values())
        for place, value in enumerate(row_ratings):
            others = row_ratings[:place] + row_ratings[place + 1 :]
            if others:
                ratings.append(value)
                means.append(float(np.mean(others)))
    correlation = spearman(ratings, means)
    return float("nan") if correlation is None else correlation


def table(calibrated: Sequence[Calibrated]) -> str:
    """Every score as a Markdown table."""
    lines = [
        "| score | ECE before, after | Brier before, after | coverage at 0.9 | decided | right when decided "
        "| coverage at 0.8 | decided |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for result in calibrated:
        title = f"{result.name} (shipped)" if result.name in SHIPPED else f"`{result.name}`"
        cells = [
            f"{result.ece[0]:.2f}, {result.ece[1]:.2f}",
            f"{result.brier[0]:.2f}, {result.brier[1]:.2f}",
            _spread(result.coverage[0]),
            f"{result.single[0].mean():.2f}",
            f"{np.nanmean(result.right[0]):.2f}",
            _spread(result.coverage[1]),
            f"{result.single[1].mean():.2f}",
        ]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _spread(values: Floats) -> str:
    low, high = np.quantile(values, [0.05, 0.95])
    return f"{values.mean():.3f} ({low:.2f} to {high:.2f})"


def expected(result: Calibrated, alpha: float) -> str:
    """The band of the coverage of one split if answers were independent: 5 to 95%."""
    n, tested = int(np.median(result.conformal)), int(np.median(result.tested))
    k = int(np.ceil(round((n + 1) * (1.0 - alpha), 9)))
    low, high = stats.betabinom(tested, k, n + 1 - k).ppf([0.05, 0.95]) / tested
    return f"{low:.2f} to {high:.2f}"


HEAD = """# Scores as promises: double calibration on MTRAG

This file is written by `python -m bench.mtrag_calibration FILE --write`. The data are those of [mtrag.md](mtrag.md):
{rows} answers of two systems to {tasks} tasks, each rated by several people from 1 to 4. An answer counts as faithful
where its mean rating of faithfulness is 3 or more: {faithful} of {rows}.

## How far the raters agree

{agreement}

Krippendorff's alpha with the 95% interval of a bootstrap over answers. Calibration is refused where the lower end is 0
or less, as for appropriateness here, and warned of where alpha is below .667, as for the other two: what follows says
how far a score stands for the mean of these raters, not for a truth beyond them.

## What came out

{splits} random splits of the tasks in 40% to fit a logistic curve, 30% for the conformal quantile, 30% to test; both
answers to a task are in the same part. "Before" reads the score as a probability after bringing its range in the fit
part to 0 to 1. Predicting the share of faithful answers for every answer has a Brier score of {base:.2f}. "Decided" is
the share of answers with a set of exactly one label, {{faithful}} or {{not}}; the others would go to a person. Coverage
is the mean over the splits with the range of the middle 90% of them. One split of this size keeps to {band_1} at 0.9
and {band_2} at 0.8 in nine of ten cases if answers are independent.

{table}

What it says: every score keeps its promise, a weak one too, since a score that knows little sends more answers to
people (its sets hold both labels). The difference is in how much is decided: compare `faithfulness` with
`answer_relevancy` or rb_llm at 0.9. At 0.8 the promise is so mild that the undecided are mostly empty sets, answers
unlike those the curve was fitted on. Single splits of this size scatter widely, as the theory says: a promise is kept
on average over calibrations, not in each one.
"""


def page(rows: Sequence[Row], calibrated: Sequence[Calibrated]) -> str:
    """The whole file."""
    return HEAD.format(
        rows=len(rows),
        tasks=len({row.task for row in rows}),
        faithful=int(are_faithful(rows).sum()),
        agreement="\n".join(agreement(rows)),
        splits=SPLITS,
        base=calibrated[0].base,
        band_1=expected(calibrated[0], ALPHAS[0]),
        band_2=expected(calibrated[0], ALPHAS[1]),
        table=table(calibrated),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table; ``--write`` also writes docs/mtrag-calibration.md."""
    parser = argparse.ArgumentParser(prog="python -m bench.mtrag_calibration", description=__doc__)
    parser.add_argument("file", type=Path, help="reference_subset_with_human_evaluations.json")
    parser.add_argument("--write", action="store_true", help="write the whole result to docs/mtrag-calibration.md")
    options = parser.parse_args(arguments)
    rows = read_rows(options.file)
    print("\n".join(agreement(rows)))
    scored = score(rows, open_encoder(), OURS)
    calibrated = [calibrate(rows, name, scored.of(name)) for name in (*OURS, *SHIPPED)]
    print(table(calibrated))
    if options.write:
        DOCS.write_text(page(rows, calibrated), encoding="utf-8")


if __name__ == "__main__":
    main()
