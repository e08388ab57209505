"""The decision on records and documents: kept, audited, followed wherever gold ids are read, withdrawn."""

import pytest

from core.domain.errors import Forbidden, InvalidInput, NotFound
from core.domain.sources.document_mappings import Way
from core.domain.sources.projects import SourceKind
from core.knowledge.coverage import project_coverage
from core.knowledge.matching.service import ACTION, belonging, choose, try_rules
from core.project.service import create_project
from core.sources.service import connect_corpus, reload_corpus
from core.store import document_mappings, sources
from core.store.testset import testsets
from core.store.trail import audit_details
from core.testset.gold_fit import gold_fit
from core.testset.service import freeze_test_set
from tests.support.documents.named_documents import shop_project, text_of
from tests.support.small_bank import ACTOR


def corpus_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.CORPUS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "way", "rule"),
    [
        ("number", Way.PATTERN, "{table}-{key:02}"),
        ("field", Way.FRONT_MATTER, "sku"),
        ("name", Way.COLUMN, "product_name"),
    ],
)
def test_a_way_is_proposed_and_matches_only_when_it_is_chosen(store, tmp_path, style, way, rule):
    project, test_set = shop_project(store, tmp_path, style)
    before = belonging(store, project.id)
    assert (before.proposals.best.way, dict(before.proposals.best.rules)) == (way, {"products": rule})
    assert (before.now.way, before.now.matched, before.now.records) == (Way.EXACT, 0, 12)
    assert gold_fit(store, test_set.id).none
    assert project_coverage(store, project.id).ids.num == 0
    mapping = choose(store, project.id, way, before.proposals.best.rules, actor=ACTOR)
    assert (mapping.matched, mapping.records, mapping.created_by) == (12, 12, ACTOR)
    assert gold_fit(store, test_set.id).missing == ()
    coverage = project_coverage(store, project.id)
    assert (coverage.ids.num, coverage.facts.num, coverage.facts.den) == (12, 12, 12)
    after = belonging(store, project.id)
    assert (after.now.way, after.now.matched, after.outdated) == (way, 12, False)


def test_the_decision_is_audited_with_what_it_was_made_from(store, tmp_path):
    project, _ = shop_project(store, tmp_path, "number")
    mapping = choose(store, project.id, Way.PATTERN, {"products": "{table}-{key:02}"}, actor=ACTOR)
    corpus = corpus_of(store, project)
    assert (mapping.corpus_id, mapping.corpus_fingerprint) == (corpus.id, corpus.fingerprint)
    assert mapping.database_fingerprint
    with store.read() as connection:
        detail = audit_details.latest(connection, ACTION, corpus.id)
    assert detail == {"way": "pattern", "rules": {"products": "{table}-{key:02}"}, "records": 12, "matched": 12}


def test_a_frozen_test_set_stays_as_it_is(store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    frozen = freeze_test_set(store, test_set.id, actor=ACTOR)
    choose(store, project.id, Way.PATTERN, {"products": "{table}-{key:02}"}, actor=ACTOR)
    with store.read() as connection:
        assert testsets.get(connection, test_set.id).content_hash == frozen.content_hash
        assert testsets.case(connection, test_set.id, "p1").gold_document_ids == ("products:1",)


def test_documents_that_are_loaded_again_keep_what_was_chosen(store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number", range(1, 12))
    choose(store, project.id, Way.PATTERN, {"products": "{table}-{key:02}"}, actor=ACTOR)
    (tmp_path / "documents" / "product-12.md").write_text(text_of(12), encoding="utf-8")
    (tmp_path / "documents" / "product-01.md").unlink()
    reload_corpus(store, corpus_of(store, project).id, actor=ACTOR)
    assert gold_fit(store, test_set.id).missing == ("products:1", "products:12")
    now = belonging(store, project.id)
    assert now.outdated
    assert now.now.matched == 11  # if it were chosen again
    choose(store, project.id, now.chosen.way, now.chosen.rules, actor=ACTOR)
    assert gold_fit(store, test_set.id).missing == ("products:1",)


def test_the_same_ids_withdraw_what_was_chosen(store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number")
    choose(store, project.id, Way.PATTERN, {"products": "{table}-{key:02}"}, actor=ACTOR)
    choose(store, project.id, Way.EXACT, {}, actor=ACTOR)
    assert gold_fit(store, test_set.id).none
    with store.read() as connection:
        assert [mapping.way for mapping in document_mappings.all(connection, project.id)] == [Way.EXACT, Way.PATTERN]


def test_what_is_refused(store, tmp_path):
    project, _ = shop_project(store, tmp_path, "number")
    with pytest.raises(InvalidInput, match="No record gets a document"):
        choose(store, project.id, Way.FRONT_MATTER, {"products": "sku"}, actor=ACTOR)
    with pytest.raises(InvalidInput, match="cannot be used"):
        try_rules(store, project.id, Way.PATTERN, {"products": "no key"})
    with pytest.raises(Forbidden):
        choose(store, project.id, Way.PATTERN, {"products": "{table}-{key}"}, actor="stranger")
    empty = create_project(store, "Empty", ACTOR)
    assert belonging(store, empty.id) is None
    with pytest.raises(NotFound, match="no records or no documents"):
        choose(store, empty.id, Way.EXACT, {}, actor=ACTOR)


def test_only_documents_and_no_question_belong_to_nothing(store, tmp_path):
    project = create_project(store, "Documents", ACTOR)
    (tmp_path / "a.md").write_text("A page.")
    connect_corpus(store, project.id, tmp_path / "a.md", actor=ACTOR)
    assert belonging(store, project.id) is None
