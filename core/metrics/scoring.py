"""Scoring samples: missing inputs become reasons, every distinct sentence is encoded once, metrics do the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from core.domain.results.responses import Score
from core.domain.status import Status
from core.encoders.classifiers.nli import NliModel
from core.encoders.protocols import SentenceEncoder
from core.judging.match.abstention import read_ahead
from core.metrics.judges import Panel
from core.metrics.prepared import Part, Prepared, Splitter, Vectors, part_texts
from core.metrics.samples.sample import Sample
from core.metrics.spec import Measured, Metric, Need, Outcome, Unscored
from core.text.citations import cited_sentences
from core.text.sentences import Sentence, split_sentences

BATCH = 64
"""Samples whose sentences are encoded together; the memory of a run of any length is that of one batch."""

SPLIT_TEXTS = 2_048
"""Texts whose sentences are kept, since many samples share their passages."""

_PARTS = {
    Need.QUESTION: Part.QUESTION,
    Need.ANSWER: Part.ANSWER,
    Need.CONTEXTS: Part.CONTEXTS,
    Need.REFERENCE: Part.REFERENCE,
}

TABLE_WITHOUT_DOCUMENTS = "No gold id of its table names a document."
_IDS_ONLY = "The retrieved passages are known by their ids only, not by their texts."


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What metrics may use besides the texts.

    Attributes:
        encoder: Of sentences, None where none was asked for.
        nli: Natural language inference, None where there is none.
        language: Whose rules cut sentences and whose articles say nothing.
        panel: The models that judge, None where none is to be asked.
    """

    encoder: SentenceEncoder | None = None
    nli: NliModel | None = None
    language: str = "en"
    panel: Panel | None = None


def score_samples(
    samples: Iterable[Sample], metrics: Sequence[Metric], models: Models, *, batch: int = BATCH
) -> Iterator[list[Score]]:
    """Scores samples, a batch at a time, in order.

    Args:
        samples: What to score; read as they are needed.
        metrics: What to measure.
        models: The models there are; a metric whose model is missing gets the reason ``no_model``.
        batch: Samples whose distinct sentences are encoded together.

    Yields:
        The scores of one batch, by sample, then by metric in the order given.
    """
    split = _splitter(models.language)
    waiting = iter(samples)
    judged = [metric for metric in metrics if Need.JUDGE in metric.spec.needs]
    with _judges(models) as pool:
        # One after the other: measuring in a second thread while the model encodes slows the model by more than it
        # saves. Judges wait for their endpoint meanwhile.
        while some := list(islice(waiting, batch)):
            verdicts = [pool.submit(_judged, sample, judged, models, split) for sample in some] if pool else []
            vectors = _encode(some, metrics, models.encoder, split)
            together = _reading_together(some)
            scores: list[Score] = []
            for place, sample in enumerate(some):
                prepared = Prepared(sample, split, vectors, models.nli, models.language, before_reading=together)
                by_judges = verdicts[place].result() if verdicts else {}
                scores += [
                    _score(sample.case_id, metric, by_judges.get(metric.name) or measure(prepared, metric, models))
                    for metric in metrics
                ]
            yield scores


def _reading_together(samples: Sequence[Sample]) -> Callable[[], None]:
    """Reads what the answers of some samples do, all at once as soon as a metric asks for the first."""
    return cache(lambda: read_ahead((sample.question, sample.answer) for sample in samples if sample.answer))


@contextmanager
def _judges(models: Models) -> Iterator[ThreadPoolExecutor | None]:
    """Threads for as many samples as the judges take at once; after a failure none is begun that still waits."""
    if models.panel is None:
        yield None
        return
    pool = ThreadPoolExecutor(max_workers=models.panel.concurrency, thread_name_prefix="judging")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _judged(sample: Sample, metrics: Sequence[Metric], models: Models, split: Splitter) -> Mapping[str, Outcome]:
    """What judging models say of one sample, by metric; metrics of one sample share its calls."""
    prepared = Prepared(sample, split, None, None, models.language, models.panel)
    return {metric.name: measure(prepared, metric, models) for metric in metrics}


def measure(prepared: Prepared, metric: Metric, models: Models) -> Outcome:
    """One metric of one sample; what is missing becomes the reason why there is no value."""
    for need in metric.spec.needs:
        if (reason := _missing(prepared.sample, need, models)) is not None:
            return reason
    return metric.measure(prepared)


def _splitter(language: str) -> Splitter:
    @lru_cache(maxsize=SPLIT_TEXTS)
    def split(text: str) -> tuple[Sentence, ...]:
        return tuple(split_sentences(text, language))

    return split


def _encode(
    samples: Sequence[Sample], metrics: Sequence[Metric], encoder: SentenceEncoder | None, split: Splitter
) -> Vectors | None:
    needed = {
        _PARTS[need]
        for metric in metrics
        if Need.ENCODER in metric.spec.needs
        for need in (*metric.spec.needs, *metric.spec.uses)
        if need in _PARTS
    }
    if encoder is None or not needed:
        return None
    texts = list(
        dict.fromkeys(
            words
            for sample in samples
            for part in sorted(needed)
            for text in part_texts(sample, part)
            for words, _ in cited_sentences(split(text))
        )
    )
    return Vectors(texts, encoder.encode(texts))


def _missing(sample: Sample, need: Need, models: Models) -> Unscored | None:  # noqa: C901
    status, reason = Status.MISSING_INPUT, ""
    if need is Need.QUESTION and not sample.question.strip():
        reason = "There is no question."
    elif need is Need.ANSWER and sample.answer is None:
        reason = f"There is no answer: {sample.error}." if sample.error else "There is no answer."
    elif need is Need.CONTEXTS and sample.contexts is None:
        reason = "It is not known what was retrieved."
    elif need is Need.CONTEXTS and sample.contexts and not sample.texts:
        by_id = sample.document_ids or sample.chunk_ids
        reason = _IDS_ONLY if by_id else "The retrieved passages hold no text."
    elif need is Need.REFERENCE and not any(text.strip() for text in sample.references):
        reason = "There is no reference answer."
    elif need is Need.DOCUMENT_IDS and (sample.contexts is None or (sample.contexts and not sample.document_ids)):
        reason = "The ids of the retrieved documents are not known."
    elif need is Need.CHUNK_IDS and (sample.contexts is None or (sample.contexts and not sample.chunk_ids)):
        reason = "The ids of the retrieved chunks are not known."
    elif need is Need.GOLD_DOCUMENTS and not sample.gold_fits:
        reason = TABLE_WITHOUT_DOCUMENTS
    elif need is Need.GOLD_DOCUMENTS and not sample.gold_document_ids:
        status, reason = Status.NOT_APPLICABLE, "No document is named that should be found."
    elif need is Need.GOLD_CHUNKS and not sample.gold_chunk_ids:
        status, reason = Status.NOT_APPLICABLE, "No chunk is named that should be found."
    elif need is Need.ANSWERABLE and sample.answerable is None:
        reason = "It is not known whether the documents hold an answer."
    elif need is Need.ENCODER and models.encoder is None:
        status, reason = Status.NO_MODEL, "There is no sentence encoder."
    elif need is Need.NLI and models.nli is None:
        status, reason = Status.NO_MODEL, "There is no NLI model; name one with --nli or PLUMBLINE_NLI."
    elif need is Need.JUDGE and models.panel is None:
        status, reason = Status.NO_MODEL, "There is no judging model; name one with --judge llm:MODEL@BASE_URL."
    return Unscored(status=status, reason=reason) if reason else None


def _score(case_id: str, metric: Metric, outcome: Outcome) -> Score:
    if isinstance(outcome, Measured):
        return Score(case_id=case_id, metric=metric.name, value=outcome.value, detail=outcome.detail)
    return Score(
        case_id=case_id,
        metric=metric.name,
        value=None,
        status=outcome.status,
        detail={"reason": outcome.reason, **outcome.detail},
    )
