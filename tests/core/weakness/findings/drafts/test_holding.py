"""Scores that tell levels apart, as findings."""

import json

import numpy as np

from core.domain.results.findings import FindingKind, Severity
from core.weakness import Attribute, CaseTable, ScoreColumn
from core.weakness.findings.drafts.facts import Labels, ScoreWords
from core.weakness.findings.drafts.holding import EVERY_LEVEL, holding_drafts

WORDS = ScoreWords(label="Groundedness", kind="mean")


def corpora(signal):
    """Two corpora that differ in scores and in the share of right answers, and an attribute that says nothing."""
    generator = np.random.default_rng(0)
    codes = generator.integers(0, 2, 400)
    right = (generator.random(400) < np.array([0.9, 0.4])[codes]).astype(float)
    score = 1.5 * (codes == 0) + signal * right + generator.normal(size=400)
    codes[:10] = -1
    attributes = (
        Attribute(name="corpus", codes=codes, levels=("easy", "hard")),
        Attribute(name="form", codes=generator.integers(0, 2, 400), levels=("long", "short")),
        Attribute(name="one", codes=np.zeros(400, dtype=np.int64), levels=("same",)),
        Attribute(name="own", codes=np.arange(400), levels=tuple(map(str, range(400)))),
    )
    table = CaseTable(
        case_ids=tuple(map(str, range(400))),
        clusters=np.arange(400),
        score=ScoreColumn(name="groundedness", values=score, low=None, high=None),
        attributes=attributes,
    )
    return table, right


def drafts(table, right):
    labels = Labels(of={"corpus": "collection of documents"})
    return holding_drafts(table, right, [one.name for one in table.attributes], WORDS, labels)


def test_two_pooled_corpora_make_a_score_look_good():
    table, right = corpora(0.0)
    [draft] = drafts(table, right)
    assert (draft.kind, draft.conditions) == (FindingKind.HOLDING, (("corpus", EVERY_LEVEL),))
    assert draft.severity is Severity.MEDIUM
    assert draft.positions.tolist() == list(range(10, 400))
    assert "inside the levels of collection of documents in 0.5" in draft.text
    assert draft.figures["right"] + draft.figures["wrong"] == 390
    json.dumps(draft.figures, allow_nan=False)


def test_less_is_better():
    table, right = corpora(0.0)
    turned = ScoreColumn(name="d", values=-table.score.values, low=None, high=None, higher_is_better=False)
    mirrored = CaseTable(case_ids=table.case_ids, clusters=table.clusters, score=turned, attributes=table.attributes)
    assert drafts(mirrored, right)[0].text == drafts(table, right)[0].text


def test_a_score_that_holds_is_no_finding():
    assert drafts(*corpora(4.0)) == ()


def test_without_verdicts_there_is_none():
    table, right = corpora(0.0)
    assert drafts(table, np.full_like(right, np.nan)) == ()
