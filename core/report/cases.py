"""The cases of a run, one row each, masked: for the workbook and for JUnit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from core.diagnosis import diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.results.diagnosis import Attribution
from core.domain.results.runs import VERDICT_METRIC
from core.report.masking import Masker
from core.report.palette import NAMES
from core.safety.service import options_of
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import outcome_columns
from core.store.results.cases.score_order import NOT_REACHED, TARGET_FAILED

PART: Final = 500
"""Cases read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """One case with what became of it; every text is masked.

    Attributes:
        verdict: ``correct``, ``incorrect`` or ``not judged``.
        why: The judge's reason, or why there is no verdict.
        module: To which a wrong answer is put down, with the evidence.
        scores: By metric, None where there is none.
    """

    case_id: str
    group_id: str
    form: str
    question: str
    references: tuple[str, ...]
    answer: str
    error: str
    verdict: str
    why: str
    module: str
    evidence: str
    gold_documents: tuple[str, ...]
    retrieved: tuple[str, ...]
    attributes: Mapping[str, str]
    scores: Mapping[str, float | None]


def case_json(row: CaseRow) -> dict[str, Any]:
    """A case as plain JSON, as a snapshot keeps it."""
    return {item.name: _plain(getattr(row, item.name)) for item in fields(row)}


def case_of(stored: Mapping[str, Any]) -> CaseRow:
    """The case that a snapshot keeps."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    return CaseRow(**values)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def case_rows(store: Store, run_id: str, *, seconds: float | None = None) -> Iterator[CaseRow]:
    """Every case of a run in the order of its test set.

    Args:
        store: Where the run is.
        run_id: The run.
        seconds: The longest search of the documents for the module of wrong answers; None for however long it takes.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        names = [name for name in sorted(scores.of_run(connection, run_id)) if name != VERDICT_METRIC]
        total = len(outcome_columns.wordings(connection, run.test_set_id))
    masker = Masker(options_of(store, run.project_id).rules)
    rows = diagnosis_rows(store, run_id, seconds=seconds)
    modules = {
        row.row.case_id: (row.attribution, row.reason)
        for group in diagnose(rows.rows, known_ids=rows.known_ids).groups
        for row in group.rows
    }
    for start in range(0, total, PART):
        with store.read() as connection:
            page, _ = runs.page(connection, run_id, metrics=names, limit=PART, offset=start)
        for item in page:
            case, response, score = item.case, item.response, item.verdict
            module, reason = modules.get(case.case_id, (Attribution.NOT_JUDGED, ""))
            blamed = module not in (Attribution.CORRECT, Attribution.NOT_JUDGED)
            failed = response is not None and response.answer is None
            if score is not None and score.value is not None:
                verdict = "correct" if score.value == 1.0 else "incorrect"
                why = str(score.detail.get("reason", "") or score.detail.get("rule", ""))
            else:
                verdict = "not judged"
                stated = "" if score is None else str(score.detail.get("reason", "") or score.status.value)
                why = TARGET_FAILED if failed else stated or NOT_REACHED
            yield CaseRow(
                case_id=case.case_id,
                group_id=masker.safe(case.group_id),
                form=case.form,
                question=masker.safe(case.question),
                references=tuple(masker.safe(text) for text in case.reference_answers),
                answer=masker.safe(response.answer or "") if response else "",
                error=masker.safe(response.error) if response else "",
                verdict=verdict,
                why=masker.safe(why.replace("_", " ") if " " not in why else why),
                module=NAMES[module.value] if blamed else "",
                evidence=masker.safe(reason) if blamed else "",
                gold_documents=tuple(masker.safe(text) for text in case.gold_document_ids),
                retrieved=tuple(masker.safe(text) for text in response.document_ids) if response else (),
                attributes={masker.safe(name): masker.safe(value) for name, value in case.attributes.items()},
                scores={name: item.scores[name].value if name in item.scores else None for name in names},
            )
