"""What each colour means, on every page and in the report, and what verdicts and modules are called."""

from __future__ import annotations

from typing import Final

COLOURS: Final = {
    "correct": "#009E73",
    "incorrect": "#D55E00",
    "not_judged": "#8C8C8C",
    "knowledge_gap": "#CC79A7",
    "retrieval": "#E69F00",
    "language_model": "#56B4E9",
    "undecided": "#F0E442",
    "unresolved_gap": "#BBBBBB",
    "accent": "#0072B2",
    "a": "#0072B2",
    "b": "#E69F00",
}
"""One meaning, one colour (Okabe-Ito, colour-blind safe). Never alone: a word or a mark goes with it."""

NAMES: Final = {
    "correct": "Correct",
    "incorrect": "Wrong",
    "not_judged": "Not judged",
    "knowledge_gap": "Knowledge gap",
    "retrieval": "Retrieval",
    "language_model": "Language model",
    "undecided": "Undecided",
    "unresolved_gap": "Unresolved gap",
}
"""How verdicts and attributions are called on the screens."""

MEANINGS: Final = {
    "correct": "The answer says what the database says.",
    "incorrect": "The answer says something else, or says that it does not know.",
    "not_judged": "No rule could decide, or the target failed; never counted as wrong.",
    "knowledge_gap": "The fact is in no document, or the document contradicts the database.",
    "retrieval": "What states the fact was not among the retrieved documents and passages.",
    "language_model": "The passages that state the fact were retrieved and the answer is still wrong.",
    "undecided": "The evidence does not show whether the documents state the fact, or contradicts itself.",
    "unresolved_gap": "Every question of the group fails and nothing shows whether a document holds the fact.",
}
"""One sentence for the hover of each term."""

MARKS: Final = {"correct": "✓", "incorrect": "✗", "not_judged": "○"}
"""The mark beside a verdict's colour, so that colour is never alone."""

PATTERNS: Final = {"knowledge_gap": "/", "undecided": "-", "unresolved_gap": ".", "not_judged": "x"}
"""Hatches that tell the pale bars apart without colour."""
