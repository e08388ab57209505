"""A trial as files: each wrong answer, the figures, and the changed pages to put into a system of one's own."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from core.domain.errors import InvalidInput
from core.domain.sources.documents import Document
from core.faults.kinds import needs_documents
from core.faults.outcome import Trial
from core.faults.result import TrialResult, answer_json
from core.knowledge.exporting import file_name
from core.sources.corpus.listing import INDEX
from core.text.display.formulas import neutral

ANSWERS, FIGURES, DOCUMENTS, REMOVED = "answers.jsonl", "confusion.json", "documents", "{kind}-removed.txt"


def write_trial(folder: Path, trial: Trial, result: TrialResult) -> None:
    """Writes ``answers.jsonl``, ``confusion.json`` and ``documents/<kind>/`` into a folder.

    A folder of documents holds the changed pages only, with a list of their ids and titles. The ids of pages that were
    taken away stand in a text file beside it. The figures come last: where they are, the trial is done.

    Raises:
        InvalidInput: A file cannot be written.
    """
    try:
        lines = [json.dumps(answer_json(answer), ensure_ascii=False) for answer in trial.answers]
        (folder / ANSWERS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        for kind in trial.planted:
            if needs_documents(kind):
                _write_documents(folder / DOCUMENTS / kind, trial.changed.get(kind, ()))
                if removed := trial.removed.get(kind, ()):
                    names = "".join(f"{known}\n" for known in removed)
                    (folder / DOCUMENTS / REMOVED.format(kind=kind)).write_text(names, encoding="utf-8")
        figures = {"made_from": dict(result.made_from), **result.as_json()}
        written = folder / f".{FIGURES}"
        written.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        written.replace(folder / FIGURES)
    except OSError as error:
        raise InvalidInput(
            f"{error.filename} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error


def _write_documents(folder: Path, changed: Sequence[Document]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not changed:
        return
    with (folder / INDEX).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["path", "id", "title"])
        for document in changed:
            name = file_name(document.id)
            table.writerow([name, neutral(document.id), neutral(document.title)])
            page = folder / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(document.text, encoding="utf-8")
