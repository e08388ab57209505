"""A folder as the home of one run: its own store, with the test set, the corpus and the run in it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from core.domain.cases import TestSet, cases_hash
from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.runs import Run
from core.evaluation.service import create_run
from core.interchange.cases import read_cases
from core.project.service import create_project
from core.settings import settings
from core.sources.service import connect_corpus
from core.store import runs, testsets
from core.store.database import Store

STORE_FILE = "plumbline.sqlite"
RESULTS_FILE = "results.jsonl"


def open_run(name: str) -> tuple[Store, Run]:
    """The run of an ``--out`` folder, or of the default store by its id.

    Raises:
        NotFound: There is neither.
    """
    folder = Path(name)
    if (folder / STORE_FILE).is_file():
        store = Store.open(_url(folder))
        with store.read() as connection:
            found = runs.all(connection, None)
        if not found:
            raise NotFound(f"{folder} holds no run.", "Run evaluate --out with another folder.")
        return store, found[0]
    if folder.is_dir():
        raise NotFound(f"{folder} is not a folder that evaluate made.", "Give a run id or an evaluate --out folder.")
    store = Store.open(settings().database_url)
    with store.read() as connection:
        return store, runs.get(connection, name)


def prepare(
    out: Path, *, cases_file: Path, target: str, judge: str, corpus: Path | None, k: int | None, seed: int
) -> tuple[Store, Run]:
    """Makes the folder's store and plans the run.

    Raises:
        Conflict: The folder holds a run already.
        InvalidInput: The test set is empty.
    """
    if (out / STORE_FILE).exists():
        raise Conflict(f"{out} holds a run already.", f"Go on with: resume {out}, or choose another --out folder.")
    cases = read_cases(cases_file)
    if not cases:
        raise InvalidInput(f"{cases_file} has no case.", "Write one JSON object with a question on each line.")
    out.mkdir(parents=True, exist_ok=True)
    actor = settings().actor
    store = Store.open(_url(out))
    try:
        project = create_project(store, out.resolve().name, actor)
        if corpus is not None:
            connect_corpus(store, project.id, corpus, actor=actor)
        test_set = TestSet(
            id=new_id("ts"),
            project_id=project.id,
            name=cases_file.name,
            counts={"questions": dict(Counter(case.form for case in cases))},
        )
        with store.write(actor, "test_set.import", project_id=project.id, subject=test_set.id) as connection:
            testsets.put(connection, test_set)
            testsets.put_cases(connection, test_set.id, cases)
            testsets.freeze(connection, test_set.id, cases_hash(cases), datetime.now(UTC).isoformat(timespec="seconds"))
        options: dict[str, object] = {} if k is None else {"k": k}
        return store, create_run(
            store, test_set.id, actor=actor, target=target, judge=judge, seed=seed, options=options
        )
    except BaseException:
        store.dispose()
        for left in out.glob(f"{STORE_FILE}*"):
            left.unlink()
        raise


def write_results(store: Store, run: Run, out: Path) -> Path:
    """Writes one JSON line a case: question, references, answer, contexts, verdict and why."""
    path = out / RESULTS_FILE
    with store.read() as connection, path.open("w", encoding="utf-8") as file:
        rows, _ = runs.page(connection, run.id, limit=None)
        for row in rows:
            line = {
                "case_id": row.case.case_id,
                "question": row.case.question,
                "reference_answers": list(row.case.reference_answers),
                "form": row.case.form,
                "group_id": row.case.group_id,
                "gold_document_ids": list(row.case.gold_document_ids),
                "answer": row.response.answer if row.response else None,
                "error": row.response.error if row.response else "",
                "contexts": [asdict(context) for context in row.response.contexts] if row.response else [],
                "verdict": row.verdict.value if row.verdict else None,
                "verdict_status": row.verdict.status.value if row.verdict else "not_judged",
                "verdict_detail": dict(row.verdict.detail) if row.verdict else {},
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return path


def _url(folder: Path) -> str:
    return f"sqlite:///{folder.resolve() / STORE_FILE}"
