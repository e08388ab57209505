"""SQL templates without questions, because a limit ended their query or refused it beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import ExpensiveSql, LimitExceeded
from core.domain.testset.templates import SqlTemplate


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A template that a limit ended.

    Attributes:
        template_id: The template.
        sql: Its statement.
        reason: Which limit.
        remedy: What to do.
    """

    template_id: str
    sql: str
    reason: str
    remedy: str

    @classmethod
    def by(cls, error: LimitExceeded | ExpensiveSql, template: SqlTemplate) -> LeftOut:
        """The template, left out by the limit that the error names."""
        return cls(template_id=template.id, sql=template.sql, reason=error.message, remedy=error.hint)
