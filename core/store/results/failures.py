"""The cases of a run that failed, by their target or by their judge; taken back, they are done again."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, func, select
from sqlalchemy import delete as delete_rows

from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import MODEL_FAILURES
from core.store.results.scores import reopen
from core.store.tables import responses as response_rows
from core.store.tables import scores as score_rows

ITS_OWN: Final = re.compile(r"""'[^']*'|"[^"]*"|\b(?=\w*\d)[\w-]{8,}""")
"""What a reason may say of one case only: a quotation, a number of a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonFailure:
    """The reason for which the target failed most often.

    Attributes:
        reason: As the first case has it.
        cases: Cases that failed for it.
        failed: All cases that failed.
    """

    reason: str
    cases: int
    failed: int

    @property
    def sentence(self) -> str:
        """The reason with its count.

        >>> CommonFailure(reason="The reply is empty.", cases=3, failed=4).sentence
        '3 of 4 failures: The reply is empty.'
        """
        return f"{self.cases:,} of {self.failed:,} failures: {self.reason}"


def like(reason: str) -> str:
    """A reason without what only one case has, so that equal ones are told.

    >>> like("HTTP 404: no session 'a1'.") == like("HTTP 404: no session 'b2'.") != like("HTTP 401.")
    True
    """
    return ITS_OWN.sub("#", reason)


def common_failure(connection: Connection, run_id: str) -> CommonFailure | None:
    """The reason for which the target failed most often, the first of equals; None where it did not fail."""
    failed = (response_rows.c.run_id == run_id, response_rows.c.failed)
    order = func.min(response_rows.c.case_id)
    query = select(response_rows.c.error, func.count()).where(*failed).group_by(response_rows.c.error).order_by(order)
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for reason, cases in connection.execute(query):
        counts[like(reason)] += cases
        examples.setdefault(like(reason), reason)
    if not counts:
        return None
    kind, cases = counts.most_common(1)[0]
    reason = examples[kind] or "The target gave no reason."
    return CommonFailure(reason=reason, cases=cases, failed=counts.total())


def answered_and_failed(connection: Connection, run_id: str) -> tuple[int, int]:
    """How many responses of a run have an answer, and how many have none."""
    query = select(response_rows.c.failed, func.count()).where(response_rows.c.run_id == run_id)
    counts = {bool(row[0]): int(row[1]) for row in connection.execute(query.group_by(response_rows.c.failed))}
    return counts.get(False, 0), counts.get(True, 0)


def failed_ids(connection: Connection, run_id: str) -> set[str]:
    """Ids of the cases whose target failed."""
    query = select(response_rows.c.case_id).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    return set(connection.execute(query).scalars())


def unjudged_ids(connection: Connection, run_id: str) -> set[str]:
    """Ids of the cases whose judge failed: it could not be reached, or its reply could not be read."""
    return set(connection.scalars(select(score_rows.c.case_id).where(*_judge_failed(run_id))))


def forget_failed(connection: Connection, run_id: str) -> int:
    """Deletes the responses without an answer, with their scores, so that the cases are asked and scored again.

    Returns:
        How many responses there were.
    """
    failed = select(response_rows.c.case_id).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    connection.execute(delete_rows(score_rows).where(score_rows.c.run_id == run_id, score_rows.c.case_id.in_(failed)))
    reopen(connection, run_id)
    return connection.execute(
        delete_rows(response_rows).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    ).rowcount


def forget_unjudged(connection: Connection, run_id: str) -> int:
    """Deletes the verdicts that a failed judge left open, so that the cases are judged again; returns their number."""
    case_ids = unjudged_ids(connection, run_id)
    if case_ids:
        connection.execute(delete_rows(score_rows).where(*_judge_failed(run_id)))
        reopen(connection, run_id)
    return len(case_ids)


def _judge_failed(run_id: str) -> list[ColumnElement[bool]]:
    of_judge = [score_rows.c.run_id == run_id, score_rows.c.metric == VERDICT_METRIC]
    return [*of_judge, score_rows.c.status.in_([status.value for status in MODEL_FAILURES])]
