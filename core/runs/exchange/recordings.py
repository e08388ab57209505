"""GRAMMAR's recorded runs inside a project: a frozen test set and a finished run that every page can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.domain.errors import InvalidInput
from core.domain.results.responses import Context, Judgement, Response
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestCase
from core.io.grammar.runs import RecordedRow, RecordedRun, read_eval_results
from core.project.service import require
from core.runs.exchange.finished_runs import RULE, put_finished_run
from core.runs.scores.verdict import verdict_score
from core.store.database import Store


def import_recording(
    store: Store,
    project_id: str,
    files: Sequence[Path],
    *,
    actor: str,
    name: str,
    verdicts: Path | None = None,
    documents: Path | None = None,
) -> Run:
    """Imports one recorded run, one file a form, with its verdicts as they were recorded.

    Args:
        store: Where the project lives.
        project_id: The project.
        files: ``eval_results`` files; the form is in each file's name and must differ between them.
        actor: Who imports.
        name: Of the test set; an existing name gets the next version.
        verdicts: A SemanticsMatch file, for rows without a judgement; by default the one beside the recording.
        documents: ``documents.json``, so that ids without a document can be told; by default the one beside.

    Returns:
        The finished run.

    Raises:
        InvalidInput: No name, no file, or two of the same form, or a row that cannot be used.
        UnreadableFile: A file is not a recording.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    title = name.strip()
    if not title:
        raise InvalidInput("The recording has no name.", "Give it one, such as Aurp.")
    if not files:
        raise InvalidInput("No recording is given.", "Give at least one eval_results file.")
    recorded = [read_eval_results(path, verdicts=verdicts, documents=documents) for path in files]
    twice = [form for form, count in Counter(run.form for run in recorded).items() if count > 1]
    if twice:
        raise InvalidInput(f"Two files are recordings of the form {twice[0]!r}.", "Give one file for each form.")
    pairs = [(run.form, row) for run in recorded for row in run.rows]
    cases = [_case(form, row) for form, row in pairs]
    if not cases:
        raise InvalidInput("The recording has no row.", "Give a file with at least one recorded answer.")
    return put_finished_run(
        store,
        project_id,
        actor=actor,
        name=title,
        cases=cases,
        responses=[_response(form, row) for form, row in pairs],
        scores=[
            verdict_score(_case_id(form, row), Judgement(verdict=row.verdict, rule=RULE, reason=_reason(row)))
            for form, row in pairs
        ],
        files=[path.name for path in files],
        options={"known_ids": _known_ids(recorded), "notes": [note for part in recorded for note in part.notes]},
    )


def _case_id(form: str, row: RecordedRow) -> str:
    return f"{form}-{row.number}"


def _case(form: str, row: RecordedRow) -> TestCase:
    return TestCase(
        case_id=_case_id(form, row),
        question=row.question,
        reference_answers=() if row.answer is None else (row.answer,),
        form=row.form or form,
        group_id=row.query_tag,
        gold_document_ids=row.true_ids,
    )


def _response(form: str, row: RecordedRow) -> Response:
    return Response(
        case_id=_case_id(form, row),
        answer=row.response,
        contexts=tuple(Context(document_id=item) for item in row.retrieved_ids or ()),
        error="" if row.response is not None else "no answer was recorded",
    )


def _reason(row: RecordedRow) -> str:
    return f"The recording says {row.verdict_text}." if row.verdict_text else "The recording has no verdict."


def _known_ids(recorded: Sequence[RecordedRun]) -> list[str] | None:
    """Ids of the documents, where every part of the recording came with them."""
    sets = [part.known_ids for part in recorded]
    complete = [ids for ids in sets if ids is not None]
    return sorted(frozenset().union(*complete)) if complete and len(complete) == len(sets) else None
