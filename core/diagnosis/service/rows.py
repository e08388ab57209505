"""The rows of a run for its diagnosis: verdicts, document ids, and the documents' evidence on each failing fact."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from core.diagnosis import DiagnosisRow
from core.diagnosis.service.evidence import RunEvidence, evidence_of, find_evidence_of_run, search_seconds
from core.diagnosis.service.facts.search import FactEvidences, verdict_of
from core.diagnosis.service.outcomes import Outcome, verdict_of_value
from core.domain.jobs import Report, silent
from core.domain.results.responses import Response, Score, Verdict
from core.domain.results.runs import Run, RunState
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import case_columns, outcome_columns
from core.targets.protocol import ORACLE, RETRIEVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """A run's rows, ready to diagnose.

    Attributes:
        known_ids: Ids of the corpus, None where the run has none.
        findings: The documents' evidence, by filled SQL query; only for facts with a wrong answer.
        facts: Facts with a wrong answer, which the documents are searched for; 0 without a corpus.
        answered: Rows with a response.
    """

    run: Run
    rows: tuple[DiagnosisRow, ...]
    known_ids: frozenset[str] | None
    findings: Mapping[str, FactFinding]
    facts: int
    answered: int

    @property
    def pending(self) -> int:
        """Facts that are still to be searched for; their rows say so."""
        return self.facts - len(self.findings)


def diagnosis_rows(
    store: Store,
    run_id: str,
    case_ids: Collection[str] | None = None,
    *,
    seconds: float | None = None,
    progress: Report = silent,
) -> RunRows:
    """Reads a run with the evidence of its failing facts; what has not been searched for yet is, and is kept.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Only these cases, with every other wording of their facts, on which their attribution depends; all
            cases where None.
        seconds: The longest search that is made here; where it would take longer, rows without evidence are pending.
            None for however long it takes.
        progress: Receives how far the search is.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        selected = None if case_ids is None else case_columns.with_wordings(connection, run.test_set_id, case_ids)
    while True:
        with store.read() as connection:
            evidence = evidence_of(connection, runs.get(connection, run_id), selected)
            searches = bool(evidence.missing) and (seconds is None or search_seconds(connection, evidence) <= seconds)
            if not searches:
                return _run_rows(connection, evidence, selected)
        complete = find_evidence_of_run(store, run_id, selected, progress=progress, should_stop=_after(seconds))
        seconds = seconds if complete else 0.0


def _after(seconds: float | None) -> Callable[[], bool]:
    """Ends a search in twice the time where its estimate was wrong: what was found is kept, the rest is pending."""
    if seconds is None:
        return lambda: False
    until = time.monotonic() + 2 * seconds
    return lambda: time.monotonic() > until


def _run_rows(connection: Connection, evidence: RunEvidence, case_ids: Collection[str] | None) -> RunRows:
    run = evidence.run
    with_gold = _with_gold(connection, run, case_ids)
    tables = document_mappings.gold_tables(connection, run.test_set_id, evidence.around.documents)
    findings = {group_id: stored.finding for group_id, stored in evidence.stored.items()}
    in_context = {case: states for stored in evidence.stored.values() for case, states in stored.in_context.items()}
    pending = frozenset(evidence.missing)
    return RunRows(
        run=run,
        rows=tuple(
            _row(
                outcome,
                findings.get(outcome.group_id),
                in_context.get(outcome.case_id),
                with_gold=with_gold.get(outcome.case_id),
                comparable=tables.comparable(outcome.true_ids),
                pending=outcome.group_id in pending,
            )
            for outcome in evidence.ended.cases
        ),
        known_ids=evidence.around.known_ids,
        findings=findings,
        facts=len(evidence.ended.facts),
        answered=sum(outcome.answered for outcome in evidence.ended.cases),
    )


def diagnosis_row(
    case: TestCase,
    response: Response | None,
    score: Score | None,
    evidences: FactEvidences,
    *,
    comparable: bool = True,
) -> DiagnosisRow:
    """One case that is not stored, as a diagnosis reads it."""
    outcome = Outcome(
        case.case_id,
        case.group_id,
        case.form,
        case.gold_document_ids,
        case.attributes,
        verdict_of(score),
        response.document_ids if response else (),
        response is not None,
    )
    finding, in_context = evidences.findings.get(case.group_id), evidences.in_context.get(case.case_id)
    return _row(outcome, finding, in_context, comparable=comparable)


def _row(
    outcome: Outcome,
    finding: FactFinding | None,
    in_context: bool | None,
    *,
    with_gold: Verdict | None = None,
    comparable: bool = True,
    pending: bool = False,
) -> DiagnosisRow:
    stated = finding is not None and finding.evidence is FactEvidence.PRESENT
    contradicted = finding is not None and finding.evidence is FactEvidence.CONTRADICTED
    return DiagnosisRow(
        case_id=outcome.case_id,
        group_id=outcome.group_id or outcome.case_id,
        form=outcome.form,
        verdict=outcome.verdict,
        true_ids=outcome.true_ids,
        retrieved_ids=outcome.retrieved_ids,
        attributes=outcome.attributes,
        evidence=finding.evidence if finding else None,
        fact_document_ids=finding.document_ids if finding and stated else (),
        other_document_id=finding.document_id if finding and contradicted else "",
        other_value=finding.other_as_written if finding and contradicted else "",
        in_context=in_context,
        with_gold=with_gold,
        comparable=comparable,
        pending=pending,
    )


def _with_gold(connection: Connection, run: Run, case_ids: Collection[str] | None) -> Mapping[str, Verdict]:
    """The verdicts of the latest finished run of the same test set, target and judge from the gold documents."""
    oracles = [
        other
        for other in runs.all(connection, run.project_id)
        if other.options.get("mode") == ORACLE
        and other.state is RunState.FINISHED
        and (other.test_set_id, other.target, other.judge) == (run.test_set_id, run.target, run.judge)
        and other.id != run.id
    ]
    if not oracles or run.options.get("mode", RETRIEVAL) != RETRIEVAL:
        return {}
    latest = max(oracles, key=lambda other: (other.created_at, other.id))
    verdicts = outcome_columns.verdicts(connection, latest.id, case_ids)
    return {case_id: verdict_of_value(value) for case_id, (value, _) in verdicts.items()}
