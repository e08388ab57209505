"""One case of a run with everything a person needs to check it."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import NotFound
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.document_ids import KnownDocuments, resolve_gold
from core.domain.testset.cases import TestCase
from core.runs.mentions import Mention, mentions
from core.sources.database import QueryResult
from core.sources.service import open_database
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.runs import ResultRow
from core.store.testset import testsets


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case, its answer, its evidence.

    Attributes:
        gold: Documents that should have been retrieved; where no corpus is known, what the case itself says.
        without_document: Records whose gold ids name no document of the corpus, and the passages that name them.
        titles: Titles of the corpus documents named in `gold` and in the contexts.
        wordings: The other questions with the same filled SQL query, every form.
    """

    run: Run
    case: TestCase
    response: Response | None
    verdict: Score | None
    gold: tuple[str, ...]
    without_document: tuple[Mention, ...]
    titles: dict[str, str]
    wordings: tuple[ResultRow, ...]

    @property
    def dangling(self) -> tuple[str, ...]:
        """Gold ids that name no document of the corpus; a defect of the data, not of the retrieval."""
        return tuple(mention.gold_id for mention in self.without_document)


def case_view(store: Store, run_id: str, case_id: str) -> CaseView:
    """Reads one case of a run.

    Raises:
        NotFound: The run or the case does not exist.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        case = testsets.case(connection, run.test_set_id, case_id)
        response = runs.responses(connection, run_id, [case_id]).get(case_id)
        verdict = scores.get(connection, run_id, case_id, VERDICT_METRIC)
        siblings, _ = runs.page(connection, run_id, group_id=case.group_id) if case.group_id else ([], 0)
        titles = sources.titles(connection, run.corpus_id) if run.corpus_id else {}
        matches = document_mappings.matches(connection, run.project_id, run.corpus_id)
    if titles:
        gold, dangling = KnownDocuments(titles, matches).resolve(case.gold_document_ids)
    else:
        # Without a corpus nobody knows which ids dangle; the retrieved ones are recognised all the same.
        retrieved, unseen = resolve_gold(case.gold_document_ids, response.document_ids if response else ())
        gold, dangling = (*retrieved, *unseen), ()
    contexts = response.contexts if response else ()
    document_ids = {*gold, *(response.document_ids if response else ())}
    return CaseView(
        run=run,
        case=case,
        response=response,
        verdict=verdict,
        gold=gold,
        without_document=mentions(case, dangling, [context.text for context in contexts]),
        titles={document_id: titles[document_id] for document_id in document_ids if document_id in titles},
        wordings=tuple(row for row in siblings if row.case.case_id != case_id),
    )


def run_reference(store: Store, test_set_id: str, case_id: str) -> QueryResult:
    """Executes a case's SQL again on the database it was made from: the ground truth, re-executed.

    Raises:
        NotFound: The case has no SQL, or its database is no longer connected.
        SourceUnavailable: The database does not answer.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        case = testsets.case(connection, test_set_id, case_id)
        by_id = {source.id: source for source in sources.all(connection, test_set.project_id)}
    source = by_id.get(str(test_set.options.get("source_id", "")))
    if not case.sql:
        raise NotFound(f"Case {case_id} has no SQL.", "Only cases made from a database can be run again.")
    if source is None:
        raise NotFound(
            f"The database that case {case_id} was made from is not connected.", "Connect it on the Connect page."
        )
    with open_database(source) as database:
        return database.query(case.sql, case.sql_params, row_limit=50)
