"""Findings: what is weak, in words and figures, and what people make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.identity import short_hash

Conditions = tuple[tuple[str, str], ...]
"""What the cases of a finding have in common: pairs of an attribute and its level."""


class FindingKind(StrEnum):
    """What a finding is about.

    ``level``: one level of an attribute; ``cell``: two levels of two attributes; ``slice``: up to three, found by
    search; ``cluster``: failures that lie together on the topic map; ``holding``: whether a score tells right from
    wrong inside the levels of an attribute; ``unscored``: a share without a score that differs by level, which is a
    note and no weakness.
    """

    LEVEL = "level"
    CELL = "cell"
    SLICE = "slice"
    CLUSTER = "cluster"
    HOLDING = "holding"
    UNSCORED = "unscored"


class Severity(StrEnum):
    """How much a finding matters, worst first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class FindingStatus(StrEnum):
    """Where a finding stands.

    ``open``: nobody decided; ``accepted``: it is real and is lived with; ``fixed``: something was done about it;
    ``dismissed``: it is none.
    """

    OPEN = "open"
    ACCEPTED = "accepted"
    FIXED = "fixed"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a run showed, and what people decided of it.

    Attributes:
        id: Of run, score, threshold, kind and conditions, see :func:`finding_id`: the same thing found again is the
            same finding.
        score: Key of the score it was found in.
        conditions: What its cases have in common.
        text: One or more plain sentences, made by template.
        figures: The numbers of the text, plain JSON.
        case_ids: The cases it is about, in the order of the test set: all of a cell, failing or not.
        severity: By rule when it was found first, then as people set it.
        status: Where it stands.
        owner: Who sees to it; empty where nobody does.
        comment: In a person's words.
        options: What it was looked for with: q, min_effect, threshold, bins, seed.
        gone: Whether it was looked for again since and not found; it stays, with the figures it had.
        created_at: UTC, ISO 8601, when it was found first.
        created_by: Who had it recorded first.
        changed_at: When a person changed it last; empty where nobody did.
        changed_by: Who that was.
    """

    id: str
    project_id: str
    run_id: str
    kind: FindingKind
    score: str
    conditions: Conditions = ()
    text: str
    figures: Mapping[str, object] = field(default_factory=dict)
    case_ids: tuple[str, ...] = ()
    severity: Severity = Severity.MEDIUM
    status: FindingStatus = FindingStatus.OPEN
    owner: str = ""
    comment: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    gone: bool = False
    created_at: str = ""
    created_by: str = ""
    changed_at: str = ""
    changed_by: str = ""


def finding_id(
    run_id: str, score: str, kind: FindingKind, conditions: Sequence[tuple[str, str]], threshold: float | None = None
) -> str:
    """The id of what is found; the order of the conditions plays no part.

    A mean and a share of cases that reach a threshold are two figures, so they make two findings.

    >>> one = finding_id("run_1", "verdict", FindingKind.CELL, [("topic", "loans"), ("form", "long")])
    >>> one == finding_id("run_1", "verdict", FindingKind.CELL, [("form", "long"), ("topic", "loans")])
    True
    """
    named = [run_id, score, threshold, kind.value, sorted([list(pair) for pair in conditions])]
    return f"fnd_{short_hash(named, 16)}"
