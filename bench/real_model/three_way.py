"""Closed book, gold documents and live with a real small model: what the diagnosis says of the errors it makes.

    .venv/bin/python -m bench.real_model.three_way --url http://127.0.0.1:8817/v1 --facts 20 --out DIR

With the gold document as its only context a wrong answer cannot be the retrieval's: either the model errs, or the
document does not state the fact. So every such case that the diagnosis puts down to retrieval is accused falsely. Live,
the same holds where the gold document is among what was retrieved. The command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from bench.real_model.sample import Sample, sample_cases, sample_store
from core.cli.output import progress_line
from core.diagnosis.service.blame import blame_of
from core.domain.results.runs import Run, RunState
from core.llm.variants import CHOICES
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.settings import settings
from core.stats import wilson
from core.store.results import runs

MODES = ("oracle", "retrieval", "closed_book")


def run_of(sample: Sample, spec: str, mode: str, prompts: str) -> Run:
    """The finished run of a mode, new or as it was left."""
    store, project_id = sample.store, sample.test_set.project_id
    options = {"mode": mode, "k": 1, "prompts": prompts, "concurrency": 1}
    with store.read() as connection:
        there = [run for run in runs.all(connection, project_id) if dict(run.options) | options == dict(run.options)]
    run = (
        there[0]
        if there
        else create_run(store, sample.test_set.id, actor=settings().actor, target=f"openai:{spec}", options=options)
    )
    if run.state is not RunState.FINISHED:
        execute_run(store, run.id, actor=settings().actor, progress=progress_line())
    return run


def outcome(sample: Sample, run: Run) -> dict[str, object]:
    """Every case with its answer, whether its gold document was before the model, and what the diagnosis says."""
    blames = blame_of(sample.store, run.id)
    with sample.store.read() as connection:
        responses = runs.responses(connection, run.id)
    rows = []
    for case in sample.cases:
        response, blame = responses[case.case_id], blames[case.case_id]
        given = {context.document_id for context in response.contexts}
        rows.append(
            {
                "case_id": case.case_id,
                "form": case.form,
                "question": case.question,
                "true": list(case.reference_answers),
                "answer": response.answer,
                "error": response.error,
                "gold_given": bool(given & set(case.gold_document_ids)),
                "diagnosed": blame.module.value,
                "reason": blame.reason,
            }
        )
    with_gold = [row for row in rows if row["gold_given"] and row["diagnosed"] not in ("correct", "not_judged")]
    accused = sum(row["diagnosed"] == "retrieval" for row in with_gold)
    blamed = sum(row["diagnosed"] == "language_model" for row in with_gold)
    return {
        "cases": len(rows),
        "diagnosed": dict(Counter(str(row["diagnosed"]) for row in rows)),
        "wrong_with_gold": len(with_gold),
        "diagnosed_with_gold": dict(Counter(str(row["diagnosed"]) for row in with_gold)),
        "language_model": wilson(blamed, len(with_gold)).as_json(),
        "retrieval_accused": wilson(accused, len(with_gold)).as_json(),
        "rows": rows,
    }


def main() -> None:
    """Runs the modes and prints the figures as one JSON document, without the rows, which go to ``rows.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="base URL of the server")
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--facts", type=int, default=20, help="facts asked for")
    parser.add_argument("--wordings", type=int, default=2, help="of each fact in each of two forms")
    parser.add_argument("--part", default="1/1", help="of the facts, for servers side by side: 1/2 and 2/2")
    parser.add_argument("--cases", type=int, default=0, help="only the first so many cases")
    parser.add_argument("--prompts", choices=CHOICES, default="short")
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    spec = f"{asked.model}@{asked.url}"
    number, _, parts = asked.part.partition("/")
    cases = sample_cases(asked.facts, wordings=asked.wordings, part=(int(number), int(parts)))
    cases = cases[: asked.cases or None]
    with sample_store(asked.out, spec, cases) as sample:
        figures = {mode: outcome(sample, run_of(sample, spec, mode, asked.prompts)) for mode in asked.modes.split(",")}
    (asked.out / f"rows-{asked.prompts}.json").write_text(json.dumps(figures, ensure_ascii=False, indent=1))
    for figure in figures.values():
        del figure["rows"]
    json.dump(figures, sys.stdout, ensure_ascii=False, indent=1)
    print()


if __name__ == "__main__":
    main()
