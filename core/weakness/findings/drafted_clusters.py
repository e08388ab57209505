"""Failure clusters of the topic map as findings in words."""

from __future__ import annotations

import numpy as np

from core.domain.findings import FindingKind
from core.weakness.clusters.finder import ClusterReport, FailureCluster
from core.weakness.findings.drafting import Draft, figures_of
from core.weakness.findings.facts import PartFacts, ScoreWords
from core.weakness.findings.severity import lost_of, severity_of, spread_of
from core.weakness.findings.wording import cluster_text
from core.weakness.table import CaseTable

MOST_TOPICS = 3
MOST_TERMS = 5
PLACE = "place on the topic map"
"""What stands for an attribute in the conditions of a cluster."""


def cluster_drafts(table: CaseTable, words: ScoreWords, report: ClusterReport) -> tuple[Draft, ...]:
    """A finding for each failure cluster; it is known again by its topics and its terms."""
    spread, lost = spread_of(table.score), lost_of(table.score)
    return tuple(_draft(one, words, report, spread, lost) for one in report.clusters)


def _draft(one: FailureCluster, words: ScoreWords, report: ClusterReport, spread: float, lost: float) -> Draft:
    scored = one.mean.n
    facts = PartFacts(
        n=len(one.cases),
        scored=scored,
        clusters=one.groups,
        mean=one.mean.value or 0.0,
        low=one.mean.low,
        high=one.mean.high,
        rest=one.rest,
        rest_scored=report.looked_at - scored,
        effect=one.effect,
        p_adjusted=one.p_adjusted,
        tested=report.neighbourhoods,
        among="places on the topic map",
    )
    topics = [name for name, _ in one.topics[:MOST_TOPICS]]
    terms = [term.text for term in one.terms[:MOST_TERMS]]
    effect = one.effect / spread if spread else 0.0
    severity = severity_of(effect, scored, lost)
    return Draft(
        kind=FindingKind.CLUSTER,
        conditions=((PLACE, "; ".join(filter(None, (", ".join(topics), ", ".join(terms))))),),
        text=cluster_text(words, facts, failing=len(one.failing), topics=topics, terms=terms),
        figures=figures_of(
            facts,
            failing=len(one.failing),
            topics=[[name, n] for name, n in one.topics],
            terms=[term.text for term in one.terms],
            explains=effect * scored,
            lost=lost,
            severity=severity.value,
        ),
        positions=np.sort(one.cases),
        severity=severity,
    )
