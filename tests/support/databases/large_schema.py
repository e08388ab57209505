"""A database of seventy tables in five schemas: what a warehouse looks like, with few rows.

python -m tests.support.databases.large_schema F.sqlite
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.databases.sqlite_files import sqlite_file

SCHEMAS = ("sales", "hr", "finance", "logistics", "risk")
THINGS = {
    "sales": (
        "customer",
        "campaign",
        "channel",
        "contract",
        "discount",
        "lead",
        "partner",
        "product",
        "promotion",
        "quote",
    ),
    "hr": ("applicant", "course", "department", "employee", "grade", "holiday", "job", "office", "review", "skill"),
    "finance": ("account", "asset", "bank", "budget", "invoice", "ledger", "loan", "payment", "tax", "transfer"),
    "logistics": (
        "carrier",
        "container",
        "depot",
        "driver",
        "order",
        "package",
        "route",
        "shipment",
        "truck",
        "vendor",
    ),
    "risk": ("alert", "audit", "claim", "control", "exposure", "incident", "limit", "model", "policy", "rating"),
}
"""Ten tables of things in each schema; four more tie neighbours together or hold what happened to them."""
ROWS = 40
PLAIN = (
    "id int PRIMARY KEY, name varchar(40), city varchar(40), status varchar(12), amount numeric(12,2), start_date date"
)


def statements(*, qualified: bool = True, rows: int = ROWS) -> Iterator[str]:
    """What makes the tables and their rows.

    Args:
        qualified: Whether names carry their schema, as ``{schema}.table``; without, ``schema_table``.
        rows: Of each table.
    """
    drawn = random.Random(70)
    for schema in SCHEMAS:
        things = THINGS[schema]

        def name(table: str, schema: str = schema) -> str:
            return f"{{{schema}}}.{table}" if qualified else f"{schema}_{table}"

        for place, thing in enumerate(things):
            parent = things[place - 1] if place else ""
            key = f", {parent}_id int, FOREIGN KEY ({parent}_id) REFERENCES {name(parent)} (id)" if parent else ""
            yield f"CREATE TABLE {name(thing)} ({PLAIN}{key})"
            lines = []
            for number in range(1, rows + 1):
                city, status = drawn.choice(("Bern", "Genoa", "Lyon", "Ulm")), drawn.choice(("open", "closed"))
                date = f"20{drawn.randrange(10, 25)}-0{drawn.randrange(1, 10)}-1{drawn.randrange(10)}"
                amount = drawn.randrange(10**6) / 100
                row = f"{number}, '{thing.capitalize()} {number}', '{city}', '{status}', {amount}, '{date}'"
                lines.append(f"({row}, {drawn.randrange(1, rows + 1)})" if parent else f"({row})")
            yield f"INSERT INTO {name(thing)} VALUES {', '.join(lines)}"
        for first, second in zip(things[:2], things[5:7], strict=True):
            tie, event = f"{first}_{second}", f"{first}_event"
            keys = f"FOREIGN KEY ({first}_id) REFERENCES {name(first)} (id)"
            other = f"FOREIGN KEY ({second}_id) REFERENCES {name(second)} (id)"
            columns = f"{first}_id int, {second}_id int, PRIMARY KEY ({first}_id, {second}_id)"
            yield f"CREATE TABLE {name(tie)} ({columns}, {keys}, {other})"
            columns = f"id int PRIMARY KEY, {first}_id int, event_date date, amount numeric(12,2)"
            yield f"CREATE TABLE {name(event)} ({columns}, {keys})"
            pairs = sorted({(drawn.randrange(1, rows + 1), drawn.randrange(1, rows + 1)) for _ in range(2 * rows)})
            yield f"INSERT INTO {name(tie)} VALUES {', '.join(f'({a}, {b})' for a, b in pairs)}"
            events = (f"({n}, {drawn.randrange(1, rows + 1)}, '2020-03-1{n % 10}', {n}.5)" for n in range(1, rows + 1))
            yield f"INSERT INTO {name(event)} VALUES {', '.join(events)}"


def write_large_schema(path: Path, *, rows: int = ROWS) -> str:
    """The tables in an SQLite file; its address."""
    return sqlite_file(path, ";\n".join(statements(qualified=False, rows=rows)))


if __name__ == "__main__":
    print(write_large_schema(Path(sys.argv[1])))
