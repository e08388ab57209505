"""Work that follows a job: named by its kind, done by the same worker once all of the job is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

THEN = "then"
"""Where a job's parameters name what follows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Follower:
    """What to do after a job, such as to calibrate what was scored.

    It belongs to the job: stopped, killed and resumed with it. What is done already must be recognised by its function,
    since a resumed job comes by again.

    Attributes:
        kind: A registered kind.
        params: What its function gets instead of the job's own; plain JSON, no secret.
    """

    kind: str
    params: Mapping[str, object]


def with_follower(params: Mapping[str, object], then: Follower | None) -> dict[str, object]:
    """Parameters of a job that name what follows it; without one they are what they were."""
    return dict(params) if then is None else {**params, THEN: asdict(then)}


def follower(params: Mapping[str, object]) -> Follower | None:
    """What follows a job with these parameters, None where nothing does.

    >>> follower(with_follower({"run_id": "run_1"}, Follower(kind="calibrate", params={"alpha": 0.1})))
    Follower(kind='calibrate', params={'alpha': 0.1})
    """
    then = params.get(THEN)
    if not isinstance(then, Mapping):
        return None
    return Follower(kind=str(then.get("kind", "")), params=dict(then.get("params") or {}))
