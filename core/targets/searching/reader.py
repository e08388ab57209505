"""The extractive reader: the one passage of the retrieved documents that best answers, or an abstention.

It is lexical and deterministic and never sees a reference answer. A passage scores the inverse frequency of each asked
word family it holds. Words of the document's own title count little, because every passage is about the title, and so
do those that only say what the subject is ("the branch called 'X'").

It abstains where
- a quoted string of the question is not in the document, as a whole phrase: part of a name names somebody else;
- no asked word, apart from those, is in a passage: with nothing shared, any sentence is a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from core.domain.sources.documents import Document
from core.text.pages import Page, Piece, page_of
from core.text.questions import Asked, asked, holds_kind

ABSTENTION = "I could not find this in the documents."

BESIDE = 0.6
"""Weight of a word that stands in the heading or in the row's other cells, not in the passage itself."""

TITLE = 0.15
"""Weight of a word that is in the document's title, or says what kind of thing the subject is."""

KIND = 0.75
"""Added where the passage holds a value of the asked kind, in units of the rarest asked word's weight."""

FAMILY = 0.85
"""Weight of another word of the asked word's family: "managed" for "manager"."""

FAR = 0.5
"""Factor where the subject stands in the passage before and not in this one."""

LENGTH = 0.01
"""Share of the score that each word of a passage costs: of two equal passages the shorter says less else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the reader made of the documents.

    Attributes:
        text: The answer, or the fixed sentence of abstention.
        document_id: Where it stands, or empty.
        score: Of the passage; 0 when abstained.
    """

    text: str
    abstained: bool
    document_id: str = ""
    score: float = 0.0


def read_answer(question: str, documents: Sequence[Document]) -> Reading:
    """The best passage of the documents for a question, or an abstention.

    Args:
        question: A sentence or a fragment; its subject stands in quotation marks, else any of its words may be it.
        documents: The retrieved documents, best first; the earlier one wins ties.
    """
    query = asked(question)
    pages = [(document, page_of(document)) for document in documents]
    pages = [(document, page) for document, page in pages if all(page.mentions(name) for name in query.subjects)]
    weight = _weights(query, [page for _, page in pages])
    best = Reading(text=ABSTENTION, abstained=True)
    for document, page in pages:
        for piece in page.pieces:
            score = _score(query, page, piece, weight)
            if score > best.score:
                best = Reading(text=piece.passage.text, abstained=False, document_id=document.id, score=score)
    return best


def _score(query: Asked, page: Page, piece: Piece, weight: dict[str, float]) -> float:
    """Weighted overlap of one passage with the asked words; 0 where it cannot be the answer."""
    matched = 0.0
    informative = False
    for stem, value in weight.items():
        share = 0.0
        if stem in piece.stems:
            share = FAMILY if piece.words.isdisjoint(query.spelled[stem]) else 1.0
        elif stem in piece.beside:
            share = BESIDE
        if stem in page.stems or stem in query.types:
            share *= TITLE
        elif share:
            informative = True
        matched += share * value
    if not informative:
        return 0.0
    if any(holds_kind(piece.passage.text, kind) for kind in query.kinds):
        matched += KIND * max(weight.values())
    return matched * _nearness(query, page, piece) / (1 + LENGTH * piece.length)


def _nearness(query: Asked, page: Page, piece: Piece) -> float:
    """1 where the passage is about every quoted subject, `FAR` where the passage before names it, else 0."""
    near = 1.0
    for name in query.subjects:
        if page.is_about(name) or piece.names(name):
            continue
        if not piece.follows(name):
            return 0.0
        near = FAR
    return near


def _weights(query: Asked, pages: Sequence[Page]) -> dict[str, float]:
    """Weight of each asked word that the documents hold: ln(1 + (N - n + 0.5) / (n + 0.5)), n of N passages."""
    pieces = [piece for page in pages for piece in page.pieces]
    count = Counter(stem for piece in pieces for stem in query.spelled if stem in piece.stems or stem in piece.beside)
    return {stem: log(1 + (len(pieces) - n + 0.5) / (n + 0.5)) for stem, n in count.items()}
