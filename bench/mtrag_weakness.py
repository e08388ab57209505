"""Where the answers of MTRAG are weak: by question type and domain, for human ratings and Plumbline's faithfulness.

``python -m bench.mtrag_weakness FILE`` prints what is found; with ``--write`` it goes to docs/mtrag-weakness.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.mtrag import Row, Scored, read_rows, score
from core.encoders.embedding import open_encoder
from core.weakness import (
    Attribute,
    CaseTable,
    Marginal,
    ScoreColumn,
    WeaknessMap,
    WeaknessOptions,
    attribute_of,
    bivariate,
    marginal,
)

DOCS = Path(__file__).resolve().parents[1] / "docs" / "mtrag-weakness.md"
DOMAINS = {
    "clapnq": "Wikipedia (clapnq)",
    "fiqa": "finance forum (fiqa)",
    "govt": "government (govt)",
    "ibmcloud": "IBM Cloud",
}
TYPE, DOMAIN = "question type", "domain"
SCORES = {
    "faithfulness of people": ("human faithfulness", 1.0, 4.0),
    "completeness of people": ("human completeness", 1.0, 4.0),
    "our faithfulness": ("faithfulness", 0.0, 1.0),
}
"""Name of each score, with its source and range."""

HEAD = """# A weakness map of real answers: MTRAG

This file is written by `python -m bench.mtrag_weakness FILE --write`. The data are those of [mtrag.md](mtrag.md):
{rows} answers of two systems to {tasks} tasks from {conversations} conversations. Both answers to a task are one
cluster, so n counts answers and "groups" counts tasks. A question with several types is put under the first one the
file names ({several} answers have more than one). A level or cell is weak where it is lower than all the others by a
tenth of the range at least, false discoveries held to {q:.2f}, with five tasks at least ([weakness.md](weakness.md)).

Three scores are laid over the same cases: the mean rating of people for faithfulness and for completeness (1 to 4), and
our `faithfulness` (0 to 1), which knows nothing of the ratings of these cases but whose form was chosen on them.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWeakness:
    """The weaknesses of one score over every attribute of the tasks.

    Attributes:
        name: The score.
        map: Over question types and domains.
        margins: Over each attribute.
        coarse: The same with conversations for clusters.
    """

    name: str
    map: WeaknessMap
    margins: tuple[Marginal, ...]
    coarse: tuple[Marginal, ...]


def read_tasks(path: Path) -> dict[str, dict[str, Any]]:
    """The tasks of the file by id."""
    return {task["task_id"]: task for task in json.loads(path.read_text("utf-8"))["tasks"]}


def find(scored: Scored, tasks: dict[str, dict[str, Any]]) -> tuple[ScoreWeakness, ...]:
    """Where the answers are weak.

    Args:
        scored: The answers, with faithfulness among their metrics.
        tasks: From `read_tasks`.
    """
    attributes = _attributes(scored.rows, tasks)
    return tuple(_weaknesses(name, scored, attributes) for name in SCORES)


def table(name: str, scored: Scored, attributes: Sequence[Attribute], clusters: Sequence[str]) -> CaseTable:
    """The answers with one of the scores."""
    kind, low, high = SCORES[name]
    values = scored.human(kind.removeprefix("human ")) if kind.startswith("human ") else scored.of(kind)
    return CaseTable(
        case_ids=tuple(row.sample.case_id for row in scored.rows),
        clusters=np.unique(clusters, return_inverse=True)[1],
        score=ScoreColumn(name=name, values=values, low=low, high=high),
        attributes=tuple(attributes),
    )


def _weaknesses(name: str, scored: Scored, attributes: Sequence[Attribute]) -> ScoreWeakness:
    by_task = table(name, scored, attributes, [row.task for row in scored.rows])
    by_conversation = table(name, scored, attributes, [row.conversation for row in scored.rows])
    return ScoreWeakness(
        name=name,
        map=bivariate(by_task, TYPE, DOMAIN),
        margins=tuple(marginal(by_task, attribute.name) for attribute in attributes),
        coarse=tuple(marginal(by_conversation, attribute.name) for attribute in attributes),
    )


def _attributes(rows: Sequence[Row], tasks: dict[str, dict[str, Any]]) -> tuple[Attribute, ...]:
    of = [tasks[row.task] for row in rows]
    return (
        attribute_of(TYPE, [task["Question Type"][0] for task in of]),
        attribute_of(DOMAIN, [DOMAINS[row.collection] for row in rows]),
        attribute_of("answerability", [task["Answerability"][0].lower() for task in of]),
        attribute_of("turn", ["first" if int(task["Turn"]) == 1 else "later" for task in of]),
        attribute_of("system", [row.system for row in rows]),
    )


def page(scored: Scored, results: Sequence[ScoreWeakness], several: int) -> str:
    """The whole file."""
    head = HEAD.format(
        rows=len(scored.rows),
        tasks=len(set(scored.tasks.tolist())),
        conversations=len(set(scored.by(lambda row: row.conversation).tolist())),
        several=several,
        q=WeaknessOptions().q,
    )
    parts = [head, "## What it says\n", *_summary(results)]
    for result in results:
        parts += [f"\n## {result.name.capitalize()}\n", *_map(result.map), *_levels(result)]
    return "\n".join(parts) + "\n"


def _summary(results: Sequence[ScoreWeakness]) -> Iterator[str]:
    """One line a score: what is weak by itself and in combination."""
    for result in results:
        weak = [f"{margin.attribute.name} {level}" for margin in result.margins for level in _weak(margin)]
        by_conversation = [f"{margin.attribute.name} {level}" for margin in result.coarse for level in _weak(margin)]
        cells = int(result.map.cells.weak.sum())
        yield (
            f"- **{result.name.capitalize()}**. Weak: {_listed(weak)}.\n"
            f"  Of {result.map.row.size} cells {_tested(result.map)} have enough tasks to be tested; weak among them: "
            f"{cells or 'none'}.\n"
            f"  With conversations for clusters, of which there are only 20, these stand: {_listed(by_conversation)}."
        )


def _tested(weakness_map: WeaknessMap) -> int:
    return int((~np.isnan(weakness_map.cells.p_value)).sum())


def _weak(margin: Marginal) -> list[str]:
    return [margin.attribute.levels[place] for place in margin.worst_first.tolist() if margin.levels.weak[place]]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _map(weakness_map: WeaknessMap) -> Iterator[str]:
    """Mean and number of answers of each cell; worst question type first."""
    yield f"| {TYPE} | {' | '.join(weakness_map.columns.levels)} | all |"
    yield "|---|" + "---|" * (len(weakness_map.columns.levels) + 1)
    place = {
        (row, column): cell
        for cell, (row, column) in enumerate(zip(weakness_map.row, weakness_map.column, strict=True))
    }
    for row in np.argsort(weakness_map.by_row.mean).tolist():
        cells = [place.get((row, column)) for column in range(len(weakness_map.columns.levels))]
        cell_texts = [
            "" if cell is None else _cell(weakness_map.cells.mean[cell], weakness_map.cells.n[cell]) for cell in cells
        ]
        total = _cell(weakness_map.by_row.mean[row], weakness_map.by_row.n[row])
        yield f"| {weakness_map.rows.levels[row]} | {' | '.join(cell_texts)} | {total} |"
    sums = [_cell(mean, n) for mean, n in zip(weakness_map.by_column.mean, weakness_map.by_column.n, strict=True)]
    yield f"| all | {' | '.join(sums)} | |\n"


def _cell(mean: float, n: int) -> str:
    return f"{mean:.2f} ({n})"


def _levels(result: ScoreWeakness) -> Iterator[str]:
    yield f"| {result.name} by | level | mean | answers | groups | elsewhere | adjusted p | |"
    yield "|---|---|---|---|---|---|---|---|"
    for margin in result.margins:
        for place in margin.worst_first.tolist():
            levels = margin.levels
            if not np.isnan(levels.p_value[place]):
                yield (
                    f"| {margin.attribute.name} | {margin.attribute.levels[place]} "
                    f"| {levels.mean[place]:.2f} [{levels.low[place]:.2f}, {levels.high[place]:.2f}] "
                    f"| {levels.scored[place]} | {levels.clusters[place]} | {levels.rest[place]:.2f} "
                    f"| {_p_value(levels.p_adjusted[place])} | {'weak' if levels.weak[place] else ''} |"
                )


def _p_value(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def main() -> None:
    """Prints or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="reference_subset_with_human_evaluations.json")
    parser.add_argument("--write", action="store_true", help="write docs/mtrag-weakness.md")
    options = parser.parse_args()
    tasks = read_tasks(options.file)
    scored = score(read_rows(options.file), open_encoder(precision="float32"), ["groundedness"])
    results = find(scored, tasks)
    several = sum(len(tasks[row.task]["Question Type"]) > 1 for row in scored.rows)
    text = page(scored, results, several)
    if options.write:
        DOCS.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
