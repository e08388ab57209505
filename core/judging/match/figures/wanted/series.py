"""Questions that figures answer in part, or one figure for each of several periods."""

from __future__ import annotations

import re

from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.wanted.prose import WantedFigure, asks_figure, figures_of, wanted_figures
from core.judging.match.readers.layout.figure_text import figure_text
from core.text.sentences import split_sentences

_OVER_TIME = re.compile(
    r"\bhow (?:has|have|had|did|do|does|is|are|was|were)\b[^?]{0,160}\b(?:chang|fluctuat|trend|evolv|vari(?:ed|es)|vary"
    r"|develop|progress|shift)\w*[^?,]{0,60}\??\W*$"
    r"|\b(?:what|list|give|state)\b[^?]{0,160}\b(?:over time|across (?:the|these|all)|in each|for each"
    r"|per (?:quarter|year)"
    r"|by (?:quarter|year)|each (?:quarter|year|period))\b"
)
_COMPARES = re.compile(
    r"\bhow (?:did|does|do|has|have|is|are|was|were)\b[^?]{0,160}\b(?:compare|measure up|stack up|relate|fare"
    r"|differ)\w*"
    r"|\bhow significant (?:is|was|were|are)\b|\bwhat (?:proportion|portion|share)\b"
)
_BETWEEN = re.compile(
    r"[,;?]?\s(?:and|;)?\s?(?=(?:what|which|how|why|who|where|when)\b(?! (?:much|many)\b)[^?]*\??\W*$)"
)
WORDS_PER_FIGURE = 16
"""A reference with fewer words for each of its figures is told by its figures."""
WORDS_PER_PERIOD = 45
"""The same where each figure has its period: the report then tells the figures again in words."""
LEAST_PERIODS = 2


def series_figures(reference: str, question: str) -> tuple[WantedFigure, ...]:
    """The figures of a reference that tells how something changed, or how two things compare, by little but figures.

    Args:
        reference: As given.
        question: Match text of the question.

    >>> question = "how have sales changed over time?"
    >>> reference = "Sales were $5 million in 2021 and $7 million in 2022."
    >>> [figure.number.text for figure in series_figures(reference, question)]
    ['$5 million', '$7 million']
    """
    compares, over_time = _COMPARES.search(question), _OVER_TIME.search(question)
    if not compares and not over_time:
        return ()
    if compares and (concluded := _concluded(reference, question)):
        return concluded
    figures = figures_of(reference, question)
    if over_time:
        told = (
            len({(figure.period.year, figure.period.quarter) for figure in figures if figure.period}) >= LEAST_PERIODS
        )
        return figures if told and len(reference.split()) <= WORDS_PER_PERIOD * len(figures) else ()
    return figures if len(reference.split()) <= WORDS_PER_FIGURE * len(figures) else ()


def _concluded(reference: str, question: str) -> tuple[WantedFigure, ...]:
    """The one figure that a comparison ends with: "therefore, it was 46.7% of revenue"."""
    found = wanted_figures(reference, f"what percentage was {_COMPARES.sub(' ', question)}")
    plain = figure_text(reference)
    concludes = re.search(r"\b(?:therefore|thus|hence|in total|overall)\b", plain)
    return found if concludes and len(found) == 1 and found[0].number.start > concludes.start() else ()


def is_over_time(question: str) -> bool:
    """Whether a question asks how something changed, period by period."""
    return bool(_OVER_TIME.search(question))


def two_questions(question: str) -> tuple[str, str] | None:
    """A question for a figure and for something else besides, parted; None where it is one question.

    >>> two_questions("how much was spent on research, and what was the focus?")
    ('how much was spent on research', 'what was the focus?')
    """
    parts = _BETWEEN.split(question, maxsplit=1)
    if len(parts) != 2 or asks_figure(parts[1].strip()):
        return None
    if not asks_figure(parts[0].strip()) and not _OVER_TIME.search(parts[0].strip(" ,;")):
        return None
    return parts[0].strip(" ,;"), parts[1].strip()


def after_figures(reference: str) -> str:
    """What a reference says behind its first sentence, or part before a semicolon, with a figure."""
    whole = [reference[sentence.start : sentence.end] for sentence in split_sentences(reference)]
    sentences = [part.strip() for sentence in whole for part in sentence.split(";")]
    for place, sentence in enumerate(sentences):
        if candidates(figure_text(sentence), "amount"):
            return " ".join(sentences[place + 1 :])
    return ""
