"""The tables of the Robustness page, for people and for downloads."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.domain.estimates import Proportion
from core.robustness.flips import KindFigures
from core.robustness.pairs import Pair
from core.robustness.parts import Drop, Part
from core.runs.scores.summary import spec_of
from pages.analyse.robustness import words
from pages.kit.look import numbers


def kinds_frame(kinds: Sequence[KindFigures]) -> pd.DataFrame:
    """A row per kind as it is read."""
    return pd.DataFrame(
        [
            {
                "id": figures.kind,
                "Kind": words.title_of(figures.kind),
                "Variants": figures.variants,
                "Change of accuracy": _change(figures),
                "p, adjusted": numbers.p_value(figures.p_adjusted),
                "Detectable from": numbers.NONE if figures.detectable is None else numbers.share(figures.detectable),
                "Right to wrong": shown(figures.broke),
                "Wrong to right": shown(figures.fixed),
                "Beyond noise, p": numbers.p_value(figures.beyond_noise),
                "Right behaviour": shown(figures.right),
                "Undecided": figures.undecided,
                "Finding": finding(figures),
            }
            for figures in kinds
        ]
    )


def kinds_data(kinds: Sequence[KindFigures]) -> pd.DataFrame:
    """The same with every figure in a column of its own."""
    return pd.DataFrame([{"kind": figures.kind, **_flat(figures.as_json())} for figures in kinds])


def drops_frame(drops: Sequence[Drop]) -> pd.DataFrame:
    """The change of each score by kind."""
    return pd.DataFrame(
        [
            {
                "Score": spec.title if (spec := spec_of(drop.metric)) else drop.metric,
                "Kind": words.title_of(drop.kind),
                "Change": numbers.estimate(drop.change),
                "Pairs": drop.change.n,
                "Detectable from": numbers.NONE if drop.detectable is None else numbers.figure(drop.detectable),
            }
            for drop in drops
        ]
    )


def parts_frame(parts: Sequence[Part]) -> pd.DataFrame:
    """Levels of an attribute by kind."""
    return pd.DataFrame(
        [
            {
                "Level": part.level,
                "Kind": words.title_of(part.kind) if part.kind else "All kinds",
                "Right to wrong": shown(part.broke),
                "Flipped": shown(part.flipped),
                "Right behaviour": shown(part.right),
            }
            for part in parts
        ]
    )


def pairs_frame(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Variants beside their parents with both answers."""
    return pd.DataFrame(
        [
            {
                "id": pair.variant.case.case_id,
                "Outcome": outcome(pair),
                "Variant": pair.variant.case.question,
                "Answer": pair.variant.answer or numbers.NONE,
                "Before": (pair.parent.answer or numbers.NONE) if pair.parent else "not run",
                "Reference": "; ".join(pair.variant.case.reference_answers) or numbers.NONE,
            }
            for pair in pairs
        ],
        columns=["id", "Outcome", "Variant", "Answer", "Before", "Reference"],
    )


def pairs_data(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Everything about the pairs, for a download."""
    return pd.DataFrame(
        [
            {
                "case_id": pair.variant.case.case_id,
                "parent": pair.lineage.parent,
                "kind": pair.kind,
                "change": pair.lineage.variant_change,
                "parent_question": pair.lineage.parent_question,
                "question": pair.variant.case.question,
                "reference": "; ".join(pair.variant.case.reference_answers),
                "parent_answer": pair.parent.answer if pair.parent else "",
                "answer": pair.variant.answer,
                "parent_verdict": pair.parent.verdict if pair.parent else None,
                "verdict": pair.variant.verdict,
                "expected": pair.lineage.expected,
                "behaviour": pair.seen.behaviour.value,
                "reason": pair.seen.reason,
            }
            for pair in pairs
        ]
    )


def outcome(pair: Pair) -> str:
    """What became of a variant, in a few words."""
    if pair.broke:
        return "right, now wrong"
    if pair.fixed:
        return "wrong, now right"
    if not pair.comparable:
        return f"behaviour {pair.seen.behaviour.value}"
    return "right both times" if pair.variant.verdict else "wrong both times"


def finding(figures: KindFigures) -> str:
    """What the test says of a kind."""
    if figures.p_adjusted is None:
        return "not tested"
    if figures.weak:
        return "worse"
    return "better" if (figures.change.value or 0) > 0 and figures.p_adjusted <= 0.05 else "no change shown"


def shown(share: Proportion) -> str:
    """A share with interval and counts."""
    return f"{numbers.proportion(share)} ({numbers.of(share)})" if share.den else numbers.NONE


def _change(figures: KindFigures) -> str:
    return numbers.estimate(figures.change) if figures.change.value is not None else numbers.NONE


def _flat(fields: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{name}_"))
        else:
            flat[f"{prefix}{name}"] = value
    return flat
