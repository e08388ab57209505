"""Files that are one line of megabytes: memory stays bounded, and chunks are what they were."""

import json
import subprocess
import sys

import pytest

from core.domain.sources.documents import Document
from core.encoders import tokens
from core.encoders.tokens import open_counter
from core.sources.corpus.chunks import packing
from core.sources.corpus.chunks.chunking import chunk_document, chunking_for
from tests.support.files.long_lines import write_line

SIZE = 3_000_000
MOST_MB = {"no full stop": 300, "one word": 300, "wide table": 700}
"""Before the tokenizer was given pieces, the first two took more than 400, and the table of 750,000 columns 1,225."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", MOST_MB)
def test_memory_of_a_long_line(tmp_path, kind):
    place = write_line(tmp_path, kind, SIZE)
    command = [sys.executable, "-m", "tests.support.files.long_lines", str(place)]
    done = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert done["mb"] < MOST_MB[kind]
    assert done["chunks"] > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sentences", "no full stop", "one word"])
def test_looking_at_stretches_cuts_as_looking_at_all_of_it(tmp_path, monkeypatch, kind):
    text = write_line(tmp_path, kind, 60_000).read_text()
    counter = open_counter("minilm")
    document = Document(id="d", title="", text=text)
    whole = chunk_document(document, counter, chunking_for(counter))
    monkeypatch.setattr(packing, "STRETCH", 7_000)
    monkeypatch.setattr(tokens, "AT_ONCE", 5_000)
    assert chunk_document(document, counter, chunking_for(counter)) == whole


def test_tokens_of_a_text_are_counted_in_pieces(monkeypatch):
    counter = open_counter("minilm")
    texts = ["Fees of the bank.", "", "word " * 3_000, "x" * 900, "a\nb " * 500]
    whole = counter.count(texts)
    monkeypatch.setattr(tokens, "AT_ONCE", 700)
    assert counter.count(texts[:3]) == whole[:3]
    assert counter.count(texts)[4] == whole[4]
