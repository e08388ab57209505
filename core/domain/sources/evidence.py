"""What the documents say about one fact of the database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class FactEvidence(StrEnum):
    """Whether the corpus states a fact (a subject with its answer)."""

    PRESENT = "present"
    """A document states it."""
    ABSENT = "absent"
    """Every document that mentions the subject was read, and none states it."""
    CONTRADICTED = "contradicted"
    """A document that should hold the fact states another value where it belongs, and none the true one."""
    UNDECIDED = "undecided"
    """A document has the subject and the value, or words for it, and it cannot be told whether it states the fact."""
    UNKNOWN = "unknown"
    """It could not be looked up: no documents, no subject or no answer to look for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFinding:
    """What was found for one fact, with the passage a person can check.

    Attributes:
        evidence: What the documents say.
        document_id: The document that states the fact or contradicts it, or empty.
        passage: The sentence, list entry or table row that does, or empty.
        document_ids: Every document that states the fact, the one above among them.
        other_value: The value the document states instead, where it contradicts.
    """

    evidence: FactEvidence
    document_id: str = ""
    passage: str = ""
    document_ids: tuple[str, ...] = ()
    other_value: str = ""

    @property
    def other_as_written(self) -> str:
        """The other value as the passage has it, with its capitals.

        >>> FactFinding(
        ...     evidence=FactEvidence.CONTRADICTED, passage="The branch is in Port Usk.", other_value="port usk"
        ... ).other_as_written
        'Port Usk'
        """
        found = re.search(re.escape(self.other_value), self.passage, re.IGNORECASE)
        return found[0] if found else self.other_value
