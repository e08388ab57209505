"""Decisions on records and documents: kept one after the other, the one for the documents at hand counts."""

from core.domain.sources.document_mappings import DocumentMapping, Way
from core.project.service import create_project, delete_project
from core.store import document_mappings
from core.store.database import Store
from core.store.writing import versions
from tests.support.small_bank import ACTOR


def put(store: Store, project_id: str, name: str, corpus: str, **matches: str) -> DocumentMapping:
    mapping = DocumentMapping(
        id=name,
        project_id=project_id,
        way=Way.PATTERN,
        rules={"products": "{table}-{key:02}"},
        matches={f"products:{key[1:]}": (document,) for key, document in matches.items()},
        records=3,
        matched=2,
        corpus_id=corpus,
        created_by=ACTOR,
    )
    with store.write(ACTOR, "test.match", project_id=project_id) as connection:
        document_mappings.put(connection, mapping)
    return mapping


def test_a_decision_is_read_back_as_it_was_stored(store):
    project = create_project(store, "Shop", ACTOR)
    mapping = put(store, project.id, "m1", "c1", p1="one.md", p2="two\ud800.md")
    with store.read() as connection:
        stored = document_mappings.latest(connection, project.id, "c1")
    assert stored.rules == mapping.rules
    assert stored.matches["products:1"] == ("one.md",)
    assert (stored.way, stored.records, stored.matched) == (Way.PATTERN, 3, 2)


def test_the_last_one_for_these_documents_counts_else_the_projects_last(store):
    project = create_project(store, "Shop", ACTOR)
    for name, corpus in (("m1", "c1"), ("m2", "c1"), ("m3", "c2")):
        put(store, project.id, name, corpus, p1=f"{name}.md")
    with store.read() as connection:
        latest = [document_mappings.latest(connection, project.id, corpus).id for corpus in ("c1", "c2", "c9")]
        known = document_mappings.known(connection, project.id, "c1", ["m2.md"])
        assert document_mappings.matches(connection, project.id, "") == {}
    assert latest == ["m2", "m3", "m3"]
    assert known.find("products:1") == "m2.md"


def test_a_decision_lets_the_version_of_the_sources_grow_and_goes_with_its_project(store):
    project = create_project(store, "Shop", ACTOR)
    with store.read() as connection:
        before = versions.number(connection, ["sources"], project_id=project.id)
    put(store, project.id, "m1", "c1", p1="one.md")
    with store.read() as connection:
        assert versions.number(connection, ["sources"], project_id=project.id) > before
    delete_project(store, project.id, actor=ACTOR)
    with store.read() as connection:
        assert document_mappings.all(connection, project.id) == []
