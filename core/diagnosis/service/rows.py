"""The rows of a run for its diagnosis: verdicts, document ids, and the documents' evidence on each failing fact."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from core.diagnosis import DiagnosisRow
from core.diagnosis.service.facts import FactEvidences, rivals_of, search_facts, verdict_of
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.sources.documents import Corpus
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.results import case_columns, runs, scores
from core.store.testset import testsets
from core.targets.protocol import ORACLE, RETRIEVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """A run's rows, ready to diagnose.

    Attributes:
        known_ids: Ids of the corpus, None where the run has none.
        findings: The documents' evidence, by filled SQL query; only for facts with a wrong answer.
        cases: The test cases by id, for drill-down.
        responses: The responses, by case id.
    """

    run: Run
    rows: tuple[DiagnosisRow, ...]
    known_ids: frozenset[str] | None
    findings: Mapping[str, FactFinding]
    cases: Mapping[str, TestCase]
    responses: Mapping[str, Response]


def diagnosis_rows(store: Store, run_id: str, case_ids: Collection[str] | None = None) -> RunRows:
    """Reads a run and looks its failing facts up in the corpus.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Only these cases, with every other wording of their facts, on which their attribution depends; all
            cases where None.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        selected_ids = None if case_ids is None else case_columns.with_wordings(connection, run.test_set_id, case_ids)
        cases = (
            testsets.cases(connection, run.test_set_id)
            if selected_ids is None
            else case_columns.chosen(connection, run.test_set_id, selected_ids)
        )
        responses = runs.responses(connection, run_id, selected_ids)
        verdicts = scores.of_metric(connection, run_id, VERDICT_METRIC, selected_ids)
        corpus = sources.corpus(connection, run.corpus_id) if run.corpus_id else None
        with_gold = _with_gold(connection, run, selected_ids)
        documents = document_mappings.of_run(connection, run)
        comparable = not document_mappings.none_fits(connection, run.test_set_id, documents)
        cases = document_mappings.named(cases, documents)
        templates = {case.sql_template_id for case in cases}
        parameters = case_columns.parameters(connection, run.test_set_id, templates) if corpus else ()
    evidences = search_facts(cases, responses, verdicts, corpus, rivals_of(parameters)) if corpus else FactEvidences()
    return RunRows(
        run=run,
        rows=tuple(
            diagnosis_row(
                case,
                responses.get(case.case_id),
                verdicts.get(case.case_id),
                evidences,
                with_gold=with_gold.get(case.case_id),
                comparable=comparable,
            )
            for case in cases
        ),
        known_ids=_known_ids(run, corpus),
        findings=evidences.findings,
        cases={case.case_id: case for case in cases},
        responses=responses,
    )


def _known_ids(run: Run, corpus: Corpus | None) -> frozenset[str] | None:
    if corpus is not None:
        return frozenset(document.id for document in corpus.documents)
    listed = run.options.get("known_ids")
    return frozenset(str(item) for item in listed) if isinstance(listed, list | tuple) else None


def diagnosis_row(
    case: TestCase,
    response: Response | None,
    score: Score | None,
    evidences: FactEvidences,
    *,
    with_gold: Score | None = None,
    comparable: bool = True,
) -> DiagnosisRow:
    """One case of a run, as a diagnosis reads it; `with_gold` is its verdict when answered from its gold documents."""
    finding = evidences.findings.get(case.group_id)
    stated = finding is not None and finding.evidence is FactEvidence.PRESENT
    return DiagnosisRow(
        case_id=case.case_id,
        group_id=case.group_id or case.case_id,
        form=case.form,
        verdict=verdict_of(score),
        true_ids=case.gold_document_ids,
        retrieved_ids=response.document_ids if response else (),
        attributes=case.attributes,
        evidence=finding.evidence if finding else None,
        fact_document_ids=finding.document_ids if finding and stated else (),
        in_context=evidences.in_context.get(case.case_id),
        with_gold=None if with_gold is None else verdict_of(with_gold),
        comparable=comparable,
    )


def _with_gold(connection: Connection, run: Run, case_ids: Collection[str] | None) -> Mapping[str, Score]:
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
    return scores.of_metric(connection, latest.id, VERDICT_METRIC, case_ids)
