"""A run as a table or as the list of its attributes, read in one call."""

from __future__ import annotations

from typing import Any

from core.store.database import Store
from core.weakness.service.data import AttributeInfo, described, run_attributes, table_of
from core.weakness.table import CaseTable


def case_table(store: Store, run_id: str, score_key: str, **options: Any) -> CaseTable:
    """The cases of a run with one score; options are those of `table_of`."""
    return table_of(store, run_attributes(store, run_id), score_key, **options)


def attribute_infos(store: Store, run_id: str) -> tuple[AttributeInfo, ...]:
    """The attributes of the cases of a run."""
    return described(run_attributes(store, run_id))
