"""Coverage of the tests by the documents: gold ids that exist, and facts that their documents state.

A record whose gold id names no document has no page of its own. Its facts may stand on a page of several records, so
they are neither stated nor missing here: they are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.domain.errors import NotFound
from core.domain.estimates import Proportion
from core.domain.identity import short_hash
from core.domain.sources.document_ids import NO_MATCHES, KnownDocuments, normalise_id
from core.domain.sources.documents import Document
from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import LOOK_UP, OPERATION
from core.domain.testset.templates import TemplateStatus
from core.judging.facts.values import reference_values
from core.sources.service import open_database, project_database
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.testset import templates, testsets
from core.testset.grounded.references import reference_text
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.combinations import combinations, gold_ids
from core.testset.grounded.sql.operations import operation
from core.testset.grounded.words.values import value_text
from core.testset.variants.service import newest_original

CENSUS = "counted, no sample"
NO_DOCUMENT = "none of its gold ids names a document"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFact:
    """One fact that a test asks for.

    Attributes:
        id: The filled SQL query.
        asked: A question of it; where only templates are approved, the values they are filled with.
        answers: Every acceptable answer.
        gold_ids: The documents that should hold it.
        computed: Whether it is counted, added up, listed or compared from several rows: no one document need state it.
    """

    id: str
    asked: str
    answers: tuple[str, ...]
    gold_ids: tuple[str, ...]
    computed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingFact:
    """A fact that none of its documents is seen to state, and why."""

    fact: AskedFact
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many of the tests' gold ids and facts the documents hold.

    Attributes:
        basis: Where the facts come from ("test set Branches v1", "the approved templates").
        ids: Different gold ids that name a document, of all.
        facts: Facts that a gold document states, of those with a gold document. A fact is stated where its value occurs
            in any usual spelling, which is necessary and not proof.
        missing_ids: Gold ids without a document, in order of appearance.
        missing: Facts with a gold document that no gold document states.
        without_document: Facts none of whose gold ids names a document: nothing is known of them.
        without_ids: Facts whose template names no document ids, so that their gold documents are unknown.
        computed: Facts with a gold id that are computed from several rows; all others leave them out.
    """

    basis: str
    ids: Proportion
    facts: Proportion
    missing_ids: tuple[str, ...]
    missing: tuple[MissingFact, ...]
    without_document: tuple[MissingFact, ...]
    without_ids: int
    computed: int = 0


def project_coverage(store: Store, project_id: str) -> Coverage | None:
    """The coverage of the project's latest test set, else of its approved templates, by its corpus.

    A set of variants asks about a part of another set and is passed over.

    Returns:
        None where there is no corpus, or no test set and no approved template yet.
    """
    with store.read() as connection:
        corpus = sources.latest(connection, project_id, SourceKind.CORPUS)
        documents = sources.documents(connection, corpus.id) if corpus else ()
        matches = document_mappings.matches(connection, project_id, corpus.id if corpus else "")
        latest = newest_original(testsets.all(connection, project_id))
    if not documents:
        return None
    if latest is not None:
        basis = f"test set {latest.name} v{latest.version}"
        return coverage(_of_test_set(store, latest.id), documents, matches=matches, basis=basis)
    facts = _of_templates(store, project_id)
    return coverage(facts, documents, matches=matches, basis="the approved templates") if facts else None


def coverage(
    facts: Iterable[AskedFact],
    documents: Sequence[Document],
    *,
    matches: Mapping[str, Sequence[str]] = NO_MATCHES,
    basis: str = "",
) -> Coverage:
    """Counts gold ids that exist and facts that are stated; linear in facts and documents. Computed facts count apart.

    Args:
        facts: The facts of the tests.
        documents: The corpus.
        matches: Documents of gold ids that are spelled in another way.
        basis: Where the facts come from, for people.
    """
    by_id = {document.id: document for document in documents}
    corpus_ids = KnownDocuments(by_id, matches)
    exists_by_id: dict[str, bool] = {}
    missing_ids: list[str] = []
    missing: list[MissingFact] = []
    without_document: list[MissingFact] = []
    with_document = without_ids = computed = 0
    for fact in facts:
        if not fact.gold_ids:
            without_ids += 1
            continue
        resolved = [(gold, corpus_ids.find_all(gold)) for gold in fact.gold_ids]
        for gold, document_ids in resolved:
            if normalise_id(gold) not in exists_by_id:
                exists_by_id[normalise_id(gold)] = bool(document_ids)
                missing_ids += [] if document_ids else [gold]
        if fact.computed:
            computed += 1
            continue
        texts = [by_id[document_id].text for _, document_ids in resolved for document_id in document_ids]
        if not texts:
            without_document.append(MissingFact(fact=fact, reason=NO_DOCUMENT))
            continue
        with_document += 1
        if not stated(fact.answers, texts):
            missing.append(MissingFact(fact=fact, reason="its documents do not state the answer"))
    return Coverage(
        basis=basis,
        ids=Proportion(num=sum(exists_by_id.values()), den=len(exists_by_id), method=CENSUS),
        facts=Proportion(num=with_document - len(missing), den=with_document, method=CENSUS),
        missing_ids=tuple(missing_ids),
        missing=tuple(missing),
        without_document=tuple(without_document),
        without_ids=without_ids,
        computed=computed,
    )


def stated(answers: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether some answer occurs in the texts, whole or, where it has several parts, each part.

    >>> stated(["Arden, 3 May 2014"], ["The branch in Arden opened on 2014-05-03."]), stated(["Arden"], ["Belmont"])
    (True, False)
    """
    return any(_occurs([answer], texts) or _occurs(answer.split(", "), texts) for answer in answers)


def _occurs(parts: Sequence[str], texts: Sequence[str]) -> bool:
    values = reference_values(parts)
    return bool(values) and all(any(value.stated_in(text) for text in texts) for value in values)


def _of_test_set(store: Store, test_set_id: str) -> Iterator[AskedFact]:
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id)
    asked: set[tuple[object, ...]] = set()
    for case in cases:
        fact_id = case.group_id or case.case_id
        # A group of questions from a document may ask for another document's fact as well.
        fact = (fact_id, case.reference_answers, case.gold_document_ids)
        if fact not in asked:
            asked.add(fact)
            yield AskedFact(
                id=fact_id,
                asked=case.question,
                answers=case.reference_answers,
                gold_ids=case.gold_document_ids,
                computed=case.attributes.get(OPERATION, LOOK_UP) != LOOK_UP,
            )


def _of_templates(store: Store, project_id: str) -> list[AskedFact]:
    """Every fact the approved templates can ask for, one set-based query each; none without a database."""
    with store.read() as connection:
        approved = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
    try:
        source = project_database(store, project_id)
    except NotFound:
        return []
    facts: list[AskedFact] = []
    with open_database(source) as database:
        for template in approved:
            plain = bind(template.sql, database.schema)
            width = len(plain.outputs)
            computed = operation(plain) != LOOK_UP
            with_ids = bool(template.sql_with_ids)
            bound = bind(template.sql_with_ids, database.schema) if with_ids else plain
            for combination in combinations(database, bound, with_ids=with_ids, answers=width):
                values = [value_text(value) for value in combination.values]
                reference_texts = (
                    reference_text(answer, plain.outputs, database.schema) for answer in combination.answers
                )
                references = tuple(dict.fromkeys(answer for answer in reference_texts if answer))
                if references:
                    facts.append(
                        AskedFact(
                            id=short_hash({"template": template.id, "values": values}),
                            asked=", ".join(values),
                            answers=references,
                            gold_ids=gold_ids(bound, combination, answers=width),
                            computed=computed,
                        )
                    )
    return facts
