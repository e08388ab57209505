"""Failure clusters of the topic map as findings in words."""

from __future__ import annotations

import numpy as np

from core.domain.results.findings import FindingKind
from core.weakness.clusters.finder import ClusterReport, FailureCluster
from core.weakness.findings.drafts.drafting import Draft, figures_of
from core.weakness.findings.drafts.facts import PartFacts, ScoreWords
from core.weakness.findings.drafts.severity import lost_of, severity_of, spread_of
from core.weakness.findings.drafts.wording import cluster_text
from core.weakness.table import CaseTable

MOST_TOPICS = 3
MOST_TERMS = 5
PLACE = "place on the topic map"
"""What stands for an attribute in the conditions of a cluster."""


def cluster_drafts(table: CaseTable, words: ScoreWords, report: ClusterReport) -> tuple[Draft, ...]:
    """A finding for each failure cluster; its topics and its terms identify it in a later search."""
    spread, lost = spread_of(table.score), lost_of(table.score)
    return tuple(_draft(cluster, words, report, spread, lost) for cluster in report.clusters)


def _draft(cluster: FailureCluster, words: ScoreWords, report: ClusterReport, spread: float, lost: float) -> Draft:
    scored = cluster.mean.n
    facts = PartFacts(
        n=len(cluster.cases),
        scored=scored,
        clusters=cluster.groups,
        mean=cluster.mean.value or 0.0,
        low=cluster.mean.low,
        high=cluster.mean.high,
        rest=cluster.rest,
        rest_scored=report.looked_at - scored,
        effect=cluster.effect,
        p_adjusted=cluster.p_adjusted,
        tested=report.neighbourhoods,
        among="places on the topic map",
    )
    topics = [name for name, _ in cluster.topics[:MOST_TOPICS]]
    terms = [term.text for term in cluster.terms[:MOST_TERMS]]
    effect = cluster.effect / spread if spread else 0.0
    severity = severity_of(effect, scored, lost)
    return Draft(
        kind=FindingKind.CLUSTER,
        conditions=((PLACE, "; ".join(filter(None, (", ".join(topics), ", ".join(terms))))),),
        text=cluster_text(words, facts, failing=len(cluster.failing), topics=topics, terms=terms),
        figures=figures_of(
            facts,
            failing=len(cluster.failing),
            topics=[[name, n] for name, n in cluster.topics],
            terms=[term.text for term in cluster.terms],
            explains=effect * scored,
            lost=lost,
            severity=severity.value,
        ),
        positions=np.sort(cluster.cases),
        severity=severity,
    )
