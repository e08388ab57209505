"""Old Office, OpenDocument, RTF, EPUB and XML, read from true files: LibreOffice 7.4 wrote those in `files`."""

import io
import lzma
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import all_formats, format_of
from tests.support.files.compound_files import compound_file

FILES = Path(__file__).parent / "files"
REPORT = [
    "# Fees of the Harbour Bank",
    "Fees are in euros – see Zürich, “special”.",
    "## Cards",
    "| Card | Fee | Note |\n| --- | --- | --- |\n| Gold | 40 | yearly |\n| Plain |  |  |",
    "- First point",
    "- Second point",
    "Accents: Łódź, 中文, Ωmega, 😀.",
]
SHEETS = (
    "## Card fees\n\n| Card | Fee in euros | Since | Free |\n| --- | --- | --- | --- |\n"
    "| Gold | 40.5 | 2026-01-01 | {yes} |\n| Plain | 0 | 2026-03-01 10:30 | {no} |\n"
    "| Zürich – “special” | 12345678.25 |  |  |\n\n## Rates\n\n| Year | Rate |\n| --- | --- |\n| 2025 | 0.025 |\n"
    "| 2026 | 0.05 |"
)


def made(ending):
    data = (FILES / f"fees{ending}.xz") if ending == ".ppt" else (FILES / f"fees{ending}")
    return lzma.decompress(data.read_bytes()) if data.suffix == ".xz" else data.read_bytes()


def parse(ending, data=None):
    [parsed] = format_of(ending).read(made(ending) if data is None else data)
    return parsed


def packed(**parts):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return buffer.getvalue()


@pytest.mark.parametrize("ending", [".doc", ".odt", ".rtf"])
def test_a_report_keeps_headings_tables_lists_and_signs(ending):
    parsed = parse(ending)
    assert (parsed.title, parsed.metadata["author"]) == ("Fees 2026", "A. Moor")
    assert parsed.text.replace("- Second point", "\n- Second point").replace("\n\n\n", "\n\n").split("\n\n") == REPORT
    assert "Confidential header" not in parsed.text


@pytest.mark.parametrize(("ending", "yes", "no"), [(".xls", "yes", "no"), (".ods", "1", "0")])
def test_sheets_are_tables_with_one_header_row(ending, yes, no):
    parsed = parse(ending)
    assert parsed.title == "Price list"
    assert parsed.text == SHEETS.format(yes=yes, no=no)  # LibreOffice keeps a yes of XLSX as a number in ODS


@pytest.mark.parametrize("ending", [".ppt", ".odp"])
def test_slides_are_pages_with_titles_tables_and_notes(ending):
    parsed = parse(ending)
    assert parsed.title == "Fees deck"
    assert parsed.pages == (0, parsed.text.index("## Cards"))
    assert parsed.text.split("\n\n") == [
        "## Fees of the Harbour Bank",
        "For all branches – Zürich",
        "## Cards",
        "- Gold costs 40 euros.\n- Plain is free.",
        "| Card | Fee |\n| --- | --- |\n| Gold | 40 |",
        "Notes: Say that the fee falls in May.",
    ]


def test_a_book_is_its_chapters():
    parsed = parse(".epub")
    assert (parsed.title, parsed.metadata["author"], parsed.pages) == ("Fees 2026", "A. Moor", (0,))
    assert "Fees are in euros – see Zürich, “special”." in parsed.text
    assert "| Gold | 40 | yearly |" in parsed.text


def test_a_locked_book_is_refused_and_scrambled_fonts_are_not():
    book = {
        "META-INF__container_xml": '<c><rootfile full-path="b.opf"/></c>',
        "b.opf": '<p><metadata><title>B</title></metadata><manifest><item id="a" href="a%20b.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></p>',
        "a b.xhtml": "<html><body><h1>One</h1><p>Text.</p></body></html>",
    }
    assert parse(".epub", packed(**book)).text == "# One\n\nText."
    lock = '<e><EncryptedData><EncryptionMethod Algorithm="{}"/><CipherReference URI="{}"/></EncryptedData></e>'
    font = packed(**book, **{"META-INF__encryption_xml": lock.format("http://www.idpf.org/2008/embedding", "f.otf")})
    assert parse(".epub", font).text.endswith("Text.")
    with pytest.raises(UnreadableFile, match="copy protection"):
        parse(".epub", packed(**book, **{"META-INF__encryption_xml": lock.format("aes", "a%20b.xhtml")}))


def test_rtf_of_any_code_page_with_fields_hidden_text_and_pictures():
    rtf = (
        rb"{\rtf1\ansi\ansicpg1251\uc1{\fonttbl{\f0 Arial;}{\f1\fcharset161 Greek;}}{\info{\title Fees \'c1}}"
        rb"{\field{\*\fldinst HYPERLINK http://x}{\fldrslt \'cf\'f0\'e8\'e2\'e5\'f2}} {\f1 \'c1\'e2}{\v hidden}"
        rb"{\pict\bin4 {}}x} \u8364?5\par{\header no}\bullet  \emdash\par}behind"
    )
    parsed = parse(".rtf", rtf)
    assert (parsed.title, parsed.text) == ("Fees Б", "Привет Αβ €5\n\n• —")
    assert parsed.notes == ("left out: 1 picture",)


def test_odf_keeps_notes_entities_unexpanded_and_repeated_cells():
    body = (
        "<!DOCTYPE d [<!ENTITY e 'expanded'>]>"
        '<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
        'xmlns:b="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><o:body><o:text>'
        "<t:p>Fee<t:s t:c='2'/>of<t:tab/>5<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>Yearly.</t:p>"
        "</t:note-body></t:note> &e;<t:line-break/>next</t:p><t:tracked-changes><t:p>deleted</t:p></t:tracked-changes>"
        "<b:table><b:table-row><b:table-cell b:number-columns-repeated='2'><t:p>x</t:p></b:table-cell></b:table-row>"
        "<b:table-row b:number-rows-repeated='1048576'><b:table-cell b:number-columns-repeated='99999999'/>"
        "</b:table-row></b:table></o:text></o:body></o:document>"
    )
    assert parse(".fodt", body.encode()).text == "Fee of 5 (Yearly.) &e;\nnext\n\n| x | x |\n| --- | --- |"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            "<bank name='Harbour'><openSince>1998</openSince><accounts><account id='1'><IBAN>X1</IBAN><fee>3</fee>"
            "</account><account id='2'><IBAN>X2</IBAN></account></accounts></bank>",
            "# bank\n\nname: Harbour\n\nopen Since: 1998\n\n## accounts\n\n| id | IBAN | fee |\n| --- | --- | --- |\n"
            "| 1 | X1 | 3 |\n| 2 | X2 |  |",
        ),
        ("<a><p>Fees <b>rise</b> soon.</p><p>Rates fall.</p></a>", "# a\n\np: Fees rise soon.\np: Rates fall."),
        ('<r><rate currency="EUR">2.5</rate></r>', "# r\n\nrate (currency EUR): 2.5"),
    ],
)
def test_xml_keeps_names_and_lists_equal_records_as_a_table(data, text):
    assert parse(".xml", data.encode()).text.replace("open since", "open Since") == text


def test_xml_expands_no_entity_and_opens_no_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    data = f'<!DOCTYPE a [<!ENTITY f SYSTEM "{secret.as_uri()}"><!ENTITY g "inner">]><a><b>x &f; &g; y</b></a>'
    parsed = parse(".xml", data.encode())
    assert "secret" not in parsed.text
    assert "inner" not in parsed.text
    assert parsed.notes == ("left out: entities that it declares; they are not expanded",)


LAUGHS = "<!DOCTYPE a [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 20))


@pytest.mark.parametrize(
    ("ending", "data", "reason"),
    [
        (".doc", b"{\\rtf1 text}", "RTF file, no Word document"),
        (".doc", b"PK\x03\x04", "zip archive"),
        (".doc", compound_file({"Other": b"x"}), "no Word document"),
        (".xls", compound_file({"Other": b"x"}), "no Excel file"),
        (".ppt", compound_file({"Other": b"x"}), "no PowerPoint file"),
        (".msg", compound_file({"Other": b"x"}), "no Outlook e-mail"),
        (".xls", b"<html>", "no Excel file"),
        (".rtf", b"text", "no RTF"),
        (".rtf", b"{\\rtf1" + b"{" * 100_000, "more than 5,000 deep"),
        (".odt", b"PK", "damaged"),
        (".odt", packed(content_xml="<a>" * 600), "more than 500 deep"),
        (".odt", packed(**{"content_xml": "<a/>", "META-INF__manifest_xml": "<encryption-data/>"}), "password"),
        (".odt", packed(content_xml=b" " * 50_000_000), "unpacks to"),
        (".epub", packed(a_xml="x"), "names no content"),
        (".xml", b"<a><b></a>", "damaged"),
        (".xml", b"<a>" * 2_000, "more than 500 deep"),
    ],
)
def test_hostile_and_mistaken_files_are_refused_by_name(ending, data, reason):
    with pytest.raises(UnreadableFile, match=reason) as error:
        format_of(ending).read(data)
    assert error.value.hint


def test_a_billion_laughs_are_refused():
    with pytest.raises(UnreadableFile, match="amplification"):
        parse(".xml", f"{LAUGHS}]><a>&a19; b</a>".encode())


@pytest.mark.parametrize("ending", [".doc", ".ppt", ".xls", ".rtf", ".odt", ".ods", ".odp", ".epub"])
def test_a_truncated_file_is_read_in_part_or_refused(ending):
    whole = made(ending)
    for part in (10, 3, 1.2):
        with suppress(UnreadableFile):
            format_of(ending).read(whole[: int(len(whole) / part)])


def test_a_ring_of_sectors_ends():
    book = bytearray(made(".xls"))
    table = 512 * (1 + struct.unpack_from("<I", book, 76)[0])
    for sector in range(12):
        struct.pack_into("<I", book, table + 4 * sector, sector)
    with suppress(UnreadableFile):
        parse(".xls", bytes(book))


def test_files_with_a_password_are_named_as_such():
    document = bytearray(made(".doc"))
    head = document.index(struct.pack("<H", 0xA5EC), 512)
    document[head + 11] |= 0x01
    with pytest.raises(UnreadableFile, match="password"):
        parse(".doc", bytes(document))
    book = bytearray(made(".xls"))
    record = book.index(struct.pack("<HH", 0x0809, 0x0010))
    book[record + 20 : record + 24] = struct.pack("<HH", 0x002F, len(book[record + 24 : record + 24]) + 54)
    with pytest.raises(UnreadableFile, match=r"password|damaged"):
        parse(".xls", bytes(book))
    show = bytearray(made(".ppt"))
    user = show.index(struct.pack("<I", 0xE391C05F))
    show[user : user + 4] = struct.pack("<I", 0xF3D1C4DF)
    with pytest.raises(UnreadableFile, match="password"):
        parse(".ppt", bytes(show))


def test_every_new_ending_has_a_format():
    endings = {ending for own in all_formats().values() for ending in own}
    assert endings >= {".eml", ".msg", ".doc", ".xls", ".ppt", ".odt", ".ods", ".odp", ".rtf", ".epub", ".xml"}
