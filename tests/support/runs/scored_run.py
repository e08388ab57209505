"""A finished run with texts of one's own and scores with evidence, small enough to know by heart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.metrics.evidence import Flow, SentenceScore, plan_json, sentences_json
from core.metrics.prepared import Part, Place
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets
from core.text.sentences import split_sentences
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"
NOTE = 1_000
METRICS = (
    "groundedness",
    "completeness_weighted",
    "wasserstein",
    "nli_entailment",
    "lexical_precision",
    "recall",
    "mrr",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One answered question.

    Attributes:
        correct: The verdict, None for none.
        support: Groundedness of the sentences of the answer, from the first again where there are more.
    """

    question: str
    answer: str | None
    passages: tuple[str, ...]
    support: tuple[float, ...] = ()
    correct: bool | None = True
    reference: str = "A reference."


def rows(n: int = 12) -> list[Row]:
    """Answers of two sentences, one less and one more supported from row to row, 0.62 on average; a third are wrong."""
    return [
        Row(
            question=f"What is fee number {number}?",
            answer=f"Fee {number} is {number} percent. It is due on the last day of the month.",
            passages=(f"Fee {number} is {number} percent of the loan. Branches open at nine.", "It is due monthly."),
            support=(round(0.9 - number / 20, 3), round(0.34 + number / 20, 3)),
            correct=None if number == n - 1 else number % 3 != 0,
        )
        for number in range(n)
    ]


def add_run(store: Store, project_id: str, given: Sequence[Row], *, name: str = "Fees") -> Run:
    """Stores the rows as a finished run with a score of every metric of `METRICS` where the answer has sentences."""
    cases = [
        TestCase(
            case_id=f"case-{number}",
            question=row.question,
            reference_answers=(row.reference,),
            form="short" if number % 2 else "long",
            group_id=f"group-{number // 2}",
            gold_document_ids=("fees",),
        )
        for number, row in enumerate(given)
    ]
    test_set = TestSet(id=f"ts_{name.casefold()}", project_id=project_id, name=name)
    run = Run(
        id=f"run_{name.casefold()}",
        project_id=project_id,
        test_set_id=test_set.id,
        target=f"recorded:{name}",
        judge="recorded",
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    with store.write(ACTOR, "run.import", project_id=project_id, subject=run.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
        runs.put(connection, run)
        pairs = list(zip(cases, given, strict=True))
        runs.save_responses(connection, run.id, [_response(case.case_id, row) for case, row in pairs])
        scores.put(connection, run.id, [score for case, row in pairs for score in _scores(case.case_id, row)])
        scores.put_run_metrics(
            connection,
            run.id,
            [RunMetric(metric=metric, version=1, finished=True, scored_at=AT, scored_by=ACTOR) for metric in METRICS],
        )
    return run


def _response(case_id: str, row: Row) -> Response:
    contexts = tuple(Context(document_id=f"doc-{place}", text=text) for place, text in enumerate(row.passages))
    return Response(
        case_id=case_id, answer=row.answer, contexts=contexts, error="" if row.answer is not None else "it timed out"
    )


def _scores(case_id: str, row: Row) -> list[Score]:
    verdict = Score(
        case_id=case_id,
        metric=VERDICT_METRIC,
        value=None if row.correct is None else float(row.correct),
        status=Status.NOT_JUDGED if row.correct is None else Status.SCORED,
        detail={"rule": "recorded", "reason": "As it was recorded."},
    )
    if row.answer is None:
        return [verdict]
    said = [(0, sentence.start, sentence.end) for sentence in split_sentences(row.answer)]
    found = [
        (place, sentence.start, sentence.end)
        for place, text in enumerate(row.passages)
        for sentence in split_sentences(text)
    ]
    support = [(at, row.support[place % len(row.support)]) for place, at in enumerate(said)]
    values = [value for _, value in support]
    mean = sum(values) / len(values)
    answer = [_sentence(Part.ANSWER, at, value, found, place) for place, (at, value) in enumerate(support)]
    covered = [_sentence(Part.CONTEXTS, at, 0.5, said, place, 1 / len(found)) for place, at in enumerate(found)]
    flows = [
        Flow(source=at, to=said[place % len(said)], mass=1 / len(found), cost=0.25) for place, at in enumerate(found)
    ]
    evidence: dict[str, dict[str, object]] = {
        "groundedness": {"sentences": sentences_json(answer), "worst": values.index(min(values))},
        "completeness_weighted": {"sentences": sentences_json(covered), "worst": 0},
        "wasserstein": {"plan": plan_json(flows)},
        "nli_entailment": {"sentences": sentences_json(answer), "worst": 0},
        # A metric may repeat words of the answer in what it says about a sentence; of a long one the beginning.
        "lexical_precision": {
            "sentences": sentences_json(replace(item, note=f"found nowhere: {row.answer[:NOTE]}") for item in answer),
            "unfound": [row.answer],
        },
        "recall": {"hits": [], "missed": ["fees"], "relevant": 1, "retrieved": 2},
    }
    value = {
        "groundedness": mean,
        "completeness_weighted": 0.5,
        "wasserstein": 0.25,
        "nli_entailment": mean,
        "lexical_precision": mean,
    }
    made = [
        Score(case_id=case_id, metric=metric, value=value.get(metric, 0.0), detail=detail)
        for metric, detail in evidence.items()
    ]
    why = {"reason": "The ids of the retrieved documents are not known."}
    return [
        verdict,
        *made,
        Score(case_id=case_id, metric="mrr", value=None, status=Status.MISSING_INPUT, detail=why),
    ]


def _sentence(
    of: Part, at: Place, value: float, others: Sequence[Place], place: int, weight: float | None = None
) -> SentenceScore:
    return SentenceScore(
        of=of,
        at=at,
        value=value,
        weight=weight,
        best=others[place % len(others)],
        best_of=Part.CONTEXTS if of is Part.ANSWER else Part.ANSWER,
    )
