"""Which of our metrics can be measured on what a file holds, and which column they owe it to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.io.exchange.mapping import Mapped
from core.io.exchange.records import Record
from core.io.tables.columns import Field
from core.metrics import Need, list_metrics
from core.metrics.samples.sample import ANSWERABLE
from core.settings import settings

NEEDS: Final[Mapping[Field, tuple[Need, ...]]] = {
    Field.QUESTION: (Need.QUESTION,),
    Field.ANSWER: (Need.ANSWER,),
    Field.CONTEXTS: (Need.CONTEXTS,),
    Field.DOCUMENT_IDS: (Need.DOCUMENT_IDS,),
    Field.CHUNK_IDS: (Need.CHUNK_IDS,),
    Field.REFERENCES: (Need.REFERENCE, Need.ANSWERABLE),
    Field.IDEAL_CONTEXTS: (Need.GOLD_CHUNKS,),
    Field.GOLD_DOCUMENTS: (Need.GOLD_DOCUMENTS, Need.ANSWERABLE),
    Field.GOLD_CHUNKS: (Need.GOLD_CHUNKS, Need.ANSWERABLE),
}
"""What a field gives the metrics."""


def measurable(records: Sequence[Record]) -> tuple[str, ...]:
    """Names of our metrics whose needs at least one row meets in each part."""
    contexts = [context for record in records for context in record.response.contexts]
    have = {
        Need.QUESTION: True,
        Need.ANSWER: any(record.response.answer is not None for record in records),
        Need.CONTEXTS: any(context.text for context in contexts),
        Need.REFERENCE: any(record.case.reference_answers for record in records),
        Need.DOCUMENT_IDS: any(context.document_id for context in contexts),
        Need.CHUNK_IDS: any(context.chunk_id for context in contexts),
        Need.GOLD_DOCUMENTS: any(record.case.gold_document_ids for record in records),
        Need.GOLD_CHUNKS: any(record.case.gold_chunk_ids for record in records),
        Need.ENCODER: True,
        Need.NLI: bool(settings().nli),
        Need.JUDGE: False,  # which model may judge is said with each scoring
    }
    have[Need.ANSWERABLE] = any(have[need] for need in (Need.REFERENCE, Need.GOLD_DOCUMENTS, Need.GOLD_CHUNKS)) or any(
        ANSWERABLE in record.case.attributes for record in records
    )
    return tuple(spec.name for spec in list_metrics() if all(have[need] for need in spec.needs))


def enabled(mapped: Mapped, ready: Sequence[str], records: Sequence[Record]) -> tuple[str, ...]:
    """Names of those of the `ready` metrics that look at what a column became."""
    supplied = {need for field in (mapped.becomes, mapped.also) if field is not None for need in NEEDS.get(field, ())}
    if mapped.becomes is Field.CONTEXTS:
        contexts = [context for record in records for context in record.response.contexts]
        supplied |= {Need.DOCUMENT_IDS} if any(context.document_id for context in contexts) else set()
        supplied |= {Need.CHUNK_IDS} if any(context.chunk_id for context in contexts) else set()
    if mapped.becomes is Field.ATTRIBUTE and mapped.name == ANSWERABLE:
        supplied = {Need.ANSWERABLE}
    specs = {spec.name: spec for spec in list_metrics()}
    return tuple(name for name in ready if supplied.intersection(specs[name].needs))
