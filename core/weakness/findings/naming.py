"""Names of findings in the words of the domain: "Questions that join two tables"."""

from __future__ import annotations

from core.domain.results.findings import Finding, FindingKind
from core.domain.results.runs import VERDICT_METRIC
from core.weakness.findings.drafts.facts import Labels
from core.weakness.findings.drafts.wording import where
from core.weakness.service.scores import CHANCE, LABEL, label_of_score
from core.weakness.service.spoken import label_of


def name_of(finding: Finding) -> str:
    """The name a person gave a finding, else one made of what its cases have in common.

    >>> from dataclasses import replace
    >>> one = Finding(id="a", project_id="p", run_id="r", kind=FindingKind.LEVEL, score="verdict", text="")
    >>> name_of(replace(one, conditions=(("joins", "1"),)))
    'Questions that join two tables'
    >>> name_of(replace(one, conditions=(("joins", "1"),), score="groundedness"))
    'Low groundedness for questions that join two tables'
    """
    if finding.title:
        return finding.title
    labels = Labels(of={name: label_of(name).lower() for name, _ in finding.conditions})
    if finding.kind is FindingKind.CLUSTER:
        topics, _, terms = (finding.conditions[0][1] if finding.conditions else "").partition("; ")
        return f"Failures about {topics}{f': {terms}' if terms else ''}" if topics else "Failures on the topic map"
    if finding.kind is FindingKind.HOLDING:
        inside = " and ".join(labels[name] for name, _ in finding.conditions)
        return f"{score_name(finding.score)} does not tell right from wrong within {inside}"
    if not finding.conditions or finding.kind not in _CONDITIONED:
        return finding.text
    questions = f"uestions {where(finding.conditions, labels)}"
    if finding.kind is FindingKind.UNSCORED:
        return f"Q{questions} without {score_name(finding.score).lower()}"
    if finding.score == VERDICT_METRIC:
        return f"Q{questions}"
    return f"Low {score_name(finding.score).lower()} for q{questions}"


def score_name(key: str) -> str:
    """A score of a finding for people."""
    if key.startswith(CHANCE):
        return "Calibrated chance"
    return "Labels" if key.startswith(LABEL) else label_of_score(key)


_CONDITIONED = frozenset({FindingKind.LEVEL, FindingKind.CELL, FindingKind.SLICE, FindingKind.UNSCORED})
