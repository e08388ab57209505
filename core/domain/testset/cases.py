"""Test cases and test sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from core.domain.identity import content_hash

OPERATION, LOOK_UP = "operation", "look-up"
"""The attribute that says what a case asks the database to do, and its value where it reads one column of one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """One question with its ground truth and where it came from.

    Attributes:
        case_id: Deterministic: the same template, values and wording give the same id.
        question: The question the target is asked.
        reference_answers: Every acceptable answer, as text; more than one means any of them will do.
        form: The linguistic attribute of the wording.
        group_id: The filled SQL query. Questions with the same `group_id` and form are one semantic group.
        sql: The executed statement with named parameters.
        sql_params: The values bound to those parameters.
        gold_document_ids: Ids of the records whose documents hold the fact, as ``table:key``.
        gold_chunk_ids: Ids of the parts of documents that hold the fact, where the corpus is cut into parts.
        tables: The tables the statement reads.
        attributes: Anything cases can be sliced by; every value is text.
        sql_template_id: The SQL template it was made from.
        text_template_id: The text template it was made from.
        excluded: Why a person took the case out, or empty.
    """

    __test__ = False

    case_id: str
    question: str
    reference_answers: tuple[str, ...] = ()
    form: str = ""
    group_id: str = ""
    sql: str = ""
    sql_params: Mapping[str, object] = field(default_factory=dict)
    gold_document_ids: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    sql_template_id: str = ""
    text_template_id: str = ""
    gold_chunk_ids: tuple[str, ...] = ()
    excluded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """A versioned list of cases; once frozen it never changes.

    Attributes:
        content_hash: SHA-256 over the cases that are not excluded, empty until frozen.
        options: How it was built: balanced, limit, seed, template versions, source fingerprint.
        counts: The figures of Table 2 (SQL templates, SQL queries, text templates, questions by form).
        drops: How many combinations or cases were left out, by reason.
    """

    __test__ = False

    id: str
    project_id: str
    name: str
    version: int = 1
    content_hash: str = ""
    frozen_at: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, object] = field(default_factory=dict)
    drops: Mapping[str, int] = field(default_factory=dict)

    @property
    def frozen(self) -> bool:
        """Whether it can no longer change."""
        return bool(self.frozen_at)


def cases_hash(cases: list[TestCase] | tuple[TestCase, ...]) -> str:
    """SHA-256 over the cases that are not excluded, independent of their order.

    A field added later counts only where it is set, so that sets frozen before it keep their hash.
    """
    included = sorted((case for case in cases if not case.excluded), key=lambda case: case.case_id)
    return content_hash([_without_unset_chunks(asdict(case)) for case in included])


def _without_unset_chunks(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "gold_chunk_ids" or value}
