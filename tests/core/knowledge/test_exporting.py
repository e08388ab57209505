"""A corpus as files: what is written can be loaded again as it was."""

import io
import json
import zipfile

import pytest

from core.domain.errors import InvalidInput
from core.domain.sources.documents import Document
from core.knowledge.exporting import as_json, as_zip, file_name
from core.sources.corpus import load_corpus

DOCUMENTS = (
    Document(id="branch:1", title="Arden, Branch", text="Arden Branch is a branch.\r\nIt is *new*."),
    Document(id="client:../../Blue Horizon", title='Blue "Horizon"', text="Blue Horizon is a client."),
    Document(id="client:Blue/Horizon", title="Müller & Co", text="Zürich: Müller & Co is a client."),
)


@pytest.mark.parametrize("ending", ["txt", "md"])
def test_an_archive_loads_as_it_was_written(tmp_path, ending):
    (tmp_path / "out.zip").write_bytes(as_zip(DOCUMENTS, ending))
    loaded = load_corpus(tmp_path / "out.zip")
    assert not loaded.skipped
    assert {(document.id, document.title) for document in loaded.documents} == {
        (document.id, document.title) for document in DOCUMENTS
    }
    texts = {document.id: document.text.split() for document in loaded.documents}
    assert texts == {document.id: document.text.split() for document in DOCUMENTS}


def test_one_json_is_an_object_of_ids_and_texts(tmp_path):
    assert json.loads(as_json(DOCUMENTS)) == {document.id: document.text for document in DOCUMENTS}
    (tmp_path / "documents.json").write_text(as_json(DOCUMENTS), encoding="utf-8")
    loaded = load_corpus(tmp_path / "documents.json")
    assert [(document.id, document.text) for document in loaded.documents] == [
        (document.id, document.text) for document in DOCUMENTS
    ]


def test_an_archive_holds_the_folder_and_is_the_same_twice():
    packed = as_zip(DOCUMENTS)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == [*(file_name(document.id) for document in DOCUMENTS), "documents.csv"]
        assert archive.read("branch/1.txt").decode() == DOCUMENTS[0].text
    assert as_zip(DOCUMENTS) == packed


def test_two_ids_never_share_a_file_and_none_leaves_the_folder():
    names = [file_name(name) for name in ("a:b c", "a:b-c", "a:b/c", "../x:1", ":", "a:..", "a:" + "x" * 300)]
    assert len(set(names)) == len(names)
    assert all(".." not in name and not name.startswith("/") and len(name) < 120 for name in names)


def test_another_ending_is_refused():
    with pytest.raises(InvalidInput, match="written as"):
        as_zip(DOCUMENTS, "docx")
