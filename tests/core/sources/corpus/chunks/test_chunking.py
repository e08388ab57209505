"""Chunks: every word in one, cut where the text itself is cut, and never longer than the encoder reads."""

import itertools
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.domain.sources.documents import Document, Heading
from core.encoders.tokens import open_counter
from core.sources.corpus import load_corpus
from core.sources.corpus.chunks.chunking import chunk_corpus, chunk_document, chunking_for
from core.sources.corpus.chunks.parts import PartKind, parts
from tests.support.shared_data import shared

COUNTER = open_counter("minilm")
SMALL = chunking_for(COUNTER, tokens=24, overlap=8)


def document(text, **more):
    return Document(id="d", title="", text=text, **more)


def cut(text, tokens=24, overlap=8, **more):
    return chunk_document(document(text, **more), COUNTER, chunking_for(COUNTER, tokens=tokens, overlap=overlap))


def test_as_much_as_the_encoder_reads_by_default():
    chunking = chunking_for(COUNTER)
    assert (COUNTER.capacity, chunking.encoder, chunking.tokens, chunking.overlap) == (254, "minilm", 254, 32)


@pytest.mark.parametrize(("tokens", "overlap"), [(15, 0), (0, 0), (20, 11), (20, -1)])
def test_a_chunking_that_cannot_be(tokens, overlap):
    with pytest.raises(InvalidInput):
        chunking_for(COUNTER, tokens=tokens, overlap=overlap)


def test_a_chunk_begins_at_its_heading_and_knows_those_above():
    text = (
        "# Harbour Street\n\nThe branch opened in 2014 and is led by Jane Doe of Arden.\n\n"
        "## Hours\n\nIt opens at nine on all days but Sunday, when the doors stay closed.\n"
    )
    first, second = cut(text)
    assert (first.section, first.position, first.page) == (("Harbour Street",), 0, None)
    assert first.text.startswith("# Harbour Street\n\nThe branch")
    assert (second.section, second.position) == (("Harbour Street", "Hours"), 1)
    assert second.text.startswith("## Hours\n\nIt opens")


def test_small_sections_below_one_heading_stand_together():
    text = "# Arden\n\n## Phone\n\n555 0100\n\n## Fax\n\n555 0101\n\n# Belmont\n\n## Phone\n\n555 0102"
    first, second = cut(text, tokens=100)
    assert first.text == "# Arden\n\n## Phone\n\n555 0100\n\n## Fax\n\n555 0101"
    assert (first.section, second.section) == (("Arden",), ("Belmont", "Phone"))


def test_a_heading_is_never_left_behind_by_what_it_heads():
    text = (
        "# Fees\n\nA card costs three pounds a month for everyone.\n\n## Abroad\n\n"
        + "Cash abroad is free of charge. " * 6
    )
    assert all(not chunk.text.endswith("## Abroad") for chunk in cut(text))


def test_a_table_is_kept_whole_with_the_line_that_announces_it():
    rows = "\n".join(f"| Plan {number} | {number} pounds |" for number in range(10))
    table = f"| Plan | Fee |\n| --- | --- |\n{rows}"
    before = "Before the fees there is a word to say about the plans of this bank."
    text = f"{before}\n\nThe fees are:\n\n{table}\n\nSource: us."
    chunks = cut(text)
    [held] = [chunk for chunk in chunks if "|" in chunk.text]
    assert held.text.startswith("The fees are:\n\n| Plan | Fee |")
    assert table in held.text
    assert COUNTER.count([held.text])[0] > 24


def test_a_table_beyond_every_measure_is_cut_between_its_rows():
    rows = [f"| Plan {number} | {number} pounds a month |" for number in range(60)]
    chunks = cut("\n".join(rows))
    assert len(chunks) > 2
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(rows)


def test_what_a_table_is_called_is_one_part_with_its_rows():
    table = "Table: Fees (in euros)\n|  | 2026 |\n| --- | --- |\n| Card | 3 |"
    text = f"Before the fees.\n\n{table}\n\nAfter the fees."
    kinds = [(part.kind, text[part.start : part.end]) for part in parts(document(text, format="pdf"))]
    assert kinds == [
        (PartKind.PROSE, "Before the fees."),
        (PartKind.TABLE, table),
        (PartKind.PROSE, "After the fees."),
    ]


def test_lines_of_code_are_one_part():
    text = "Run this:\n\n```\nfirst line\nsecond line\n```\n\nThen wait."
    kinds = [(part.kind, text[part.start : part.end]) for part in parts(document(text))]
    assert kinds[1] == (PartKind.TABLE, "first line\nsecond line")


def test_long_paragraphs_are_cut_between_sentences_and_repeat_the_last():
    sentences = [f"The fee of plan {number} is {number} pounds a year." for number in range(9)]
    chunks = cut(" ".join(sentences), tokens=40, overlap=14)
    assert len(chunks) > 2
    for before, after in itertools.pairwise(chunks):
        assert after.start < before.end
        assert before.text.endswith(".")
        assert before.text.endswith(after.text[: before.end - after.start])
        assert after.text.startswith("The fee of plan")
    apart = cut(" ".join(sentences), overlap=0)
    assert all(a.end <= b.start for a, b in itertools.pairwise(apart))


def test_a_sentence_beyond_the_budget_is_cut_before_words():
    words = " ".join(f"word{number}" for number in range(200))
    chunks = cut(words)
    assert " ".join(chunk.text for chunk in chunks) == words
    assert max(COUNTER.count([chunk.text for chunk in chunks])) <= 24


def test_a_word_beyond_the_budget_is_cut_inside():
    chunks = cut("x1" * 400)
    assert len(chunks) > 10
    assert "".join(chunk.text for chunk in chunks) == "x1" * 400
    assert max(COUNTER.count([chunk.text for chunk in chunks])) <= 24


def test_lines_may_end_in_any_way():
    text = "- one\f| a |\u2028| b | c |\x0b## Fees\r\nThe fee is 3.\x85\x0b- two"
    chunks = cut(text, tokens=16, overlap=0)
    assert all(text[chunk.start : chunk.end] == chunk.text == chunk.text.strip() for chunk in chunks)
    assert all(a.end <= b.start for a, b in itertools.pairwise(chunks))
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(text.split())


def test_headings_without_end_are_cut_like_anything_else():
    chunks = cut("\n".join(f"###### Part {number}" for number in range(3_000)), tokens=24, overlap=8)
    assert len(chunks) > 300
    assert max(COUNTER.count([chunk.text for chunk in chunks])) <= 24
    words = " ".join(chunk.text for chunk in chunks).split()
    assert [word for word in words if word.isdigit()] == [str(number) for number in range(3_000)]


def test_headings_of_a_pdf_and_its_pages():
    fees = "Fees\nA card costs three pounds a month, whatever it is used for at home."
    text = f"{fees}\n\nHours\nWe open at nine and close at five on all days of the week."
    second = text.index("Hours")
    outline = (Heading(start=0, end=4, level=1), Heading(start=second, end=second + 5, level=1))
    chunks = cut(text, pages=(0, second), outline=outline, format="pdf")
    assert [(chunk.section, chunk.page) for chunk in chunks] == [(("Fees",), 1), (("Hours",), 2)]


def test_lines_of_figures_in_a_pdf_are_a_table():
    table = "Three Months Ended\nJune 25,\n2022\nNet sales:\nProducts $ 63,355\nServices 19,604\nTotal net sales 82,959"
    caption = (
        "The following table shows net sales for the three months that ended on June 25, 2022 and the year before,"
    )
    text = f"{caption}\nin millions:\n{table}\nSee the notes that accompany this."
    kinds = [(part.kind, text[part.start : part.end]) for part in parts(document(text, format="pdf"))]
    assert (PartKind.TABLE, table) in kinds
    assert all(kind is not PartKind.TABLE for kind, _ in [(part.kind, 0) for part in parts(document(text))])


def test_one_text_is_cut_once():
    same = [Document(id="a", title="", text="The fee is 3."), Document(id="b", title="", text="The  fee is 3.\n")]
    assert [chunk.document_id for chunk in chunk_corpus(same, COUNTER, SMALL)] == ["a"]


def test_chunks_of_documents_that_have_not_changed_are_taken_over():
    documents = [Document(id=name, title="", text=f"The fee of {name} is 3.") for name in "ab"]
    unchanged = {"a": chunk_document(documents[0], COUNTER, SMALL)}
    chunks = list(chunk_corpus(documents, COUNTER, SMALL, unchanged=unchanged))
    assert chunks[0] is unchanged["a"][0]
    assert chunks == list(chunk_corpus(documents, COUNTER, SMALL))


WORDS = st.text(string.ascii_letters + string.digits + "äß漢 .,:;!?'()$%->`\t\v\f\u2028\u200b", min_size=1, max_size=60)
LINES = st.one_of(
    WORDS,
    st.just(""),
    WORDS.map(lambda text: f"## {text}"),
    WORDS.map(lambda text: f"- {text}"),
    st.lists(WORDS, min_size=2, max_size=4).map(lambda cells: f"| {' | '.join(cells)} |"),
    st.just("| --- | --- |"),
    st.just("```"),
    st.tuples(WORDS, st.integers(1000, 99999)).map(lambda row: f"{row[0]} {row[1]:,} 12.5 %"),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=25), st.sampled_from(["markdown", "pdf"]), st.integers(0, 12))
def test_every_chunk_is_its_place_and_every_word_is_in_one(lines, kind, overlap):
    text = "\n".join(lines)
    chunks = chunk_document(document(text, format=kind), COUNTER, chunking_for(COUNTER, tokens=24, overlap=overlap))
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert all(chunk.text.strip() == chunk.text != "" for chunk in chunks)
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(a.start < b.start and a.end < b.end for a, b in itertools.pairwise(chunks))
    held = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert all(place in held for place, sign in enumerate(text) if sign.isalnum())
    again = chunk_document(document(text, format=kind), COUNTER, chunking_for(COUNTER, tokens=24, overlap=overlap))
    assert chunks == again


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS.filter(str.strip), min_size=1, max_size=20))
def test_prose_keeps_the_budget(lines):
    text = "\n".join(lines)
    chunks = cut(text)
    assert max(COUNTER.count([chunk.text for chunk in chunks]), default=0) <= 24


@pytest.mark.slow
def test_tables_of_quarterly_reports_are_whole_and_know_their_note_and_page():
    corpus = load_corpus(shared("kgrag-10q"))
    chunking = chunking_for(COUNTER)
    chunks = list(chunk_corpus(corpus.documents, COUNTER, chunking))
    texts = {item.id: item for item in corpus.documents}
    assert all(texts[chunk.document_id].text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(chunk.page for chunk in chunks if texts[chunk.document_id].format == "pdf")
    sales = [
        chunk
        for chunk in chunks
        if chunk.document_id == "2022 Q3 AAPL.pdf" and chunk.section[-1:] == ("Note 2 – Revenue",) and chunk.page == 10
    ]
    assert "Table: Note 2 – Revenue: Net sales disaggregated by significant products and services (in millions)" in (
        sales[0].text
    )
    assert "| iPhone ® (1) | $40,665 |" in sales[0].text
    assert "| Total net sales (4) | $82,959 |" in sales[0].text
    rows = [chunk for chunk in chunks if "\n| ---" in chunk.text]
    assert len(rows) > 100
    assert all("Table:" in chunk.text and not chunk.text.startswith("| ") for chunk in rows)
    sizes = COUNTER.count([chunk.text for chunk in chunks])
    assert max(sizes) <= 4 * chunking.tokens + chunking.tokens
    assert sum(size > chunking.tokens for size in sizes) < 0.1 * len(sizes)
