"""Faithfulness: claim by claim, what supports it, what occurs nowhere, and what it says differently."""

from __future__ import annotations

from core.metrics.comparison.faithfulness_parts import RULES, Checked, Claim, check
from core.metrics.comparison.similarity import DIGITS, lowest_place, no_sentences
from core.metrics.comparison.support.stating import claims_of
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SHOWN = 20
"""Specifics and words that occur nowhere, kept as evidence."""

SPEC = MetricSpec(
    name="faithfulness",
    title="Faithfulness",
    family=Family.GROUNDEDNESS,
    unit="support of the claims",
    needs=(Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    uses=(Need.QUESTION, Need.NLI),
    question="Does the answer say only what the retrieved passages say, in meaning, in words, numbers and names, "
    "of the same things?",
    equation="0.7 m + 0.3 w, m the mean of the claims, weighted by words, and w the lowest claim. A claim is a "
    "sentence of the answer that says something. Its value is min(u p, c). u, support: (0.4 s + 0.4 t + "
    "0.2 l - 0.3) / 0.55, between 0 and 1; s, semantic: the cosine with the nearest sentence of the "
    "passages or with the sum of the nearest two; t, together: share of the distinct content words "
    "(stems) in the best sentence or the best two; l, lexical: the share anywhere in the passages. With "
    "an NLI model u is the mean of that and the best probability of entailment. p, specifics: 2 / (2 + n)"
    " with n distinct numbers, dates, codes and names that occur neither in the passages nor in the "
    "question; values are compared, not spellings. c, consistency: 0.3 where the claim follows a sentence"
    " word by word but for a number, a name, an opposite, a negation or the order; 0.7 where two or more "
    "words in a row occur neither in the passages nor in the question; else 1. A sentence that ends with "
    "a colon, before a claim, and has at most one word that occurs neither in the passages nor in the "
    "question (numbers and words of lists and requests aside) announces what follows; only its specifics "
    "count, as a factor of the score.",
    source="Ours, from the parts that HCAT 3.2 and K-Precision (Adlakha et al. 2024) name. The weights are fixed"
    " and round. fit_faithfulness learns others from labels of one's own, none of them negative. Scores "
    "with and without an NLI model are two different scores. A departure is looked for in a sentence that"
    " has at least 60% of the words of a clause of the claim; where another sentence has as many and "
    "agrees, there is none. Without an NLI model it cannot see what departs in several words at once, or "
    "by words that both stand in the sentence, and on answers that paraphrase their passages words alone say little: "
    "take claim_support, an NLI model or a judge there. docs/faithfulness.md has its figures on false answers of "
    "nine kinds and on human ratings.",
    version=7,
    edges={
        "empty answer": "No value: an answer without a sentence claims nothing.",
        "empty contexts": "0 where it is known that nothing was retrieved and the answer claims something; no value "
        "where it is not known what was retrieved.",
        "abstention": "Sentences that claim nothing (declining, thanking, offering help, asking back) are left out, "
        "unless they have a number, date or code, or where they decline or ask also a name, that neither the passages "
        "nor the question have. An answer without any claim is 0.5, whatever was retrieved: nothing in it is supported "
        "and nothing is invented.",
        "one sentence": "The parts of that sentence.",
        "identical texts": "1 without an NLI model, as long as the text claims something.",
        "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
        "other scripts": "Scored like any text. Names are recognised by their capitals, so scripts without "
        "any have none; sentences that claim nothing are recognised in English, German and French.",
        "emoji": "An answer of emoji only claims nothing.",
    },
)


@metric(SPEC)
def faithfulness(prepared: Prepared) -> Outcome:
    """Mean and lowest of the answer's claims; it never falls when a part of a claim rises."""
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
    checked = check(prepared, claims)
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
