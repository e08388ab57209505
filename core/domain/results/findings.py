"""Findings: weaknesses in words and figures, and what people decide about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.estimates import Estimate
from core.domain.identity import canonical_json, short_hash

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

    ``open``: not decided; ``in progress``: somebody works on it; ``resolved``: something was done about it;
    ``accepted``: it is real and stays, as an accepted risk; ``dismissed``: it is no weakness.
    """

    OPEN = "open"
    IN_PROGRESS = "in progress"
    RESOLVED = "resolved"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


SETTLED = frozenset({FindingStatus.RESOLVED, FindingStatus.ACCEPTED, FindingStatus.DISMISSED})
"""Where nothing is left to do, unless a retest says so."""


class Outcome(StrEnum):
    """What a retest of a finding on another run says.

    ``fixed``: better than before, and no longer worse than the rest by what counts as weak. ``still there``: it is;
    it may be better than before. ``worse``: worse than before. ``unclear``: neither a change nor a weakness is shown.
    ``not tested``: the run lacks its cases or its score.
    """

    FIXED = "fixed"
    STILL_THERE = "still there"
    WORSE = "worse"
    UNCLEAR = "unclear"
    NOT_TESTED = "not tested"


def explained(figures: Mapping[str, object]) -> float:
    """How many failing cases a finding with these figures explains, 0 where they do not say.

    >>> explained({"explains": 12}), explained({})
    (12.0, 0.0)
    """
    explains = figures.get("explains")
    return float(explains) if isinstance(explains, float | int) else 0.0


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
        thread: What it shares with the findings of other runs that name the same weakness, and with those a person
            merged with it; all of them have the same status, owner, due date, title and comment. Given by the store.
        title: Its name in a person's words; empty where its conditions name it.
        due: The day by which it is to be settled, ISO 8601; empty for none.
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
    thread: str = ""
    title: str = ""
    due: str = ""

    @property
    def names(self) -> str:
        """What two findings of different runs have in common when they name the same weakness, as one text.

        >>> one = Finding(id="a", project_id="p", run_id="r", kind=FindingKind.LEVEL, score="verdict", text="")
        >>> one.names
        '["level","verdict",null,[]]'
        """
        conditions = sorted([list(pair) for pair in self.conditions])
        return canonical_json([self.kind.value, self.score, self.options.get("threshold"), conditions])

    @property
    def explains(self) -> float:
        """How many failing cases it explains, 0 where it does not say: by it the strongest of one severity is told."""
        return explained(self.figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRetest:
    """A finding measured again on another run.

    Attributes:
        thread: The finding, over all runs.
        run_id: The run it was measured on.
        against: The run it was seen in before, which the change is against.
        outcome: What it says.
        before: The mean of its cases in the run before.
        after: The mean of its cases in this run.
        change: After less before, in the unit of the score; its interval pairs cases that both runs have.
        deficit: How much worse its cases are than all others in this run; positive is worse.
        paired: Cases that both runs have, by which the change is paired; 0 where it is between two samples.
        reason: One sentence.
    """

    id: str
    project_id: str
    thread: str
    run_id: str
    against: str
    outcome: Outcome
    before: Estimate | None = None
    after: Estimate | None = None
    change: Estimate | None = None
    deficit: Estimate | None = None
    paired: int = 0
    reason: str = ""
    created_at: str = ""
    created_by: str = ""


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
