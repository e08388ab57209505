"""SQL templates and text templates with their placeholders and checks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

PLACEHOLDER = re.compile(r"\[([^\[\].]+(?:\.[^\[\].]+)?)\.([^\[\].]+?)(?:#([1-9]))?\]")
"""``[Table.Column]``, GRAMMAR's placeholder, or ``[Table.Column#2]`` where a template holds several values of a column.

Group 1 is the table, behind its schema where need be, group 2 the column, group 3 the number if any.
"""


class TemplateStatus(StrEnum):
    """Where a template stands in review."""

    DRAFT = "draft"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """``[Table.Column]``: to be filled with a value of that column.

    Attributes:
        table: The table, behind its schema where need be.
        column: The column.
        number: Which of several values of the column it is, from "1" to "9"; empty for the only one. Placeholders of
            one column with different numbers have different values.
    """

    table: str
    column: str
    number: str = ""

    @classmethod
    def of(cls, match: re.Match[str]) -> Placeholder:
        """The placeholder that `PLACEHOLDER` found."""
        return cls(table=match[1], column=match[2], number=match[3] or "")

    @property
    def token(self) -> str:
        """The text that stands for it in a template."""
        return f"[{self.table}.{self.numbered}]"

    @property
    def numbered(self) -> str:
        """The column with the number, if any ("Price#2")."""
        return f"{self.column}#{self.number}" if self.number else self.column

    @property
    def key(self) -> tuple[str, str]:
        """What tells placeholders apart, whatever their letter case: table and numbered column."""
        return self.table.casefold(), self.numbered.casefold()


def placeholders(text: str) -> tuple[Placeholder, ...]:
    """The placeholders of a template, each once, in order of appearance.

    >>> [p.token for p in placeholders("WHERE Name = '[Client.Name]' AND Role = '[Job.Role]'")]
    ['[Client.Name]', '[Job.Role]']
    >>> [p.token for p in placeholders("is '[Client.Name#1]' or '[Client.Name#2]' older?")]
    ['[Client.Name#1]', '[Client.Name#2]']
    """
    return tuple(dict.fromkeys(Placeholder.of(match) for match in PLACEHOLDER.finditer(text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The outcome of one check of a template.

    Attributes:
        name: A stable short name ("one_answer").
        passed: Whether the template meets it.
        blocking: Whether a failure keeps the template from being approved.
        message: The outcome, with its figure.
        remedy: What to do when it failed; empty when it passed.
        value: The figure, where it is one number: the share in [0, 1] of "one_answer", the count of "questions"; None
            otherwise.
    """

    name: str
    passed: bool
    blocking: bool = True
    message: str = ""
    remedy: str = ""
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlTemplate:
    """A SELECT with ``'[Table.Column]'`` placeholders: the meaning of a question without its words.

    Attributes:
        id: Stable id, derived from the canonical statement.
        sql: The statement as a person reads it.
        sql_with_ids: The same with document id columns appended to SELECT (columns after the
            first are document ids), or empty.
        tables: The tables it reads.
        status: Where it stands in review.
        origin: "schema" (built in), "person", "import" or "llm".
        checks: What the last validation found.
    """

    id: str
    sql: str
    sql_with_ids: str = ""
    tables: tuple[str, ...] = ()
    status: TemplateStatus = TemplateStatus.DRAFT
    origin: str = "person"
    checks: tuple[Check, ...] = ()

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """Its placeholders, each once, in order of appearance."""
        return placeholders(self.sql)

    @property
    def approvable(self) -> bool:
        """Whether no blocking check failed."""
        return all(check.passed or not check.blocking for check in self.checks)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTemplate:
    """One wording of an SQL template.

    Attributes:
        id: Stable id, derived from template, form and text.
        sql_template_id: The SQL template it words.
        form: The linguistic attribute ("short", "long", ...).
        text: The wording with the same placeholders; trailing blanks matter to GRAMMAR's files.
    """

    id: str
    sql_template_id: str
    form: str
    text: str
    status: TemplateStatus = TemplateStatus.DRAFT
    origin: str = "person"
    checks: tuple[Check, ...] = ()

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """Its placeholders, each once, in order of appearance."""
        return placeholders(self.text)

    @property
    def approvable(self) -> bool:
        """Whether no blocking check failed."""
        return all(check.passed or not check.blocking for check in self.checks)
