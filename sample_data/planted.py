"""The list of planted defects, as people and tests read it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sample_data import defects
from sample_data.bank import tables
from sample_data.defects import FACTS
from sample_data.entities import BRANCH_PRODUCTS, Row


def planted() -> dict[str, Any]:
    """Every planted defect by kind; a fact is a table, a key, a column and the database's value."""
    rows = {name: {_key(name, row): row for row in table} for name, table in tables().items() if name in FACTS}
    lacking = [fact for fact in _facts(rows) if _record(fact) in defects.WITHOUT_DOCUMENT]
    omitted = [fact for fact in _facts(rows) if _name(fact) in defects.OMITTED]
    weak = [fact for fact in _facts(rows) if _name(fact) in defects.WEAK_CELL]
    wrong = [
        {**fact, "document_value": defects.CONTRADICTED[_name(fact)]}
        for fact in _facts(rows)
        if _name(fact) in defects.CONTRADICTED
    ]
    terse_facts = [fact for fact in _facts(rows) if _record(fact) in defects.TERSE]
    return {
        "knowledge_gaps": [
            *({**fact, "cause": "no document"} for fact in lacking),
            *({**fact, "cause": "omitted"} for fact in omitted),
            *({**fact, "cause": "weak cell"} for fact in weak),
        ],
        "long_question_misses": terse_facts,
        "contradictions": wrong,
        "stale_pages": [
            {
                "document": defects.STALE_PATH,
                "updated": defects.STALE_UPDATED,
                "table": "branch",
                "key": defects.STALE_BRANCH,
                "column": "phone_number",
                "database_value": rows["branch"][defects.STALE_BRANCH]["phone_number"],
                "document_value": defects.STALE_PHONE,
            }
        ],
        "personal_data": [{"document": defects.PERSONAL_PATH, **defects.PERSONAL}],
        "weak_cells": [
            {
                "attributes": {"table": "loan_product", "answer_type": "number"},
                "because_of": "loan_product.early_repayment_fee",
                "facts": 2 * len(rows["loan_product"]),
                "failing": len(weak) + sum(fact["table"] == "loan_product" for fact in wrong),
            }
        ],
    }


def planted_file() -> str:
    """The list as JSON."""
    return json.dumps(planted(), indent=2, ensure_ascii=False) + "\n"


def _facts(rows: dict[str, dict[int, Row]]) -> Iterator[dict[str, Any]]:
    for table, columns in FACTS.items():
        if table == "branch_product":
            for branch, product, since in BRANCH_PRODUCTS:
                yield {
                    "table": table,
                    "key": branch,
                    "column": "offered_since",
                    "document": f"branch:{branch}",
                    "account_product_id": product,
                    "database_value": since,
                }
            continue
        for key, row in rows[table].items():
            for column in columns:
                if (value := _value(rows, row, column)) is not None:
                    yield {
                        "table": table,
                        "key": key,
                        "column": column,
                        "document": f"{table}:{key}",
                        "database_value": value,
                    }


def _value(rows: dict[str, dict[int, Row]], row: Row, column: str) -> Any:
    """What a question about the column is answered with: a name instead of a foreign key."""
    if column.endswith("_id"):
        return None if row[column] is None else rows[column.removesuffix("_id")][row[column]]["name"]
    return row[column]


def _key(table: str, row: Row) -> int:
    return int(row[f"{table}_id"]) if f"{table}_id" in row else int(row["branch_id"])


def _record(fact: dict[str, Any]) -> tuple[str, int]:
    table, _, key = str(fact["document"]).partition(":")
    return table, int(key)


def _name(fact: dict[str, Any]) -> tuple[str, int, str]:
    return fact["table"], fact["key"], fact["column"]
