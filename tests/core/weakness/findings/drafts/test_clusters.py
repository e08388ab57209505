"""Failure clusters as findings."""

import numpy as np

from core.domain.results.findings import FindingKind, Severity
from core.weakness import CaseTable, ScoreColumn
from core.weakness.clusters.finder import find_clusters
from core.weakness.findings.drafts.clusters import PLACE, cluster_drafts
from core.weakness.findings.drafts.facts import ScoreWords
from core.weakness.table import attribute_of

WORDS = ScoreWords(label="Verdict", kind="verdict")


def on_a_map(failing):
    """A grid of 20 x 20 cases; those of one corner ask about overdrafts."""
    places = np.array([(x, y) for x in range(20) for y in range(20)], dtype=np.float64)
    corner = (places[:, 0] < 6) & (places[:, 1] < 6)
    values = np.where(corner & failing, 0.0, 1.0)
    values[::25] = 0.0  # some fail everywhere
    table = CaseTable(
        case_ids=tuple(f"c{place}" for place in range(400)),
        clusters=np.arange(400),
        score=ScoreColumn(name="verdict", values=values),
        attributes=(),
    )
    topics = attribute_of("topic", ["Fees" if inside else "Branches" for inside in corner])
    questions = ["What is the overdraft fee?" if inside else "Where is the branch?" for inside in corner]
    return table, find_clusters(table, places, topics=topics, questions=questions)


def test_a_place_where_answers_fail_becomes_a_finding():
    table, report = on_a_map(True)
    [draft] = cluster_drafts(table, WORDS, report)
    assert draft.kind is FindingKind.CLUSTER
    assert draft.severity is Severity.HIGH
    [(name, place)] = draft.conditions
    assert name == PLACE
    assert place.startswith("Fees")
    assert "overdraft" in place
    assert (np.diff(draft.positions) > 0).all()
    found = report.clusters[0]
    assert draft.figures["scored"] == found.mean.n == draft.positions.size
    assert draft.figures["rest_scored"] == 400 - found.mean.n
    assert draft.figures["failing"] == len(found.failing)
    assert f"{len(found.failing):,} of {found.mean.n:,} questions" in draft.text


def test_where_nothing_fails_together_there_is_none():
    table, report = on_a_map(False)
    assert cluster_drafts(table, WORDS, report) == ()
