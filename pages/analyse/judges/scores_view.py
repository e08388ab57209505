"""Judged scores of a run beside explainable ones, and judges beside each other: worst cases first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run
from core.judges.spread import Spread, counterparts, is_judged, spreads
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.scores import names, reads
from pages.kit.scores.reads import Pair

MOST: Final = 50
EMPTY: Final = (
    "No judged score yet. Claims and GroUSE grades of this run are compared here with the metrics that explain "
    "themselves, the cases first on which they differ most."
)


def judged(store: Store, run_id: str) -> list[str]:
    """The metrics of a run whose values judging models gave."""
    return [name for name in reads.metrics(store, run_id) if is_judged(name)]


def draw(page: Page, run: Run) -> None:
    """Draws the comparison of one judged metric with an explainable one, and its judges where there are several."""
    metrics = reads.metrics(page.store, run.id)
    measured = reads.measured(page.store, run.id)
    judged_ones = sorted(filter(is_judged, metrics), key=lambda name: name not in measured)
    if not judged_ones:
        st.info(EMPTY)
        if st.button("Score the run", key="score_by_judge", icon=":material/add_chart:"):
            state.go("results", run=run.id, view="metrics")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        a = state.choose("Judged score", judged_ones, "a", default=judged_ones[0], name=names.title, pinned=True)
        others = counterparts(a, metrics)
        b = state.choose("with", others, "b", default=others[0], name=names.title, pinned=True) if others else ""
    if b:
        both = reads.together(page.store, run.id, (a, b)).of(a, b).estimate
        value = numbers.NONE if both.value is None else numbers.share(both.value)
        why = errors.plain(both.method) if both.value is None else numbers.interval(both.low, both.high)
        st.markdown(
            f"**{errors.plain(names.title(a))} and {errors.plain(names.title(b))}: rank correlation {value}** {why}, "
            f"{numbers.count(both.n, 'case')} with both values"
        )
        _worst(run, reads.pair(page.store, run.id, a, b), a, b)
    else:
        st.caption("No explainable metric has scored this run; score one on the Results page to compare it.")
    _judges(run, a, _spreads(page.store, run.id, a))


def _worst(run: Run, pair: Pair, a: str, b: str) -> None:
    if not pair.worst:
        st.caption("No case has a value of both, so there is nothing to compare.")
        return
    st.markdown("**Where the two disagree most**")
    rows = [
        {
            "case_id": item.case_id,
            "Question": question,
            names.title(a): numbers.share(item.a),
            names.title(b): numbers.share(item.b),
            "Difference of ranks": item.difference,
        }
        for item, question in pair.worst
    ]
    columns = {
        "Question": st.column_config.TextColumn(width=420),
        "Difference of ranks": st.column_config.NumberColumn(
            format="%+.2f", help="Ranks run from 0, the worst case, to 1, the best; above 0 the judge ranks it higher."
        ),
    }
    _opened(run, a, pd.DataFrame(rows), key="judged_worst", columns=columns)
    st.caption("Choose a row to open the case with the judge's reasons.")


def _judges(run: Run, metric: str, items: tuple[Spread, ...]) -> None:
    if not items:
        return
    apart = [item for item in items if not item.agree]
    agree = len(items) - len(apart)
    st.markdown(f"**The judges beside each other**: they agree in {agree:,} of {numbers.count(len(items), 'case')}")
    if not apart:
        return
    judges = list(items[0].values)
    labels = {judge: _label(judge, judges) for judge in judges}
    rows = [
        {
            "case_id": item.case_id,
            "Question": item.question,
            **{labels[judge]: _value(item, judge) for judge in judges},
            "Apart": item.apart,
        }
        for item in apart[:MOST]
    ]
    columns = {
        "Question": st.column_config.TextColumn(width=420),
        "Apart": st.column_config.NumberColumn(format="%.2f", help="The greatest value minus the least one."),
    }
    _opened(run, metric, pd.DataFrame(rows), key="judges_apart", columns=columns)


def _opened(run: Run, metric: str, frame: pd.DataFrame, *, key: str, columns: Mapping[str, object]) -> None:
    """The table; a click opens the case on the Results page, once."""
    before = state.link().case
    if tables.follow(frame, key=key, id_column="case_id", parameter="case", columns=columns, height=318):
        chosen = state.link().case
        if chosen and chosen != before:
            state.go("results", run=run.id, case=chosen, metric=metric)


def _label(judge: str, judges: list[str]) -> str:
    model = judge.rpartition("@")[0] or judge
    return model if sum((other.rpartition("@")[0] or other) == model for other in judges) == 1 else judge


def _value(item: Spread, judge: str) -> str:
    value = item.values.get(judge)
    if value is not None:
        return numbers.share(value)
    status = item.statuses.get(judge, "")
    return f"{numbers.NONE} {names.STATUS.get(status, status)}"


@cache.read("runs", "scores", "test_sets")
def _spreads(store: Store, run_id: str, metric: str) -> tuple[Spread, ...]:
    return spreads(store, run_id, metric)
