"""CSV files and workbooks become a database; what does not fit is refused by name, and nothing is lost."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from core.domain.errors import InvalidInput, UnreadableFile
from core.sources.database import DatabaseSource
from core.sources.database.files.building import FilesDatabase
from core.sources.database.files.kinds import Guess, Kind, converted
from core.sources.database.files.plan import changed, plan_csv, plan_rows, read_plan
from core.sources.database.files.reading import read_tables

CUSTOMERS = (
    "\ufeffCust. No.;Name;Date opened;Bal. (EUR)\nK1;Ada Abbott;31/12/2020;1.234,50\nK2;Bo Brandt;01/02/2021;-3,00\n"
)
ORDERS = "Order No.,Cust. No.,Amt (EUR)\n1,K1,10.50\n2,K1,7\n3,K2,n/a\n"


def read(**files: str | bytes):
    database = FilesDatabase()
    names = [
        (name.replace("_csv", ".csv"), data.encode() if isinstance(data, str) else data) for name, data in files.items()
    ]
    database.read((name, lambda data=data: data) for name, data in names)
    return database


def read_to_the_end(data: bytes) -> None:
    for table in read_tables("t.csv", data):
        list(table.rows)


def test_types_and_keys_are_guessed_and_the_database_answers(tmp_path):
    with read(customers_csv=CUSTOMERS, orders_csv=ORDERS) as database:
        rows = {(row["table"], row["column"]): row for row in plan_rows(database.tables)}
        assert rows["customers", "Date opened"]["type"] == Kind.DATE_DAY_FIRST
        assert rows["customers", "Bal. (EUR)"]["type"] == Kind.NUMBER_COMMA
        assert rows["customers", "Cust. No."]["key"] == "yes"
        assert rows["orders", "Cust. No."]["points to"] == "customers.Cust_No"
        database.write(tmp_path / "made.sqlite", database.tables)
    with DatabaseSource.connect(f"sqlite:///{tmp_path / 'made.sqlite'}") as source:
        assert source.query("SELECT Date_opened, Bal_EUR FROM customers").rows == (
            ("2020-12-31", 1234.5),
            ("2021-02-01", -3),
        )
        assert source.query("SELECT Amt_EUR FROM orders WHERE Order_No = 3").rows == ((None,),)
        assert source.schema.table("orders").foreign_keys[0].referred_table == "customers"


def test_a_number_that_was_given_twice_and_a_line_above_the_header_are_told():
    lines = [f"K{number};Client {number % 9};{number}" for number in range(1, 20)]
    text = "\n".join(["Export;;", "Cust. No.;Name;Visits", *lines, "K7;Client 7 bis;3"])
    with read(clients_csv=text) as database:
        rows = {row["column"]: row for row in plan_rows(database.tables)}
        assert "2 rows have 'K7', so it is no key by itself" in rows["Cust. No."]["note"]
        assert not rows["Name"]["note"]
        assert database.tables[0].notes == ("1 line above the header was left out",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"Amount,Amount\n1,2\n", "2 columns called 'Amount'"),
        (b"Name,Town\nAda,Bern,Linz\n", "Line 2 of t.csv has 3 cells and its header has 2: 'Linz'"),
        (b'Name,Town\n"Ada,Bern\n' + b"x" * 40, "t.csv is no table: unexpected end of data"),
        (b"just a sentence\n", "no header"),
        (b"\x00\x01\x02\x00,\x00\n", "not text"),
    ],
)
def test_what_is_no_table_is_refused_by_name(data, said):
    with pytest.raises(UnreadableFile, match=said):
        read_to_the_end(data)


def test_a_title_short_rows_and_a_head_of_two_rows_are_read():
    (table,) = read_tables("t.csv", b"Sales report,,\n\nShop,Sales,\n,North,South\nBern,5,6\nLinz,7\n")
    assert table.header == ("Shop", "Sales North", "Sales South")
    assert [cells for _, cells in table.rows] == [["Bern", "5", "6"], ["Linz", "7", ""]]
    assert len(table.notes) == 2


def test_each_sheet_of_a_workbook_is_a_table():
    book = Workbook()
    book.active.title = "Shops"
    for row in (("Shop", "Opened on"), ("Bern", "2020-01-31")):
        book.active.append(row)
    sheet = book.create_sheet("Staff")
    for row in (("Staff No", "Name"), (1, "Ada"), (2, "Bo")):
        sheet.append(row)
    kept = io.BytesIO()
    book.save(kept)
    tables = read_tables("b.xlsx", kept.getvalue())
    assert [(table.name, len(list(table.rows))) for table in tables] == [("Shops", 1), ("Staff", 2)]


def test_a_damaged_workbook_is_refused():
    with pytest.raises(UnreadableFile, match="damaged or no Excel workbook"):
        read_tables("b.xlsx", b"PK\x03\x04 nothing")


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "22", "3"], Kind.WHOLE),
        (["001", "22", "3"], Kind.TEXT),
        (["1,234.50", "7"], Kind.NUMBER),
        (["1.234,50", "7"], Kind.NUMBER_COMMA),
        (["€ 5.20", "(3.10)", "n/a"], Kind.NUMBER),
        (["2024-01-31", "2023-12-01"], Kind.DATE),
        (["31.01.2024", "01.02.2024"], Kind.DATE_DAY_FIRST),
        (["01/31/2024", "02/01/2024"], Kind.DATE_MONTH_FIRST),
        (["2024-01-31 10:20", "2024-02-01T09:00:05"], Kind.MOMENT),
        (["1", "2", "three"], Kind.TEXT),
        (["5", "", "-"], Kind.WHOLE),
    ],
)
def test_the_kind_of_a_column(cells, kind):
    guess = Guess(fits={})
    for line, cell in enumerate(cells, 2):
        guess.add(cell, line)
    assert guess.kind(commas=False)[0] is kind


def test_a_date_that_could_be_read_both_ways_is_pointed_out():
    guess = Guess(fits={})
    guess.add("01/02/2024", 2)
    assert guess.kind(commas=False) == (Kind.DATE_DAY_FIRST, "every date could be read month first too")


def test_no_day_that_there_is_not():
    assert converted("31/02/2024", Kind.DATE_DAY_FIRST) is None


def test_a_person_changes_the_plan(tmp_path):
    with read(orders_csv=ORDERS) as database:
        rows = read_plan(plan_csv(database.tables).replace("whole number,yes", "text,"))
        planned = changed(database.tables, rows)
        assert planned[0].columns[0].kind is Kind.TEXT
        assert not planned[0].columns[0].key
        with pytest.raises(InvalidInput, match=r"points to 'nowhere\.id'"):
            changed(database.tables, [{**rows[0], "points to": "nowhere.id"}])
        with pytest.raises(InvalidInput, match="has the type 'money'"):
            changed(database.tables, [{**rows[0], "type": "money"}])
        wrong = changed(database.tables, [{**rows[1], "type": "date"}])
        with pytest.raises(InvalidInput, match=r"Line 2 of orders\.csv has 'K1' under 'Cust\. No\.', which is no date"):
            database.write(tmp_path / "x.sqlite", wrong)


def test_a_key_whose_values_stand_twice_is_refused(tmp_path):
    with read(orders_csv=ORDERS) as database:
        rows = plan_rows(database.tables)
        rows[0]["key"], rows[1]["key"] = "", "yes"
        with pytest.raises(InvalidInput, match=r"Cust\. No\. cannot be the key of orders"):
            database.write(tmp_path / "x.sqlite", changed(database.tables, rows))


def test_files_without_a_table_are_listed():
    with read(orders_csv=ORDERS, empty_csv=b"", head_csv=b"a,b\n", **{"notes.pdf": b"%PDF"}) as database:
        assert [(file.name, file.reason) for file in database.left_out] == [
            ("empty.csv", "empty"),
            ("head.csv", "a header and no row"),
            ("notes.pdf", "no CSV file and no workbook"),
        ]
