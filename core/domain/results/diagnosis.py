"""What a diagnosis reads, and the names of its outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from core.domain.errors import InvalidInput
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence

Policy = Literal["plain", "override"]
"""What decides whether an answer is right: the verdict alone, or wrong document ids overriding the verdict."""

Unjudged = Literal["exclude", "incorrect"]
"""How a row without a verdict counts: left out of rates, or as wrong (only to replay the paper)."""

Grouping = Literal["form", "pooled"]
"""What makes a semantic group: one filled SQL query within one form, or over all forms."""

POLICIES: tuple[Policy, ...] = ("plain", "override")
UNJUDGED: tuple[Unjudged, ...] = ("exclude", "incorrect")
GROUPINGS: tuple[Grouping, ...] = ("form", "pooled")


class Tag(StrEnum):
    """What a semantic group's judged rows show together."""

    GAP = "gap"
    """No correct answer."""
    ROBUST = "robust"
    """All correct."""
    NON_ROBUST = "non_robust"
    """Some correct, some not."""
    UNTAGGED = "untagged"
    """No judged row."""

    @property
    def competent(self) -> bool:
        """Whether the system answered the group's question at least once."""
        return self in (Tag.ROBUST, Tag.NON_ROBUST)


class Attribution(StrEnum):
    """Where a row's outcome comes from; each row has exactly one."""

    CORRECT = "correct"
    KNOWLEDGE_GAP = "knowledge_gap"
    RETRIEVAL = "retrieval"
    LANGUAGE_MODEL = "language_model"
    UNDECIDED = "undecided"
    """Words cannot tell whether the documents state the fact, or what shows the module disagrees."""
    UNRESOLVED_GAP = "unresolved_gap"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosisRow:
    """One question, its verdict, and which documents it needed and got.

    Attributes:
        case_id: The test case.
        group_id: The filled SQL query.
        form: The linguistic attribute of the wording.
        verdict: The judge's, as recorded.
        true_ids: Gold document ids; empty where unknown.
        retrieved_ids: Ids of the retrieved documents, best first; empty where nothing was retrieved, None where the
            target does not report them.
        attributes: What rows can be compared by; the form need not be repeated.
        evidence: What the documents say about the fact, None where it was not looked up.
        fact_document_ids: Further documents that state the fact, where a search found them.
        other_document_id: The document that states another value of the fact; empty where none does.
        other_value: That value, as the document has it.
        in_context: Whether the retrieved passages state the fact; None where their texts are not known.
        with_gold: The verdict of the same question answered from its gold documents, where the experiment of three ways
            was made with this target; None where not.
        comparable: Whether gold ids and documents can be compared at all; False where not one gold id of the whole test
            set names a document, which says nothing about the retrieval.
        pending: Whether the documents are still to be searched for the fact.
    """

    case_id: str
    group_id: str
    form: str = ""
    verdict: Verdict = Verdict.NOT_JUDGED
    true_ids: tuple[str, ...] = ()
    retrieved_ids: tuple[str, ...] | None = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    evidence: FactEvidence | None = None
    fact_document_ids: tuple[str, ...] = ()
    other_document_id: str = ""
    other_value: str = ""
    in_context: bool | None = None
    with_gold: Verdict | None = None
    comparable: bool = True
    pending: bool = False

    def value_of(self, attribute: str) -> str | None:
        """The row's value of an attribute, None where it has none; "form" is an attribute like any other."""
        return self.form if attribute == "form" else self.attributes.get(attribute)


def check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuses a value that is not among the allowed ones.

    Raises:
        InvalidInput: The value is not allowed.
    """
    if value not in allowed:
        raise InvalidInput(f"{name} is {value!r}.", f"Choose one of: {', '.join(allowed)}.")
