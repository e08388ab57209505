"""GRAMMAR: recorded runs (``eval_results``), their verdicts joined as the replay joins them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.responses import Verdict
from core.io.exchange.format import Answered, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import Cells, peer_rows
from core.io.grammar.runs import RecordedRow, raw_rows, read_eval_results
from core.io.tables.columns import Field
from core.io.tables.rows import Row
from core.io.whole_files import write_whole

RESPONSE: Final = "gpt_response"
READ: Final = frozenset(
    {
        "query",
        "question",
        "gpt_response",
        "answer",
        "query_tag",
        "group_id",
        "true_document_ids",
        "retrieved_document_ids",
        "retrieved_documents",
        "judgement",
        "retrieval_judgement",
    }
)
"""Columns that are read as the replay reads them; the others stand beside as they are."""

SPEC: Final = FormatSpec(
    name="grammar",
    title="GRAMMAR",
    about="A recorded run of GRAMMAR, one file a form; the form is read from the file's name.",
    reads=(".json", ".jsonl"),
    writes=(".json",),
    columns={
        "answer": Field.REFERENCES,  # the right answer, also where a row has no gpt_response
        "retrieval_judgement": Field.IGNORED,
    },
    signs=(
        Sign(
            columns=("query", "gpt_response", "query_tag"),
            confidence=0.99,
            says="query, gpt_response and query_tag are the names of a recorded GRAMMAR run.",
        ),
    ),
    notes=(
        "Whether the ids match is computed from the ids and not taken from retrieval_judgement.",
        "GRAMMAR has one file a form; a run of several forms is written into one, with the form in a column of ours.",
    ),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """Recorded rows, with the verdicts that lie beside the file."""
    del model
    raw = raw_rows(path)
    if raw and not any(RESPONSE in row for row in raw):  # what it has as answer is the right one: a run would be lost
        raise InvalidInput(
            f"{path} has no {RESPONSE}, the column in which GRAMMAR keeps what the system said.",
            "Name another format, such as ragas, and check what each column becomes.",
        )
    recorded = read_eval_results(path)
    rows = [(row.number, _row(raw_row, row, recorded.form)) for row, raw_row in zip(recorded.rows, raw, strict=True)]
    options: dict[str, object] = {"notes": list(recorded.notes)}
    if recorded.known_ids is not None:
        options["known_ids"] = sorted(recorded.known_ids)
    return Unpacked(rows=rows, notes=recorded.notes, options=options)


def _row(raw: Row, row: RecordedRow, form: str) -> Row:
    texts = raw.get("retrieved_documents")
    texts = [texts] if isinstance(texts, str) else texts
    ids = _as_they_are(raw.get("retrieved_document_ids"), row.retrieved_ids or ())
    fits = isinstance(texts, list) and len(texts) == len(ids)
    rest = {name: value for name, value in raw.items() if name not in READ}
    cells: dict[str, object] = {
        "case_id": f"{form}-{row.number}",
        "form": form,
        **rest,
        "query": row.question,
        "gpt_response": row.response,
        "answer": row.answer,
        "query_tag": row.query_tag,
        "true_document_ids": _as_they_are(raw.get("true_document_ids"), row.true_ids),
        "retrieved_document_ids": ids,
    }
    if fits:
        cells["retrieved_documents"] = texts
    if row.verdict is not Verdict.NOT_JUDGED:
        cells["judgement"] = row.verdict.value
        cells.setdefault("verdict_reason", f"The recording says {row.verdict_text}.")
    if "retrieval_judgement" in raw:
        cells["retrieval_judgement"] = raw["retrieval_judgement"]
    return cells


def _as_they_are(recorded: object, flat: Sequence[str]) -> list[str]:
    """Ids that are plain texts keep their spelling and their repetitions; others are read as the replay reads them."""
    if isinstance(recorded, list) and all(
        isinstance(item, str) and not item.startswith(("[", "(")) for item in recorded
    ):
        return list(recorded)
    return list(flat)


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as ``eval_results`` rows."""
    names = {
        Field.QUESTION: "query",
        Field.REFERENCES: "answer",
        Field.ANSWER: "gpt_response",
        Field.GOLD_DOCUMENTS: "true_document_ids",
        Field.DOCUMENT_IDS: "retrieved_document_ids",
        Field.CONTEXTS: "retrieved_documents",
        Field.VERDICT: "judgement",
    }

    def every(answered: Answered, row: dict[Field, object]) -> Cells:
        gold, retrieved = set(answered.case.gold_document_ids), set(answered.response.document_ids)
        verdict = row.get(Field.VERDICT)
        return {
            "gpt_response": None if answered.response.answer is None else [answered.response.answer],
            "query_tag": answered.case.group_id or answered.case.case_id,
            "true_document_ids": list(answered.case.gold_document_ids),
            "retrieved_document_ids": [context.document_id for context in answered.response.contexts],
            "retrieval_judgement": int(gold == retrieved),
            "judgement": None if verdict is None else [str(verdict).capitalize()],
            "case_id": answered.case.case_id,
            "form": answered.case.form,
        }

    rows, mapped = peer_rows(SPEC, data, names, every=every)
    for row in rows:
        row.pop(Field.GROUP.value, None)
    write_whole(path, json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=1, default=str))
    return {**mapped, Field.GROUP.value: "query_tag"}


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
