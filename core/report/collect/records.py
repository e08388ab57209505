"""What reproduces a report: versions, prompts, costs, counts, who did what, the head of the trail."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from sqlalchemy import Connection, func, select

from core import __version__
from core.audit.job import Checked, latest
from core.domain.results.labels import Part, RoundOrigin
from core.domain.results.runs import Run
from core.store.database import Store
from core.store.models import calls
from core.store.results import scores
from core.store.tables import audit, cases, label_items, label_rounds, labels, llm_calls, llm_uses, responses
from core.store.trail import audit_details
from core.store.trail.audit import GENESIS

LIBRARIES: Final = (
    "numpy",
    "scipy",
    "scikit-learn",
    "statsmodels",
    "mapie",
    "sentence-transformers",
    "torch",
    "sqlalchemy",
    "sqlglot",
    "plotly",
)
"""Whose version a figure may depend on."""

SEARCH: Final = "findings.record"

WRITES_OF_REPORTS: Final = ("report.comment", "report.freeze")
"""Entries that a report does not count: the report of the same figures must stay the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rater:
    """A person, or a machine, whose labels the report rests on."""

    name: str
    labels: int
    cases: int
    simulated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptUsed:
    """A prompt that the run's calls were made with."""

    id: str
    version: str
    hash: str
    model: str
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The record of a run.

    Attributes:
        versions: Of Plumbline, Python and the libraries that compute.
        prompts: Those the run used.
        replies: Replies of models the run used, and how many of them the ledger had.
        cost: Calls sent, their cost, and how many of them have no price.
        raters: Who labelled the run.
        simulated_labels: Labels given by machines.
        acts: How often who did what in the project: actor, action, number.
        edits: Scores that people changed.
        searches: How often weaknesses of the run were looked for and recorded.
        excluded: Cases of the test set that people took out, by reason.
        seconds: From the start of the run to its end, None where that is not known.
        latency: Median seconds of an answer, and how many were timed.
        head: Number, time and hash of the newest entry of the project in the trail.
        checked: The newest check of the store.
    """

    versions: Mapping[str, str]
    prompts: tuple[PromptUsed, ...]
    replies: tuple[int, int]
    cost: tuple[int, float, int]
    raters: tuple[Rater, ...]
    simulated_labels: int
    acts: tuple[tuple[str, str, int], ...]
    edits: int
    searches: int
    excluded: Mapping[str, int]
    seconds: float | None
    latency: tuple[float | None, int]
    head: tuple[int, str, str]
    checked: Checked | None


def records(store: Store, run: Run) -> Records:
    """Reads the record of a run."""
    with store.read() as connection:
        raters = _raters(connection, run.id)
        return Records(
            versions=versions(),
            prompts=_prompts(connection, run.id),
            replies=calls.used(connection, run.id),
            cost=calls.spent(connection, run.id),
            raters=raters,
            simulated_labels=sum(rater.labels for rater in raters if rater.simulated),
            acts=_acts(connection, run.project_id),
            edits=len(scores.edits(connection, run.id)),
            searches=len(audit_details.of_subject(connection, run.project_id, SEARCH, run.id)),
            excluded=_excluded(connection, run.test_set_id),
            seconds=_seconds(run),
            latency=_latency(connection, run.id),
            head=_head(connection, run.project_id),
            checked=latest(store),
        )


def versions() -> dict[str, str]:
    """The versions of what computes, by name; a library that is not installed is left out."""
    found = {"Plumbline": __version__, "Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _raters(connection: Connection, run_id: str) -> tuple[Rater, ...]:
    query = (
        select(labels.c.rater, func.count(), func.count(labels.c.case_id.distinct()), label_rounds.c.origin)
        .join(label_rounds, label_rounds.c.id == labels.c.round_id)
        .join(
            label_items,
            (label_items.c.round_id == labels.c.round_id) & (label_items.c.case_id == labels.c.case_id),
        )
        .where(label_rounds.c.run_id == run_id, label_items.c.part != Part.PRACTICE.value)
        .group_by(labels.c.rater, label_rounds.c.origin)
        .order_by(labels.c.rater, label_rounds.c.origin)
    )
    return tuple(
        Rater(name=rater, labels=int(count), cases=int(cases), simulated=origin == RoundOrigin.SIMULATED.value)
        for rater, count, cases, origin in connection.execute(query)
    )


def _prompts(connection: Connection, run_id: str) -> tuple[PromptUsed, ...]:
    columns = (llm_calls.c.prompt_id, llm_calls.c.prompt_version, llm_calls.c.prompt_hash, llm_calls.c.model)
    query = (
        select(*columns, func.count())
        .select_from(llm_uses.join(llm_calls, llm_calls.c.id == llm_uses.c.call_id))
        .where(llm_uses.c.run_id == run_id)
        .group_by(*columns)
        .order_by(*columns)
    )
    return tuple(
        PromptUsed(id=prompt, version=number, hash=digest, model=model, calls=int(count))
        for prompt, number, digest, model, count in connection.execute(query)
    )


def _excluded(connection: Connection, test_set_id: str) -> dict[str, int]:
    query = (
        select(cases.c.excluded, func.count())
        .where(cases.c.test_set_id == test_set_id, cases.c.excluded != "")
        .group_by(cases.c.excluded)
        .order_by(cases.c.excluded)
    )
    return {reason: int(count) for reason, count in connection.execute(query)}


def _acts(connection: Connection, project_id: str) -> tuple[tuple[str, str, int], ...]:
    query = (
        select(audit.c.actor, audit.c.action, func.count())
        .where(audit.c.project_id == project_id, audit.c.action.not_in(WRITES_OF_REPORTS))
        .group_by(audit.c.actor, audit.c.action)
        .order_by(audit.c.actor, audit.c.action)
    )
    return tuple((actor, action, int(count)) for actor, action, count in connection.execute(query))


def _head(connection: Connection, project_id: str) -> tuple[int, str, str]:
    query = (
        select(audit.c.seq, audit.c.at, audit.c.hash)
        .where(audit.c.project_id == project_id, audit.c.action.not_in(WRITES_OF_REPORTS))
        .order_by(audit.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return (0, "", GENESIS) if row is None else (int(row[0]), str(row[1]), str(row[2]))


def _latency(connection: Connection, run_id: str) -> tuple[float | None, int]:
    query = (
        select(responses.c.latency_s)
        .where(responses.c.run_id == run_id, responses.c.latency_s.is_not(None), responses.c.failed.is_(False))
        .order_by(responses.c.latency_s)
    )
    seconds = [float(value) for (value,) in connection.execute(query)]
    middle = len(seconds) // 2
    if not seconds:
        return None, 0
    return (seconds[middle] if len(seconds) % 2 else (seconds[middle - 1] + seconds[middle]) / 2), len(seconds)


def _seconds(run: Run) -> float | None:
    try:
        return (datetime.fromisoformat(run.finished_at) - datetime.fromisoformat(run.created_at)).total_seconds()
    except ValueError:
        return None
