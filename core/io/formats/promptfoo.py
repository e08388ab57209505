"""promptfoo: the JSON of an evaluation (``promptfoo eval -o results.json``), or its results one a line.

Shapes as its documentation gives them (EvaluateSummary, versions 2 and 3): ``results.results`` with ``vars``,
``response.output``, ``success``, ``score``, ``namedScores``, ``gradingResult.reason``, ``latencyMs``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.domain.errors import InvalidInput
from core.io.exchange.format import REASON, Format, FormatSpec, Sign, Unpacked, exchange_format
from core.io.exchange.lost import looks_like
from core.io.replies.reading import read_reply
from core.io.tables.columns import Field, arrange
from core.io.tables.rows import Row, read_document, read_rows

SUCCESS, SCORE = "success", "score"
EXPECTING: Final = ("equals", "similar", "factuality", "answer-similarity")
"""Assertions whose value is the answer that is expected."""

SPEC: Final = FormatSpec(
    name="promptfoo",
    title="promptfoo",
    about="The JSON of an evaluation, with the variables, the output and the assertions of each test.",
    reads=(".json", ".jsonl", ".ndjson"),
    writes=(),
    columns={"testIdx": Field.ATTRIBUTE},
    scores=frozenset({SUCCESS, SCORE}),
    signs=(
        Sign(
            columns=("testIdx", SUCCESS),
            confidence=0.99,
            says="Results with variables, a response and success are those of an evaluation of promptfoo.",
        ),
    ),
    notes=(
        "The question is the variable with a usual name for one, or the only one there is.",
        "An expected answer is read from an assertion only where a test has one that names it (equals, similar, "
        "factuality).",
    ),
    tells_scores=True,
)


def models(path: Path) -> tuple[str, ...]:
    """What was evaluated: each provider, with its prompt where there are several."""
    return _names(_results(path)[0])


def unpack(path: Path, model: str = "") -> Unpacked:
    """The results of one provider and prompt, a row each.

    Raises:
        UnreadableFile: It is no JSON.
        InvalidInput: It is no evaluation of promptfoo, or has several providers or prompts and none is named.
    """
    results, left_out = _results(path)
    names = _names(results)
    if model and model not in names:
        raise InvalidInput(f"{path} has no model {model!r}.", f"Name one of {', '.join(names)}.")
    if not model and len(names) > 1:
        raise InvalidInput(
            f"{path} has answers of {len(names)} providers or prompts, and a run has those of one.",
            f"Name one with --model: {', '.join(names)}.",
        )
    prompts = _prompts(results)
    own = [item for item in results if not model or model == _called(item, prompts)]
    times = Counter(item.get("testIdx") for item in own)
    rows = [
        (number, _row(item, number, f"Row {number} of {path}", alone=times[item.get("testIdx")] == 1))
        for number, item in enumerate(own, start=1)
    ]
    scores = {name for _, row in rows for name in row if name.startswith("namedScores.")}
    if len(own) < len(results):
        left_out = {**left_out, "results of others": f"{len(results) - len(own):,} are not of {model}."}
    return Unpacked(rows=rows, left_out=left_out, scores=frozenset({SUCCESS, SCORE, *scores}))


def _results(path: Path) -> tuple[list[Mapping[str, Any]], dict[str, str]]:
    """The results of a file, and what else it holds with the reason why that is no row."""
    if path.suffix.casefold() != ".json":
        listed: list[object] = [row for _, row in read_rows(path)]
        return _checked(listed, path), {}
    content = read_document(path)
    outer = content if isinstance(content, dict) else {}
    summary = outer["results"] if isinstance(outer.get("results"), dict) else outer
    results = summary.get("results")
    beside = {name: "It is about the whole file and no row." for name in (*outer, *summary) if name != "results"}
    return _checked(results if isinstance(results, list) else [], path), beside


def _checked(listed: list[object], path: Path) -> list[Mapping[str, Any]]:
    results = [item for item in listed if isinstance(item, Mapping) and isinstance(item.get("vars"), Mapping)]
    if not results or len(results) < len(listed) or not all({"response", SUCCESS} & item.keys() for item in results):
        raise InvalidInput(f"{path} is no evaluation of promptfoo.", "Write one with: promptfoo eval -o results.json.")
    return results


def _names(results: list[Mapping[str, Any]]) -> tuple[str, ...]:
    prompts = _prompts(results)
    return tuple(dict.fromkeys(_called(item, prompts) for item in results))


def _prompts(results: list[Mapping[str, Any]]) -> int:
    """How many prompts were tried; a provider has one of them where a test fills in its variables."""
    return len({item.get("promptIdx") for item in results} or {_label(item.get("prompt")) for item in results})


def _called(item: Mapping[str, Any], prompts: int) -> str:
    """What a result is of: its provider, with its prompt where there are several."""
    provider, prompt = _label(item.get("provider")), _label(item.get("prompt"))
    return (f"{provider} / {prompt}" if prompts > 1 else provider) or "the only one"


def _label(value: object) -> str:
    if isinstance(value, Mapping):
        value = next((value[name] for name in ("label", "id", "raw") if value.get(name)), "")
    return " ".join(str(value or "").split())[:80]


def _row(item: Mapping[str, Any], number: int, where: str, *, alone: bool) -> Row:
    test = item.get("testCase")
    cells: dict[str, object] = {"testIdx": item.get("testIdx", number - 1), **_variables(item["vars"])}
    if alone and item.get("testIdx") is not None:
        cells["case_id"] = f"test-{item['testIdx']}"
    if isinstance(test, Mapping):
        cells["description"] = test.get("description")
        if "reference_answers" not in cells and (expected := _expected(test.get("assert"))):
            cells["reference_answers"] = [expected]
    cells |= _response(item, where)
    cells |= {SUCCESS: item.get(SUCCESS), SCORE: item.get(SCORE)}
    grading = item.get("gradingResult")
    if isinstance(grading, Mapping):
        cells[f"{SUCCESS}{REASON}"] = grading.get("reason")
    named = item.get("namedScores")
    cells |= {f"namedScores.{name}": value for name, value in named.items()} if isinstance(named, Mapping) else {}
    return {name: value for name, value in cells.items() if value is not None}


def _variables(given: Mapping[str, object]) -> dict[str, object]:
    """The variables of a test: question, reference and passages by their usual names, the others as they are."""
    known = {field: columns[0] for field, columns in arrange(given).items()}
    texts = [name for name, value in given.items() if isinstance(value, str)]
    question = known.get(Field.QUESTION) or (texts[0] if len(texts) == 1 else "")
    right = [name for name in texts if looks_like(name) is Field.REFERENCES]
    wanted = {
        "question": question,
        "reference_answers": known.get(Field.REFERENCES) or (right[0] if len(right) == 1 else ""),
        "contexts": known.get(Field.CONTEXTS, ""),
        "document_ids": known.get(Field.DOCUMENT_IDS, ""),
    }
    taken = {name: given[source] for name, source in wanted.items() if source}
    return taken | {f"vars.{name}": value for name, value in given.items() if name not in wanted.values()}


def _expected(assertions: object) -> str:
    """The answer that a test expects, where exactly one of its assertions names it."""
    listed = assertions if isinstance(assertions, list) else []
    values = [
        item["value"]
        for item in listed
        if isinstance(item, Mapping) and item.get("type") in EXPECTING and isinstance(item.get("value"), str)
    ]
    return values[0] if len(values) == 1 else ""


def _response(item: Mapping[str, Any], where: str) -> dict[str, object]:
    response = item.get("response")
    response = response if isinstance(response, Mapping) else {}
    output, usage, latency = response.get("output"), response.get("tokenUsage"), item.get("latencyMs")
    cells: dict[str, object] = {"answer": output if isinstance(output, str) else None}
    if isinstance(output, (Mapping, list)):  # what a provider of one's own returns
        reading = read_reply(output, where=where)
        cells["answer"] = json.dumps(output, ensure_ascii=False) if reading.answer is None else reading.answer
        if reading.told_passages:
            cells["contexts"] = [
                {"text": one.text, "document_id": one.document_id, "chunk_id": one.chunk_id, "score": one.score}
                for one in reading.contexts
            ]
    if error := item.get("error") or response.get("error"):
        # An assertion that fails is told here as well; then there is an output.
        cells |= {} if output is not None else {"error": str(error)}
    if isinstance(latency, (int, float)) and not isinstance(latency, bool) and latency >= 0:
        cells["latency_s"] = latency / 1000
    if isinstance(usage, Mapping):
        cells["tokens"] = usage.get("total")
    return cells


exchange_format(Format(spec=SPEC, unpack=unpack, models=models))
