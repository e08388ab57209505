"""A finished run over documents of four subjects whose topic map is drawn by hand; questions about cards fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.domain.estimates import Estimate
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.sources.chunks import Chunk
from core.domain.sources.topics import Term, Topic, TopicChunk, TopicModel, TopicQuality, TopicSettings
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.project.service import create_project
from core.sources.corpora import connect_corpus, corpus_chunks
from core.stats.intervals import wilson
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets, topics
from core.testset.topics.finding import fingerprint
from tests.support.documents.subjects import SUBJECTS, write_subjects
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"
ASKED = {
    "accounts": "What interest rate has the {name} savings account?",
    "cards": "What is the contactless limit of the {name} debit card?",
    "loans": "How many years does the {name} mortgage loan run?",
    "branches": "When does the {name} branch open its counter?",
}
CORNERS = {"accounts": (0, 0), "cards": (10, 0), "loans": (0, 10), "branches": (10, 10)}
UNSCORED = "branches-basalt-1"
METRIC = "groundedness"


def failing_map(store: Store, folder: Path, *, with_topics: bool = True) -> Run:
    """Two questions about each of 32 documents: 14 of 16 about cards are wrong, of the others every twelfth.

    Besides there is one case without gold documents and one whose gold document nobody has; one answer is not judged.
    """
    project = create_project(store, "Four subjects", ACTOR)
    connect_corpus(store, project.id, write_subjects(folder), actor=ACTOR)
    source, chunks = corpus_chunks(store, project.id, actor=ACTOR)
    cases = [case for chunk in chunks for case in _cases(chunk)]
    cases.append(TestCase(case_id="homeless", question="Who is it?", reference_answers=("Nobody",), group_id="none"))
    cases.append(replace(cases[-1], case_id="lost", group_id="lost", gold_document_ids=("no/such.txt",)))
    test_set = TestSet(id="ts_map", project_id=project.id, name="Subjects")
    run = Run(
        id="run_map",
        project_id=project.id,
        test_set_id=test_set.id,
        target="recorded:map",
        judge="recorded",
        corpus_id=source.id,
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        if with_topics:
            topics.put(connection, _model(project.id, source.id, chunks), _topics(), [_placed(one) for one in chunks])
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [_response(case) for case in cases])
        verdicts = [_verdict(case, number) for number, case in enumerate(cases)]
        scores.put(connection, run.id, verdicts)
        scores.put(connection, run.id, [_grounded(one, number) for number, one in enumerate(verdicts)])
        done = RunMetric(metric=METRIC, version=1, finished=True, scored_at=AT, scored_by=ACTOR)
        scores.put_run_metrics(connection, run.id, [done])
    return run


def _subject(document_id: str) -> str:
    return next(subject for subject in SUBJECTS if subject in document_id)


def _cases(chunk: Chunk) -> list[TestCase]:
    subject = _subject(chunk.document_id)
    name = Path(chunk.document_id).stem
    asked = ASKED[subject].format(name=name.title())
    first = TestCase(
        case_id=f"{subject}-{name}-1",
        question=asked,
        reference_answers=("8",),
        form="short",
        group_id=f"{subject}-{name}",
        gold_chunk_ids=(chunk.id,),
        gold_document_ids=(chunk.document_id,),
        attributes={"topic": subject, "type": "number"},
    )
    # The second is placed by its document alone.
    second = replace(
        first, case_id=f"{subject}-{name}-2", question=f"Please tell me: {asked}", form="long", gold_chunk_ids=()
    )
    return [first, second]


def _wrong(case: TestCase, number: int) -> bool:
    return number % 12 == 3 if "cards" not in case.case_id else not case.case_id.startswith("cards-basalt")


def _response(case: TestCase) -> Response:
    contexts = (Context(document_id=document_id, text="It is 8.") for document_id in case.gold_document_ids)
    return Response(case_id=case.case_id, answer="It is 8.", contexts=tuple(contexts))


def _verdict(case: TestCase, number: int) -> Score:
    if case.case_id == UNSCORED:
        return Score(case_id=case.case_id, metric=VERDICT_METRIC, value=None, status=Status.NOT_JUDGED, detail={})
    value = float(not _wrong(case, number))
    return Score(case_id=case.case_id, metric=VERDICT_METRIC, value=value, detail={"rule": "recorded"})


def _grounded(verdict: Score, number: int) -> Score:
    """Higher for right answers, but not always."""
    value = None if verdict.value is None else 0.3 + 0.3 * verdict.value + (number * 7 % 10) / 30
    return replace(verdict, metric=METRIC, value=value)


def _placed(chunk: Chunk) -> TopicChunk:
    number, (x, y) = list(CORNERS).index(_subject(chunk.document_id)), CORNERS[_subject(chunk.document_id)]
    name = Path(chunk.document_id).stem
    return TopicChunk(
        chunk_id=chunk.id, found=number, topic=number, strength=1.0, x=x + len(name) / 10, y=y + ord(name[0]) % 5 / 5
    )


def _topics() -> list[Topic]:
    return [
        Topic(number=number, size=8, documents=8, name=subject.title(), terms=(Term(text=subject, weight=0.2),))
        for number, subject in enumerate(CORNERS)
    ]


def _model(project_id: str, source_id: str, chunks: tuple[Chunk, ...]) -> TopicModel:
    one = Estimate(value=1.0, low=1.0, high=1.0, n=1, method="given")
    share = wilson(0, len(chunks))
    return TopicModel(
        id="tm_map",
        project_id=project_id,
        source_id=source_id,
        settings=TopicSettings(),
        fingerprint=fingerprint(chunks),
        content_hash="h",
        chunks=len(chunks),
        quality=TopicQuality(coherence=one, silhouette=one, outliers=share, largest=share, stability=one),
    )
