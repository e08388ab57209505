"""Writes docs/metrics.md from the specs of the metrics; a test holds that the file is what this writes.

Run it after a spec has changed: ``python docs/metrics.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "metrics.md"
sys.path.insert(0, str(ROOT))

from core.metrics import Family, MetricSpec, Need, list_metrics  # noqa: E402

FAMILIES = {
    Family.RETRIEVAL: ("Retrieval", "What was retrieved against what should have been."),
    Family.CONTEXT: ("Context relevancy", "Whether the retrieved passages address the question."),
    Family.GROUNDEDNESS: ("Groundedness", "Whether the answer says only what the retrieved passages say."),
    Family.COMPLETENESS: ("Completeness", "Whether the answer says what the retrieved passages have to say."),
    Family.RELEVANCY: ("Answer relevancy", "Whether the answer is about the question."),
    Family.REFERENCE: ("Against the reference", "Whether the answer says what the reference answer says."),
    Family.BEHAVIOUR: ("Behaviour", "Whether the system answers at all."),
}
NEEDS = {
    Need.QUESTION: "the question",
    Need.ANSWER: "the answer",
    Need.CONTEXTS: "the retrieved passages with their texts",
    Need.REFERENCE: "a reference answer",
    Need.DOCUMENT_IDS: "the ids of the retrieved documents",
    Need.GOLD_DOCUMENTS: "the documents that hold the answer",
    Need.CHUNK_IDS: "the ids of the retrieved chunks",
    Need.GOLD_CHUNKS: "the chunks that hold the answer",
    Need.ANSWERABLE: "whether the case can be answered",
    Need.ENCODER: "a sentence encoder",
    Need.NLI: "an NLI model",
    Need.JUDGE: "a judging model",
}
HEAD = """# Metrics

This file is written from the specs in `core/metrics` by `python docs/metrics.py`. `python -m core metrics` lists the
same on the command line.

A score is a value with its evidence, or one of the reasons why there is none; a missing value is never 0. Two rules
decide what happens when there is nothing to look at:

- A maximum over nothing is no support, so an answer's sentence counts 0 where it is known that nothing was retrieved.
  A mean over nothing is no value.
- "Nothing was retrieved" and "it is not known what was retrieved" are different things: the first is an empty list,
  the second has the reason `missing_input`.

Marks of citation ("[4]", "[1][2]", "[1, 3]", "[2-4]") are left out before sentences are compared, wherever they stand:
whole numbers from 1 to 99 in square brackets behind a word or a punctuation mark
(`core/text/citations.py` has the rule with what it leaves alone, such as "[2024]" and "scores[1] = 5").
`token_f1` and `rouge_l` stay equal to their
published implementations, `exact_match` to the text and `match` to the match judge: to them a mark is a word.

`n` is always the number of scored cases, and every mean carries it with the reasons of the rest. Intervals count
clusters (questions made from the same filled SQL query, or the rows of one task), not cases.
"""


def text() -> str:
    """The whole file."""
    parts = [HEAD]
    specs = list_metrics()
    for family, (title, about) in FAMILIES.items():
        members = [spec for spec in specs if spec.family is family]
        if members:
            parts += [f"## {title}\n\n{about}\n", _table(members), *(_section(spec) for spec in members)]
    return "\n".join(parts)


def _table(specs: list[MetricSpec]) -> str:
    rows = [f"| `{spec.name}` | {_cell(spec.question)} | {_range(spec)} | {spec.better} |" for spec in specs]
    return "\n".join(["| name | question | range | better |", "|---|---|---|---|", *rows, ""])


def _section(spec: MetricSpec) -> str:
    lines = [
        f"### {spec.title} (`{spec.name}{'[@k]' if spec.at_k else ''}`)",
        "",
        spec.question,
        "",
        f"- Definition: {spec.equation}",
        f"- Unit: {spec.unit}; range {_range(spec)}; {spec.better} is better",
        f"- Needs: {', '.join(NEEDS[need] for need in spec.needs)}",
        *([f"- Looks at, where there: {', '.join(NEEDS[need] for need in spec.uses)}"] if spec.uses else []),
        f"- Source: {spec.source}",
        f"- Version: {spec.version}",
    ]
    lines += [f"- {edge[0].upper()}{edge[1:]}: {rule}" for edge, rule in spec.edges.items()]
    return "\n".join([*lines, ""])


def _range(spec: MetricSpec) -> str:
    low, high = ("-" if end is None else f"{end:g}" for end in (spec.low, spec.high))
    return f"{low} to {high}"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
