"""Each format keeps what a person would read, tables in their place."""

import io
import warnings
import zipfile
from datetime import UTC, date, datetime

import docx
import fpdf
import openpyxl
import pptx
import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode
from core.sources.corpus.parsing import format_of, reads
from tests.support.shared_data import shared


def parse(ending, data):
    [parsed] = format_of(ending).read(data if isinstance(data, bytes) else data.encode())
    return parsed


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "cp1252"]
)
def test_encodings(encoding):
    text = "Zürich branch, opened in 2014 – “Harbour Street”, fees in €."
    assert decode(text.encode(encoding)) == text


def test_bytes_outside_windows_1252_still_give_text():
    assert decode(b"a\x81b") == "a\x81b"


@pytest.mark.parametrize("data", [b"\xff\xfea", b"\xef\xbb\xbf\xff", b"a\x00b\x00\x00c"])
def test_what_is_no_text(data):
    with pytest.raises(UnreadableFile):
        decode(data)


def test_markdown_title_from_the_first_heading():
    parsed = parse(".md", "Intro\n\n## Hill Road ##\nText")
    assert (parsed.title, parsed.id) == ("Hill Road", "")


def test_a_rule_is_no_front_matter():
    assert parse(".md", "Text\n---\nid: 1\n---\n").id == ""


def test_html_shows_what_the_page_shows():
    parsed = parse(
        ".html",
        """<html><head><title> Hill
        Road </title><style>p {}</style><script>var a = "secret";</script></head><body><!-- no -->
        <h2>Hill <b>Road</b></h2><p>Opened in<br>2014, <i>led</i> by  Jane.</p><p hidden>no</p>
        <div style="display: none">no</div><ul><li>one</li><li>two</li></ul><dl><dt>Fax</dt><dd>0555</dd></dl>
        <table><tr><th>Day</th><th>Opens</th></tr><tr><td>Mon</td><td>9 | 10</td></tr></table>
        <table><tr><td>Plain</td><td>cell</td></tr></table></body></html>""",
    )
    assert parsed.title == "Hill Road"
    assert [line for line in parsed.text.split("\n") if line] == [
        "## Hill Road",
        "Opened in",
        "2014, led by Jane.",
        "- one",
        "- two",
        "Fax: 0555",
        "Table: Hill Road",
        "| Day | Opens |",
        "| --- | --- |",
        "| Mon | 9 / 10 |",
        "| Plain | cell |",
    ]


def test_html_title_from_the_heading_and_layout_tables_are_read():
    parsed = parse(".htm", "<h1>Hill Road</h1><table><tr><td><table><tr><td>in</td></tr></table></td></tr></table>")
    assert parsed.title == "Hill Road"
    assert "| in |" in parsed.text


def rows_of(html):
    return [line for line in parse(".html", html).text.split("\n") if line]


def test_heads_of_html_tables_are_joined_and_signs_put_to_their_figures():
    assert rows_of(
        """<h2>Statements of operations</h2><p>All is unaudited (in millions, except per share amounts).</p><table>
        <tr><td colspan=2></td><th colspan=6>Three months ended</th></tr>
        <tr><td></td><td></td><th colspan=3>March 31, 2023</th><th colspan=3>March 31, 2022</th></tr>
        <tr><td>Sales</td><td></td><td>$</td><td>1,204</td><td></td><td>$</td><td>1,100</td><td></td></tr>
        <tr><td>Loss</td><td></td><td></td><td>(20</td><td>)</td><td></td><td>(5</td><td>)</td></tr></table>"""
    )[2:] == [
        "Table: Statements of operations (in millions, except per share amounts)",
        "| | Three months ended March 31, 2023 | Three months ended March 31, 2022 |",
        "| --- | --- | --- |",
        "| Sales | $1,204 | $1,100 |",
        "| Loss | (20) | (5) |",
    ]


def test_cells_that_span_rows_and_a_caption():
    assert rows_of(
        """<table><caption>Card fees (in euros)</caption><thead><tr><th rowspan=2>Card</th><th colspan=2>Fee</th></tr>
        <tr><th>Branch</th><th>Online</th></tr></thead><tr><td colspan=3>Debit cards</td></tr>
        <tr><td rowspan=2>Gold</td><td>60</td><td>55</td></tr><tr><td>50</td><td>45</td></tr></table>"""
    ) == [
        "Table: Card fees (in euros)",
        "| Card | Fee Branch | Fee Online |",
        "| --- | --- | --- |",
        "| Debit cards: Gold | 60 | 55 |",
        "| Debit cards: Gold | 50 | 45 |",
    ]


def test_spans_without_end_are_cut():
    text = parse(".html", "<table><tr><th>a<th colspan=99999 rowspan=99999>b<tr><td>1<td>2<tr><td>3<td>4</table>").text
    assert len(text) < 20_000


def test_keys_and_values_of_html_are_fields():
    assert rows_of(
        """<table><tr><th>Opens</th><td>9:00</td></tr><tr><th>Fax</th><td></td></tr><tr><th>Open on</th><td>Monday</td>
        </tr></table><table><tr><td>Name:</td><td>Jane</td><td>Born:</td><td>1984</td></tr>
        <tr><td>City:</td><td>Exeter</td><td>Phone:</td><td></td></tr></table>
        <dl><dt>Manager:</dt><dd>J. Doe</dd><dt>Languages</dt><dd>English</dd><dd>French</dd></dl>
        <label for=a>Amount:</label><input id=a value=250><br><input type=checkbox checked> Express
        <input type=checkbox> Gift<br><label for=s>Country</label><select id=s><option>France<option selected>Spain
        </select><input type=hidden value=secret>"""
    ) == [
        "Opens: 9:00",
        "Open on: Monday",
        "Name: Jane",
        "Born: 1984",
        "City: Exeter",
        "Manager: J. Doe",
        "Languages: English; French",
        "Amount: 250",
        "☒ Express ☐ Gift",
        "Country: Spain",
    ]


def test_docx_tables_with_two_rows_of_heads_and_forms():
    def build(document):
        document.add_heading("Results", level=1)
        document.add_paragraph("Sales were as follows (in millions):")
        table = document.add_table(rows=4, cols=3)
        table.cell(0, 1).merge(table.cell(0, 2)).text = "Three months ended"
        table.cell(0, 0).merge(table.cell(1, 0)).text = "Region"
        rows = {1: ("", "June 2023", "June 2022"), 2: ("North", "1", "2"), 3: ("South", "3", "4")}
        for number, row in rows.items():
            for place, text in enumerate(row):
                if text:
                    table.cell(number, place).text = text
        form = document.add_table(rows=2, cols=2)
        for number, row in enumerate([("Name:", "Jane"), ("Born:", "1984")]):
            for place, text in enumerate(row):
                form.cell(number, place).text = text

    assert parse(".docx", word_file(build)).text.split("\n\n")[2:] == [
        "Table: Results (in millions)\n| Region | Three months ended June 2023 | Three months ended June 2022 |\n"
        "| --- | --- | --- |\n| North | 1 | 2 |\n| South | 3 | 4 |",
        "Name: Jane\nBorn: 1984",
    ]


def test_titles_and_heads_of_two_levels_in_a_sheet():
    book = openpyxl.Workbook()
    book.active.title = "Sales"
    rows = [
        ["Sales by region"],
        ["in thousands"],
        [],
        ["Region", "2023", None, "2024"],
        [None, "Plan", "Actual", "Plan"],
    ]
    for row in [*rows, ["North", 1, 2, 3], ["South", 4, 5, 6]]:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    assert parse(".xlsx", buffer.getvalue()).text == (
        "## Sales\n\nSales by region\nin thousands\n\nTable: Sales by region (in thousands)\n"
        "| Region | 2023 Plan | 2023 Actual | 2024 Plan |\n| --- | --- | --- | --- |\n"
        "| North | 1 | 2 | 3 |\n| South | 4 | 5 | 6 |"
    )


def test_xhtml_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse(".xhtml", '<?xml version="1.0"?><html><body><p>Text</p></body></html>').text == "Text"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("name,fee\ncard,3\ncash,\n", "name: card; fee: 3\nname: cash"),
        ('name;fee\n"a;b";"1,5"\n', "name: a;b; fee: 1,5"),
        ("name\tfee\ncard\t3\textra\n", "name: card; fee: 3; extra"),
        ("only,headers\n", "only; headers"),
        ("a, b\n\n x , y \n", "a: x; b: y"),
        ('a,b\n"line\nbreak",c\n', "a: line break; b: c"),
        (
            '"Garages, C. Dee, May";;\nNo;Garage;Rate\n1;Penhale;46,50\n2;Quay;44,00\nNote, number 3 is not used;;\n',
            "Garages, C. Dee, May\n\nNo: 1; Garage: Penhale; Rate: 46,50\nNo: 2; Garage: Quay; Rate: 44,00\n"
            "Note, number 3 is not used",
        ),
        (
            "Positions\nas at;31-03-2025;\n;;\nCode;Fund;Value (EUR m);Fee\nF1;Sovereign;412,6;6\nF2;Swap;251,3;5\n",
            "Positions\nas at 31-03-2025\n\nCode: F1; Fund: Sovereign; Value (EUR m): 412,6; Fee: 6\n"
            "Code: F2; Fund: Swap; Value (EUR m): 251,3; Fee: 5",
        ),
    ],
)
def test_csv_rows_are_lines(data, expected):
    assert parse(".csv", data).text == expected


@pytest.mark.parametrize("data", ["\n\n", ",,\n"])
def test_csv_without_a_cell(data):
    with pytest.raises(UnreadableFile, match="empty"):
        parse(".csv", data)


def test_csv_with_a_field_beyond_every_limit():
    with pytest.raises(UnreadableFile, match="no CSV"):
        parse(".csv", "a\n" + "x" * 20_000_001)
    assert len(parse(".csv", "a\n" + "x" * 200_000).text) == 200_003


def word_file(build):
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_docx_keeps_paragraphs_and_tables_in_order():
    def build(document):
        document.core_properties.title = ""
        document.add_heading("Hill Road", level=1)
        document.add_paragraph("Before.")
        table = document.add_table(rows=2, cols=3)
        for cell, text in zip(table.rows[0].cells, ("Day", "Opens", "Closes"), strict=True):
            cell.text = text
        table.rows[1].cells[0].text = "Mon"
        table.rows[1].cells[1].merge(table.rows[1].cells[2]).text = "all day"
        document.add_paragraph("After.")
        document.add_paragraph("point", style="List Bullet")
        document.add_paragraph("")

    parsed = parse(".docx", word_file(build))
    assert parsed.title == "Hill Road"
    assert parsed.text.split("\n\n") == [
        "# Hill Road",
        "Before.",
        "Table: Hill Road\n| Day | Opens | Closes |\n| --- | --- | --- |\n| Mon | all day |  |",
        "After.",
        "- point",
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "password"),
        (b"no archive", "damaged"),
        (b"PK\x05\x06" + bytes(18), "damaged"),
    ],
)
def test_docx_that_is_none(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        parse(".docx", data)


@pytest.mark.slow
def test_docx_that_unpacks_to_too_much():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as entry:
        for _ in range(301):
            entry.write(bytes(1_000_000))
    assert len(buffer.getvalue()) < 1_000_000
    with pytest.raises(UnreadableFile, match="unpacks to 301,000,000 bytes"):
        parse(".docx", buffer.getvalue())


def test_slides_are_read_from_top_to_bottom_with_tables_and_notes():
    show = pptx.Presentation()
    show.core_properties.author = "A. Moor"
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Fees"
    slide.placeholders[1].text = "A card costs 3 pounds\nCash is free"
    table = slide.shapes.add_table(2, 2, pptx.util.Inches(1), pptx.util.Inches(6), 1000, 1000).table
    for place, text in enumerate(["Day", "Opens", "Mon", "nine"]):
        table.cell(place // 2, place % 2).text = text
    slide.notes_slide.notes_text_frame.text = "Say it twice."
    group = show.slides.add_slide(show.slide_layouts[6]).shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 100, 100).text_frame.text = "In a group."
    buffer = io.BytesIO()
    show.save(buffer)
    parsed = parse(".pptx", buffer.getvalue())
    assert parsed.text.split("\n\n") == [
        "## Fees",
        "- A card costs 3 pounds\n- Cash is free",
        "Table: Fees\n| Day | Opens |\n| --- | --- |\n| Mon | nine |",
        "Notes: Say it twice.",
        "In a group.",
    ]
    assert (parsed.title, parsed.metadata["author"]) == ("Fees", "A. Moor")
    assert parsed.pages == (0, parsed.text.index("In a group."))


def test_sheets_are_rows_under_their_names():
    book = openpyxl.Workbook()
    book.active.title = "Fees"
    rows = [[None, "Plan", None, "Fee", "Since", "Open"], [], [None, "Plain", None, 3.5, date(2024, 5, 1), True]]
    for row in [*rows, [None, "Gold", None, "=1+1", datetime(2024, 5, 1, 9, 30), False]]:
        book.active.append(row)
    book.create_sheet("Empty")
    book.create_sheet("Hours").append(["Only headers"])
    buffer = io.BytesIO()
    book.save(buffer)
    assert parse(".xlsx", buffer.getvalue()).text == (
        "## Fees\n\nTable: Fees\n| Plan | Fee | Since | Open |\n| --- | --- | --- | --- |\n"
        "| Plain | 3.5 | 2024-05-01 | yes |\n| Gold |  | 2024-05-01 09:30 | no |\n\n## Hours\n\nOnly headers"
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('[{"id": 1, "title": "Fees", "text": "Three."}]', [("1", "Fees", "Three.")]),
        ('{"documents": [{"_id": "a", "body": "Three."}, "Four."]}', [("a", "", "Three."), ("", "", "Four.")]),
        ('[{"plan": "Gold", "fee": 3, "tags": ["a"]}]', [("", "", "plan: Gold\nfee: 3\ntags: a")]),
        ('{"id": "p1", "title": "Fees", "text": "Three.", "year": 2026}', [("p1", "Fees", "Three.")]),
        ('{"title": "Fees", "text": "Three."}', [("", "Fees", "Three.")]),
        ('{"name": "Gold", "fee": "3 euros"}', [("", "Gold", "name: Gold\nfee: 3 euros")]),
        ('{"a": 1}', [("", "", "a: 1")]),
        (
            '{"bank": {"name": "Harbour", "open": true, "boards": [{"seat": 1}, {"seat": 2}]}}',
            [("", "", "bank.name: Harbour\nbank.open: yes\nbank.boards 1.seat: 1\nbank.boards 2.seat: 2")],
        ),
        (
            '[{"id": "q1", "question": "?", "passages": [{"text": "One."}, {"id": "p", "text": "Two."}, "Three."]}]',
            [("q1#1", "", "One."), ("p", "", "Two."), ("q1#3", "", "Three.")],
        ),
        ('{"Hill Road": "Opened in 2014.", "2": ""}', [("Hill Road", "Hill Road", "Opened in 2014."), ("2", "2", "")]),
    ],
)
def test_records_are_documents(data, expected):
    assert [(item.id, item.title, item.text) for item in format_of(".json").read(data.encode())] == expected


def test_lines_that_are_no_record_are_told():
    data = b'{"text": "One.", "date": "2024-05-01", "id": "a"}\n\nnot json\n[]\n{"text": "Two."}\n'
    first, second = format_of(".jsonl").read(data)
    assert (first.id, first.text, first.metadata) == ("a", "One.", {"date": "2024-05-01"})
    assert first.notes == ("2 of its lines are no record with a text and are left out, line 3 first",)
    assert (second.text, second.notes) == ("Two.", ())


def test_markdown_fields_are_metadata():
    parsed = parse(".md", "---\nid: a\ntitle: A\nauthor: B. Lind\nupdated: 2024-05-01\n---\nText")
    assert parsed.metadata == {"author": "B. Lind", "updated": "2024-05-01", "date": "2024-05-01"}


def test_html_tells_about_itself():
    parsed = parse(
        ".html",
        '<html lang="en"><meta name="author" content="B. Lind">'
        '<meta property="article:published_time" content="2024-05-01T10:00Z"><p>Text</html>',
    )
    assert parsed.metadata == {
        "author": "B. Lind",
        "published": "2024-05-01T10:00Z",
        "language": "en",
        "date": "2024-05-01",
    }


def test_pdf_pages_headings_and_what_runs_along():
    pdf = fpdf.FPDF()
    pdf.set_title("Fees of the bank")
    pdf.set_creation_date(datetime(2024, 5, 1, tzinfo=UTC))
    for number in range(1, 5):
        pdf.add_page()
        pdf.set_font("Helvetica", size=9)
        pdf.multi_cell(0, 6, f"Bank of Arden - page {number}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", style="B", size=14)
        pdf.multi_cell(0, 8, f"Plan {number * 'x'}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=10)
        pdf.multi_cell(0, 6, f"The fee of plan {number * 'x'} is {number} pounds.", new_x="LMARGIN", new_y="NEXT")
    parsed = parse(".pdf", bytes(pdf.output()))
    assert parsed.text == "\n\n".join(
        f"Plan {number * 'x'}\nThe fee of plan {number * 'x'} is {number} pounds." for number in range(1, 5)
    )
    assert [parsed.text[start:].split("\n")[0] for start in parsed.pages] == [
        "Plan x",
        "Plan xx",
        "Plan xxx",
        "Plan xxxx",
    ]
    assert [(parsed.text[item.start : item.end], item.level) for item in parsed.outline] == [
        ("Plan x", 1),
        ("Plan xx", 1),
        ("Plan xxx", 1),
        ("Plan xxxx", 1),
    ]
    assert (parsed.title, parsed.metadata["date"]) == ("Fees of the bank", "2024-05-01")


def test_a_protected_pdf_says_so():
    parsed = parse(".pdf", shared("mixed-formats/copy-protected.pdf").read_bytes())
    assert parsed.notes == ("it is marked as not to be copied; its text is read for testing only",)


def test_pdf_that_is_none():
    with pytest.raises(UnreadableFile, match="damaged"):
        parse(".pdf", b"%PDF-1.4 nothing")


def test_pdf_without_a_text_layer():
    pdfium = pytest.importorskip("pypdfium2")
    pdf = pdfium.PdfDocument.new()
    pdf.new_page(200, 200)
    buffer = io.BytesIO()
    pdf.save(buffer)
    pdf.close()
    with pytest.raises(UnreadableFile, match="no text layer"):
        parse(".pdf", buffer.getvalue())


@pytest.mark.parametrize(
    ("data", "reason"),
    [("{", "no JSON"), ("[]", "not an object"), ('{"a": null}', "not an object"), ("{}", "not an object")],
)
def test_json_that_is_no_list_of_documents(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        parse(".json", data)


def test_a_kind_that_is_not_read_says_what_is():
    with pytest.raises(UnreadableFile) as caught:
        format_of(".xyz")
    assert ".docx" in caught.value.hint
    for ending in (".md", ".txt", ".html", ".docx", ".pdf", ".csv", ".json"):
        assert format_of(ending)


def test_two_readers_for_one_ending_are_refused():
    format_of(".md")
    with pytest.raises(ValueError, match=r"two readers with the name \.md"):
        reads("other", ".md")(lambda data: ())
