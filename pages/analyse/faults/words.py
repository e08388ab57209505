"""How causes are called on the page of planted faults."""

from __future__ import annotations

from typing import Final

from core.faults.kinds import Cause

CAUSES: Final = {
    Cause.KNOWLEDGE_GAP: "Knowledge gap",
    Cause.CONTRADICTION: "Contradiction",
    Cause.RETRIEVAL: "Retrieval",
    Cause.READER: "Language model",
    Cause.UNDECIDED: "Undecided",
    Cause.UNRESOLVED: "Unresolved gap",
}

MEANINGS: Final = {
    Cause.KNOWLEDGE_GAP: "No document states the fact.",
    Cause.CONTRADICTION: "The document states another value; the Diagnose page counts it as a knowledge gap.",
    Cause.RETRIEVAL: "A document states the fact and was not among the retrieved ones.",
    Cause.READER: "The fact was before the reader and the answer is wrong all the same.",
    Cause.UNDECIDED: "What shows the module disagrees or cannot tell; nobody is accused.",
    Cause.UNRESOLVED: "Nothing shows whether a document holds the fact; nobody is accused.",
}
