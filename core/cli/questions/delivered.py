"""What topics gave of each kind of question, as lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def delivered_lines(rows: Iterable[Mapping[str, object]]) -> list[str]:
    """A line for each topic and kind of which questions were requested, or that gave some in place of others.

    Args:
        rows: As `core.domain.testset.question_drafts.QuestionBatch.delivered` has them.
    """
    return [f"  {_line(row)}" for row in rows if row["requested"] or row["delivered"]]


def _line(row: Mapping[str, object]) -> str:
    """What a topic gave of one kind of question; what it gave in place of others was requested nowhere.

    >>> _line({"stratum": "huts", "kind": "table", "requested": 0, "delivered": 2, "reason": "Makes up."})
    'huts, table: 2 more, in place of questions that other kinds or topics did not give.'
    """
    of = f"{row['stratum']}, {row['kind']}: {row['delivered']}"
    if not row["requested"]:
        return f"{of} more, in place of questions that other kinds or topics did not give."
    return f"{of} of {row['requested']} requested. {row['reason']}".rstrip()
