"""Where quoted words stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.chunks import Chunk
from core.testset.corpus.quotes import find_quote
from core.testset.corpus.shared_names import SharedNames

TEXT = "The fee – paid once –\nis “5 euros” at the client's cost. (Not 6.)"


@pytest.mark.parametrize(
    "quote", ["The fee - paid once - is", '"5 euros"', "  client’s cost.", "(Not 6.)", "“5 euros” at", TEXT]
)
def test_blanks_and_marks_may_differ(quote):
    place = find_quote(TEXT, quote)
    assert place is not None
    assert TEXT[place[0] : place[1]].strip()


@pytest.mark.parametrize("quote", ["", "  ", '""', "the fee", "fee is 5", "6 euros", "x" * 3000])
def test_other_words_are_not_found(quote):
    assert find_quote(TEXT, quote) is None


@pytest.mark.slow
@given(st.text(min_size=1, max_size=60), st.data())
def test_what_was_cut_out_is_found(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    if piece.strip().strip('"“”').split():
        assert find_quote(text, piece) is not None


def chunk(name, text):
    return Chunk(id=name, document_id=name, position=0, text=text, section=(), page=None, start=0, end=len(text))


def test_partners_share_a_name_and_the_rarest_comes_first():
    names = SharedNames(
        [
            chunk("a", "It belongs to Kestrel Rise and to Larkmoor Bank."),
            chunk("b", "Ask at Kestrel Rise."),
            chunk("c", "Ask at Larkmoor Bank."),
            chunk("d", "Run by Larkmoor Bank. Nothing else."),
        ]
    )
    assert names.partners("a") == ("b", "c", "d")
    assert names.partners("b") == ("a",)
    assert set(names.partners("c")) == {"a", "d"}


def test_a_name_that_many_chunks_have_joins_nothing():
    names = SharedNames([chunk(str(n), "Run by Larkmoor Bank.") for n in range(20)])
    assert names.partners("0") == ()
