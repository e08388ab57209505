"""Tables and forms of PDFs come out as rows and fields, whatever way they are drawn."""

import re

import fpdf
import pytest

from core.sources.corpus.parsing import format_of
from tests.support.shared_data import shared


class Page(fpdf.FPDF):
    """A page on which text and rules are set by their place, in points."""

    def __init__(self):
        super().__init__(unit="pt", format="letter")
        self.add_page()
        self.set_font("Helvetica", size=9)

    def put(self, x, y, text, *, style="", size=9.0, right=False, turned=False):
        self.set_font("Helvetica", style=style, size=size)
        x -= self.get_string_width(text) if right else 0
        if turned:
            with self.rotation(90, x, y):
                self.text(x, y, text)
        else:
            self.text(x, y, text)

    def row(self, y, label, *values, indent=0.0, edges=(330, 420, 510, 600), **how):
        self.put(40 + indent, y, label, **how)
        for value, edge in zip(values, edges, strict=False):
            if value.startswith("$"):
                self.put(edge - 60, y, "$")
                value = value[1:]
            self.put(edge + (3 if value.endswith(")") else 0), y, value, right=True)

    def rules(self, xs, ys):
        for y in ys:
            self.line(xs[0], y, xs[-1], y)
        for x in xs:
            self.line(x, ys[0], x, ys[-1])


def read(page):
    [parsed] = format_of(".pdf").read(bytes(page.output()))
    return parsed


def lines(page):
    return [line for line in read(page).text.split("\n") if line]


def statement(*, lead=True):
    page = Page()
    if lead:
        page.put(40, 60, "Arden plc")
        page.put(40, 80, "STATEMENTS OF OPERATIONS (Unaudited)", style="B", size=11)
        page.put(40, 100, "(In millions, except per share amounts)")
        for x in (245, 425):
            page.put(x, 120, "Three Months Ended" if x == 245 else "Six Months Ended", style="B", size=8)
        page.line(230, 123, 330 + 90, 123)
        page.line(428, 123, 600, 123)
        for number, edge in enumerate((330, 420, 510, 600)):
            page.put(edge, 133, ("June 25,", "June 26,")[number % 2], style="B", size=8, right=True)
            page.put(edge, 142, ("2022", "2021")[number % 2], style="B", size=8, right=True)
    page.row(156, "Net sales:")
    page.row(168, "Products", "$63,355", "$63,948", "$245,241", "$232,309", indent=8)
    page.row(180, "Services", "19,604", "17,486", "58,941", "-", indent=8)
    page.row(192, "Total net sales", "82,959", "81,434", "304,182", "232,309", indent=16)
    page.row(204, "Other income, net of expenses that the company", indent=0)
    page.row(213, "recognized in the period", "(10)", "243", "(97)", "796", indent=8)
    page.row(225, "Share of profit", "12.5%", "(8)%", "11%", "10%")
    return page


def test_a_statement_without_rules_is_a_table_with_one_head():
    assert lines(statement()) == [
        "Arden plc",
        "STATEMENTS OF OPERATIONS (Unaudited)",
        "Table: Statements of operations (unaudited) (in millions, except per share amounts)",
        "|  | Three Months Ended June 25, 2022 | Three Months Ended June 26, 2021 | Six Months Ended June 25, 2022"
        " | Six Months Ended June 26, 2021 |",
        "| --- | --- | --- | --- | --- |",
        "| Net sales: Products | $63,355 | $63,948 | $245,241 | $232,309 |",
        "| Net sales: Services | 19,604 | 17,486 | 58,941 | - |",
        "| Total net sales | 82,959 | 81,434 | 304,182 | 232,309 |",
        "| Other income, net of expenses that the company recognized in the period | (10) | 243 | (97) | 796 |",
        "| Share of profit | 12.5% | (8)% | 11% | 10% |",
    ]


def test_a_table_of_contents_stays_as_it_is():
    page = Page()
    for number, title in enumerate(["Financial Statements", "Risk Factors", "Controls", "Exhibits"]):
        page.put(40, 80 + 14 * number, f"Item {number + 1}.")
        page.put(90, 80 + 14 * number, title)
        page.put(560, 80 + 14 * number, str(3 + 7 * number), right=True)
    assert "|" not in read(page).text


def form():
    page = Page()
    page.put(40, 60, "Pilot Information", style="B", size=13)
    fields = [
        ("Certificate:", "Private", "Age:", "85, Male"),
        ("Airplane Rating(s):", "Single-engine Land", "Restraint Used:", "Seatbelt, Shoulder"),
        ("Occupational Pilot:", "", "Last Review:", "10/01/2006"),
        ("Operator:", "W. Forman", "Operating Certificate(s)", "None"),
    ]
    for number, row in enumerate(fields):
        for place, text in enumerate(row):
            page.put((40, 170, 320, 450)[place], 90 + 24 * number, text, style="" if place % 2 else "B")
    page.put(450, 101 + 24, "harness")
    page.put(320, 101 + 72, "Held:", style="B")
    return page


def test_a_form_in_two_columns_is_a_line_for_each_field():
    assert lines(form()) == [
        "Pilot Information",
        "Certificate: Private",
        "Age: 85, Male",
        "Airplane Rating(s): Single-engine Land",
        "Restraint Used: Seatbelt, Shoulder harness",
        "Last Review: 10/01/2006",
        "Operator: W. Forman",
        "Operating Certificate(s) Held: None",
    ]


def test_a_table_with_rules_keeps_wrapped_cells_and_spanning_heads():
    page = Page()
    xs, ys = (40, 200, 300, 400), (80, 96, 112, 142, 158)
    page.put(40, 70, "Fees (in euros)", style="B", size=12)
    page.rules(xs, (80, 112, 142, 158))
    page.line(200, 96, 400, 96)
    page.set_fill_color(255, 255, 255)
    page.rect(299, 80.6, 2, 15, style="F")  # the rule between two heads is not drawn below the first line
    for x, y, text in [
        (44, 100, "Service"),
        (240, 92, "Account"),
        (204, 108, "Branch"),
        (304, 108, "Online"),
        (44, 122, "Transfer abroad, outside of"),
        (44, 134, "the payments area"),
        (204, 122, "0.15%, at"),
        (204, 134, "least 8"),
        (304, 122, "free"),
        (44, 154, "Statement"),
        (204, 154, "none"),
        (304, 154, "none"),
    ]:
        page.put(x, y, text)
    text = read(page).text
    assert "Table: Fees (in euros)" in text
    assert "| Transfer abroad, outside of the payments area | 0.15%, at least 8 | free |" in text
    assert "| Statement | none | none |" in text
    assert ys[0] == 80


def test_a_table_over_two_pages_has_its_head_on_both():
    page = Page()
    xs = (40, 200, 300, 400)

    def part(rows, *, head):
        names = [("Plan", "Fee", "Limit")] if head else []
        for number, cells in enumerate([*names, *rows]):
            for x, text in zip(xs, cells, strict=False):
                page.put(x + 4, 72 + 16 * number, text)
        page.rules(xs, [60 + 16 * number for number in range(len(rows) + len(names) + 1)])

    part([(f"Plan {sign}", "none", "high") for sign in "abcd"], head=True)
    page.add_page()
    part([(f"Plan {sign}", "some", "low") for sign in "efg"], head=False)
    text = read(page).text
    assert text.count("| Plan | Fee | Limit |") == 2
    assert "| Plan e | some | low |" in text


def test_heads_that_are_written_upwards():
    page = Page()
    page.rules((40, 140, 180, 220), (60, 140, 156, 172))
    page.put(44, 136, "Segment")
    for x, text in ((160, "Retail credit"), (200, "All loans")):
        page.put(x, 136, text, turned=True)
    for y, cells in ((152, ("North", "310", "1,609")), (168, ("South", "642", "3,631"))):
        for x, text in zip((44, 150, 190), cells, strict=True):
            page.put(x, y, text)
    assert "| Segment | Retail credit | All loans |" in read(page).text


def test_boxes_with_a_small_label_are_fields():
    page = Page()
    for number, (label, value) in enumerate(
        [("1. Full name", "Jane Amelia Doe"), ("2. Born", "04/11/1984"), ("3. Telephone", ""), ("4. City", "Exeter")]
    ):
        x, y = 40 + 200 * (number % 2), 80 + 50 * (number // 2)
        page.rect(x, y, 190, 40)
        page.put(x + 3, y + 9, label, size=6)
        page.put(x + 3, y + 26, value, size=11)
    assert lines(page) == ["1. Full name: Jane Amelia Doe", "2. Born: 04/11/1984", "4. City: Exeter"]


def test_prose_in_two_columns_stays_in_its_order():
    page = Page()
    for number in range(40):
        page.put(40, 60 + 12 * number, f"left {number} the fee of a card is three pounds a month", size=8)
    for number in range(40):
        page.put(320, 60 + 12 * number, f"right {number} and the branch opened in the year of 2014", size=8)
    numbers = [line.split()[:2] for line in lines(page)]
    assert numbers == [[side, str(number)] for side in ("left", "right") for number in range(40)]


WORD = re.compile(r"\w+")


@pytest.mark.parametrize("build", [statement, form], ids=["statement", "form"])
def test_every_word_is_read_once(build):
    page = build()
    page.put(40, 700, "The end of it all.")
    text = "\n".join(line for line in read(page).text.split("\n") if not line.startswith(("Table:", "| ---", "|  |")))
    words = WORD.findall(text)
    assert all(
        words.count(word) == 1 for word in ("Services", "recognized", "Seatbelt", "harness", "end") if word in words
    )
    assert "end" in words


@pytest.mark.slow
def test_tables_of_quarterly_reports_have_heads_units_and_labels():
    [parsed] = format_of(".pdf").read(shared("kgrag-10q/2023 Q1 MSFT.pdf").read_bytes())
    text = parsed.text
    assert "Table: Income statements (unaudited) (in millions, except per share amounts)" in text
    assert "| Revenue: Product | $16,517 | $20,779 | $32,258 | $37,410 |" in text
    assert "|  | Less than 12 Months Fair Value | Less than 12 Months Unrealized Losses |" in text
    assert "| Fiscal Year | Shares 2023 | Amount 2023 | Shares 2022 | Amount 2022 |" in text
    assert "December 31, 2022: Changes in Fair Value Recorded in Net Income: Equity investments | Level 1 |" in text


@pytest.mark.slow
def test_fields_of_accident_reports():
    [parsed] = format_of(".pdf").read(shared("ntsb/20071229X02007.pdf").read_bytes())
    fields = dict(line.split(": ", 1) for line in parsed.text.split("\n") if ": " in line)
    assert fields["Airworthiness Certificate"] == "Normal"
    assert fields["Serial Number"] == "22-4583"
    assert fields["Restraint Used"] == "Seatbelt, Shoulder harness"
    assert fields["Operating Certificate(s) Held"] == "None"
    assert fields["Visibility"] == "10 Miles"
    assert "Year of Manufacture" not in fields


def test_the_units_of_one_caption_are_not_those_of_the_next_table():
    page = Page()
    tables = {
        60: ("Table 4.1 Assets at year-end (in EUR million) and return (in %)", "8.4", "2.3"),
        200: ("Table 4.2 Running costs (x EUR 1,000)", "1,961", "2,014"),
        340: ("Table 4.3 Costs (in EUR million)", "61.2", "59.3"),
        480: ("Table 4.4 Costs of managers, in % of assets", "0.03", "0.02"),
    }
    for top, (caption, *values) in tables.items():
        page.put(40, top, caption, style="B")
        page.rules((38, 200, 330, 440), range(top + 10, top + 71, 20))
        rows = (("Class", "2024", "2023"), ("Shares", *values), ("Bonds", *reversed(values)))
        for number, row in enumerate(rows):
            for x, cell in zip((42, 204, 334), row, strict=True):
                page.put(x, top + 24 + 20 * number, cell)
    page.put(40, 760, "Chapter 4 - Assets and costs page 1 / 2", style="B")
    titles = [line for line in lines(page) if line.startswith("Table: ")]
    assert titles == [
        "Table: Table 4.1 Assets at year-end (in EUR million) and return (in %)",
        "Table: Table 4.2 Running costs (x EUR 1,000)",
        "Table: Table 4.3 Costs (in EUR million)",
        "Table: Table 4.4 Costs of managers, in % of assets",
    ]
