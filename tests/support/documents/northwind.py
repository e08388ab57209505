"""Pages about Northwind as a company would write them, unlike those that Plumbline builds; no gold id fits them.

Customers have a letterhead and a table of their orders, products stand under headings in a catalogue by category, and
suppliers, staff and carriers are lists.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime

from core.domain.sources.documents import Corpus, Document

ORDERS = """
SELECT o.*, s.CompanyName AS carrier, e.FirstName || ' ' || e.LastName AS clerk
FROM Orders o JOIN Shippers s ON s.ShipperID = o.ShipVia JOIN Employees e ON e.EmployeeID = o.EmployeeID
WHERE CustomerID = ? ORDER BY OrderDate
"""
PRODUCTS = """
SELECT p.*, s.CompanyName AS supplier FROM Products p JOIN Suppliers s ON s.SupplierID = p.SupplierID
WHERE CategoryID = ?
"""


def northwind_pages(path: str) -> Corpus:
    """The pages.

    Args:
        path: Of the database file.
    """
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        return Corpus(documents=(*_customers(connection), *_catalogue(connection), *_lists(connection)))
    finally:
        connection.close()


def _customers(connection: sqlite3.Connection) -> Iterator[Document]:
    for row in connection.execute("SELECT * FROM Customers").fetchall():
        orders = "\n".join(
            f"| {order['OrderID']} | {_day(order['OrderDate'])} | {_day(order['ShippedDate'])} | {order['carrier']} "
            f"| {order['Freight']} | {order['ShipCity']} | {order['clerk']} |"
            for order in connection.execute(ORDERS, (row["CustomerID"],))
        )
        name = row["CompanyName"]
        yield Document(
            id=f"customer-files/{name.lower().replace(' ', '-')}.md",
            title=name,
            text=(
                f"# {name}\n\n{name} buys from us. Its office is at {row['Address']}, {row['City']}, {row['Country']} "
                f"(postal code {row['PostalCode']}). Ask for {row['ContactName']}, {row['ContactTitle']}.\n\n"
                f"Phone: {row['Phone']}\nFax: {row['Fax']}\n\n## Orders\n\n"
                "| Order | Ordered on | Shipped on | Carrier | Freight | Shipped to | Handled by |\n"
                f"|---|---|---|---|---|---|---|\n{orders}\n"
            ),
        )


def _catalogue(connection: sqlite3.Connection) -> Iterator[Document]:
    for category in connection.execute("SELECT * FROM Categories").fetchall():
        name = category["CategoryName"]
        goods = "\n\n".join(
            f"## {row['ProductName']}\n\nSold in units of {row['QuantityPerUnit']} at {row['UnitPrice']} each; "
            f"{row['UnitsInStock']} units in stock and {row['UnitsOnOrder']} on order. The reorder level is "
            f"{row['ReorderLevel']}. Supplied by {row['supplier']}."
            for row in connection.execute(PRODUCTS, (category["CategoryID"],))
        )
        yield Document(
            id=f"catalogue/{name.lower().replace('/', '-')}.md",
            title=f"Catalogue: {name}",
            text=f"# {name}\n\n{category['Description']}\n\n{goods}\n",
        )


def _lists(connection: sqlite3.Connection) -> Iterator[Document]:
    suppliers = "\n".join(
        f"| {row['CompanyName']} | {row['ContactName']} | {row['ContactTitle']} | {row['City']} | {row['Country']} "
        f"| {row['Phone']} |"
        for row in connection.execute("SELECT * FROM Suppliers")
    )
    head = "| Company | Contact name | Contact title | City | Country | Phone |\n|---|---|---|---|---|---|"
    yield Document(id="suppliers.md", title="Suppliers", text=f"# Our suppliers\n\n{head}\n{suppliers}\n")
    staff = "\n\n".join(
        f"**{row['FirstName']} {row['LastName']}**\nTitle: {row['Title']}\nBorn: {_day(row['BirthDate'])}\n"
        f"Hired: {_day(row['HireDate'])}\nLives in: {row['City']}, {row['Country']}\nHome phone: {row['HomePhone']}"
        for row in connection.execute("SELECT * FROM Employees")
    )
    yield Document(id="staff.md", title="Staff", text=f"# Staff\n\n{staff}\n")
    carriers = "\n".join(
        f"- {row['CompanyName']}: phone {row['Phone']}" for row in connection.execute("SELECT * FROM Shippers")
    )
    yield Document(id="carriers.md", title="Carriers", text=f"# Carriers\n\n{carriers}\n")


def _day(value: object) -> str:
    try:
        day = datetime.fromisoformat(str(value)[:10])
    except ValueError:
        return "not yet"
    return f"{day.day} {day:%B} {day.year}"
