"""The cases of a diagnosis as lines of JSON: what was asked and answered beside the module and its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.io.whole_files import write_whole

if TYPE_CHECKING:
    from core.diagnosis import Diagnosis
    from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTexts:
    """What a person reads of a case.

    Attributes:
        answer: None where there is none.
    """

    question: str = ""
    reference_answers: tuple[str, ...] = ()
    answer: str | None = None


def texts_of_run(store: Store, run_id: str) -> dict[str, CaseTexts]:
    """The texts of a run's cases, by case id."""
    from core.store.results import runs
    from core.store.testset import testsets

    with store.read() as connection:
        cases = testsets.cases(connection, runs.get(connection, run_id).test_set_id)
        responses = runs.responses(connection, run_id)
    return {
        case.case_id: CaseTexts(
            question=case.question,
            reference_answers=case.reference_answers,
            answer=responses[case.case_id].answer if case.case_id in responses else None,
        )
        for case in cases
    }


def write_cases(path: Path, diagnosis: Diagnosis, texts: Mapping[str, CaseTexts]) -> None:
    """Writes one line of JSON for each case: its texts, group, form and verdict, the module, why, and the documents.

    Args:
        path: The file, which is replaced as a whole.
        diagnosis: The diagnosis.
        texts: By case id.
    """
    lines = []
    for group in diagnosis.groups:
        for diagnosed in group.rows:
            row, text = diagnosed.row, texts.get(diagnosed.row.case_id, CaseTexts())
            line = {
                "case_id": row.case_id,
                "question": text.question,
                "reference_answers": list(text.reference_answers),
                "answer": text.answer,
                "group_id": row.group_id,
                "form": row.form,
                "verdict": diagnosed.verdict.value,
                "module": diagnosed.attribution.value,
                "reason": diagnosed.reason,
                "evidence": None if row.evidence is None else row.evidence.value,
                "gold_document_ids": list(row.true_ids),
                "document_ids": None if row.retrieved_ids is None else list(row.retrieved_ids),
            }
            lines.append(json.dumps(line, ensure_ascii=False))
    write_whole(path, "".join(f"{line}\n" for line in lines))
