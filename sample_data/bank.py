"""The SQLite database of Larkmoor Bank: schema, hand-written rows, generated customers, accounts and payments."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from sample_data import entities
from sample_data.entities import Row

SEED = 1871
CUSTOMERS = 180
ACCOUNTS = 260
PAYMENTS = 780

SCHEMA = """
CREATE TABLE region (
    region_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    managing_director VARCHAR(60) NOT NULL,
    head_office_town VARCHAR(40) NOT NULL,
    established_year INTEGER NOT NULL,
    ledger_id CHAR(8) NOT NULL
);
CREATE TABLE branch (
    branch_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    region_id INTEGER NOT NULL REFERENCES region (region_id),
    town VARCHAR(40) NOT NULL,
    street_address VARCHAR(60) NOT NULL,
    opening_date DATE NOT NULL,
    phone_number VARCHAR(20) NOT NULL,
    safe_deposit_boxes INTEGER NOT NULL,
    row_guid CHAR(16) NOT NULL
);
CREATE TABLE adviser (
    adviser_id INTEGER PRIMARY KEY,
    full_name VARCHAR(60) NOT NULL UNIQUE,
    branch_id INTEGER NOT NULL REFERENCES branch (branch_id),
    specialism VARCHAR(60) NOT NULL,
    languages VARCHAR(60) NOT NULL,
    joined_on DATE NOT NULL,
    row_guid CHAR(16) NOT NULL
);
CREATE TABLE account_product (
    account_product_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    category VARCHAR(30) NOT NULL,
    interest_rate DECIMAL(5, 2) NOT NULL,
    minimum_deposit INTEGER NOT NULL,
    monthly_fee INTEGER NOT NULL,
    launch_date DATE NOT NULL,
    system_id CHAR(8) NOT NULL
);
CREATE TABLE branch_product (
    branch_id INTEGER NOT NULL REFERENCES branch (branch_id),
    account_product_id INTEGER NOT NULL REFERENCES account_product (account_product_id),
    offered_since DATE NOT NULL,
    PRIMARY KEY (branch_id, account_product_id)
);
CREATE TABLE loan_product (
    loan_product_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    category VARCHAR(30) NOT NULL,
    representative_rate DECIMAL(5, 2) NOT NULL,
    maximum_amount INTEGER NOT NULL,
    maximum_term VARCHAR(20) NOT NULL,
    early_repayment_fee INTEGER NOT NULL,
    system_id CHAR(8) NOT NULL
);
CREATE TABLE card_product (
    card_product_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    account_product_id INTEGER REFERENCES account_product (account_product_id),
    annual_fee INTEGER NOT NULL,
    contactless_limit INTEGER NOT NULL,
    foreign_usage_rate DECIMAL(5, 2) NOT NULL,
    system_id CHAR(8) NOT NULL
);
CREATE TABLE service_fee (
    service_fee_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    amount DECIMAL(8, 2) NOT NULL,
    effective_date DATE NOT NULL,
    charged_to VARCHAR(60) NOT NULL,
    system_id CHAR(8) NOT NULL
);
CREATE TABLE atm (
    atm_id INTEGER PRIMARY KEY,
    name VARCHAR(40) NOT NULL UNIQUE,
    town VARCHAR(40) NOT NULL,
    branch_id INTEGER NOT NULL REFERENCES branch (branch_id),
    withdrawal_limit INTEGER NOT NULL,
    installed_on DATE NOT NULL,
    terminal_uid CHAR(16) NOT NULL
);
CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY,
    full_name VARCHAR(60) NOT NULL,
    town VARCHAR(40) NOT NULL,
    customer_since DATE NOT NULL,
    segment VARCHAR(20) NOT NULL,
    crm_uid CHAR(16) NOT NULL
);
CREATE TABLE account (
    account_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    account_product_id INTEGER NOT NULL REFERENCES account_product (account_product_id),
    branch_id INTEGER NOT NULL REFERENCES branch (branch_id),
    opened_on DATE NOT NULL,
    status VARCHAR(12) NOT NULL,
    balance DECIMAL(12, 2) NOT NULL
);
CREATE TABLE payment (
    payment_id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (account_id),
    booked_on DATE NOT NULL,
    amount DECIMAL(12, 2) NOT NULL,
    purpose VARCHAR(40) NOT NULL,
    trace_id CHAR(16) NOT NULL
);
"""

FIRST_NAMES = """
    Agnes Alfred Amara Arthur Bryony Callum Cecily Chidi Clara Conrad Daphne Edith Elias Esme Farah Felix Freya
    George Greta Hana Harold Imogen Ivo Jasper Jemima Kofi Lena Lionel Mabel Magnus Nadia Nigel Olive Oscar
    Priya Quentin Ruth Samir Silas Tamsin Ursula Victor Wanda Xanthe Yolanda Zachary
"""
LAST_NAMES = """
    Abara Alderton Babcock Bellweather Blythe Carmody Cardew Castellan Dunmore Eastwick Fairley Farrow Gilchrist
    Goodfellow Hargrave Hepburn Idris Jessop Kerrigan Kimura Lockwood Lovelace Mercer Merriman Nightingale Oakes
    Okafor Penrose Pettigrew Quayle Rahman Redfern Sandoval Scrivener Tate Trelawney Underhill Vickers
    Wainwright Whitcombe Yarrow Yeoman
"""
PURPOSES = (
    "rent",
    "salary",
    "groceries",
    "council tax",
    "electricity",
    "water",
    "mobile phone",
    "insurance premium",
    "standing order",
    "cash withdrawal",
    "card purchase",
    "refund",
    "school fees",
    "car repair",
    "train ticket",
)
SEGMENTS = ("personal", "student", "premier", "sole trader", "small business")
SQLITE_VERSION_OFFSET = 96


def tables() -> dict[str, tuple[Row, ...]]:
    """Every table with its rows, parents before children."""
    draw = random.Random(SEED)
    customers = tuple(_customers(draw))
    accounts = tuple(_accounts(draw, customers))
    return {
        "region": _with_void(entities.REGIONS, "ledger_id", 8),
        "branch": _with_void(entities.BRANCHES, "row_guid", 16),
        "adviser": _with_void(entities.ADVISERS, "row_guid", 16),
        "account_product": _with_void(entities.ACCOUNT_PRODUCTS, "system_id", 8),
        "branch_product": tuple(
            {"branch_id": branch, "account_product_id": product, "offered_since": since}
            for branch, product, since in entities.BRANCH_PRODUCTS
        ),
        "loan_product": _with_void(entities.LOAN_PRODUCTS, "system_id", 8),
        "card_product": _with_void(entities.CARD_PRODUCTS, "system_id", 8),
        "service_fee": _with_void(entities.SERVICE_FEES, "system_id", 8),
        "atm": _with_void(entities.ATMS, "terminal_uid", 16),
        "customer": customers,
        "account": accounts,
        "payment": tuple(_payments(draw, accounts)),
    }


def write_database(path: Path) -> None:
    """Writes the database afresh; the same bytes every time, whatever SQLite library writes it."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        for name, rows in tables().items():
            columns = ", ".join(rows[0])
            marks = ", ".join(f":{column}" for column in rows[0])
            connection.executemany(f"INSERT INTO {name} ({columns}) VALUES ({marks})", rows)  # noqa: S608
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    finally:
        connection.close()
    # The header records which SQLite library wrote the file last (file format, section 1.3.17); nothing reads it.
    with path.open("r+b") as file:
        file.seek(SQLITE_VERSION_OFFSET)
        file.write((3_040_000).to_bytes(4, "big"))


def _with_void(rows: Sequence[Row], column: str, digits: int) -> tuple[Row, ...]:
    draw = random.Random(f"{SEED}:{column}:{rows[0]}")
    return tuple({**row, column: _hex(draw, digits)} for row in rows)


def _customers(draw: random.Random) -> Iterator[Row]:
    first, last = FIRST_NAMES.split(), LAST_NAMES.split()
    towns = sorted({str(branch["town"]) for branch in entities.BRANCHES})
    for key in range(1, CUSTOMERS + 1):
        yield {
            "customer_id": key,
            "full_name": f"{draw.choice(first)} {draw.choice(last)}",
            "town": draw.choice(towns),
            "customer_since": _day(draw, date(1985, 1, 1), date(2025, 6, 30)),
            "segment": draw.choice(SEGMENTS),
            "crm_uid": _hex(draw, 16),
        }


def _accounts(draw: random.Random, customers: Sequence[Row]) -> Iterator[Row]:
    for key in range(1, ACCOUNTS + 1):
        owner = customers[key - 1] if key <= len(customers) else draw.choice(customers)
        branch, product, since = draw.choice(entities.BRANCH_PRODUCTS)
        opened = max(str(owner["customer_since"]), _day(draw, date.fromisoformat(since), date(2025, 9, 30)))
        yield {
            "account_id": key,
            "customer_id": owner["customer_id"],
            "account_product_id": product,
            "branch_id": branch,
            "opened_on": opened,
            "status": draw.choice(("open", "open", "open", "open", "closed", "dormant")),
            "balance": round(draw.lognormvariate(7.4, 1.2), 2),
        }


def _payments(draw: random.Random, accounts: Sequence[Row]) -> Iterator[Row]:
    for key in range(1, PAYMENTS + 1):
        account = draw.choice(accounts)
        yield {
            "payment_id": key,
            "account_id": account["account_id"],
            "booked_on": _day(draw, date(2025, 1, 2), date(2025, 9, 30)),
            "amount": round(draw.lognormvariate(4.0, 1.0), 2),
            "purpose": draw.choice(PURPOSES),
            "trace_id": _hex(draw, 16),
        }


def _day(draw: random.Random, first: date, last: date) -> str:
    return (first + timedelta(days=draw.randrange((last - first).days + 1))).isoformat()


def _hex(draw: random.Random, digits: int) -> str:
    return f"{draw.getrandbits(4 * digits):0{digits}X}"
