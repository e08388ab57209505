"""Cached reads of the Judges page, its tables, and how judges are called there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.runs import VERDICT_METRIC
from core.evaluation.judge_comparison import compare_judges, judge_disagreements
from core.evaluation.judge_disagreements import Disagreement
from core.evaluation.judge_figures import JudgeComparison, JudgeFigures
from core.evaluation.judge_reading import Tendency
from core.evaluation.judge_reference import ReferenceChoice, reference_choices
from core.judging.families import model_of
from core.judging.stored import RAGAS_FACT, SELF_CHECK
from core.store.database import Store
from pages.ui import metric_names, numbers, readers

MOST: Final = 200
"""Disagreements that are listed; the rest is counted."""
TENDENCIES: Final = {
    Tendency.TRUSTED: "✓ trusted",
    Tendency.OPTIMISTIC: "▲ optimistic",
    Tendency.CYNICAL: "▼ cynical",
    Tendency.BOTH: "✗ optimistic and cynical",
    Tendency.CHANCE: "✗ like chance",
    Tendency.UNSETTLED: "○ not settled",
    Tendency.NOTHING: "○ nothing to tell",
}
WIDTHS: Final = {
    "Judge": st.column_config.TextColumn(width=165),
    "Tendency": st.column_config.TextColumn(width=112, help="Low precision is optimism, low recall cynicism."),
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
        "One judge": 150, "Another": 160, "Agreement": 170, "Kappa": 130, "Both correct": 80, "Only the one": 80,
        "Only the other": 85, "Both incorrect": 85,
    }.items()
}  # fmt: skip
CASES: Final = {
    "It says": st.column_config.TextColumn(width=95),
    "Reference": st.column_config.TextColumn(width=95),
    "Value": st.column_config.TextColumn(width=60),
    "Question": st.column_config.TextColumn(width=270),
    "Answer": st.column_config.TextColumn(width=250),
    "True answer": st.column_config.TextColumn(width=180),
    "Its reason": st.column_config.TextColumn(width=330),
}


def references(store: Store, run_id: str) -> tuple[ReferenceChoice, ...]:
    """What can be taken for true in a run."""
    return readers.cached(store, "judge_references", lambda: reference_choices(store, run_id), run_id)  # type: ignore[return-value]


def comparison(store: Store, run_id: str, reference: str, threshold: float) -> JudgeComparison:
    """Every judge of a run against a reference."""

    def read() -> JudgeComparison:
        return compare_judges(store, run_id, reference=reference, threshold=threshold)

    return readers.cached(store, "judge_comparison", read, run_id, reference, threshold)  # type: ignore[return-value]


def disagreements(
    store: Store, run_id: str, judge: str, reference: str, threshold: float
) -> tuple[tuple[Disagreement, ...], int]:
    """The first cases that a judge and the reference see differently, and how many there are."""

    def read() -> tuple[tuple[Disagreement, ...], int]:
        return judge_disagreements(store, run_id, judge, reference=reference, threshold=threshold, most=MOST)

    return readers.cached(store, "judge_disagreements", read, run_id, judge, reference, threshold)  # type: ignore[return-value]


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


def called(item: JudgeFigures, found: JudgeComparison) -> str:
    """A judge of a comparison for people; with its address where a model of that name is there from another one too."""
    name = title(item.key, item.judge)
    same = [other for other in found.judges if title(other.key, other.judge) == name]
    return name if len(same) == 1 else f"{name} ({item.judge.rpartition('@')[2]})"


def judges_frame(found: JudgeComparison) -> pd.DataFrame:
    """One row a judge, for people."""
    return pd.DataFrame(
        [
            {
                "key": item.key,
                "Judge": called(item, found),
                "Tendency": TENDENCIES[item.tendency],
                "Precision": f"{numbers.proportion(item.precision)} ({numbers.of(item.precision)})",
                "Recall": f"{numbers.proportion(item.recall)} ({numbers.of(item.recall)})",
                "Kappa": numbers.estimate(item.kappa),
                "Judged": f"{item.judged:,} of {item.of:,}" + ("" if item.finished else ", not finished"),
                "Without a verdict": reasons(item.unscored) or "none",
                "Sees the true answer": "yes" if item.sees_reference else "no",
            }
            for item in found.judges
        ],
        columns=["key", *WIDTHS],
    )


def figures_frame(found: JudgeComparison) -> pd.DataFrame:
    """One row a judge, as numbers for a file."""
    return pd.DataFrame(
        [
            {
                "judge": item.key, "spec": item.judge, "reference": found.reference, "threshold": item.threshold,
                **{f"precision_{name}": value for name, value in item.precision.as_json().items()},
                **{f"recall_{name}": value for name, value in item.recall.as_json().items()},
                "kappa": item.kappa.value, "kappa_low": item.kappa.low, "kappa_high": item.kappa.high,
                "both_correct": item.both_correct, "too_kind": item.too_kind, "too_harsh": item.too_harsh,
                "both_incorrect": item.both_incorrect, "judged": item.judged, "of": item.of,
                "tendency": str(item.tendency), "reading": item.reading,
            }
            for item in found.judges
        ]
    )  # fmt: skip


def curve_frame(found: JudgeComparison) -> pd.DataFrame:
    """RAGAS-Fact over its threshold, one row a threshold."""
    return pd.DataFrame(
        [
            {
                "threshold": point.threshold,
                **{f"precision_{name}": value for name, value in point.precision.as_json().items()},
                **{f"recall_{name}": value for name, value in point.recall.as_json().items()},
            }
            for point in found.curve
        ]
    )


def pairs_frame(found: JudgeComparison) -> pd.DataFrame:
    """Agreement of the judges that see the true answer, one row a pair."""
    judges = {item.key: called(item, found) for item in found.judges}
    return pd.DataFrame(
        [
            {
                "One judge": judges.get(pair.first, f"Reference: {found.title}"),
                "Another": judges.get(pair.second, f"Reference: {found.title}"),
                "Agreement": f"{numbers.proportion(pair.found.agreed)} ({numbers.of(pair.found.agreed)})",
                "Kappa": numbers.estimate(pair.found.kappa)
                + ("" if pair.found.kappa.value is not None else f" {pair.found.kappa.method}"),
                "Both correct": f"{pair.found.both_correct:,}",
                "Only the one": f"{pair.found.first_only:,}",
                "Only the other": f"{pair.found.second_only:,}",
                "Both incorrect": f"{pair.found.both_incorrect:,}",
            }
            for pair in found.pairs
        ]
    )


def cases_frame(rows: tuple[Disagreement, ...]) -> pd.DataFrame:
    """Disagreements, one row a case."""
    return pd.DataFrame(
        [
            {
                "case_id": row.case_id,
                "It says": _said(row.says_correct),
                "Reference": _said(row.is_correct),
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
    return ", ".join(f"{count:,} {metric_names.STATUS.get(reason, reason)}" for reason, count in unscored.items())


def _said(correct: bool) -> str:
    return "✓ correct" if correct else "✗ wrong"
