"""Variants of test cases: how a case remembers the one it was made from, and what is right to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

KIND: Final = "variant"
"""The attribute of a case that names the kind of variant it is; a case without it is no variant."""

EXPECTED: Final = "expected"
"""The attribute that says what is right to do with it."""

REPEAT: Final = "repeat"
"""The kind that asks the same question again, so that the noise of the system can be told from an effect."""

VARIANTS: Final = "variants"
"""The option of a test set that says how its variants were made; the names of its entries are below."""

PARENT_SET: Final = "parent_test_set"


class Expected(StrEnum):
    """What a system should do with a variant (HCAT 6.1 and 1.2)."""

    SAME_ANSWER = "same answer"
    DECLINED_OR_CLOSEST = "declined or closest"
    CORRECTED_OR_DECLINED = "corrected or declined"
    ASKED_OR_STATED = "asked back or reading stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Where a variant comes from; kept in the attributes of its case, so that it stays with it in every file.

    Attributes:
        variant: The kind.
        parent: Id of the case it was made from.
        expected: What is right to do with it, of `Expected`.
        keeps_meaning: "yes" where it asks the same as its parent.
        variant_seed: The seed it was made with.
        variant_change: What was changed, for people.
        parent_question: The question of its parent.
        misled_by: The wrong value that the question or a planted passage states, or empty.
        variant_subject: The name that was taken out or invented, or empty.
        planted_title: Title of a passage that is planted among the documents for this case, or empty.
        planted_passage: Its text.
        draw: For a repeat, which one it is, from 1.
    """

    variant: str
    parent: str
    expected: str
    keeps_meaning: str = "no"
    variant_seed: str = "0"
    variant_change: str = ""
    parent_question: str = ""
    misled_by: str = ""
    variant_subject: str = ""
    planted_title: str = ""
    planted_passage: str = ""
    draw: str = ""

    @classmethod
    def of(cls, attributes: Mapping[str, str]) -> Lineage | None:
        """The lineage in a case's attributes; None where the case is no variant."""
        if not attributes.get(KIND) or not attributes.get("parent"):
            return None
        given = {field.name: attributes.get(field.name, "") for field in fields(cls)}
        return cls(**{**given, EXPECTED: given[EXPECTED] or Expected.SAME_ANSWER.value})

    def as_attributes(self) -> dict[str, str]:
        """The same as attributes of a case; what is empty is left out."""
        return {field.name: str(getattr(self, field.name)) for field in fields(self) if getattr(self, field.name)}


RECORDED: Final = frozenset(field.name for field in fields(Lineage)) - {KIND, EXPECTED}
"""Attributes that trace one variant and tell no group of cases apart."""
