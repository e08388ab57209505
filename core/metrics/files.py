"""Answered questions from anybody's file as samples to score; the columns of the usual tools are recognised.

Names are tried in the order written here, and the first one that a row has is taken. One name means different things in
different tools: ``answer`` is the reference where ``gpt_response`` holds the answer (GRAMMAR), and ``references`` are
passages where ``actual_output`` holds the answer (GroUSE).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.interchange.list_cells import listed_cell, object_cell
from core.interchange.rows import Row, read_rows
from core.metrics import Sample
from core.targets.recording import contexts_of

QUESTION: Final = ("question", "query", "user_input", "input", "inputs", "request", "prompt")
ANSWER: Final = (
    "gpt_response", "response", "actual_output", "answer", "output", "outputs", "prediction", "predictions",
    "model_response", "generated_answer",
)  # fmt: skip
CONTEXTS: Final = (
    "contexts", "retrieved_contexts", "retrieval_context", "retrieved_context", "retrieved_documents", "context",
    "passages", "source_documents",
)  # fmt: skip
REFERENCE: Final = (
    "reference_answers", "reference", "ground_truth", "ground_truths", "expected_output", "expected_response",
    "expected_answer", "gt_answer", "gold_answer", "reference_answer", "target", "targets",
)  # fmt: skip
DOCUMENT_IDS: Final = ("document_ids", "retrieved_document_ids", "retrieved_ids", "retrieved_context_ids")
CHUNK_IDS: Final = ("chunk_ids", "retrieved_chunk_ids", "retrieved_context_ids")
GOLD_DOCUMENTS: Final = (
    "gold_document_ids", "gold_documents", "reference_document_ids", "relevant_document_ids", "true_ids",
    "reference_context_ids",
)  # fmt: skip
GOLD_CHUNKS: Final = ("gold_chunk_ids", "reference_chunk_ids", "reference_context_ids", "relevant_chunk_ids")
CASE: Final = ("case_id", "id", "query_id", "sample_id", "request_id", "task_id")
GROUP: Final = ("group_id", "group", "cluster", "task_id")
ANSWERABLE: Final = ("answerable", "is_answerable", "answerability")
MESSAGE: Final = ("content", "text")
"""What a message in an object is called."""
MANY: Final = (*CONTEXTS, *DOCUMENT_IDS, *CHUNK_IDS, *GOLD_DOCUMENTS, *GOLD_CHUNKS, "references")
"""Columns whose cells may hold a list that is written as text."""

OBJECTS: Final = ("inputs", "outputs", "expectations")
"""Columns of MLflow that hold an object, which a table has as text."""

_TRUE = frozenset({"true", "yes", "1", "1.0", "answerable", "partial"})
_FALSE = frozenset({"false", "no", "0", "0.0", "unanswerable"})


def read_samples(path: Path) -> Iterator[tuple[Row, Sample, str]]:
    """Reads the rows of a file as samples, as they are needed.

    A row needs a question or an answer. A column that is absent, or a cell that is empty, means "not known"; an empty
    list of contexts means that nothing was retrieved.

    Yields:
        The row as it was read, the sample, and the cluster it belongs to: its group where it names one, else itself.

    Raises:
        UnreadableFile: The file, or a row of it, cannot be used; the message has the row's number.
        InvalidInput: A row has neither a question nor an answer, or a cell that cannot be what its column says.
    """
    for number, raw in read_rows(path):
        where = f"Row {number} of {path}"
        row = {name: _cell(name, value, where) for name, value in raw.items()}
        question = _text(_first(row, QUESTION), where, "question", QUESTION)
        answer = _text(_first(row, ANSWER), where, "answer", (*ANSWER, *MESSAGE))
        if not question and answer is None:
            raise InvalidInput(
                f"{where} has neither a question nor an answer.",
                f"Name the columns, for example, question and answer; it has {', '.join(list(row)[:12]) or 'none'}.",
            )
        named = _first(row, CASE)
        case_id = str(named) if named is not None else short_hash({"row": number, "question": question})
        group = _first(row, GROUP)
        yield raw, _sample(row, where, case_id, question or "", answer), case_id if group is None else str(group)


def _sample(row: Row, where: str, case_id: str, question: str, answer: str | None) -> Sample:
    passages = "references" in row and "actual_output" in row
    # DeepEval's context is the ideal one, and says nothing about what was retrieved.
    names = tuple(name for name in CONTEXTS if name != "context") if "actual_output" in row else CONTEXTS
    contexts = _first(row, (*names, "references") if passages else names)
    ids, chunks = _first(row, DOCUMENT_IDS), _first(row, CHUNK_IDS)
    known = contexts is not None or ids is not None or chunks is not None
    reference = _first(row, REFERENCE if passages else (*REFERENCE, "references"))
    expected = row.get("expectations")
    if reference is None and isinstance(expected, Mapping):
        reference = _first(expected, REFERENCE)
    if reference is None and "gpt_response" in row:
        reference = row.get("answer")
    gold, gold_chunks = _first(row, GOLD_DOCUMENTS), _first(row, GOLD_CHUNKS)
    return Sample(
        case_id=case_id,
        question=question,
        answer=answer,
        contexts=contexts_of(contexts, ids, where, chunks=chunks) if known else None,
        references=tuple(_texts(reference, where, "reference")),
        gold_document_ids=None if gold is None else tuple(_texts(gold, where, "gold document ids")),
        gold_chunk_ids=None if gold_chunks is None else tuple(_texts(gold_chunks, where, "gold chunk ids")),
        abstained=_truth(row.get("abstained"), where, "abstained"),
        answerable=_truth(_first(row, ANSWERABLE), where, "answerable"),
        error=str(row.get("error") or "") if answer is None else "",
    )


def _first(row: Row, names: Sequence[str]) -> object:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _cell(name: str, value: object, where: str) -> object:
    if not isinstance(value, str):
        return value
    if name in MANY:
        return listed_cell(value, where, name)
    return object_cell(value) if name in OBJECTS else value


def _text(value: object, where: str, what: str, names: Sequence[str]) -> str | None:
    """A text; of an object the one under a known name, else the only one there is: another would be a guess."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        named = _first(value, names)
        texts = [text for text in value.values() if isinstance(text, str)]
        if named is not None or len(texts) == 1:
            return _text(texts[0] if named is None else named, where, what, names)
        raise InvalidInput(
            f"{where} has a {what} with {len(texts)} texts, none under a known name ({', '.join(list(value)[:12])}).",
            f"Name the one that is the {what} {names[0]!r}.",
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return _text(value[0] if value else None, where, what, names)
    raise InvalidInput(f"{where} has a {what} that is {type(value).__name__}, not text.", "Give text or nothing.")


def _texts(value: object, where: str, what: str) -> list[str]:
    if value is None:
        return []
    items = [item for item in value if item is not None] if isinstance(value, (list, tuple)) else [value]
    wrong = next((item for item in items if not isinstance(item, (str, int, float))), None)
    if wrong is not None:
        raise InvalidInput(f"{where} has {what} that hold {type(wrong).__name__}.", "Give texts, or a list of texts.")
    return [str(item) for item in items]


def _truth(value: object, where: str, what: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list) and len(value) == 1:
        return _truth(value[0], where, what)
    said = str(value).strip().casefold()
    if said in _TRUE | _FALSE:
        return said in _TRUE
    if what == "answerable":
        return None  # other words, such as "conversational", say nothing about it
    raise InvalidInput(f"{where} has {what} = {value!r}.", "Give true, false or nothing.")
