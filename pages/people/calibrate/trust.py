"""Which metric to trust: every metric and the verdict against what people say, and where each is most wrong."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from core.calibration.service.trust import RunTrust
from core.domain.estimates import Estimate
from core.domain.results.labels import Criterion
from core.domain.results.runs import Run
from pages.kit import errors, state
from pages.kit.calibrations import reads, words
from pages.kit.calibrations.reads import Failed, Labels
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables, whiskers
from pages.kit.look.whiskers import Row
from pages.kit.scores import names
from pages.people.calibrate import notes

WIDTHS: Final = {
    "Metric": st.column_config.TextColumn(width=160),
    "AUC": st.column_config.TextColumn(
        width=125, help="Chance that an accepted answer scores above a rejected one; 0.5 is a coin, 1 is perfect."
    ),
    "Behind the best": st.column_config.TextColumn(
        width=135, help="AUC minus that of the best metric, with an interval adjusted for the number of metrics."
    ),
    "Spearman": st.column_config.TextColumn(width=125, help="Rank correlation with people's level."),
    "Kappa": st.column_config.TextColumn(
        width=60, help="Agreement beyond chance of people's decision and the best threshold, found on other answers."
    ),
    "Brier": st.column_config.TextColumn(
        width=60, help="Mean squared error of a logistic probability fitted on other answers; lower is better."
    ),
    "Constant": st.column_config.TextColumn(
        width=85,
        help="The Brier score of the share of accepted answers, whatever the score: what no metric may exceed.",
    ),
    "n": st.column_config.NumberColumn(width=50),
    "Why not": st.column_config.TextColumn(width=200),
}
MISSES: Final = {
    "Question": st.column_config.TextColumn(width=380),
    "Score": st.column_config.NumberColumn(format="%.2f", width=80),
    "People": st.column_config.NumberColumn(format="%.2f", width=80),
    "Difference of ranks": st.column_config.NumberColumn(format="%+.2f", width=130),
}


def draw(page: Page, run: Run, criterion: Criterion, labels: Labels) -> None:
    """Draws the metrics against the labels, and the worst misses of the chosen one."""
    notes.simulated(labels.simulated, labels.given, "under this criterion")
    if labels.usable != "fine":
        st.warning(errors.plain(labels.reading), icon=":material/group:")
    with st.spinner(
        f"Comparing every metric with {numbers.count(labels.given, 'label')}, again and again on resampled sources for "
        "the intervals; thousands of labels take some seconds",
        show_time=True,
    ):
        run_trust = reads.trusted(page.store, run.id, criterion.id)
    if isinstance(run_trust, Failed):
        notes.failed(run_trust)
        return
    charts.show(
        whiskers.estimates(
            [
                Row(
                    label=names.title(metric.name),
                    value=metric.auc,
                    id=metric.name,
                    note=f"{two(metric.auc)}  n = {metric.n:,}",
                )
                for metric in run_trust.trust.metrics
            ],
            axis="AUC: chance that an accepted answer scores above a rejected one (0.5 is a coin)",
            title=sentence(run_trust),
            span=(0.0, 1.0),
            line=0.5,
        ),
        key="trust_chart",
        name="metrics_against_people",
        data=trust_frame(run_trust),
    )
    tables.follow(trust_frame(run_trust), key="trust_table", id_column="metric", parameter="metric", columns=WIDTHS)
    left_out = (
        f" {numbers.count(run_trust.left_out, 'label')} chosen because of a score left out."
        if run_trust.left_out
        else ""
    )
    st.caption(
        f"On {numbers.count(run_trust.labels, 'label')} under {errors.plain(criterion.name)}; intervals over sources."
        f"{left_out} Select a metric for its worst misses."
    )
    _misses(run, run_trust)


def sentence(trust: RunTrust) -> str:
    """The recommendation, with metrics by their titles."""
    return words.titled(trust.trust.sentence, [metric.name for metric in trust.trust.metrics])


def _misses(run: Run, trust: RunTrust) -> None:
    metric = state.link().metric
    if metric not in trust.misses:
        return
    with st.container(border=True, key="misses"):
        st.markdown(f"**Where {errors.plain(names.title(metric))} and people differ most**")
        rows = misses_frame(trust, metric)
        if rows.empty:
            st.caption("It ranks every answer as people do, or it cannot be judged.")
            return
        tables.follow(rows, key="misses_table", id_column="case_id", parameter="case", columns=MISSES, height=250)
        case_id = state.link().case
        if case_id in set(rows["case_id"]):
            notes.open_case(run.id, case_id, key="open_miss")
        else:
            st.caption("Select an answer to open it. Ranks run from 0, the worst, to 1, the best.")


def trust_frame(trust: RunTrust) -> pd.DataFrame:
    """Every metric against the labels."""
    return pd.DataFrame(
        [
            {
                "metric": metric.name,
                "Metric": names.title(metric.name),
                "AUC": two(metric.auc),
                "Behind the best": "best" if metric.behind is None and not metric.why else _signed(metric.behind),
                "Spearman": two(metric.spearman),
                "Kappa": numbers.share(metric.kappa.value),
                "Brier": numbers.figure(metric.brier.value),
                "Constant": numbers.figure(metric.brier_base),
                "n": metric.n,
                "Why not": metric.why,
            }
            for metric in trust.trust.metrics
        ]
    )


def misses_frame(trust: RunTrust, metric: str) -> pd.DataFrame:
    """The cases that a metric and people see most differently."""
    return pd.DataFrame(
        [
            {
                "case_id": miss.case_id,
                "Question": miss.question,
                "Score": miss.score,
                "People": miss.label,
                "Difference of ranks": miss.gap,
                "The metric is": "kinder than people" if miss.gap > 0 else "harsher than people",
            }
            for miss in trust.misses.get(metric, ())
        ],
        columns=["case_id", "Question", "Score", "People", "Difference of ranks", "The metric is"],
    )


def two(value: Estimate) -> str:
    """An estimate between 0 and 1, or between -1 and 1, with two decimals and its interval."""
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}".strip()


def _signed(value: Estimate | None) -> str:
    if value is None or value.value is None:
        return numbers.NONE
    ends = "" if value.low is None or value.high is None else f" [{value.low:+.2f}, {value.high:+.2f}]"
    return f"{value.value:+.2f}{ends}"
