"""Pages about Chinook as a shop would write them: letters about customers with their invoices, sheets of albums, a
directory of staff and of artists.

Nothing states fax numbers, composers, genres and what kind of file a track is.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tests.support.documents.said import SaidPages

MOST_ALBUMS = 60


def chinook_pages(path: Path) -> SaidPages:
    """The pages."""
    pages = SaidPages()
    with closing(sqlite3.connect(path)) as db, db:
        db.row_factory = sqlite3.Row
        _customers(db, pages)
        _albums(db, pages)
        _artists(db, pages)
        _staff(db, pages)
    return pages


def _day(text: str) -> str:
    day = datetime.fromisoformat(text[:10])
    return f"{day:%A}, {day.day} {day:%b} {day.year}"


def _customers(db: sqlite3.Connection, pages: SaidPages) -> None:
    query = """SELECT c.*, e.FirstName || ' ' || e.LastName AS clerk FROM Customer c
        LEFT JOIN Employee e ON e.EmployeeId = c.SupportRepId"""
    for row in db.execute(query).fetchall():
        name = f"{row['FirstName']} {row['LastName']}"
        stated = [("customer", row["CustomerId"], "firstname lastname address city country phone email supportrepid")]
        lines = []
        for invoice in db.execute("SELECT * FROM Invoice WHERE CustomerId = ?", (row["CustomerId"],)):
            lines.append(
                f"No. {invoice['InvoiceId']:04} of {_day(invoice['InvoiceDate'])} over ${invoice['Total']:.2f}"
            )
            stated.append(("invoice", invoice["InvoiceId"], "customerid invoicedate total"))
        text = (
            f"{name} is served by {row['clerk']}. Parcels go to {row['Address']}, {row['City']}, {row['Country']}. "
            f"Write to {row['Email']} or ring {row['Phone']}.\n\nInvoices so far:\n\n" + "\n\n".join(lines)
        )
        pages.add(f"c{row['CustomerId']:03}", name, text, stated)


def _albums(db: sqlite3.Connection, pages: SaidPages) -> None:
    query = "SELECT a.*, r.Name AS artist FROM Album a JOIN Artist r USING (ArtistId) ORDER BY AlbumId LIMIT ?"
    for row in db.execute(query, (MOST_ALBUMS,)).fetchall():
        stated = [("album", row["AlbumId"], "title artistid")]
        lines = []
        for track in db.execute("SELECT * FROM Track WHERE AlbumId = ?", (row["AlbumId"],)):
            lines.append(f"| {track['Name']} | {track['Milliseconds']} ms | {track['UnitPrice']} |")
            stated.append(("track", track["TrackId"], "name albumid milliseconds unitprice"))
        text = f"# {row['Title']}\nBy: {row['artist']}\n\n| Song | Length | Price |\n|---|---|---|\n" + "\n".join(lines)
        pages.add(f"album-sheet-{row['AlbumId']}", row["Title"], text, stated)


def _artists(db: sqlite3.Connection, pages: SaidPages) -> None:
    lines, stated = [], []
    for row in db.execute("SELECT * FROM Artist ORDER BY ArtistId LIMIT 60").fetchall():
        albums = db.execute("SELECT * FROM Album WHERE ArtistId = ?", (row["ArtistId"],)).fetchall()
        titles = "; ".join(album["Title"] for album in albums)
        lines.append(f"- {row['Name']}" + (f" ({titles})" if titles else ""))
        stated.append(("artist", row["ArtistId"], "name"))
        stated.extend(("album", album["AlbumId"], "title artistid") for album in albums)
    pages.add("artists", "Artists in our shop", "# Artists in our shop\n\n" + "\n".join(lines), stated)


def _staff(db: sqlite3.Connection, pages: SaidPages) -> None:
    parts, stated = [], []
    query = """SELECT e.*, b.FirstName || ' ' || b.LastName AS boss FROM Employee e
        LEFT JOIN Employee b ON b.EmployeeId = e.ReportsTo"""
    for row in db.execute(query):
        name = f"{row['FirstName']} {row['LastName']}"
        reports = f" and answers to {row['boss']}" if row["boss"] else ""
        parts.append(
            f"## {name}\n\n{name} works as {row['Title']}{reports}. Born on {_day(row['BirthDate'])}, with us since "
            f"{_day(row['HireDate'])}. Home: {row['Address']}, {row['City']}. Telephone {row['Phone']}."
        )
        columns = "firstname lastname title birthdate hiredate address city phone"
        stated.append(("employee", row["EmployeeId"], columns + (" reportsto" if row["boss"] else "")))
    pages.add("staff", "Staff directory", "# Staff directory\n\n" + "\n\n".join(parts), stated)
