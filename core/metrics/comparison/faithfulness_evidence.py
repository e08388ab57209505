"""What a score of claims is made of, as it is kept: every sentence of the answer, its value and what decides on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.metrics.comparison.faithfulness_parts import RULES, Checked, Claim
from core.metrics.comparison.similarity import DIGITS, lowest_place, no_sentences
from core.metrics.comparison.support.stating import claims_of
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.spec import Measured, Outcome

SHOWN = 20
"""Specifics and words that occur nowhere, kept as evidence."""


def score_claims(prepared: Prepared, check: Callable[[Sequence[int]], Checked]) -> Outcome:
    """The score of an answer from its claims, with what decides on each, and the rules where nothing can be checked.

    Args:
        prepared: The sample; answer and contexts must be encoded.
        check: Checks sentences of the answer that claim something, at least one, where there are contexts.
    """
    sentences = prepared.sentences(Part.ANSWER)
    if not sentences:
        return no_sentences(prepared, Part.ANSWER)
    claims = claims_of(prepared)
    marks: dict[str, object] = {"abstained": True} if prepared.abstained else {}
    if not claims:
        rows = [_left_out(prepared, place) for place in range(len(sentences))]
        return Measured(
            value=RULES["no claim"], detail={"sentences": sentences_json(rows), "rule": "no claim", **marks}
        )
    if not prepared.sentences(Part.CONTEXTS):
        rows = [
            SentenceScore(of=Part.ANSWER, at=sentence.at, value=0.0) if place in claims else _left_out(prepared, place)
            for place, sentence in enumerate(sentences)
        ]
        detail = {"sentences": sentences_json(rows), "worst": claims[0], "rule": "nothing retrieved"}
        return Measured(value=RULES["nothing retrieved"], detail={**detail, **marks})
    checked = check(claims)
    by_place = {claim.place: claim for claim in checked.claims}
    rows = [
        _row(prepared, by_place[place]) if place in by_place else _left_out(prepared, place)
        for place in range(len(sentences))
    ]
    values = [2.0 if row.value is None else row.value for row in rows]
    return Measured(
        value=checked.value,
        detail={
            "parts": {name: round(value, DIGITS) for name, value in checked.parts.items()},
            "sentences": sentences_json(rows),
            "worst": lowest_place(values),
            **_missing(checked),
            **_contradicted(checked),
            **marks,
        },
    )


def _row(prepared: Prepared, claim: Claim) -> SentenceScore:
    at = prepared.sentences(Part.ANSWER)[claim.place].at
    if claim.value is None or claim.weight is None:
        return SentenceScore(of=Part.ANSWER, at=at, value=None, note="announces what follows")
    first, *others = [prepared.sentences(Part.CONTEXTS)[place].at for place in claim.best]
    return SentenceScore(
        of=Part.ANSWER,
        at=at,
        value=round(claim.value, DIGITS),
        weight=round(claim.weight, DIGITS),
        best=first,
        best_of=Part.CONTEXTS,
        also=others[0] if others else None,
        note=_note(claim),
    )


def _note(claim: Claim) -> str:
    notes = []
    if (departs := claim.contradiction) is not None:
        notes.append(f"says {departs.claimed} where the passage says {departs.stated}")
    if absent := [specific.text for specific in claim.specifics if not specific.found]:
        notes.append(f"found nowhere: {', '.join(absent[:SHOWN])}")
    elif claim.added:
        notes.append(f"adds: {' '.join(claim.added[:SHOWN])}")
    return "; ".join(notes)


def _left_out(prepared: Prepared, place: int) -> SentenceScore:
    return SentenceScore(
        of=Part.ANSWER, at=prepared.sentences(Part.ANSWER)[place].at, value=None, note="makes no claim"
    )


def _missing(checked: Checked) -> dict[str, object]:
    """The specifics and words that occur nowhere, each once, as many as are shown."""
    absent = {
        (specific.kind, specific.text): specific
        for claim in checked.claims
        for specific in claim.specifics
        if not specific.found
    }
    detail: dict[str, object] = {}
    if absent:
        rows = [{"kind": specific.kind.value, "text": specific.text} for specific in absent.values()]
        detail |= {"missing": rows[:SHOWN], "missing_count": len(rows)}
    if checked.unfound:
        detail["unfound"] = list(checked.unfound[:SHOWN])
    return detail


def _contradicted(checked: Checked) -> dict[str, object]:
    """What claims say differently from the passages, by the kind of the difference."""
    found = [claim.contradiction for claim in checked.claims if claim.contradiction is not None]
    rows = [{"kind": one.kind.value, "text": f"{one.claimed} for {one.stated}"} for one in found]
    return {"contradicted": rows[:SHOWN]} if rows else {}
