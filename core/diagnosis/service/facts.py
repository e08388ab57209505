"""The documents' evidence on the facts that a run failed at, and whether each answer had the fact before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.sources.evidence import FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence, passages_state
from core.judging.facts.subjects import Rivals
from core.sources.database.words import split_words
from core.text.words import stem

ABSTAINED = "abstained"
"""The judge's rule for an answer that says it does not know; such an answer shows no other value."""

RivalsByParameter = Mapping[tuple[str, str], Rivals]
"""What each parameter of each SQL template was filled with, by the template's id and the parameter's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactEvidences:
    """What the documents say about the facts of which some answer is wrong.

    Attributes:
        findings: By filled SQL query.
        in_context: By case, whether the passages that the target retrieved state the fact; None where their texts are
            not known. Only for wrong answers.
    """

    findings: Mapping[str, FactFinding] = field(default_factory=dict)
    in_context: Mapping[str, bool | None] = field(default_factory=dict)


def search_facts(
    cases: Sequence[TestCase],
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    corpus: Corpus,
    rivals: RivalsByParameter,
) -> FactEvidences:
    """Searches the documents for every fact with a wrong answer, and the passages of each wrong answer for the fact.

    Linear in the cases and in the documents that mention a subject.

    Args:
        cases: With every wording of each fact, by which the property is known.
        responses: By case.
        verdicts: By case.
        corpus: All documents.
        rivals: Of the parameters of the cases' templates.
    """
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        groups[case.group_id].append(case)
    index = FactIndex(corpus.documents)
    by_id = {document.id: document for document in corpus.documents}
    corpus_ids = KnownDocuments(by_id)
    gold_fits = any(corpus_ids.resolve(case.gold_document_ids)[0] for case in cases)
    findings: dict[str, FactFinding] = {}
    in_context: dict[str, bool | None] = {}
    for group_id, members in groups.items():
        wrong = [case for case in members if verdict_of(verdicts.get(case.case_id)) is Verdict.INCORRECT]
        if not group_id or not wrong:
            continue
        first = members[0]
        fact = fact_of(members, rivals)
        gold, _ = corpus_ids.resolve(first.gold_document_ids)
        finding = find_evidence(
            fact,
            [by_id[document_id] for document_id in gold],
            index,
            _wrong_answers(wrong, responses, verdicts),
            gold_known=gold_fits and bool(first.gold_document_ids),
        )
        findings[group_id] = finding
        stating = {*finding.document_ids, *gold}
        for case in wrong:
            response = responses.get(case.case_id)
            contexts = response.contexts if response else ()
            in_context[case.case_id] = passages_state(
                fact, [(_known(corpus_ids, context.document_id), context.text) for context in contexts], stating, index
            )
    return FactEvidences(findings=findings, in_context=in_context)


def fact_of(members: Sequence[TestCase], rivals: RivalsByParameter) -> Fact:
    """The fact that every wording of one filled query asks for.

    Args:
        members: The wordings; the same query, values and answers.
        rivals: Of the parameters of their template.
    """
    first = members[0]
    return Fact.of(
        first.reference_answers,
        list(first.sql_params.values()),
        [member.question for member in members],
        [rivals.get((first.sql_template_id, name)) for name in first.sql_params],
        _kinds(first),
        joined=len(first.gold_document_ids) > 1 or " join " in first.sql.casefold(),
    )


def _kinds(case: TestCase) -> frozenset[str]:
    """Word families of the table's name that are not the column's: what kind of thing the subject is.

    Only of a statement that reads one table; of several, another one may be what the question asks for.
    """
    if len(case.tables) != 1:
        return frozenset()
    column = case.attributes.get("asks_for", "").rpartition(".")[2]
    asked_for = {stem(word) for word in split_words(column)} if column else set()
    return frozenset(stem(word) for word in split_words(case.tables[0])) - asked_for


def rivals_of(parameters: Iterable[tuple[str, Mapping[str, object]]]) -> RivalsByParameter:
    """What each parameter of each SQL template was filled with; a single value tells nobody apart and is left out.

    Args:
        parameters: The SQL template's id and the bound values, of each filled query.
    """
    values: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for template_id, bound in parameters:
        for name, value in bound.items():
            values[template_id, name][str(value)] = None
    return {parameter: Rivals(names) for parameter, names in values.items() if len(names) > 1}


def verdict_of(score: Score | None) -> Verdict:
    """The verdict a stored score stands for."""
    if score is None or score.value is None:
        return Verdict.NOT_JUDGED
    return Verdict.CORRECT if score.value == 1.0 else Verdict.INCORRECT


def _known(corpus_ids: KnownDocuments, document_id: str) -> str:
    return corpus_ids.find(document_id) or document_id


def _wrong_answers(
    wrong: Sequence[TestCase], responses: Mapping[str, Response], verdicts: Mapping[str, Score]
) -> list[str]:
    answers = []
    for case in wrong:
        response = responses.get(case.case_id)
        if response is not None and response.answer and verdicts[case.case_id].detail.get("rule") != ABSTAINED:
            answers.append(response.answer)
    return list(dict.fromkeys(answers))
