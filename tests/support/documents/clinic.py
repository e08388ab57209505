"""A clinic with shortened column names, and pages of four shapes: ward files about many patients, one table of all
physicians, prose about medicines, and a ledger of prescriptions for each month.

Nothing states blood groups, telephone numbers of wards, and who makes a medicine.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from tests.support.documents.said import SaidPages

SCHEMA = """
CREATE TABLE ward (ward_id INTEGER PRIMARY KEY, ward_name TEXT UNIQUE NOT NULL, flr_no INTEGER, bed_cnt INTEGER,
    tel_no TEXT);
CREATE TABLE physician (physn_id INTEGER PRIMARY KEY, full_name TEXT UNIQUE NOT NULL, specialty TEXT, hire_dt DATE,
    ward_id INTEGER REFERENCES ward);
CREATE TABLE patient (ptnt_id INTEGER PRIMARY KEY, full_name TEXT UNIQUE NOT NULL, birth_dt DATE, home_city TEXT,
    blood_grp TEXT, adm_dt DATE, ward_id INTEGER REFERENCES ward, physn_id INTEGER REFERENCES physician);
CREATE TABLE medicine (med_id INTEGER PRIMARY KEY, med_name TEXT UNIQUE NOT NULL, mfr_name TEXT, dose_mg INTEGER,
    unit_prc REAL);
CREATE TABLE prescription (prescr_id INTEGER PRIMARY KEY, ptnt_id INTEGER REFERENCES patient,
    med_id INTEGER REFERENCES medicine, start_dt DATE, total_cost REAL);
"""
FIRST = [
    "Anouk",
    "Bela",
    "Carmen",
    "Dario",
    "Edda",
    "Fintan",
    "Gitta",
    "Hamid",
    "Ilse",
    "Jorid",
    "Kaspar",
    "Leonie",
    "Mattis",
    "Nadja",
    "Ortwin",
    "Pilar",
]
LAST = [
    "Achter",
    "Bogdan",
    "Cervin",
    "Dolan",
    "Engel",
    "Fossum",
    "Grieg",
    "Hirsch",
    "Ilves",
    "Jurgens",
    "Kadlec",
    "Lorant",
    "Moser",
    "Nyman",
]
WARDS = ["Cedar Ward", "Heron Ward", "Lindgren Ward", "Quarry Ward", "Saint Anne Ward", "Tulip Ward", "Vesper Ward"]
FIELDS = ["cardiology", "oncology", "paediatrics", "urology", "neurology", "rheumatology", "geriatrics"]
CITIES = ["Ulm", "Kassel", "Bremen", "Passau", "Erfurt", "Trier", "Jena", "Speyer", "Goslar", "Husum"]
DRUGS = [
    "Abrelin",
    "Botrexa",
    "Cindorol",
    "Davistan",
    "Elphorin",
    "Fentrazol",
    "Gludomet",
    "Hexavir",
    "Imoril",
    "Jantupan",
    "Kelvadin",
    "Lotrisan",
]
MAKERS = ["Nordpharm", "Helvex", "Brandt and Sons", "Iberolab"]


def clinic_database(path: Path, seed: int = 11) -> str:
    """Writes the database and gives its address."""
    rng = random.Random(seed)
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    rng.shuffle(names)

    def day(first: int, last: int) -> str:
        return str(date(first, 1, 1) + timedelta(days=rng.randrange(365 * (last - first + 1))))

    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(SCHEMA)
        for key, name in enumerate(WARDS, 1):
            tel = f"+49 731 {rng.randint(1000, 9999)}"
            db.execute("INSERT INTO ward VALUES (?,?,?,?,?)", (key, name, rng.randint(0, 6), rng.randint(12, 48), tel))
        for key in range(1, 22):
            row = (key, f"Dr. {names.pop()}", rng.choice(FIELDS), day(1998, 2021), rng.randint(1, 7))
            db.execute("INSERT INTO physician VALUES (?,?,?,?,?)", row)
        for key in range(1, 91):
            db.execute(
                "INSERT INTO patient VALUES (?,?,?,?,?,?,?,?)",
                (
                    key,
                    names.pop(),
                    day(1935, 2010),
                    rng.choice(CITIES),
                    rng.choice(["A pos", "B neg", "AB pos", "O neg"]),
                    day(2023, 2024),
                    rng.randint(1, 7),
                    rng.randint(1, 21),
                ),
            )
        for key, name in enumerate(DRUGS, 1):
            row = (key, name, rng.choice(MAKERS), rng.choice([5, 10, 25, 50, 200, 500]), rng.randint(120, 9800) / 100)
            db.execute("INSERT INTO medicine VALUES (?,?,?,?,?)", row)
        for key in range(1, 181):
            row = (key, rng.randint(1, 90), rng.randint(1, 12), day(2024, 2024), rng.randint(900, 42000) / 100)
            db.execute("INSERT INTO prescription VALUES (?,?,?,?,?)", row)
    return f"sqlite:///{path}"


def clinic_pages(path: Path) -> SaidPages:
    """The pages."""
    pages = SaidPages()
    with closing(sqlite3.connect(path)) as db, db:
        db.row_factory = sqlite3.Row
        _wards(db, pages)
        _physicians(db, pages)
        _medicines(db, pages)
        _ledgers(db, pages)
    return pages


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day:%d.%m.%Y}" if day.day % 2 else f"{day:%B} {day.day}, {day.year}"


def _wards(db: sqlite3.Connection, pages: SaidPages) -> None:
    for ward in db.execute("SELECT * FROM ward").fetchall():
        parts, stated = [], [("ward", ward["ward_id"], "flr_no bed_cnt ward_name")]
        query = "SELECT p.*, d.full_name AS doctor FROM patient p JOIN physician d USING (physn_id) WHERE p.ward_id = ?"
        for row in db.execute(query, (ward["ward_id"],)):
            parts.append(
                f"**{row['full_name']}**\nDate of birth: {_day(row['birth_dt'])}\nComes from: {row['home_city']}\n"
                f"With us since: {_day(row['adm_dt'])}\nIn the care of: {row['doctor']}"
            )
            stated.append(("patient", row["ptnt_id"], "full_name birth_dt home_city adm_dt physn_id ward_id"))
        text = (
            f"# {ward['ward_name']}\n\nThe ward lies on floor {ward['flr_no']} and can take {ward['bed_cnt']} patients."
            "\n\n" + "\n\n".join(parts)
        )
        pages.add(f"wards/{ward['ward_name'].split()[0].lower()}.txt", ward["ward_name"], text, stated)


def _physicians(db: sqlite3.Connection, pages: SaidPages) -> None:
    rows, stated = [], []
    for row in db.execute("SELECT d.*, w.ward_name FROM physician d JOIN ward w USING (ward_id)"):
        rows.append(f"| {row['full_name']} | {row['specialty']} | {_day(row['hire_dt'])} | {row['ward_name']} |")
        stated.append(("physician", row["physn_id"], "full_name specialty hire_dt ward_id"))
    head = "| Name | Field | Here since | Ward |\n|---|---|---|---|\n"
    pages.add("physicians.txt", "Our physicians", f"# Our physicians\n\n{head}" + "\n".join(rows), stated)


def _medicines(db: sqlite3.Connection, pages: SaidPages) -> None:
    for row in db.execute("SELECT * FROM medicine"):
        text = (
            f"{row['med_name']} comes as a tablet with {row['dose_mg']} mg of the substance. The pharmacy charges "
            f"{row['unit_prc']:.2f} euros for one. Give it after meals, and never together with alcohol."
        )
        pages.add(
            f"pharmacy/{row['med_name'].lower()}.txt",
            row["med_name"],
            text,
            [("medicine", row["med_id"], "med_name dose_mg unit_prc")],
        )


def _ledgers(db: sqlite3.Connection, pages: SaidPages) -> None:
    query = """SELECT r.*, p.full_name, m.med_name FROM prescription r JOIN patient p USING (ptnt_id)
        JOIN medicine m USING (med_id) WHERE start_dt LIKE ? ORDER BY start_dt"""
    for month in range(1, 13):
        lines, stated = [], []
        for row in db.execute(query, (f"2024-{month:02}-%",)):
            lines.append(
                f"- {_day(row['start_dt'])}: {row['med_name']} for {row['full_name']}, {row['total_cost']:.2f} euros"
            )
            stated.append(("prescription", row["prescr_id"], "ptnt_id med_id start_dt total_cost"))
        name = f"{date(2024, month, 1):%B} 2024"
        text = f"# Prescriptions of {name}\n\n" + "\n".join(lines)
        pages.add(f"ledger/2024-{month:02}.txt", f"Prescriptions of {name}", text, stated)
