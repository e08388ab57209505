"""Each format keeps what a person would read, tables in their place."""

import io
import warnings
import zipfile

import docx
import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode
from core.sources.corpus.parsing import format_of, readable_endings, reads


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
        "| Day | Opens |",
        "| --- | --- |",
        "| Mon | 9 / 10 |",
        "| Plain | cell |",
    ]


def test_html_title_from_the_heading_and_layout_tables_are_read():
    parsed = parse(".htm", "<h1>Hill Road</h1><table><tr><td><table><tr><td>in</td></tr></table></td></tr></table>")
    assert parsed.title == "Hill Road"
    assert "| in |" in parsed.text


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
        parse(".csv", "a\n" + "x" * 200_000)


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
        "| Day | Opens | Closes |\n| --- | --- | --- |\n| Mon | all day |  |",
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


def test_docx_that_unpacks_to_too_much():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as entry:
        for _ in range(301):
            entry.write(bytes(1_000_000))
    assert len(buffer.getvalue()) < 1_000_000
    with pytest.raises(UnreadableFile, match="unpacks to 301,000,000 bytes"):
        parse(".docx", buffer.getvalue())


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
    [("{", "no JSON"), ("[]", "not an object"), ('{"a": 1}', "not an object"), ("{}", "not an object")],
)
def test_json_that_is_no_list_of_documents(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        parse(".json", data)


def test_a_kind_that_is_not_read_says_what_is():
    with pytest.raises(UnreadableFile) as caught:
        format_of(".xyz")
    assert ".docx" in caught.value.hint
    assert set(readable_endings()) >= {".md", ".txt", ".html", ".docx", ".pdf", ".csv", ".json"}


def test_two_readers_for_one_ending_are_refused():
    format_of(".md")
    with pytest.raises(ValueError, match=r"two readers with the name \.md"):
        reads("other", ".md")(lambda data: ())
