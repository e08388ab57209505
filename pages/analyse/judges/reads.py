"""Cached reads of the Judges page, its tables, and how judges are called there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import VERDICT_METRIC
from core.judges.comparison import compare_judges, judge_disagreements
from core.judges.disagreements import Disagreement
from core.judges.figures import JudgeComparison, JudgeFigures
from core.judges.reading import Tendency
from core.judges.reference import ReferenceChoice, reference_choices
from core.judges.unit_tests.gate import Trust
from core.judging.models.families import model_of
from core.judging.stored import RAGAS_FACT, SELF_CHECK
from core.store.database import Store
from pages.kit import cache
from pages.kit.look import numbers
from pages.kit.models import trust
from pages.kit.scores import names

MOST: Final = 200
"""Disagreements that are listed; the rest is counted."""
TENDENCIES: Final = {
    Tendency.TRUSTED: "✓ trusted",
    Tendency.OPTIMISTIC: "▲ optimistic",
    Tendency.CYNICAL: "▼ cynical",
    Tendency.BOTH: "✗ optimistic and cynical",
    Tendency.CHANCE: "✗ like chance",
    Tendency.UNSETTLED: "○ not settled",
    Tendency.NOTHING: "○ no data",
}
WIDTHS: Final = {
    "Judge": st.column_config.TextColumn(width=165),
    "Tendency": st.column_config.TextColumn(width=112, help="Low precision is optimism, low recall cynicism."),
    "Judge tests": st.column_config.TextColumn(
        width=100, help="Whether its scores count here, by its unit tests; - where no model judges."
    ),
    "Precision": st.column_config.TextColumn(
        width=170, help="Correct answers among those it calls correct, 95% interval over semantic groups, counts."
    ),
    "Recall": st.column_config.TextColumn(
        width=170, help="Answers it calls correct among the correct ones, 95% interval over semantic groups, counts."
    ),
    "Kappa": st.column_config.TextColumn(width=140, help="Cohen's kappa with the reference: agreement beyond chance."),
    "Judged": st.column_config.TextColumn(width=105, help="Cases with a verdict of both, of those with a reference."),
    "Without a verdict": st.column_config.TextColumn("Not counted", width=200, help="Why cases do not count."),
    "Sees the true answer": st.column_config.TextColumn(width=140),
}
PAIRS: Final = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {
        "First judge": 150,
        "Second judge": 160,
        "Agreement": 170,
        "Kappa": 130,
        "Both correct": 80,
        "Only the first": 80,
        "Only the second": 85,
        "Both incorrect": 85,
    }.items()
}
CASES: Final = {
    "Its verdict": st.column_config.TextColumn(width=95),
    "Reference": st.column_config.TextColumn(width=95),
    "Value": st.column_config.TextColumn(width=60),
    "Question": st.column_config.TextColumn(width=270),
    "Answer": st.column_config.TextColumn(width=250),
    "True answer": st.column_config.TextColumn(width=180),
    "Its reason": st.column_config.TextColumn(width=330),
}


@cache.read("runs", "answers", "scores", "labels", "test_sets")
def references(store: Store, run_id: str) -> tuple[ReferenceChoice, ...]:
    """What can be taken for true in a run."""
    return reference_choices(store, run_id)


@cache.read("runs", "answers", "scores", "labels", "test_sets")
def comparison(store: Store, run_id: str, reference: str, threshold: float) -> JudgeComparison:
    """Every judge of a run against a reference."""
    return compare_judges(store, run_id, reference=reference, threshold=threshold)


@cache.read("runs", "answers", "scores", "labels", "test_sets")
def disagreements(
    store: Store, run_id: str, judge: str, reference: str, threshold: float
) -> tuple[tuple[Disagreement, ...], int]:
    """The first cases that a judge and the reference see differently, and how many there are."""
    return judge_disagreements(store, run_id, judge, reference=reference, threshold=threshold, most=MOST)


def title(key: str, judge: str) -> str:
    """A judge for people.

    >>> title("judge_match", "match"), title("judge_llm_m", "llm:m@http://a/v1"), title("ragas_fact", "m@http://a/v1")
    ('Match', 'm with the true answer', 'RAGAS-Fact by m')
    >>> title("verdict", "recorded:a.jsonl"), title("self_check_qa", "match")
    ("Run's verdict (recorded)", 'SelfCheck-QA by match')
    """
    kind = judge.partition(":")[0]
    model = model_of(judge) or judge.rpartition("@")[0] or judge
    if key == VERDICT_METRIC:
        return f"Run's verdict ({model_of(judge) or kind})"
    if key in (RAGAS_FACT, SELF_CHECK):
        name = "RAGAS-Fact" if key == RAGAS_FACT else "SelfCheck-QA"
        return name if judge == key else f"{name} by {model}"
    if kind == "llm":
        return f"{model} with the true answer"
    return {"match": "Match", "recorded": "Recorded verdicts"}.get(kind, judge)


def called(item: JudgeFigures, judge_comparison: JudgeComparison) -> str:
    """A judge of a comparison for people; with its address where a model of that name is there from another one too."""
    name = title(item.key, item.judge)
    same = [other for other in judge_comparison.judges if title(other.key, other.judge) == name]
    return name if len(same) == 1 else f"{name} ({item.judge.rpartition('@')[2]})"


def judges_frame(judge_comparison: JudgeComparison, trusts: Mapping[str, Trust]) -> pd.DataFrame:
    """One row a judge, for people; `trusts` says by metric what its judge tests say."""
    return pd.DataFrame(
        [
            {
                "key": item.key,
                "Judge": called(item, judge_comparison),
                "Tendency": TENDENCIES[item.tendency],
                "Judge tests": trust.word(trusts.get(item.key)) or "-",
                "Precision": f"{numbers.proportion(item.precision)} ({numbers.of(item.precision)})",
                "Recall": f"{numbers.proportion(item.recall)} ({numbers.of(item.recall)})",
                "Kappa": numbers.estimate(item.kappa),
                "Judged": f"{item.judged:,} of {item.of:,}" + ("" if item.finished else ", not finished"),
                "Without a verdict": reasons(item.unscored) or "none",
                "Sees the true answer": "yes" if item.sees_reference else "no",
            }
            for item in judge_comparison.judges
        ],
        columns=["key", *WIDTHS],
    )


def figures_frame(judge_comparison: JudgeComparison, trusts: Mapping[str, Trust]) -> pd.DataFrame:
    """One row a judge, as numbers for a file."""
    return pd.DataFrame(
        [
            {
                "judge": item.key,
                "spec": item.judge,
                "reference": judge_comparison.reference,
                "threshold": item.threshold,
                **{f"precision_{name}": value for name, value in item.precision.as_json().items()},
                **{f"recall_{name}": value for name, value in item.recall.as_json().items()},
                "kappa": item.kappa.value,
                "kappa_low": item.kappa.low,
                "kappa_high": item.kappa.high,
                "both_correct": item.both_correct,
                "too_kind": item.too_kind,
                "too_harsh": item.too_harsh,
                "both_incorrect": item.both_incorrect,
                "judged": item.judged,
                "of": item.of,
                "tendency": str(item.tendency),
                "reading": item.reading,
                **trust.columns(trusts.get(item.key)),
            }
            for item in judge_comparison.judges
        ]
    )


def curve_frame(judge_comparison: JudgeComparison) -> pd.DataFrame:
    """RAGAS-Fact over its threshold, one row a threshold."""
    return pd.DataFrame(
        [
            {
                "threshold": point.threshold,
                **{f"precision_{name}": value for name, value in point.precision.as_json().items()},
                **{f"recall_{name}": value for name, value in point.recall.as_json().items()},
            }
            for point in judge_comparison.curve
        ]
    )


def pairs_frame(judge_comparison: JudgeComparison) -> pd.DataFrame:
    """Agreement of the judges that see the true answer, one row a pair."""
    judges = {item.key: called(item, judge_comparison) for item in judge_comparison.judges}
    return pd.DataFrame(
        [
            {
                "First judge": judges.get(pair.first, f"Reference: {judge_comparison.title}"),
                "Second judge": judges.get(pair.second, f"Reference: {judge_comparison.title}"),
                "Agreement": f"{numbers.proportion(pair.found.agreed)} ({numbers.of(pair.found.agreed)})",
                "Kappa": numbers.estimate(pair.found.kappa)
                + ("" if pair.found.kappa.value is not None else f" {pair.found.kappa.method}"),
                "Both correct": f"{pair.found.both_correct:,}",
                "Only the first": f"{pair.found.first_only:,}",
                "Only the second": f"{pair.found.second_only:,}",
                "Both incorrect": f"{pair.found.both_incorrect:,}",
            }
            for pair in judge_comparison.pairs
        ]
    )


def cases_frame(rows: tuple[Disagreement, ...]) -> pd.DataFrame:
    """Disagreements, one row a case."""
    return pd.DataFrame(
        [
            {
                "case_id": row.case_id,
                "Its verdict": _verdict(row.says_correct),
                "Reference": _verdict(row.is_correct),
                "Value": numbers.share(row.value),
                "Question": row.question,
                "Answer": row.answer,
                "True answer": " | ".join(row.references),
                "Its reason": row.why,
            }
            for row in rows
        ],
        columns=["case_id", *CASES],
    )


def reasons(unscored: Mapping[str, int]) -> str:
    """Why cases have no verdict, most frequent first."""
    return ", ".join(f"{count:,} {names.STATUS.get(reason, reason)}" for reason, count in unscored.items())


def _verdict(correct: bool) -> str:
    return "✓ correct" if correct else "✗ wrong"
