"""Where a document lies: addresses and paths of systems, and the files that were loaded."""

import pytest

from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.document_places import DocumentPlaces

FILES = ["fees/cards.html", "fees/loans.md", "de/fees/cards.html", "handbook.pdf", "rates/index.html", "7", "people:1"]


@pytest.mark.parametrize(
    ("name", "document_id"),
    [
        ("https://help.example/fees/cards.html", "fees/cards.html"),
        ("https://help.example/de/fees/cards.html?lang=de#top", "de/fees/cards.html"),
        ("https://help.example/fees/loans", "fees/loans.md"),
        ("https://help.example/fees/loans.html", "fees/loans.md"),
        ("https://help.example/rates/", "rates/index.html"),
        ("file:///srv/kb/Fees/Cards.html", "fees/cards.html"),
        ("/srv/kb/handbook.pdf", "handbook.pdf"),
        ("C:\\kb\\fees\\loans.md", "fees/loans.md"),
        ("loans.md", "fees/loans.md"),
        ("s3://bucket/kb/Handbook.pdf", "handbook.pdf"),
        ("handbook.pdf (p. 2)", "handbook.pdf"),
        ("Handbook.pdf, page 3", "handbook.pdf"),
        ("[2] handbook.pdf", "handbook.pdf"),
        ("Source: /srv/kb/handbook.pdf - Opening hours", "handbook.pdf"),
        ("handbook.pdf_chunk_12", "handbook.pdf"),
        ("handbook.pdf::7", "handbook.pdf"),
        ("handbook.pdf-0003", "handbook.pdf"),
        ("handbook", "handbook.pdf"),
        ("Handbook (page 4)", "handbook.pdf"),
        ("fees/loans.md, fees/loans.md#2", "fees/loans.md"),
        ("handbook.pdf; fees/loans.md", None),
        ("my handbook.pdf.sig", None),
        ("cards.html (p. 1)", None),
        ("cards", None),
        ("guide to the handbook", None),
        ("cards.html", None),
        ("/srv/kb/devices/cards.html", None),
        ("https://help.example/handbook", None),
        ("https://help.example/items/7", None),
        ("fees/loans.pdf", None),
        ("/srv/kb/fees/loans", None),
        ("https://help.example/", None),
        ("kb:cc968a", None),
        ("", None),
    ],
)
def test_the_longest_end_that_one_file_has(name, document_id):
    assert DocumentPlaces(FILES).find(name) == document_id


def test_two_files_that_are_one_page_of_a_site_are_none():
    assert DocumentPlaces(["fees.md", "fees.html"]).find("https://help.example/fees") is None


@pytest.mark.parametrize(
    "name", ["people:1#0", "people:1_chunk_2", "people:1 (passage 3)", "people:1::4", "People:1, chunk 9"]
)
def test_a_place_within_a_document_is_left_out(name):
    assert KnownDocuments(["people:1", "people:12"]).retrieved(name) == "people:1"


@pytest.mark.parametrize("name", ["people:1-2", "people:1.5", "people:1 2", "part no 4", "Part 3", "page 4"])
def test_what_may_be_another_id_stays(name):
    assert KnownDocuments(["people:1", "people:12", "part"]).retrieved(name) == name


def test_a_name_as_long_as_a_text_is_no_file():
    assert DocumentPlaces(FILES).find("It says so " * 30 + "handbook.pdf") is None


def test_an_id_goes_before_a_place():
    known = KnownDocuments(["https://help.example/fees/cards.html", "fees/cards.html", "7"])
    assert known.retrieved("https://help.example/fees/cards.html") == "https://help.example/fees/cards.html"
    assert known.retrieved("/srv/fees/cards.html") == "/srv/fees/cards.html"  # two files end so
    assert known.retrieved("7") == "7"
    assert known.retrieved("unknown") == "unknown"
