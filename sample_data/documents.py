"""All pages of the bank, in one list, and the folder they are written to."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path, PurePosixPath

from sample_data import places, products
from sample_data.defects import TERSE, WITHOUT_DOCUMENT
from sample_data.entities import ACCOUNT_PRODUCTS, ADVISERS, ATMS, CARD_PRODUCTS, LOAN_PRODUCTS, SERVICE_FEES, Row
from sample_data.formats import render
from sample_data.general import general
from sample_data.pages import Page

OTHER_FORMATS: dict[str, dict[int, str]] = {
    "adviser": {5: ".docx", 11: ".docx"},
    "account_product": {3: ".html", 6: ".html", 9: ".html", 13: ".html"},
    "loan_product": {1: ".pdf", 5: ".pdf", 7: ".pdf", 11: ".pdf"},
    "card_product": {4: ".html", 6: ".pdf"},
    "service_fee": {},
    "atm": {4: ".csv", 8: ".csv"},
}
"""Which pages are not Markdown."""


def pages() -> list[Page]:
    """Every page, in the order of its path."""
    bank_pages = [*places.regions(), *places.branches(), *general()]
    for row in _with_page("adviser", ADVISERS):
        key = row["adviser_id"]
        bank_pages.append(places.adviser(row, terse=("adviser", key) in TERSE, suffix=_suffix("adviser", key)))
    bank_pages += [
        products.account(row, _suffix("account_product", row["account_product_id"])) for row in ACCOUNT_PRODUCTS
    ]
    bank_pages += [products.loan(row, _suffix("loan_product", row["loan_product_id"])) for row in LOAN_PRODUCTS]
    bank_pages += [products.card(row, _suffix("card_product", row["card_product_id"])) for row in CARD_PRODUCTS]
    for row in _with_page("service_fee", SERVICE_FEES):
        key = row["service_fee_id"]
        bank_pages.append(
            products.service_fee(row, terse=("service_fee", key) in TERSE, suffix=_suffix("service_fee", key))
        )
    for row in _with_page("atm", ATMS):
        key = row["atm_id"]
        bank_pages.append(places.atm(row, terse=("atm", key) in TERSE, suffix=_suffix("atm", key)))
    return sorted(bank_pages, key=lambda page: page.path)


def write_documents(folder: Path) -> None:
    """Writes every page, and the manifest of those that have no front matter, into an emptied folder."""
    if folder.exists():
        shutil.rmtree(folder)
    listed = io.StringIO()
    manifest = csv.writer(listed, lineterminator="\n")
    manifest.writerow(("path", "id", "title"))
    for page in pages():
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render(page))
        if PurePosixPath(page.path).suffix != ".md":
            manifest.writerow((page.path, page.id or page.path, page.title))
    (folder / "documents.csv").write_text(listed.getvalue(), encoding="utf-8")


def _with_page(table: str, rows: tuple[Row, ...]) -> list[Row]:
    return [row for row in rows if (table, row[f"{table}_id"]) not in WITHOUT_DOCUMENT]


def _suffix(table: str, key: int) -> str:
    return OTHER_FORMATS[table].get(key, ".md")
