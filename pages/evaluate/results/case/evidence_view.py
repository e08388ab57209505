"""The evidence behind a score of one case: lit sentences, NLI pairs, the transport plan, the parts of a composed score.

Every word of a question, an answer or a passage is drawn by `st.text` or in a table of texts, which interpret nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.responses import Score
from core.metrics import MetricSpec, Sample
from core.metrics.evidence import Flow, SentenceScore, read_plan, read_sentences, words_at
from core.metrics.prepared import Part, Place
from core.metrics.spec import Family
from pages.kit.look import charts, numbers, tables
from pages.kit.scores import charts as metric_charts
from pages.kit.scores import heatmaps, lit_text
from pages.kit.scores.lit_text import Lit

OF: Final = {
    Part.QUESTION: "question",
    Part.ANSWER: "answer",
    Part.CONTEXTS: "passages",
    Part.REFERENCE: "reference answers",
}
WORST: Final = {
    Family.GROUNDEDNESS: "least grounded",
    Family.CONTEXT: "least addressed",
    Family.COMPLETENESS: "least covered",
    Family.RELEVANCY: "least relevant",
}
"""What the sentence with the lowest number is called; "lowest" elsewhere."""

NLI: Final = {
    "nli_entailment": "Entailment",
    "nli_boundary": "Boundary",
    "nli_groundedness": "Paper",
    "nli_contradiction": "Contradiction",
}
"""The NLI metrics, each a column of the table of pairs."""

SHOWN: Final = frozenset({"sentences", "plan", "parts", "worst", "rule", "reason", "abstained"})
"""Of a detail, what is drawn in a place of its own."""

NAMED: Final = {
    "unfound": "Found nowhere",
    "missing": "Numbers and names found nowhere",
    "missing_count": "How many",
    "contradicted": "Stated differently",
    "said": "Declining words",
    "hits": "Found at rank",
    "missed": "Not found",
    "relevant": "To be found",
    "wanted": "Looked for",
}
"""How the rest is called, where its name says too little."""

MOST_FLOWS: Final = 200
MOST_CELLS: Final = 600
"""A plan with more cells is a table only."""


def has_evidence(score: Score) -> bool:
    """Whether there is something to show besides the number."""
    return any(score.detail.get(name) for name in ("sentences", "plan", "parts")) or bool(facts(score))


def draw(sample: Sample, score: Score, spec: MetricSpec, all_scores: Mapping[str, Score]) -> None:
    """Draws all the evidence a score has.

    Args:
        sample: The texts the places point into.
        score: The score.
        spec: Its metric.
        all_scores: The other scores of the case, by metric: NLI metrics are shown together.
    """
    if spec.name in NLI:
        _pairs(sample, {name: all_scores[name] for name in NLI if name in all_scores})
    sentences = read_sentences(score.detail)
    for of in dict.fromkeys(item.of for item in sentences):
        _sentences(sample, score, spec, [item for item in sentences if item.of is of], of)
    if flows := read_plan(score.detail):
        _plan(sample, flows)
    if parts := score.detail.get("parts"):
        _parts(spec, parts)
    if fact_rows := facts(score):
        tables.plain(
            pd.DataFrame(fact_rows, columns=["Also known", "Value"]),
            key="facts",
            columns={
                "Also known": st.column_config.TextColumn(width=190),
                "Value": st.column_config.TextColumn(width=560),
            },
        )


def facts(score: Score) -> list[tuple[str, str]]:
    """Whatever else stands in a score's detail, each thing with its name: words found nowhere, hits, thresholds.

    >>> facts(Score(case_id="c", metric="m", value=1.0, detail={"worst": 0, "hits": [2], "unfound": ["a", "b"]}))
    [('Found at rank', '2'), ('Found nowhere', 'a, b')]
    """
    others = {name: value for name, value in score.detail.items() if name not in SHOWN}
    if isinstance(reference := others.get("reference"), int):
        others["reference"] = f"number {reference + 1}"
    return [
        (NAMED.get(name, name.replace("_", " ").capitalize()), _in_words(value))
        for name, value in others.items()
        if value
    ]


def _in_words(value: object) -> str:
    if isinstance(value, Mapping):
        return (
            f"{value['text']} ({value.get('kind', '')})"
            if "text" in value
            else ", ".join(f"{name}: {_in_words(inner)}" for name, inner in value.items())
        )
    if isinstance(value, list | tuple):
        return ", ".join(_in_words(inner) for inner in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _sentences(
    sample: Sample, score: Score, spec: MetricSpec, sentence_scores: Sequence[SentenceScore], of: Part
) -> None:
    beside = next((item.best_of for item in sentence_scores if item.best_of is not None), None)
    every = read_sentences(score.detail)
    worst = score.detail.get("worst")
    least = every[worst] if isinstance(worst, int) and 0 <= worst < len(every) else None
    low, high = span(spec)
    lit_text.draw(
        [_lit(sample, spec, item, len(every) > 1 and least == item) for item in sentence_scores],
        key=f"{score.metric.replace('@', '-')}-{of.value}",
        heads=(
            spec.unit.capitalize(),
            f"Sentences of the {OF[of]}",
            f"Best match in the {OF[beside]}" if beside else "Note",
        ),
        low=low,
        high=high,
        below=spec.low is None or spec.low < low,
    )


def _lit(sample: Sample, spec: MetricSpec, item: SentenceScore, least: bool) -> Lit:
    notes = []
    if item.weight is not None:
        notes.append(f"weight {numbers.share(item.weight)}")
    if item.of is Part.CONTEXTS:
        notes.append(place(item.of, item.at))
    matches = [(item.best_of, at) for at in (item.best, item.also) if at is not None and item.best_of is not None]
    return Lit(
        words=words_at(sample, item.of, item.at),
        value=item.value,
        beside=" … ".join(words_at(sample, best_of, at) for best_of, at in matches),
        where=" and ".join(dict.fromkeys(place(best_of, at) for best_of, at in matches)),
        remark=item.note,
        notes=tuple(notes),
        mark=WORST.get(spec.family, "lowest") if least else "",
    )


def place(part: Part, at: Place) -> str:
    """Where a sentence stands, for people: the passage's number; nothing for a text there is one of.

    >>> place(Part.CONTEXTS, (1, 0, 9)), place(Part.ANSWER, (0, 0, 9))
    ('passage 2', '')
    """
    if part is Part.CONTEXTS:
        return f"passage {at[0] + 1}"
    return f"reference {at[0] + 1}" if part is Part.REFERENCE else ""


def span(spec: MetricSpec) -> tuple[float, float]:
    """The numbers that are darkest and brightest: the metric's range, from 0 where it reaches below."""
    return max(0.0, spec.low if spec.low is not None else 0.0), spec.high if spec.high is not None else 1.0


def _pairs(sample: Sample, scores: Mapping[str, Score]) -> None:
    """Sentence and best passage window with what the NLI model says about them, one row a sentence."""
    rows: dict[Place, dict[str, object]] = {}
    for name, score in scores.items():
        for item in read_sentences(score.detail):
            row = rows.setdefault(item.at, {"Sentence": words_at(sample, item.of, item.at), "Passage window": ""})
            row[NLI[name]] = item.value
            if item.best is not None and item.best_of is not None and name != "nli_contradiction":
                row["Passage window"] = words_at(sample, item.best_of, item.best)
                row["From"] = place(item.best_of, item.best)
    if not rows:
        return
    columns = [NLI[name] for name in scores]
    tables.plain(
        pd.DataFrame(list(rows.values()), columns=["Sentence", "Passage window", "From", *columns]),
        key="nli_pairs",
        columns={
            "Sentence": st.column_config.TextColumn(width=300),
            "Passage window": st.column_config.TextColumn(width=300),
            "From": st.column_config.TextColumn(width=80),
            **{name: st.column_config.NumberColumn(format="%.2f", width=86) for name in columns},
        },
    )


def _plan(sample: Sample, flows: Sequence[Flow]) -> None:
    """Which context sentence goes to which answer sentence: a small heatmap, and the words in a table."""
    sources = sorted({flow.source for flow in flows})
    goals = sorted({flow.to for flow in flows})
    names = {at: f"P{at[0] + 1}.{number}" for at, number in _numbered(sources).items()}
    to = {at: f"A{number}" for number, at in enumerate(goals, start=1)}
    if len(sources) * len(goals) <= MOST_CELLS:
        by_pair = {(flow.source, flow.to): flow for flow in flows}
        cells = [[by_pair.get((source, goal)) for goal in goals] for source in sources]
        charts.show(
            heatmaps.plan(
                [names[source] for source in sources],
                [to[goal] for goal in goals],
                [[flow.mass if flow else 0.0 for flow in row] for row in cells],
                [[flow.cost if flow else None for flow in row] for row in cells],
            ),
            key="plan_chart",
            name="transport_plan",
        )
    st.caption(
        "P2.1 is the first sentence of passage 2, A1 the first sentence of the answer. Mass is the share that moves."
    )
    frame = pd.DataFrame(
        [
            {
                "From": names[flow.source],
                "Sentence of the passages": words_at(sample, Part.CONTEXTS, flow.source),
                "To": to[flow.to],
                "Sentence of the answer": words_at(sample, Part.ANSWER, flow.to),
                "Mass": flow.mass,
                "Distance": flow.cost,
            }
            for flow in sorted(flows, key=lambda flow: -flow.mass * flow.cost)[:MOST_FLOWS]
        ]
    )
    tables.plain(
        frame,
        key="plan_table",
        columns={
            "From": st.column_config.TextColumn(width=60),
            "To": st.column_config.TextColumn(width=50),
            "Sentence of the passages": st.column_config.TextColumn(width=262),
            "Sentence of the answer": st.column_config.TextColumn(width=262),
            "Mass": st.column_config.NumberColumn(format="%.3f", width=70),
            "Distance": st.column_config.NumberColumn(format="%.3f", width=80),
        },
    )
    if len(flows) > MOST_FLOWS:
        st.caption(f"The {MOST_FLOWS} costliest of {len(flows):,} flows.")


def _numbered(sources: Sequence[Place]) -> dict[Place, int]:
    """The number of each sentence within its passage, among those that move."""
    seen: dict[int, int] = {}
    ranks = {}
    for at in sources:
        seen[at[0]] = seen.get(at[0], 0) + 1
        ranks[at] = seen[at[0]]
    return ranks


def _parts(spec: MetricSpec, parts: object) -> None:
    if not isinstance(parts, Mapping):
        return
    plain = {str(name): value for name, value in parts.items() if value is None or isinstance(value, int | float)}
    charts.show(
        metric_charts.parts(
            [name.replace("_", " ").capitalize() for name in plain], list(plain.values()), axis="Value of each part"
        ),
        key="parts_chart",
        name=f"{spec.name}_parts",
    )
