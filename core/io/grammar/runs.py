"""GRAMMAR's recorded runs (`eval_results/*.json`): read as they are, joined with their verdicts, ready to diagnose."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.diagnosis import DiagnosisRow
from core.domain.results.responses import Verdict
from core.domain.sources.document_ids import normalise_id
from core.io.grammar.forms import FORM_FIELD, form_of_file, forms_in, known_forms
from core.io.grammar.values import flat_ids, read_json, same_text, whole_tag
from core.io.grammar.verdicts import RecordedVerdicts, first_response, read_verdicts, verdict_of
from core.io.tables.layout import lay_out

PASSAGES: Final = "retrieved_documents"
"""GRAMMAR's texts of what was retrieved; its diagnosis goes by the ids."""
QUESTION_NAMES = ("query", "question")
TAG_NAMES = ("query_tag", "group_id")
READ: Final[Mapping[str, tuple[str, ...]]] = {
    "question": QUESTION_NAMES,
    "query_tag": TAG_NAMES,
    **{
        name: (name,)
        for name in (
            "answer",
            "gpt_response",
            "judgement",
            "true_document_ids",
            "retrieved_document_ids",
            "retrieval_judgement",
            FORM_FIELD,
        )
    },
}
"""The names in a row that are read, the one taken first standing first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRow:
    """One recorded answer.

    Attributes:
        number: Position in the file, from 1.
        answer: The reference answer as text, None where it was null.
        response: The first response, None where there is none.
        query_tag: Which filled SQL query it asks; the same in every form.
        true_ids: Gold ids, empty where unknown.
        retrieved_ids: Retrieved ids; None where the row does not have them.
        verdict: Recorded in the row or joined from SemanticsMatch.
        verdict_text: The words it was read from, or empty.
        retrieval_judgement: The recorded id match, None where absent.
        form: What the row itself says, else that of its file.
    """

    number: int
    question: str
    answer: str | None
    response: str | None
    query_tag: str
    true_ids: tuple[str, ...]
    retrieved_ids: tuple[str, ...] | None
    verdict: Verdict
    verdict_text: str = ""
    retrieval_judgement: bool | None = None
    form: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """A recorded run and what was read with it.

    Attributes:
        form: What its rows say where all say the same, else from the file's name ("short" from
            ``results_short_balanced.json``).
        known_ids: The ids of the documents, None where no documents file was found.
        files: What was read: "results", "verdicts", "documents"; None for what was not there or not needed.
        notes: What a reader must know, one sentence each.
        forms: The forms that its rows or a name of GRAMMAR's say it holds; none where neither does.
        ignored: Names in the rows that are not read, with the reason.
    """

    form: str
    rows: tuple[RecordedRow, ...]
    known_ids: frozenset[str] | None
    files: Mapping[str, str | None]
    notes: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    ignored: Mapping[str, str] = field(default_factory=dict)

    def diagnosis_rows(self) -> tuple[DiagnosisRow, ...]:
        """The rows as a diagnosis reads them; the group is the query tag, equal across the forms of one recording."""
        return tuple(
            DiagnosisRow(
                case_id=f"{self.form}-{row.number}",
                group_id=row.query_tag,
                form=row.form,
                verdict=row.verdict,
                true_ids=row.true_ids,
                retrieved_ids=row.retrieved_ids,
            )
            for row in self.rows
        )


def read_eval_results(path: Path, verdicts: Path | None = None, documents: Path | None = None) -> RecordedRun:
    """Reads one recorded run.

    Ids may be text, whole or decimal numbers, nested lists or null. Where a row has no verdict of its own it is
    looked up in SemanticsMatch by question, answer and first response; what is found nowhere stays not judged.

    Args:
        path: The file of results.
        verdicts: The SemanticsMatch file; where None, ``SemanticsMatch/<form>.json`` beside the file's folder or in it.
        documents: GRAMMAR's documents; where None, ``documents.json`` beside the file's folder or in it.

    Raises:
        UnreadableFile: A file is missing, or is not the JSON expected.
        InvalidInput: A row cannot be used; the message names the file and the row.
    """
    raw = raw_rows(path)
    form = form_of_file(path, raw)
    needed = any(verdict_of(row.get("judgement"))[0] is None for row in raw)
    verdict_file = verdicts or (_beside(path, f"SemanticsMatch/{form}.json") if needed else None)
    document_file = documents or _beside(path, "documents.json")
    joined = RecordedVerdicts() if verdict_file is None else read_verdicts(verdict_file)
    rows = tuple(_row(path, number, row, joined, form) for number, row in enumerate(raw, start=1))
    known_ids = None if document_file is None else read_document_ids(document_file)
    return RecordedRun(
        form=form,
        rows=rows,
        known_ids=known_ids,
        files={
            "results": str(path),
            "verdicts": None if verdict_file is None else str(verdict_file),
            "documents": None if document_file is None else str(document_file),
        },
        notes=tuple(_notes(rows, verdict_file, document_file, needed)),
        forms=known_forms(path, raw),
        ignored=_ignored(path, raw),
    )


def _ignored(path: Path, raw: Sequence[Mapping[str, object]]) -> dict[str, str]:
    rows = [(number, dict(row)) for number, row in enumerate(raw, 1)]
    ignored = lay_out(path, rows, table=READ).ignored(READ)
    return {name: "The ids decide, not the texts." if name == PASSAGES else why for name, why in ignored.items()}


def read_document_ids(path: Path) -> frozenset[str]:
    """The ids of a documents file: ``{id: text}``, ``{table: {id: text}}`` (``table:id``) or objects with an id.

    Raises:
        UnreadableFile: It is none of these.
    """
    content = read_json(path)
    if isinstance(content, dict):
        return frozenset(_mapped_ids(content))
    if isinstance(content, list) and all(isinstance(row, dict) for row in content):
        ids = [_first(row, ("id", "doc_id", "document_id", "title")) for row in content]
        if all(value is not None for value in ids):
            return frozenset(normalise_id(value) for value in ids)
    raise UnreadableFile(
        f"{path} does not hold documents.", "Give a JSON object {id: text}, or a list of objects with an id."
    )


def _mapped_ids(content: Mapping[str, object]) -> Iterator[str]:
    for key, value in content.items():
        if isinstance(value, dict) and not {"text", "content", "title"} & value.keys():
            for inner in value:
                yield normalise_id(f"{key}:{inner}")
        else:
            yield key


def raw_rows(path: Path) -> list[Mapping[str, object]]:
    """The rows of a file of results as they stand.

    Raises:
        UnreadableFile: It holds no list of rows.
        InvalidInput: A row is no object.
    """
    content = read_json(path)
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list)]
        content = lists[0] if len(lists) == 1 else list(content.values())
    if not isinstance(content, list):
        raise UnreadableFile(f"{path} does not hold a list of rows.", "Give one of GRAMMAR's eval_results files.")
    for number, row in enumerate(content, start=1):
        if not isinstance(row, dict):
            raise InvalidInput(
                f"{path}, row {number} is {json.dumps(row)[:60]} and not an object.", "Correct or remove the row."
            )
    return content


def _row(path: Path, number: int, raw: Mapping[str, object], joined: RecordedVerdicts, form: str) -> RecordedRow:
    question = _first(raw, QUESTION_NAMES)
    if not isinstance(question, str):
        raise InvalidInput(f"{path}, row {number} has no query.", "Each row needs the text of its question.")
    tag = whole_tag(_first(raw, TAG_NAMES))
    if tag is None:
        raise InvalidInput(
            f"{path}, row {number} has no query_tag.",
            "Each row needs the position of its filled SQL query; answers do not tell groups apart.",
        )
    response = first_response(raw.get("gpt_response"))
    verdict, text = verdict_of(raw.get("judgement"))
    if verdict is None:
        verdict_found, joined_text = joined.find(question, raw.get("answer"), response)
        verdict, text = verdict_found, joined_text or text
    retrieved = raw.get("retrieved_document_ids")
    return RecordedRow(
        number=number,
        question=question,
        answer=same_text(raw.get("answer")),
        response=response,
        query_tag=tag,
        true_ids=flat_ids(raw.get("true_document_ids")),
        retrieved_ids=None if retrieved is None else flat_ids(retrieved),
        verdict=verdict or Verdict.NOT_JUDGED,
        verdict_text=text,
        retrieval_judgement=_judgement(raw.get("retrieval_judgement")),
        form=next(iter(forms_in([raw])), form),
    )


def _judgement(value: object) -> bool | None:
    if isinstance(value, (bool, int, float)) and not math.isnan(value):
        return bool(value)
    return None


def _first(raw: Mapping[str, object], names: Sequence[str]) -> object:
    return next((raw[name] for name in names if raw.get(name) is not None), None)


def _beside(path: Path, name: str) -> Path | None:
    folder = path.resolve().parent
    return next((candidate for base in (folder.parent, folder) if (candidate := base / name).is_file()), None)


def _notes(
    rows: Sequence[RecordedRow], verdict_file: Path | None, document_file: Path | None, needed: bool
) -> Iterator[str]:
    if verdict_file is not None:
        yield f"Verdicts missing from the rows were looked up in {verdict_file}."
    elif needed:
        yield "Some rows have no verdict and no SemanticsMatch file was found; they are not judged."
    strange = sorted({row.verdict_text for row in rows if row.verdict is Verdict.NOT_JUDGED and row.verdict_text})
    if strange:
        yield f"Not read as a verdict: {', '.join(repr(text[:40]) for text in strange[:3])}."
    if document_file is None:
        yield "No documents file was found, so it is not known which true ids name a document."
    else:
        yield f"Document ids come from {document_file}."
    if not rows:
        yield "The file holds no rows."
