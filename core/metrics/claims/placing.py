"""Where a claim stands: the sentence it was taken from, and the sentence of the text it was checked against."""

from __future__ import annotations

from collections.abc import Sequence

from core.judging.claims.checks import CheckedClaim
from core.metrics.prepared import Part, Placed, Prepared
from core.text.words import STOP_WORDS, stem, words


def places(
    prepared: Prepared,
    checked: Sequence[CheckedClaim],
    of: tuple[Part, int],
    against: tuple[Part, Sequence[int]],
) -> list[dict[str, object]]:
    """Claims as they are stored, with ``at`` (where the claim was taken from) and ``best`` (what decides on it).

    A model says which passage decides; which sentence of it is found by the words that it shares with the claim, and a
    claim that no passage speaks of has none. Where no passage is named, a supported claim is looked for in all of them.

    Args:
        prepared: The sample.
        checked: The claims.
        of: The part and the place of the text that the claims were taken from.
        against: The part, and the places of the texts in the order in which they were shown.
    """
    part, number = of
    own = [sentence for sentence in prepared.sentences(part) if sentence.at[0] == number]
    other, shown = against
    theirs = [sentence for sentence in prepared.sentences(other) if sentence.at[0] in shown]
    rows = []
    for claim in checked:
        row = claim.as_json()
        if (source := nearest(claim.claim, own)) is not None:
            row |= {"of": part.value, "at": [*source.at]}
        place = None if claim.passage is None else shown[claim.passage]
        if place is not None:
            row["passage"] = place + 1
        named = [sentence for sentence in theirs if place is None or sentence.at[0] == place]
        decides = nearest(claim.claim, named) if place is not None or claim.verdict == "Yes" else None
        if decides is not None:
            row |= {"best": [*decides.at], "best_of": other.value}
        rows.append(row)
    return rows


def nearest(claim: str, sentences: Sequence[Placed]) -> Placed | None:
    """The sentence that shares the most content words with a claim, the first of equals; None where none shares any."""
    wanted = _content(claim)
    shared = [len(wanted & _content(sentence.text)) for sentence in sentences]
    most = max(shared, default=0)
    return sentences[shared.index(most)] if most else None


def _content(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)
