"""Evidence at sentence level: what a score's detail holds, small enough to store for every case.

A sentence is stored by where it stands, not by its words: ``[part, start, end]``, with the part counted among the texts
it belongs to (0 for the question and the answer, the place of the passage or reference otherwise). The words come from
the stored response, so they are always the ones that were scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.domain.results.responses import Score
from core.metrics.prepared import Part, Place, part_texts
from core.metrics.samples.sample import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceScore:
    """One sentence with its own value and what it was matched with.

    Attributes:
        of: The text the sentence belongs to.
        at: Where it stands.
        value: Its own value; None where it was left out (see `note`).
        weight: Its share of the score, None where every sentence counts the same.
        best: Where the best match stands.
        best_of: The text the best match belongs to.
        also: Where a second sentence stands that supports it together with the best one.
        note: Why it was left out or what else there is to know, or empty.
    """

    of: Part
    at: Place
    value: float | None
    weight: float | None = None
    best: Place | None = None
    best_of: Part | None = None
    also: Place | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How much of one sentence goes to another in a transport plan.

    Attributes:
        source: Place of the context sentence.
        to: Place of the answer sentence.
        mass: Share of all mass.
        cost: Distance of the two.
    """

    source: Place
    to: Place
    mass: float
    cost: float


def sentences_json(scores: Iterable[SentenceScore]) -> list[dict[str, object]]:
    """Sentence scores as they are stored under ``sentences``; empty fields are left out."""
    documents = []
    for score in scores:
        row: dict[str, object] = {"of": str(score.of), "at": [*score.at], "value": score.value}
        if score.weight is not None:
            row["weight"] = score.weight
        if score.best is not None and score.best_of is not None:
            row["best"], row["best_of"] = [*score.best], str(score.best_of)
            if score.also is not None:
                row["also"] = [*score.also]
        if score.note:
            row["note"] = score.note
        documents.append(row)
    return documents


def read_sentences(detail: Mapping[str, object]) -> tuple[SentenceScore, ...]:
    """The sentence scores in a stored detail, none where it has none."""
    rows: Any = detail.get("sentences", [])
    return tuple(
        SentenceScore(
            of=Part(row["of"]),
            at=_place(row["at"]),
            value=row["value"],
            weight=row.get("weight"),
            best=_place(row["best"]) if "best" in row else None,
            best_of=Part(row["best_of"]) if "best_of" in row else None,
            also=_place(row["also"]) if "also" in row else None,
            note=row.get("note", ""),
        )
        for row in rows
    )


def plan_json(flows: Iterable[Flow]) -> list[dict[str, object]]:
    """A transport plan as it is stored under ``plan``."""
    return [{"from": [*flow.source], "to": [*flow.to], "mass": flow.mass, "cost": flow.cost} for flow in flows]


def read_plan(detail: Mapping[str, object]) -> tuple[Flow, ...]:
    """The transport plan in a stored detail, none where it has none."""
    rows: Any = detail.get("plan", [])
    return tuple(
        Flow(source=_place(row["from"]), to=_place(row["to"]), mass=row["mass"], cost=row["cost"]) for row in rows
    )


def words_at(sample: Sample, of: Part, at: Place) -> str:
    """The words of a place, as they stand in the sample; empty where the sample has no such place."""
    part, start, end = at
    texts = part_texts(sample, of)
    return texts[part][start:end] if part < len(texts) else ""


def with_words(sample: Sample, score: Score) -> Score:
    """A score whose evidence also holds the words of every place, for readers who have no stored response."""
    detail: dict[str, Any] = dict(score.detail)
    if "sentences" in detail:
        detail["sentences"] = [
            {
                **row,
                "text": words_at(sample, Part(row["of"]), _place(row["at"])),
                **{
                    f"{name}_text": words_at(sample, Part(row["best_of"]), _place(row[name]))
                    for name in ("best", "also")
                    if name in row
                },
            }
            for row in detail["sentences"]
        ]
    if "claims" in detail:
        detail["claims"] = [
            {**row, "best_text": words_at(sample, Part(row["best_of"]), _place(row["best"]))} if "best" in row else row
            for row in detail["claims"]
        ]
    if "plan" in detail:
        detail["plan"] = [
            {
                **row,
                "from_text": words_at(sample, Part.CONTEXTS, _place(row["from"])),
                "to_text": words_at(sample, Part.ANSWER, _place(row["to"])),
            }
            for row in detail["plan"]
        ]
    return replace(score, detail=detail)


def _place(row: Sequence[int]) -> Place:
    part, start, end = row
    return part, start, end
