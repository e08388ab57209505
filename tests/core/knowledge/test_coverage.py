"""Coverage: which gold ids exist as documents, and which facts those documents state."""

from dataclasses import replace

import pytest

from core.domain.sources.documents import Document
from core.domain.testset.cases import LOOK_UP, OPERATION, TestSet
from core.domain.testset.templates import TemplateStatus
from core.domain.testset.variants import PARENT_SET, VARIANTS
from core.knowledge.building import Build, build_documents
from core.knowledge.coverage import AskedFact, coverage, project_coverage
from core.project.service import create_project
from core.sources.service import connect_corpus
from core.store.testset import templates, testsets
from core.testset.gold_fit import gold_fit
from core.testset.service import build_test_set
from core.testset.templates.review import (
    propose_sql_templates,
    propose_text_templates,
    save_sql_template,
    set_sql_status,
    set_text_status,
)
from tests.support.bank_cases import bank_cases, bank_project, put_test_set
from tests.support.small_bank import ACTOR, write_documents

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
CITY_IDS = "SELECT city, branch_id FROM branch WHERE name = '[branch.name]'"


def fact(name, answer, *gold):
    return AskedFact(id=name, asked=f"{name}?", answers=(answer,), gold_ids=gold)


def approved(store, project_id):
    """Every proposed template, approved."""
    proposed = propose_sql_templates(store, project_id, actor=ACTOR)
    set_sql_status(store, project_id, [template.id for template in proposed], TemplateStatus.APPROVED, actor=ACTOR)


def test_gold_ids_and_facts_are_counted_each_once():
    documents = [
        Document(id="branch:1", title="Arden", text="The fee is 4.5 euros since 3 May 2014."),
        Document(id="2", title="Belmont", text="Belmont is in Kent."),
    ]
    result = coverage(
        [
            fact("a", "4.50", "branch:1"),
            fact("b", "2014-05-03", "branch:1", "branch:2.0"),
            fact("c", "Kent", "branch:2"),
            fact("d", "Essex", "branch:2", "branch:3"),
            fact("e", "Kent", "branch:3", "BRANCH:3.0"),
            fact("f", "Kent"),
        ],
        documents,
    )
    # branch:1 and branch:2 exist, branch:3 does not.
    assert (result.ids.num, result.ids.den) == (2, 3)
    assert result.missing_ids == ("branch:3",)
    # a, b, c of the four with a gold document; e may stand in a document that is not its own.
    assert (result.facts.num, result.facts.den) == (3, 4)
    assert [(item.fact.id, item.reason) for item in result.missing] == [("d", "its documents do not state the answer")]
    assert [(item.fact.id, item.reason) for item in result.without_document] == [
        ("e", "none of its gold ids names a document")
    ]
    assert result.without_ids == 1


def test_what_is_computed_from_several_rows_is_not_missing():
    documents = [Document(id="branch:1", title="Arden", text="The fee is 4.5 euros.")]
    count = AskedFact(id="b", asked="How many?", answers=("72",), gold_ids=("branch:1", "branch:2"), computed=True)
    result = coverage([fact("a", "4.50", "branch:1"), count], documents)
    assert (result.facts.num, result.facts.den, result.computed, result.missing) == (1, 1, 1, ())
    # what its gold ids name is looked up all the same
    assert (result.ids.num, result.ids.den) == (1, 2)
    looked_up = coverage([fact("a", "4.50", "branch:1"), replace(count, computed=False)], documents)
    assert (looked_up.facts.num, looked_up.facts.den, looked_up.computed) == (1, 2, 0)


def test_a_test_set_says_which_of_its_facts_are_computed(store, tmp_path):
    project, _ = bank_project(store, tmp_path)
    before = project_coverage(store, project.id)
    assert (before.facts.num, before.facts.den, len(before.without_document), before.computed) == (5, 5, 1, 0)
    cases = [
        replace(case, attributes={OPERATION: "count"} if case.group_id == "farley" else {OPERATION: LOOK_UP})
        for case in bank_cases()
    ]
    other = create_project(store, "Counts", ACTOR)
    connect_corpus(store, other.id, tmp_path / "documents", actor=ACTOR)
    put_test_set(store, other.id, cases, id="ts_counts")
    # Farley's branch has no document; what is counted of it is no fact that one should state
    result = project_coverage(store, other.id)
    assert (result.facts.num, result.facts.den, len(result.without_document), result.computed) == (5, 5, 0, 1)


def test_gold_ids_are_counted_as_before_a_run(store, tmp_path):
    bank_project(store, tmp_path)
    project = create_project(store, "Two facts", ACTOR)
    connect_corpus(store, project.id, tmp_path / "documents", actor=ACTOR)
    cases = bank_cases()
    # One group of questions from a document, the second of which asks for another document's fact too.
    second = replace(
        cases[0],
        case_id="both",
        reference_answers=(*cases[0].reference_answers, "9"),
        gold_document_ids=(*cases[0].gold_document_ids, "branch:77"),
    )
    test_set = put_test_set(store, project.id, [*cases, second], id="ts_both")
    result, fit = project_coverage(store, project.id), gold_fit(store, test_set.id)
    assert "branch:77" in result.missing_ids
    assert (result.ids.den, result.missing_ids) == (fit.ids, fit.missing)


def test_a_newer_set_of_variants_says_nothing_of_the_documents(store, tmp_path):
    project, test_set = bank_project(store, tmp_path)
    before = project_coverage(store, project.id)
    variants = TestSet(
        id="ts_variants", project_id=project.id, name="Variants", options={VARIANTS: {PARENT_SET: test_set.id}}
    )
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        testsets.put(connection, variants)
        testsets.put_cases(connection, variants.id, bank_cases()[:1])
        assert next(iter(testsets.all(connection, project.id))).id == variants.id
    assert project_coverage(store, project.id) == before


def test_nothing_asked_has_no_share():
    result = coverage([], [])
    assert result.ids.value is None
    assert result.facts.value is None


def test_without_documents_or_templates_there_is_nothing_to_cover(store, bank):
    assert project_coverage(store, bank) is None
    build_documents(store, bank, Build(), actor=ACTOR)
    assert project_coverage(store, bank) is None


@pytest.mark.slow
def test_built_documents_cover_what_the_approved_templates_ask(store, bank):
    approved(store, bank)
    build_documents(store, bank, Build(), actor=ACTOR)
    result = project_coverage(store, bank)
    assert result.basis == "the approved templates"
    assert result.ids.value == result.facts.value == 1.0
    assert result.facts.den > 18
    assert result.missing == ()


def test_a_folder_with_gaps_is_told_by_the_latest_test_set(store, bank, tmp_path):
    saved = save_sql_template(store, bank, CITY, actor=ACTOR, sql_with_ids=CITY_IDS)
    set_sql_status(store, bank, [saved.id], TemplateStatus.APPROVED, actor=ACTOR)
    propose_text_templates(store, bank, forms=("short",), n=1, actor=ACTOR)
    with store.read() as connection:
        texts = [text.id for text in templates.text(connection, bank)]
    set_text_status(store, bank, texts, TemplateStatus.APPROVED, actor=ACTOR)
    build_test_set(store, bank, actor=ACTOR, name="Cities")
    connect_corpus(store, bank, write_documents(tmp_path / "documents"), actor=ACTOR)
    result = project_coverage(store, bank)
    assert result.basis == "test set Cities v1"
    # Five of the six branches have a document.
    assert (result.ids.num, result.ids.den) == (5, 6)
    assert result.missing_ids == ("branch:6",)
    assert (result.facts.num, result.facts.den) == (5, 5)
    assert result.missing == ()
    assert [item.fact.answers for item in result.without_document] == [("Farley",)]


def test_templates_without_ids_are_counted_apart(store, bank):
    saved = save_sql_template(store, bank, CITY, actor=ACTOR)
    set_sql_status(store, bank, [saved.id], TemplateStatus.APPROVED, actor=ACTOR)
    build_documents(store, bank, Build(), actor=ACTOR)
    result = project_coverage(store, bank)
    assert result.without_ids == 6
    assert result.ids.den == 0


@pytest.mark.slow
@pytest.mark.parametrize("tables", [("account",), ("branch",)])
def test_a_table_that_was_not_chosen_shows_in_the_coverage(store, bank, tables):
    approved(store, bank)
    build_documents(store, bank, Build(tables=tables), actor=ACTOR)
    result = project_coverage(store, bank)
    assert 0 < result.ids.num < result.ids.den
    assert all(not name.startswith(tables[0]) for name in result.missing_ids)
    assert result.without_document
