"""Failures on the topic map: which lie together more than chance lets them, and what their questions share."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.clusters.finder import ClusterOptions, ClusterReport, FailureCluster
from core.weakness.service.data import attributes_key
from core.weakness.service.places import CasePlaces, case_places, failure_clusters, places_of
from core.weakness.table import CaseTable
from pages.analyse.weakness import cases as weakness_cases
from pages.analyse.weakness import reads
from pages.analyse.weakness.controls import Shown
from pages.analyse.weakness.discovery import cluster_map
from pages.analyse.weakness.discovery.slices import failing_column, figure, in_shares, worst_first
from pages.kit import cache, errors, frame, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers, tables, verbatim

COLUMNS = {
    "No.": st.column_config.TextColumn(width=40),
    "Groups": st.column_config.TextColumn(width=60, help="Semantic groups: what the test counts."),
    "Topics": st.column_config.TextColumn(width=150, help="Where its cases lie, the most first."),
    "Words of failures": st.column_config.TextColumn(
        width=240, help="Words by c-TF-IDF that are more frequent in failing questions inside than in all others."
    ),
    "Mean": st.column_config.TextColumn(width=122, help="With 95% interval; likely a little low, since it was chosen."),
    "Rest": st.column_config.TextColumn(width=50, help="Mean of all other cases on the map."),
    "Adjusted p": st.column_config.TextColumn(
        width=76, help="The chance of any such cluster on the whole map if it does not matter where a case lies."
    ),
}


def places(page: Page, run_id: str) -> CasePlaces:
    """Where the cases of a run lie, read once however often somebody else writes to the store."""
    return _places(page.store, run_id, attributes_key(page.store, run_id))


@cache.constant(max_entries=16)
def _places(store: Store, run_id: str, key: tuple[object, ...]) -> CasePlaces:
    return case_places(store, run_id)


@cache.read(*reads.KINDS)
def _clusters(store: Store, run_id: str, shown: Shown, _run_places: CasePlaces, _table: CaseTable) -> ClusterReport:
    return failure_clusters(_run_places, _table, ClusterOptions(min_effect=shown.min_effect))


def draw(page: Page, run: Run, shown: Shown) -> None:
    """The map with the clusters outlined, what they have in common, and the cases of the chosen one."""
    run_places = places(page, run.id)
    if run_places.model is None:
        frame.empty(
            "No topics are found yet.",
            "This part shows where on the map of topics failures lie together, and which words they share.",
            "topics",
            "Find topics",
        )
        return
    table = reads.table(page.store, run.id, shown)
    report = _clusters(page.store, run.id, replace(shown, attribute="", by=""), run_places, table)
    st.markdown(f"**{errors.plain(headline(report))}**")
    st.caption(compared(report, run_places))
    if report.looked_at:
        at = run_places.places[places_of(run_places, table.case_ids)]
        map_figure = cluster_map.figure(page, run_places, table, at, report)
        clicked = charts.show(map_figure, key="clusters_map", name=f"clusters_{run.id}", select=True)
        _clicked(table, report, weakness_cases.just(clicked[0] if clicked else "", "clusters_map"))
        _case(run, run_places, table)
    if report.reason:
        st.info(errors.plain(report.reason))
        return
    if not report.clusters:
        return
    listed = clusters_frame(report, table)
    columns = {**COLUMNS, "Failing": failing_column(report.failing_means)}
    if tables.follow(listed, key="clusters_table", id_column="id", parameter="cell", columns=columns):
        state.update(case="", page=1)
    tables.download(lambda: _data(report, table), name=f"clusters_{run.id}", key="clusters_csv")
    chosen = {str(number): cluster for number, cluster in enumerate(report.clusters, 1)}.get(state.link().cell)
    if chosen is None:
        st.caption("Select a cluster to see what to look at next, and its cases.")
        return
    cases = worst_first(table, chosen.cases)
    weakness_cases.draw(page, run, cases, f"Cluster {state.link().cell}: {terms_of(chosen)}", shown=shown)


def _clicked(table: CaseTable, report: ClusterReport, case_id: str) -> None:
    """Opens the case of a mark, and the cluster it lies in."""
    if case_id in table.case_ids:
        place = table.case_ids.index(case_id)
        inside = (str(number) for number, cluster in enumerate(report.clusters, 1) if (cluster.cases == place).any())
        state.update(case=case_id, cell=next(inside, ""), page=1)


def _case(run: Run, run_places: CasePlaces, table: CaseTable) -> None:
    opened = state.link().case
    if opened not in table.case_ids:
        st.caption("Click a case to read its question.")
        return
    question_at, open_at = st.columns([5, 2], vertical_alignment="center")
    with question_at:
        verbatim.show(run_places.questions[run_places.case_ids.index(opened)])
    if open_at.button("Open this case in the results", key="open_map_case"):
        state.go("results", run=run.id, case=opened)


def headline(report: ClusterReport) -> str:
    """What was found, in one sentence."""
    if report.reason:
        return "The map could not be searched"
    if not report.clusters:
        return "No part of the map is shown to fail more than the rest"
    worst = report.clusters[0]
    where = f" in {worst.topics[0][0]}" if worst.topics else ""
    more = f"; {numbers.count(len(report.clusters), 'cluster')} in all" if len(report.clusters) > 1 else ""
    outside = report.looked_at - worst.cases.size
    there = int(report.failing_looked_at - worst.failing.size)
    return (
        f"{worst.failing.size:,} of {numbers.count(worst.cases.size, 'case')} that lie together{where} are "
        f"{report.failing_means}, {there:,} of {outside:,} elsewhere{more}"
    )


def compared(report: ClusterReport, run_places: CasePlaces) -> str:
    """What was compared, and how sure it is, in one line."""
    lacking = [
        f"{numbers.count(n, 'case')} {why}"
        for n, why in (
            (report.no_score, "without a score"),
            (run_places.no_gold, "without a known source of the answer"),
            (run_places.unknown, "whose gold document has no passage on the map"),
        )
        if n
    ]
    aside = f" Not compared: {'; '.join(lacking)}." if lacking else ""
    if report.reason:
        return aside.strip()
    return (
        f"Each of {numbers.count(report.looked_at, 'case')} ({numbers.count(report.groups, 'semantic group')}) lies "
        f"at its gold passages; where only documents are named, at their passage nearest to the question. "
        f"{report.neighbourhoods:,} neighbourhoods of every size were compared with the rest; an outline is drawn "
        f"where 999 permutations show one at the 5% level for the whole map.{aside}"
    )


def terms_of(cluster: FailureCluster) -> str:
    """The words of a cluster, or its topic where they share none."""
    return ", ".join(term.text for term in cluster.terms) or (
        cluster.topics[0][0] if cluster.topics else "no common words"
    )


def clusters_frame(report: ClusterReport, table: CaseTable) -> pd.DataFrame:
    """The clusters for people."""
    shares = in_shares(table)
    return pd.DataFrame(
        [
            {
                "id": str(number),
                "No.": str(number),
                "Failing": f"{cluster.failing.size:,}/{cluster.cases.size:,}",
                "Groups": f"{cluster.groups:,}",
                "Topics": ", ".join(f"{name} ({n:,})" for name, n in cluster.topics[:4]) or numbers.NONE,
                "Words of failures": ", ".join(term.text for term in cluster.terms) or "no common words",
                "Mean": figure(cluster.mean, shares=shares),
                "Rest": numbers.share(cluster.rest) if shares else numbers.figure(cluster.rest),
                "Adjusted p": numbers.p_value(cluster.p_adjusted),
            }
            for number, cluster in enumerate(report.clusters, 1)
        ]
    )


def _data(report: ClusterReport, table: CaseTable) -> pd.DataFrame:
    """The cases of the clusters for a file."""
    return pd.DataFrame(
        [
            {
                "cluster": number,
                "case_id": table.case_ids[place],
                "score": table.score.values[place],
                "failing": bool(report.failing[place]),
                "cluster_mean": cluster.mean.value,
                "cluster_rest": cluster.rest,
                "p_adjusted": cluster.p_adjusted,
                "terms": ", ".join(term.text for term in cluster.terms),
            }
            for number, cluster in enumerate(report.clusters, 1)
            for place in cluster.cases.tolist()
        ]
    )
