"""The SQL templates of the sample test set, without and with document ids, in GRAMMAR's file format."""

from __future__ import annotations

import json


def _own(table: str, column: str, name: str = "name") -> tuple[tuple[str, ...], str, str]:
    body = f"FROM {table} WHERE {table}.{name} = '[{table}.{name}]'"
    return (table,), f"SELECT {table}.{column} {body}", f"SELECT {table}.{column}, {table}.{table}_id {body}"


def _joined(columns: str, ids: str, body: str, *tables: str) -> tuple[tuple[str, ...], str, str]:
    return tables, f"SELECT {columns} {body}", f"SELECT {columns}, {ids} {body}"


TEMPLATES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    _own("region", "managing_director"),
    _own("branch", "opening_date"),
    _joined(
        "branch_product.offered_since",
        "branch.branch_id",
        "FROM branch_product JOIN branch ON branch_product.branch_id = branch.branch_id "
        "JOIN account_product ON branch_product.account_product_id = account_product.account_product_id "
        "WHERE branch.name = '[branch.name]' AND account_product.name = '[account_product.name]'",
        "account_product",
        "branch",
        "branch_product",
    ),
    _joined(
        "branch.name",
        "adviser.adviser_id",
        "FROM adviser JOIN branch ON adviser.branch_id = branch.branch_id WHERE adviser.full_name = "
        "'[adviser.full_name]'",
        "adviser",
        "branch",
    ),
    _own("adviser", "specialism", "full_name"),
    _own("account_product", "interest_rate"),
    _own("account_product", "minimum_deposit"),
    _own("loan_product", "maximum_amount"),
    _own("loan_product", "maximum_term"),
    _own("loan_product", "early_repayment_fee"),
    _own("card_product", "annual_fee"),
    _joined(
        "account_product.name",
        "card_product.card_product_id",
        "FROM card_product JOIN account_product ON card_product.account_product_id = "
        "account_product.account_product_id "
        "WHERE card_product.name = '[card_product.name]'",
        "account_product",
        "card_product",
    ),
    _own("service_fee", "amount"),
    _own("service_fee", "effective_date"),
    _own("atm", "withdrawal_limit"),
)
"""Tables, statement, statement with the id of the record whose document holds the answer."""


def grammar_file(*, with_ids: bool) -> str:
    """``{str(tuple of tables): [sql, ...]}`` as JSON."""
    grouped: dict[str, list[str]] = {}
    for tables, sql, sql_with_ids in TEMPLATES:
        grouped.setdefault(str(tables), []).append(sql_with_ids if with_ids else sql)
    return json.dumps(grouped, indent=2) + "\n"
