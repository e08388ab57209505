"""Findings: weaknesses in words and figures, and what people decide about them."""

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
    note and no weakness; ``written``: by a person who read answers, who chose its cases as well.
    """

    LEVEL = "level"
    CELL = "cell"
    SLICE = "slice"
    CLUSTER = "cluster"
    HOLDING = "holding"
    UNSCORED = "unscored"
    WRITTEN = "written"


class Severity(StrEnum):
    """How much a finding matters, worst first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class FindingStatus(StrEnum):
    """Where a finding stands.

    ``open``: not decided; ``accepted``: it is real and stays; ``fixed``: something was done about it;
    ``dismissed``: it is no weakness.
    """

    OPEN = "open"
    ACCEPTED = "accepted"
    FIXED = "fixed"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a run showed, and what people decided about it.

    Attributes:
        id: From run, score, threshold, kind and conditions, see :func:`finding_id`: a repeated search gives the same
            id.
        score: Key of the score it was found in.
        conditions: What its cases have in common.
        text: One or more plain sentences, made by template.
        figures: The numbers of the text, plain JSON.
        case_ids: The cases it is about, in the order of the test set: all of a cell, failing or not.
        severity: By rule when it is first found, then as people set it.
        status: Where it stands.
        owner: Who is responsible; empty where nobody is.
        comment: In a person's words.
        options: The options of the search: q, min_effect, threshold, bins, seed.
        gone: Whether a later search did not find it; it stays, with the figures it had.
        created_at: UTC, ISO 8601, when it was first found.
        created_by: Who first recorded it.
        changed_at: When a person last changed it; empty where nobody did.
        changed_by: Who last changed it.
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
    """The id of a finding; the order of the conditions does not matter.

    A mean and a share of cases that reach a threshold are two figures, so they make two findings.

    >>> cell_id = finding_id("run_1", "verdict", FindingKind.CELL, [("topic", "loans"), ("form", "long")])
    >>> cell_id == finding_id("run_1", "verdict", FindingKind.CELL, [("form", "long"), ("topic", "loans")])
    True
    """
    identity = [run_id, score, threshold, kind.value, sorted([list(pair) for pair in conditions])]
    return f"fnd_{short_hash(identity, 16)}"
