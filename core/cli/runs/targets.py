"""Commands about systems under test: one question, before a run is spent on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit, refuse, tell
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.sources.documents import Corpus
    from core.targets.trial.question import TargetTrial

QUESTION = "What do these documents say?"
MOST_SHOWN = 2_000


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    targets = typer.Typer(no_args_is_help=True, help="Systems under test.")
    targets.command("test")(try_one)
    targets.callback()(_group)
    app.add_typer(targets, name="target")


def _group() -> None:
    """Systems under test."""


def try_one(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="http:FILE.yaml, python:module:function, bm25, ...")],
    question: Annotated[str, typer.Option(metavar="TEXT", help="What is asked.")] = "",
    testset: Annotated[
        Path | None, typer.Option(metavar="F", help="A test set whose first question is asked if none is given.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Documents; ids of passages are looked up among them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Puts one question to a target and shows what was read, from where, and what looks misread."""
    from core.io.cases import read_cases
    from core.llm import open_chat
    from core.sources.corpus import load_corpus
    from core.store.database import Store
    from core.targets.trial.question import try_target

    if not question.strip() and testset is not None:
        question = next((case.question for case in read_cases(testset)), "")
    documents: Corpus | None = load_corpus(corpus) if corpus is not None else None
    question = question.strip() or QUESTION
    if spec.startswith("openai:"):
        with Store.open(settings().database_url) as store:
            trial = try_target(spec, question, corpus=documents, chat=partial(open_chat, store, ""))
    else:
        trial = try_target(spec, question, corpus=documents)
    response = trial.response
    if response is None:
        if trial.http is not None and trial.http.raw:
            tell(f"HTTP {trial.http.status}\n{trial.http.raw[:MOST_SHOWN]}")
        refuse(trial.error, trial.hint)
    document = {
        "answer": response.answer,
        "contexts": [
            {"document_id": item.document_id, "text": item.text, "score": item.score, "chunk_id": item.chunk_id}
            for item in response.contexts
        ],
        "document_ids": [name for name in response.document_ids if name],
        "abstained": response.abstained,
        "warnings": list(trial.warnings),
        "question": question,
        "latency_s": response.latency_s,
        "tokens": response.tokens,
        "read_from": dict(trial.places),
    }
    emit(document, as_json=as_json, lines=_lines(trial))


def _lines(trial: TargetTrial) -> list[str]:
    response = trial.response
    if response is None:
        return []
    lines = [f"Question   {trial.question}", f"Answer     {response.answer if response.answer else '-'}"]
    if response.abstained is not None:
        lines.append(f"Declined   {'yes' if response.abstained else 'no'}")
    for place, item in enumerate(response.contexts, start=1):
        score = "" if item.score is None else f" (score {item.score:.3g})"
        lines.append(f"Passage {place}  {item.document_id or '-'}{score}: {' '.join(item.text.split())[:100]}")
    lines += [f"{field} read from {place}" for field, place in trial.places.items()]
    return lines + [f"Warning: {warning}" for warning in trial.warnings]
