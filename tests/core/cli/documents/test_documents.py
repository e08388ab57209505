"""The corpus command: what is read, what is left out and why, the chunks."""

import json


def test_a_folder_of_documents(cli, documents):
    document = cli("corpus", documents, "--json").json
    assert (document["documents"], document["formats"], document["chunks"]) == (5, {"markdown": 5}, 5)
    assert document["skipped"] == [{"path": "broken.pdf", "reason": "it is empty"}]
    assert document["chunking"] == {"encoder": "minilm", "tokens": 254, "overlap": 32, "version": 2}
    assert document["notes"] == []


def test_the_same_for_a_person(cli, documents):
    (documents / "page.html").write_text("<p>Fee</p><script>x()</script>")
    said = cli("corpus", documents).out.splitlines()
    assert said == [
        "6 documents (markdown 5, html 1)",
        "6 chunks of up to 254 tokens",
        "1 left out",
        "  broken.pdf: it is empty",
        "1 remark",
        "  page.html: left out: 1 script element; nothing of a page is run",
    ]


def test_chunks_are_written(cli, documents):
    (documents / "long.txt").write_text("The fee of a card is 3 pounds. " * 20)
    document = cli("corpus", documents, "--tokens", 40, "--overlap", 0, "--out", "chunks.jsonl", "--json").json
    with open("chunks.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == document["chunks"] > 6
    first = rows[0]
    assert (first["document_id"], first["position"], first["start"], first["section"]) == ("branch:1", 0, 0, [])
    assert first["text"] == "Arden Branch is in Arden. Its manager is Ines Okoro."


def test_what_cannot_be_read_is_told(refused, tmp_path, documents):
    assert "There is no folder" in refused("corpus", tmp_path / "none")
    assert "A chunk of 3 tokens is too short" in refused("corpus", documents, "--tokens", 3)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.pdf").write_bytes(b"")
    assert "bad (x.pdf: it is empty)" in refused("corpus", tmp_path / "bad")


def test_a_run_says_how_many_files_are_left_out(cli, documents, testset):
    ended = cli("evaluate", "--testset", testset, "--target", "keyword", "--corpus", documents, "--out", "run")
    assert "Documents loaded: 5; files left out: 1." in ended.err
