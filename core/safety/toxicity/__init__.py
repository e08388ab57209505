"""Toxicity: the most toxic sentence of an answer, by a classification model or, where there is none, by a lexicon."""

from core.safety.toxicity.measuring import (
    LEXICON,
    Lexicon,
    ModelToxicity,
    Toxicity,
    ToxicityRater,
    open_rater,
    rate_answers,
)

__all__ = ["LEXICON", "Lexicon", "ModelToxicity", "Toxicity", "ToxicityRater", "open_rater", "rate_answers"]
