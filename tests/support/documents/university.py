"""A university: eight tables, and pages of five shapes that say in other words what the tables have.

People have pages in prose, courses and programmes have sheets of keys and values, each term has a timetable, and the
pages of departments and of scholarships repeat what the pages of people say.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from core.domain.sources.documents import Corpus, Document

SCHEMA = """
CREATE TABLE department (department_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, building TEXT, founded INTEGER,
    annual_budget REAL, phone TEXT);
CREATE TABLE lecturer (lecturer_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT,
    office TEXT, hire_date DATE, research_field TEXT, department_id INTEGER REFERENCES department);
CREATE TABLE programme (programme_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, degree TEXT,
    duration_terms INTEGER,
    tuition_fee REAL, coordinator_id INTEGER REFERENCES lecturer);
CREATE TABLE course (course_id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, title TEXT UNIQUE NOT NULL,
    credits INTEGER,
    level TEXT, language TEXT, department_id INTEGER REFERENCES department);
CREATE TABLE student (student_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    birth_date DATE,
    home_town TEXT, enrolment_date DATE, programme_id INTEGER REFERENCES programme);
CREATE TABLE section (section_id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES course,
    lecturer_id INTEGER REFERENCES lecturer, term TEXT, room TEXT, seats INTEGER, exam_date DATE);
CREATE TABLE scholarship (scholarship_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, sponsor TEXT, amount REAL,
    award_date DATE, student_id INTEGER REFERENCES student);
CREATE TABLE enrolment (student_id INTEGER REFERENCES student, section_id INTEGER REFERENCES section, grade TEXT,
    PRIMARY KEY (student_id, section_id));
"""

FIRST = [
    "Amara",
    "Bjorn",
    "Celia",
    "Dmitri",
    "Elif",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jamal",
    "Keiko",
    "Lorenz",
    "Milena",
    "Noor",
    "Oskar",
    "Petra",
    "Quentin",
    "Rosa",
]
LAST = [
    "Abara",
    "Brandt",
    "Castel",
    "Dvorak",
    "Ekdahl",
    "Farrow",
    "Guzman",
    "Hale",
    "Ivarsson",
    "Jansen",
    "Kowal",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
]
FIELDS = [
    "tidal energy",
    "medieval law",
    "graph theory",
    "soil chemistry",
    "urban sociology",
    "number theory",
    "coral reefs",
    "labour markets",
    "compilers",
    "wave optics",
]
DEPARTMENTS = ["Physics", "Law", "Mathematics", "Chemistry", "Sociology", "Economics", "Marine Biology", "Computing"]
BUILDINGS = [
    "Newton House",
    "Grotius Hall",
    "Gauss Wing",
    "Curie Block",
    "Weber House",
    "Keynes Hall",
    "Carson Centre",
    "Hopper Tower",
]
TOPICS = [
    "Waves",
    "Contracts",
    "Topology",
    "Catalysis",
    "Cities",
    "Auctions",
    "Plankton",
    "Networks",
    "Ethics",
    "Statistics",
    "Archives",
    "Machines",
]
TOWNS = ["Tartu", "Porto", "Ghent", "Lund", "Graz", "Brno", "Cork", "Turin", "Aarhus", "Leiden", "Malaga", "Gdansk"]
SPONSORS = ["Halden Trust", "Brewers Guild", "Nordbank", "Port Authority", "Friends of Science", "Rotary Club"]
LANGUAGES = ["English", "French", "German", "Spanish"]


def university_database(path: Path, seed: int = 7) -> str:
    """Writes the database and gives its address."""
    rng = random.Random(seed)
    names = [(first, last) for first in FIRST for last in LAST]
    rng.shuffle(names)

    def day(first: int, last: int) -> str:
        start = date(first, 1, 1)
        return str(start + timedelta(days=rng.randrange((date(last, 12, 31) - start).days)))

    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(SCHEMA)
        for key, (name, building) in enumerate(zip(DEPARTMENTS, BUILDINGS, strict=True), 1):
            db.execute(
                "INSERT INTO department VALUES (?,?,?,?,?,?)",
                (
                    key,
                    name,
                    building,
                    rng.randint(1890, 1990),
                    rng.randint(800, 4000) * 1000.0,
                    f"+44 20 {rng.randint(1000, 9999)} {rng.randint(100, 999)}",
                ),
            )
        for key in range(1, 31):
            first, last = names.pop()
            db.execute(
                "INSERT INTO lecturer VALUES (?,?,?,?,?,?,?,?)",
                (
                    key,
                    first,
                    last,
                    f"{first}.{last}@campus.example".lower(),
                    f"{rng.choice('ABCD')} {rng.randint(101, 420)}",
                    day(1995, 2022),
                    rng.choice(FIELDS),
                    rng.randint(1, 8),
                ),
            )
        for key in range(1, 13):
            name = f"{DEPARTMENTS[key % 8]} {'and Society' if key > 8 else 'Studies'}"
            db.execute(
                "INSERT INTO programme VALUES (?,?,?,?,?,?)",
                (
                    key,
                    name,
                    rng.choice(["BSc", "MSc", "BA", "MA"]),
                    rng.randint(3, 9),
                    rng.randint(20, 90) * 150.0,
                    rng.randint(1, 30),
                ),
            )
        for key in range(1, 41):
            topic = TOPICS[key % 12]
            title = f"{['Introduction to', 'Advanced', 'Seminar on', 'History of'][key // 12]} {topic}"
            db.execute(
                "INSERT INTO course VALUES (?,?,?,?,?,?,?)",
                (
                    key,
                    f"{topic[:3].upper()}{100 + 7 * key}",
                    title,
                    rng.randint(2, 12),
                    rng.choice(["introductory", "intermediate", "advanced"]),
                    rng.choice(LANGUAGES),
                    rng.randint(1, 8),
                ),
            )
        for key in range(1, 81):
            first, last = names.pop()
            db.execute(
                "INSERT INTO student VALUES (?,?,?,?,?,?,?)",
                (key, first, last, day(1996, 2005), rng.choice(TOWNS), day(2018, 2023), rng.randint(1, 12)),
            )
        for key in range(1, 61):
            db.execute(
                "INSERT INTO section VALUES (?,?,?,?,?,?,?)",
                (
                    key,
                    (key - 1) % 40 + 1,
                    rng.randint(1, 30),
                    "autumn 2023" if key <= 40 else "spring 2024",
                    f"{rng.choice('EFGH')}{rng.randint(10, 60)}",
                    rng.randint(12, 220),
                    day(2024, 2024),
                ),
            )
        for key in range(1, 21):
            name = f"{rng.choice(LAST)} {['Prize', 'Award', 'Grant', 'Fellowship'][key % 4]} {key}"
            db.execute(
                "INSERT INTO scholarship VALUES (?,?,?,?,?,?)",
                (key, name, rng.choice(SPONSORS), rng.randint(5, 60) * 250.0, day(2021, 2024), rng.randint(1, 80)),
            )
        for student in range(1, 81):
            for section in rng.sample(range(1, 61), 3):
                db.execute("INSERT INTO enrolment VALUES (?,?,?)", (student, section, rng.choice("ABCDE")))
    return f"sqlite:///{path}"


def university_pages(path: Path) -> Corpus:
    """The pages."""
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    try:
        return Corpus(
            documents=(
                *_lecturers(db),
                *_students(db),
                *_sheets(db),
                *_timetables(db),
                *_departments(db),
                *_scholarships(db),
            )
        )
    finally:
        db.close()


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B} {day.year}"


def _money(value: float) -> str:
    return f"{value:,.0f} pounds"


def _lecturers(db: sqlite3.Connection) -> Iterator[Document]:
    query = "SELECT l.*, d.name AS department, d.building FROM lecturer l JOIN department d USING (department_id)"
    for row in db.execute(query):
        name = f"{row['first_name']} {row['last_name']}"
        text = (
            f"{name} teaches in the Department of {row['department']} and works on {row['research_field']}. "
            f"{row['first_name']} joined the university on {_day(row['hire_date'])}.\n\n"
            f"You find {name} in room {row['office']} of {row['building']}; write to {row['email']}."
        )
        yield Document(id=f"lecturer:{row['lecturer_id']}", title=name, text=text)


def _students(db: sqlite3.Connection) -> Iterator[Document]:
    query = """SELECT s.*, p.name AS programme, l.first_name || ' ' || l.last_name AS coordinator FROM student s
        JOIN programme p USING (programme_id) JOIN lecturer l ON l.lecturer_id = p.coordinator_id"""
    for row in db.execute(query):
        name = f"{row['first_name']} {row['last_name']}"
        text = (
            f"# {name}\n\nBorn on {_day(row['birth_date'])} in {row['home_town']}. Studies {row['programme']} "
            f"since {_day(row['enrolment_date'])}; questions about the programme go to {row['coordinator']}."
        )
        yield Document(id=f"student:{row['student_id']}", title=name, text=text)


def _sheets(db: sqlite3.Connection) -> Iterator[Document]:
    query = "SELECT c.*, d.name AS department FROM course c JOIN department d USING (department_id)"
    for row in db.execute(query):
        text = (
            f"Code: {row['code']}\nTitle: {row['title']}\nCredit points: {row['credits']}\nLevel: {row['level']}\n"
            f"Taught in: {row['language']}\nOffered by: Department of {row['department']}"
        )
        yield Document(id=f"course:{row['course_id']}", title=row["title"], text=text)
    query = """SELECT p.*, l.first_name || ' ' || l.last_name AS coordinator FROM programme p
        JOIN lecturer l ON l.lecturer_id = p.coordinator_id"""
    for row in db.execute(query):
        text = (
            f"Programme: {row['name']}\nLeads to: {row['degree']}\nLength: {row['duration_terms']} terms\n"
            f"Fee per year: {_money(row['tuition_fee'])}\nContact: {row['coordinator']}"
        )
        yield Document(id=f"programme:{row['programme_id']}", title=row["name"], text=text)


def _timetables(db: sqlite3.Connection) -> Iterator[Document]:
    for term in ("autumn 2023", "spring 2024"):
        query = """SELECT s.*, c.title, l.first_name || ' ' || l.last_name AS lecturer FROM section s
            JOIN course c USING (course_id) JOIN lecturer l USING (lecturer_id) WHERE term = ?"""
        rows = "\n".join(
            f"| {row['title']} | {row['lecturer']} | {row['room']} | {row['seats']} | {_day(row['exam_date'])} |"
            for row in db.execute(query, (term,))
        )
        text = f"# Timetable {term}\n\n| Course | Lecturer | Room | Places | Exam on |\n|---|---|---|---|---|\n{rows}"
        yield Document(id=f"timetable-{term.replace(' ', '-')}.md", title=f"Timetable {term}", text=text)


def _departments(db: sqlite3.Connection) -> Iterator[Document]:
    for row in db.execute("SELECT * FROM department"):
        staff = "\n".join(
            f"- {one['first_name']} {one['last_name']}, {one['office']}, since {_day(one['hire_date'])}"
            for one in db.execute("SELECT * FROM lecturer WHERE department_id = ?", (row["department_id"],))
        )
        text = (
            f"# Department of {row['name']}\n\nThe department was founded in {row['founded']} and lives in "
            f"{row['building']}. It spends {_money(row['annual_budget'])} a year. Call {row['phone']}."
            f"\n\n## Staff\n\n{staff}"
        )
        yield Document(id=f"department:{row['department_id']}", title=f"Department of {row['name']}", text=text)


def _scholarships(db: sqlite3.Connection) -> Iterator[Document]:
    query = """SELECT g.*, s.first_name || ' ' || s.last_name AS student, s.home_town FROM scholarship g
        JOIN student s USING (student_id)"""
    for row in db.execute(query):
        text = (
            f"The {row['name']} is worth {_money(row['amount'])} and is paid by the {row['sponsor']}. It went to "
            f"{row['student']} from {row['home_town']} on {_day(row['award_date'])}."
        )
        yield Document(id=f"scholarship:{row['scholarship_id']}", title=row["name"], text=text)
