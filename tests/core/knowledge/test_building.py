"""Documents as the project's corpus: built here or by a worker, stopped, resumed, and what the trail says of them."""

import pytest

from core import jobs
from core.domain.errors import Forbidden, InvalidInput, LimitExceeded, NotFound, Stopped
from core.domain.sources.projects import Role, SourceKind
from core.knowledge import building
from core.knowledge.building import (
    Build,
    build_documents,
    build_result,
    expected_documents,
    is_built,
    preview_documents,
    start_documents,
)
from core.knowledge.fluent import Writer
from core.project.service import create_project, ensure_member
from core.sources.service import chunk_documents, connect_corpus, open_database, project_database
from core.store import sources
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, write_documents

BY_MODEL = {"method": "llm", "send_rows": True}


def corpus_of(store, project_id):
    with store.read() as connection:
        source = sources.latest(connection, project_id, SourceKind.CORPUS)
        return source, sources.documents(connection, source.id) if source else ()


def test_every_row_becomes_a_document_of_the_projects_corpus(store, bank):
    source, result = build_documents(store, bank, Build(), actor=ACTOR)
    stored, documents = corpus_of(store, bank)
    assert stored == source
    assert is_built(source)
    assert source.name == "Documents from bank.sqlite"
    # Twelve accounts and six branches.
    assert result.documents == len(documents) == 18
    assert result.writers == {"rules": 18}
    by_id = {document.id: document for document in documents}
    assert by_id["account:7"].text == (
        "Plan 7 is an account. The monthly fee of Plan 7 is 7.50. The branch of Plan 7 is Arden Branch."
    )
    assert by_id["branch:2"].title == "Belmont Branch"
    assert build_result(store, source) == result


def test_equal_databases_give_equal_documents(store, bank):
    first, _ = build_documents(store, bank, Build(), actor=ACTOR)
    second, _ = build_documents(store, bank, Build(), actor=ACTOR)
    assert first.fingerprint == second.fingerprint
    assert first.id != second.id


def test_tables_and_rows_can_be_chosen_and_the_number_is_told_before(store, bank):
    build = Build(tables=("account",), per_table=5)
    with open_database(project_database(store, bank)) as database:
        assert expected_documents(database.schema, build) == 5
        assert expected_documents(database.schema, Build()) == 18
    _, result = build_documents(store, bank, build, actor=ACTOR)
    assert result.documents == 5


def test_a_preview_shows_different_tables_and_stores_nothing(store, bank):
    previewed = preview_documents(store, bank, Build(), actor=ACTOR)
    assert [item.record.document_id for item in previewed] == ["account:1", "branch:1", "account:2"]
    assert corpus_of(store, bank)[0] is None


def test_a_build_that_was_killed_after_its_last_write_is_not_done_twice(store, bank):
    first, _ = build_documents(store, bank, Build(), actor=ACTOR, source_id="src_given")
    again, result = build_documents(store, bank, Build(), actor=ACTOR, source_id="src_given")
    assert first == again
    assert result.documents == 18
    with store.read() as connection:
        assert len(sources.all(connection, bank)) == 2


def test_a_stopped_build_stores_nothing(store, bank):
    told = []
    with pytest.raises(Stopped, match="after 3 documents"):
        build_documents(
            store,
            bank,
            Build(),
            actor=ACTOR,
            progress=lambda *step: told.append(step),
            should_stop=lambda: len(told) > 3,
        )
    assert told[0] == ("Writing documents", 0, 18)
    assert corpus_of(store, bank)[0] is None


def test_a_model_writes_what_the_rules_would_and_the_trail_names_it(store, bank):
    def script(body):
        sent = body["messages"][-1]["content"]
        return "nothing" if "Plan 3" in sent else sent

    with LlmServer(script) as server:
        build = Build(model=server.spec("m"), tables=("account",), **BY_MODEL)
        source, result = build_documents(store, bank, build, actor=ACTOR)
        calls = len(server.bodies)
        build_documents(store, bank, build, actor=ACTOR)
        assert len(server.bodies) == calls == 13
    assert result.writers == {str(Writer.MODEL): 11, str(Writer.FALLBACK): 1}
    [(document_id, reason)] = result.fallbacks
    assert document_id == "account:3"
    assert "monthly fee" in reason
    assert result.prompt["id"] == "knowledge_document"
    assert build_result(store, source) == result
    _, documents = corpus_of(store, bank)
    assert documents[2].format == str(Writer.FALLBACK)
    assert documents[2].text.startswith("Plan 3 is an account.")


def test_rows_go_to_no_model_without_consent(store, bank):
    with LlmServer() as server:
        build = Build(method="llm", model=server.spec("m"))
        for act in (build_documents, start_documents, preview_documents):
            with pytest.raises(Forbidden, match="sends the rows"):
                act(store, bank, build, actor=ACTOR)
        assert server.bodies == []
    assert jobs.list_jobs(store, bank) == []


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (Build(method="magic"), "magic"),
        (Build(per_table=0), "rows of a table cannot be 0"),
        (Build(method="llm", send_rows=True), "No model"),
        (Build(method="llm", send_rows=True, model="nonsense"), "nonsense"),
    ],
)
def test_what_cannot_be_built_is_refused_before_a_worker_starts(store, bank, build, says):
    with pytest.raises(InvalidInput, match=says):
        start_documents(store, bank, build, actor=ACTOR)
    assert jobs.list_jobs(store, bank) == []


def test_a_project_without_a_database_and_a_person_who_may_only_read(store, bank):
    empty = create_project(store, "Empty", ACTOR)
    with pytest.raises(NotFound, match="no database"):
        start_documents(store, empty.id, Build(), actor=ACTOR)
    ensure_member(store, bank, "vic", Role.VIEWER, actor=ACTOR)
    for act in (build_documents, start_documents, preview_documents):
        with pytest.raises(Forbidden):
            act(store, bank, Build(), actor="vic")


def test_more_rows_than_a_corpus_holds_are_told_before_any_is_written(store, bank, monkeypatch):
    monkeypatch.setattr(building, "MAX_DOCUMENTS", 17)
    with pytest.raises(LimitExceeded, match="about 18 documents"):
        build_documents(store, bank, Build(), actor=ACTOR)


def test_loaded_files_are_no_built_corpus(store, bank, tmp_path):
    source, _ = connect_corpus(store, bank, write_documents(tmp_path / "documents"), actor=ACTOR)
    assert not is_built(source)
    assert build_result(store, source) is None


def test_built_documents_that_are_cut_anew_still_tell_how_they_were_built(store, bank):
    source, result = build_documents(store, bank, Build(), actor=ACTOR)
    cut = chunk_documents(store, source.id, actor=ACTOR)
    for tokens in (60, 40):
        cut = chunk_documents(store, cut.id, actor=ACTOR, tokens=tokens, overlap=0)
    assert cut.id != source.id
    assert building.is_built(cut)
    assert build_result(store, cut) == result
