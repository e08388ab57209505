"""GRAMMAR's recorded verdicts: in the rows, or in SemanticsMatch files keyed by the text of a tuple."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.errors import UnreadableFile
from core.domain.results.responses import Verdict
from core.io.grammar.values import missing, read_json, same_text

SPOKEN = re.compile(r"\W*(not\s+correct|incorrect|correct)\b(?!\s*(?:/|or\b))", re.IGNORECASE)
NOT_A_NUMBER = re.compile(r"(?<=[(,]\s)nan(?=[,)])|(?<=\()nan(?=,)")

Key = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class RecordedVerdicts:
    """Verdicts by (question, answer, response).

    Attributes:
        exact: By the key as it stands in the file.
        loose: By the key's parts as text, so that ``1`` finds ``1.0`` and blanks around a text do not matter.
    """

    exact: Mapping[str, object] = field(default_factory=dict)
    loose: Mapping[Key, object] = field(default_factory=dict)

    def find(self, question: str, answer: object, response: str | None) -> tuple[Verdict | None, str]:
        """The verdict of one answer and the words it was read from; None where there is none."""
        recorded = self.exact.get(str((question, answer, response)))
        if recorded is None:
            recorded = self.loose.get(_key(question, answer, response))
        return verdict_of(recorded)


def read_verdicts(path: Path) -> RecordedVerdicts:
    """Reads a SemanticsMatch file.

    Keys are Python literals and parsed as such, never evaluated; a key that is no tuple of three is still found by its
    exact text.

    Raises:
        UnreadableFile: It is not a JSON object.
    """
    content = read_json(path)
    if not isinstance(content, dict):
        raise UnreadableFile(f"{path} does not hold verdicts.", "Give a SemanticsMatch file of the recording.")
    loose: dict[Key, object] = {}
    for text, recorded in content.items():
        try:
            parts = ast.literal_eval(NOT_A_NUMBER.sub("None", text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(parts, tuple) and len(parts) == 3:
            loose.setdefault(_key(*parts), recorded)
    return RecordedVerdicts(exact=content, loose=loose)


def first_response(value: object) -> str | None:
    """The first response of a row that has one text, a list of texts, or nothing."""
    if isinstance(value, list):
        value = next((response for response in value if not missing(response)), None)
    return same_text(value)


def verdict_of(value: object) -> tuple[Verdict | None, str]:
    """A recorded verdict and the words it was read from; None where there is none or it cannot be read.

    Blanks, a full stop and an explanation after the word do not matter.

    >>> [str(verdict_of(v)[0]) for v in ([" Correct."], "incorrect - wrong city", "Not correct", "maybe", None)]
    ['correct', 'incorrect', 'incorrect', 'None', 'None']
    """
    if isinstance(value, list):
        value = next((judgement for judgement in value if not missing(judgement)), None)
    if isinstance(value, (bool, int, float)) and value in (0, 1):
        return (Verdict.CORRECT if value else Verdict.INCORRECT), str(value)
    text = same_text(value)
    if text is None:
        return None, ""
    match = SPOKEN.match(text)
    if match is None:
        return None, text
    return (Verdict.CORRECT if match.group(1).casefold() == "correct" else Verdict.INCORRECT), text


def _key(question: object, answer: object, response: object) -> Key:
    first, second, third = (same_text(part) for part in (question, answer, response))
    return (first and first.strip(), second and second.strip(), third and third.strip())
