"""Pages about Sakila as a chain of video shops would write them: blurbs about films, a roll of actors, the customers of
each country in one table, and notes on shops and staff.

Nothing states the replacement cost and the rental duration of films, nor postal codes.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tests.support.documents.said import SaidPages

MOST_FILMS = 140
FILMS = """SELECT f.*, l.name AS language FROM film f JOIN language l ON l.language_id = f.language_id
    ORDER BY film_id LIMIT ?"""
CAST = """SELECT a.actor_id, a.first_name || ' ' || a.last_name AS actor FROM film_actor x JOIN actor a
    ON a.actor_id = x.actor_id WHERE x.film_id = ?"""
CATEGORY = "SELECT c.name FROM film_category x JOIN category c ON c.category_id = x.category_id WHERE x.film_id = ?"
CUSTOMERS = """SELECT c.*, a.address, a.phone, a.address_id, i.city, i.city_id, n.country, n.country_id FROM customer c
    JOIN address a ON a.address_id = c.address_id JOIN city i ON i.city_id = a.city_id
    JOIN country n ON n.country_id = i.country_id ORDER BY n.country, c.last_name"""
STAFF = """SELECT s.*, a.address, i.city, a.address_id FROM staff s JOIN address a ON a.address_id = s.address_id
    JOIN city i ON i.city_id = a.city_id"""


def sakila_pages(path: Path) -> SaidPages:
    """The pages."""
    pages = SaidPages()
    with closing(sqlite3.connect(path)) as db, db:
        db.row_factory = sqlite3.Row
        _films(db, pages)
        _customers(db, pages)
        _staff(db, pages)
    return pages


def _films(db: sqlite3.Connection, pages: SaidPages) -> None:
    for row in db.execute(FILMS, (MOST_FILMS,)).fetchall():
        stated = [("film", row["film_id"], "title release_year language_id rental_rate length rating")]
        cast = db.execute(CAST, (row["film_id"],)).fetchall()
        stated += [("film_actor", f"{row['film_id']}:{actor['actor_id']}", "film_id actor_id") for actor in cast]
        category = db.execute(CATEGORY, (row["film_id"],)).fetchone()
        text = (
            f"# {row['title']}\n\nOne of our {category['name'].lower() if category else 'other'} films, made in "
            f"{row['release_year']} and told in {row['language'].strip()}. You sit for {row['length']} minutes. Rated "
            f"{row['rating']}. We ask {row['rental_rate']} dollars for it.\n\n"
            f"With {', '.join(actor['actor'] for actor in cast) or 'nobody that we know'}."
        )
        pages.add(f"films/{row['title'].lower().replace(' ', '_')}", row["title"], text, stated)


def _customers(db: sqlite3.Connection, pages: SaidPages) -> None:
    by_country: defaultdict[str, list[sqlite3.Row]] = defaultdict(list)
    for row in db.execute(CUSTOMERS):
        by_country[row["country"]].append(row)
    for country, members in by_country.items():
        lines, stated = [], []
        for row in members:
            joined = datetime.fromisoformat(str(row["create_date"])[:10])
            lines.append(
                f"| {row['first_name']} {row['last_name']} | {row['city']} | {row['address']} | {row['email']} "
                f"| shop {row['store_id']} | {joined:%d/%m/%Y} |"
            )
            stated.append(
                ("customer", row["customer_id"], "first_name last_name email address_id store_id create_date")
            )
            stated.append(("address", row["address_id"], "address city_id"))
            stated.append(("city", row["city_id"], "city country_id"))
        head = "| Who | Town | Street | Mail | Shop | Joined |\n|---|---|---|---|---|---|\n"
        text = f"# Customers in {country}\n\n{head}" + "\n".join(lines)
        pages.add(f"customers/{country.lower().replace(' ', '-')}", f"Customers in {country}", text, stated)


def _staff(db: sqlite3.Connection, pages: SaidPages) -> None:
    parts, stated = [], []
    for row in db.execute(STAFF):
        parts.append(
            f"{row['first_name']} {row['last_name']} signs as {row['username']} and works in shop {row['store_id']}. "
            f"Letters reach {row['first_name']} at {row['address']}, {row['city']}; mails at {row['email']}."
        )
        stated.append(("staff", row["staff_id"], "first_name last_name username store_id address_id email"))
    pages.add("staff-notes", "Who works where", "# Who works where\n\n" + "\n\n".join(parts), stated)
