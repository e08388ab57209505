"""Findings of a run: recorded by a search, decided on by people, exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TypeVar

from core.audit.sending import sign_off
from core.domain.errors import DecisionChanged, InvalidInput
from core.domain.results.findings import Finding, FindingKind, FindingStatus, Severity, finding_id
from core.domain.sources.projects import Role
from core.project.service import require
from core.store.database import Store
from core.store.people import findings as stored
from core.store.results import runs
from core.store.writing import touched
from core.weakness.findings.drafts.drafting import Draft
from core.weakness.findings.search import FindingSearch, Searched, search_findings
from core.weakness.options import WeaknessOptions

KEEPER = Role.VALIDATOR
"""The role that may record findings and decide on them."""

DECIDED = ("title", "severity", "status", "owner", "due", "comment")
"""The fields that a person decides, in the order in which they are asked."""

LONGEST_COMMENT = 4_000
LONGEST_OWNER = 200
LONGEST_TITLE = 200

Choice = TypeVar("Choice", bound=StrEnum)


def record_findings(
    store: Store,
    run_id: str,
    score_key: str,
    options: WeaknessOptions | None,
    actor: str,
    *,
    search: FindingSearch | None = None,
) -> tuple[Finding, ...]:
    """Searches a run for weaknesses and stores them, one finding for each set of cases.

    An existing finding keeps its owner, status and comment, and its severity where a person set it; figures, text and
    cases are updated. A finding that was searched for again and not found is marked as gone, and stays.

    Args:
        store: Where the run is.
        run_id: The run.
        score_key: The score, as in :func:`core.weakness.service.scores.score_choices`.
        options: What counts as weak.
        actor: Who.
        search: Where to look.

    Returns:
        The findings, the worst first.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no such score or attribute.
    """
    options, search = options or WeaknessOptions(), search or FindingSearch()
    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    require(store, project_id, actor, KEEPER)
    searched = search_findings(store, run_id, score_key, options, search)
    stated_options = _stated_options(options, search)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    fresh = [
        _finding(project_id, run_id, score_key, draft, searched, stated_options, search.threshold, actor=actor, at=at)
        for draft in searched.drafts
    ]
    detail: dict[str, object] = {"score": score_key, "threshold": search.threshold}
    with store.write(actor, "findings.record", project_id=project_id, subject=run_id, detail=detail) as connection:
        before = {finding.id: finding for finding in stored.of_run(connection, run_id, score=score_key)}
        decided = {finding.thread: finding for finding in stored.newest_of_threads(connection, project_id)}
        recorded = tuple(
            _with_decisions(finding, before.get(finding.id), decided.get(finding.thread))
            for finding in stored.threaded(connection, fresh)
        )
        stored.put(connection, recorded)
        vanished = [
            finding.id
            for finding in before.values()
            if finding.id not in {row.id for row in recorded} and _looked_for(finding, searched, search)
        ]
        stored.mark_gone(connection, vanished)
        # A search that finds nothing changes no row, and is still an outcome that screens show.
        touched.note(connection, ["findings"])
        detail |= {
            "found": len(recorded),
            "new": sum(row.id not in before for row in recorded),
            "gone": len(vanished),
        }
    return recorded


def findings(store: Store, run_id: str, *, score: str | None = None, gone: bool | None = None) -> tuple[Finding, ...]:
    """The findings of a run, the worst first; of one score where it is named, with or without those that are gone."""
    with store.read() as connection:
        rows = stored.of_run(connection, run_id, score=score, gone=gone)
    return tuple(
        sorted(
            rows,
            key=lambda finding_row: (
                finding_row.gone,
                finding_row.kind is FindingKind.UNSCORED,
                _WORST[finding_row.severity],
                -finding_row.explains,
            ),
        )
    )


def finding(store: Store, finding_id: str) -> Finding:
    """One finding.

    Raises:
        NotFound: There is none of that id.
    """
    with store.read() as connection:
        return stored.get(connection, finding_id)


def change_finding(
    store: Store,
    finding_id: str,
    *,
    severity: Severity | str | None = None,
    owner: str | None = None,
    status: FindingStatus | str | None = None,
    comment: str | None = None,
    title: str | None = None,
    due: str | None = None,
    actor: str,
    seen: Finding | None = None,
) -> Finding:
    """Stores a person's decision on a finding, in every run it was seen in; fields that are None stay unchanged.

    Args:
        store: Where it is.
        finding_id: The finding.
        severity: How much it matters.
        owner: Who is responsible for it, empty for nobody.
        status: The state of the work on it.
        comment: The person's remark, empty for none.
        title: Its name in the words of the bank, empty for the one its conditions give it.
        due: The day by which it is to be settled, as ``2026-12-31``; empty for none.
        actor: Who decides.
        seen: The finding as shown to this person, None where it was not shown.

    Returns:
        The finding as it is now; nothing is written where nothing changes.

    Raises:
        NotFound: There is no such finding.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no such severity or status, a text is too long, or the day is none.
        DecisionChanged: Somebody else changed it since it was seen.
    """
    requested: dict[str, object] = {}
    if severity is not None:
        requested["severity"] = _one_of("severity", severity, Severity)
    if status is not None:
        requested["status"] = _one_of("status", status, FindingStatus)
    if owner is not None:
        requested["owner"] = _short("owner", owner, LONGEST_OWNER)
    if comment is not None:
        requested["comment"] = _short("comment", comment, LONGEST_COMMENT)
    if title is not None:
        requested["title"] = " ".join(_short("title", title, LONGEST_TITLE).split())
    if due is not None:
        requested["due"] = _day(due)
    present = finding(store, finding_id)
    require(store, present.project_id, actor, KEEPER)
    if all(getattr(present, name) == value for name, value in requested.items()):
        return present
    detail: dict[str, object] = {}
    with store.write(
        actor, "finding.change", project_id=present.project_id, subject=finding_id, detail=detail
    ) as connection:
        before = stored.get(connection, finding_id)
        if seen is not None and _decided(before) != _decided(seen):
            raise DecisionChanged(
                f"{before.changed_by} changed this finding meanwhile.",
                "Look at what is stored now, then keep it or replace it.",
            )
        changes = {name: value for name, value in requested.items() if getattr(before, name) != value}
        detail |= {name: {"before": getattr(before, name), "after": value} for name, value in changes.items()}
        at = datetime.now(UTC).isoformat(timespec="seconds")
        after = replace(before, **changes, changed_at=at, changed_by=actor)  # type: ignore[arg-type]
        stored.decide(connection, after)
    sign_off(store, actor, "finding.change")
    return after


_WORST = {severity: place for place, severity in enumerate(Severity)}


def _finding(
    project_id: str,
    run_id: str,
    score_key: str,
    draft: Draft,
    searched: Searched,
    stated_options: Mapping[str, object],
    threshold: float | None,
    *,
    actor: str,
    at: str,
) -> Finding:
    return Finding(
        id=finding_id(run_id, score_key, draft.kind, draft.conditions, threshold),
        project_id=project_id,
        run_id=run_id,
        kind=draft.kind,
        score=score_key,
        conditions=draft.conditions,
        text=draft.text,
        figures=draft.figures,
        case_ids=tuple(searched.table.case_ids[place] for place in draft.positions.tolist()),
        severity=draft.severity,
        options=stated_options,
        created_at=at,
        created_by=actor,
    )


def _with_decisions(fresh: Finding, before: Finding | None, decided: Finding | None) -> Finding:
    """A finding with people's earlier decisions on it: in this run, or on the same weakness in another one."""
    if before is not None:
        fresh = replace(fresh, created_at=before.created_at, created_by=before.created_by)
    decided = before or decided
    if decided is None:
        return fresh
    by_rule = decided.severity.value == decided.figures.get("severity")
    return replace(
        fresh,
        severity=fresh.severity if by_rule else decided.severity,
        status=decided.status,
        owner=decided.owner,
        comment=decided.comment,
        title=decided.title,
        due=decided.due,
        changed_at=decided.changed_at,
        changed_by=decided.changed_by,
    )


def _looked_for(finding: Finding, searched: Searched, search: FindingSearch) -> bool:
    """Whether a search would have found the finding again if it still existed."""
    if finding.kind is FindingKind.WRITTEN:
        return False
    if finding.options.get("threshold") != search.threshold:
        return False
    if finding.kind is FindingKind.CLUSTER:
        return searched.clusters
    names = {name for name, _ in finding.conditions}
    if not names <= set(searched.attributes):
        return False
    if finding.kind is FindingKind.CELL:
        return search.pairs is None or any(names == set(pair) for pair in search.pairs)
    if finding.kind is FindingKind.HOLDING:
        return searched.holding
    return search.slices if finding.kind is FindingKind.SLICE else True


def _stated_options(options: WeaknessOptions, search: FindingSearch) -> dict[str, object]:
    return {
        **asdict(options),
        "threshold": search.threshold,
        "bins": {name: asdict(binning) for name, binning in search.bins.items()},
        "attributes": list(search.attributes) if search.attributes is not None else None,
        "pairs": [list(pair) for pair in search.pairs] if search.pairs is not None else None,
        "slices": search.slices,
        "seed": search.seed,
    }


def _decided(finding: Finding) -> tuple[object, ...]:
    return tuple(getattr(finding, name) for name in DECIDED)


def _one_of(field: str, value: str, kind: type[Choice]) -> Choice:
    try:
        return kind(value)
    except ValueError:
        listed = ", ".join(item.value for item in kind)
        raise InvalidInput(f"{value!r} is no {field} of a finding.", f"Use one of: {listed}.") from None


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat() if text.strip() else ""
    except ValueError:
        raise InvalidInput(f"{text!r} is no day.", "Write it as 2026-12-31.") from None


def _short(field: str, value: str, longest: int) -> str:
    text = value.strip()
    if len(text) > longest:
        raise InvalidInput(f"The {field} has {len(text):,} characters.", f"Use at most {longest:,}.")
    return text
