"""Findings that people write themselves while reading answers, and the cases they put into them.

The cases of a finding from a search follow from its conditions and are found anew by the next search, so only findings
that a person wrote take cases one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.results.findings import Finding, FindingKind, Severity, finding_id
from core.domain.results.runs import VERDICT_METRIC
from core.project.service import require
from core.store.database import Store
from core.store.people import findings as stored
from core.store.results import runs
from core.store.testset import testsets
from core.text.display.visible import require_visible
from core.weakness.findings.service import KEEPER, finding, findings

LONGEST_TITLE = 200

WRITTEN = "written by a person"
"""What stands for an attribute in the conditions of such a finding; its level is the title."""


def written_findings(store: Store, run_id: str) -> tuple[Finding, ...]:
    """The findings of a run that people wrote, the worst first."""
    return tuple(one for one in findings(store, run_id) if one.kind is FindingKind.WRITTEN)


def findings_of_case(store: Store, run_id: str, case_id: str) -> tuple[Finding, ...]:
    """The findings of a run that a case is in, those no longer found left out, the worst first."""
    return tuple(one for one in findings(store, run_id, gone=False) if case_id in one.case_ids)


def write_finding(
    store: Store,
    run_id: str,
    title: str,
    case_ids: Sequence[str],
    *,
    severity: Severity | str = Severity.MEDIUM,
    actor: str,
) -> Finding:
    """Stores a finding in a person's words.

    Args:
        store: Where the run is.
        run_id: The run.
        title: What is wrong, in one line.
        case_ids: Its first cases.
        severity: How much it matters, as the person sees it.
        actor: Who.

    Raises:
        NotFound: There is no such run, or a case is not in its test set.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The title is blank or too long, or there is no such severity.
        Conflict: The run has a finding of that title.
    """
    words = " ".join(title.split())
    if not words or len(words) > LONGEST_TITLE:
        raise InvalidInput(
            f"The title of a finding has 1 to {LONGEST_TITLE} characters; this one has {len(words):,}.",
            "Say in one line what is wrong.",
        )
    require_visible(words, "a finding")
    if severity not in set(Severity):
        listed = ", ".join(item.value for item in Severity)
        raise InvalidInput(f"{severity!r} is no severity of a finding.", f"Use one of: {listed}.")
    with store.read() as connection:
        run = runs.get(connection, run_id)
        for case_id in case_ids:
            testsets.case(connection, run.test_set_id, case_id)
    require(store, run.project_id, actor, KEEPER)
    conditions = ((WRITTEN, words),)
    written = Finding(
        id=finding_id(run_id, VERDICT_METRIC, FindingKind.WRITTEN, [(WRITTEN, words.casefold())]),
        project_id=run.project_id,
        run_id=run_id,
        kind=FindingKind.WRITTEN,
        score=VERDICT_METRIC,
        conditions=conditions,
        text=words,
        case_ids=tuple(dict.fromkeys(case_ids)),
        severity=Severity(severity),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    with store.write(
        actor,
        "finding.write",
        project_id=run.project_id,
        subject=written.id,
        detail={"title": words, "cases": len(written.case_ids)},
    ) as connection:
        if any(one.id == written.id for one in stored.of_run(connection, run_id)):
            raise Conflict(f"The run has a finding named {words} already.", "Add the case to it, or use other words.")
        stored.put(connection, [written])
        return stored.get(connection, written.id)


def add_case(store: Store, finding_id: str, case_id: str, *, actor: str) -> Finding:
    """Puts a case into a finding that a person wrote.

    Raises:
        NotFound: There is no such finding, or its run has no such case.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A search made the finding.
        Conflict: The case is in it.
    """
    return _with_cases(store, finding_id, case_id, actor=actor, remove=False)


def remove_case(store: Store, finding_id: str, case_id: str, *, actor: str) -> Finding:
    """Takes a case out of a finding that a person wrote; the finding stays, even without a case.

    Raises:
        NotFound: There is no such finding, or the case is not in it.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A search made the finding.
    """
    return _with_cases(store, finding_id, case_id, actor=actor, remove=True)


def _with_cases(store: Store, finding_id: str, case_id: str, *, actor: str, remove: bool) -> Finding:
    present = finding(store, finding_id)
    require(store, present.project_id, actor, KEEPER)
    if present.kind is not FindingKind.WRITTEN:
        raise InvalidInput(
            "A search made this finding; its cases follow from what they have in common.",
            "Add the case to a finding that a person wrote, or write one.",
        )
    with store.read() as connection:
        testsets.case(connection, runs.get(connection, present.run_id).test_set_id, case_id)
    action = "finding.uncase" if remove else "finding.case"
    with store.write(
        actor, action, project_id=present.project_id, subject=finding_id, detail={"case": case_id}
    ) as connection:
        before = stored.get(connection, finding_id)
        if remove and case_id not in before.case_ids:
            raise NotFound(f"The case {case_id} is not in this finding.", "Reload the page.")
        if not remove and case_id in before.case_ids:
            raise Conflict("The finding has this case already.", "Go on with the next case.")
        kept = tuple(one for one in before.case_ids if one != case_id)
        after = replace(before, case_ids=kept if remove else (*kept, case_id))
        stored.put(connection, [after])
    return after
