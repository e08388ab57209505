"""What cases of a test set can be grouped by."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select

from core.store.tables import cases

FORM = "form"
"""The attribute every case has besides its own: the form of its wording."""


def attributes(connection: Connection, test_set_id: str) -> list[Mapping[str, str]]:
    """The attributes of the included cases in the order of the test set, the form among them where it has one."""
    query = select(cases.c.form, cases.c.attributes).where(cases.c.test_set_id == test_set_id, cases.c.excluded == "")
    rows = connection.execute(query.order_by(cases.c.seq))
    return [{**({FORM: row.form} if row.form else {}), **(row.attributes or {})} for row in rows]
