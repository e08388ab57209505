"""Every fact that some answer of a run is wrong about, searched in one go and stored nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.diagnosis.computed.rows import RowsBehind
from core.diagnosis.service.facts.preparing import RivalsByParameter, siblings_of
from core.diagnosis.service.facts.reading_cache import Readings
from core.diagnosis.service.facts.search import FactEvidences, FactSearch, verdict_of
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.documents import Corpus
from core.domain.sources.evidence import FactFinding
from core.domain.testset.cases import TestCase


def search_facts(
    cases: Sequence[TestCase],
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    corpus: Corpus,
    rivals: RivalsByParameter,
    behind: RowsBehind | None = None,
    readings: Readings | None = None,
) -> FactEvidences:
    """Searches the documents for every fact with a wrong answer, and the passages of each wrong answer for the fact.

    Linear in the cases and in the documents that mention a subject. Nothing is stored; what a run failed at is searched
    by :mod:`core.diagnosis.service.evidence`.

    Args:
        cases: With every wording of each fact.
        responses: By case.
        verdicts: By case.
        corpus: All documents.
        rivals: Of the parameters of the cases' templates.
        behind: Knows the rows that computed answers come from; None where nothing does.
        readings: As of :class:`FactSearch`.
    """
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        groups[case.group_id].append(case)
    documents = FactSearch(corpus.documents, rivals, siblings_of(groups), behind, readings)
    findings: dict[str, FactFinding] = {}
    in_context: dict[str, bool | None] = {}
    for group_id, members in groups.items():
        wrong = [case for case in members if verdict_of(verdicts.get(case.case_id)) is Verdict.INCORRECT]
        if group_id and wrong:
            findings[group_id], passages = documents.search(members, wrong, responses, verdicts)
            in_context.update(passages)
    return FactEvidences(findings=findings, in_context=in_context)
