"""Templates in review: what is stored, what is approved, and on which evidence."""

from dataclasses import replace

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, InvalidTemplate, NotFound, SourceUnavailable
from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.wording.templates import text_id
from core.testset.templates import sql_review
from core.testset.templates.review import (
    delete_sql_template,
    delete_text_template,
    form_name,
    import_sql_templates,
    import_text_templates,
    propose_sql_templates,
    propose_text_templates,
    save_sql_template,
    save_text_template,
    set_sql_status,
    set_text_status,
)
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER
from tests.support.small_bank import ACTOR

APPROVED, DRAFT, REJECTED = TemplateStatus.APPROVED, TemplateStatus.DRAFT, TemplateStatus.REJECTED
COUNT = "SELECT COUNT(*) FROM account WHERE monthly_fee = '[account.monthly_fee]'"


def failed(template):
    return [check.name for check in template.checks if not check.passed and check.blocking]


def read_template(sql, **changes):
    return replace(SqlTemplate(id=canonical_id(sql, "sqlite"), sql=sql, origin="import"), **changes)


def read_text(template, text, form="short"):
    return TextTemplate(
        id=text_id(template.id, form, text), sql_template_id=template.id, form=form, text=text, origin="import"
    )


def test_proposals_are_checked_drafts_and_come_once(bank):
    first = propose_sql_templates(bank.store, bank.project_id, actor=ACTOR)
    assert first == bank.sql(DRAFT)
    assert all(template.checks and template.origin == "schema" for template in first)
    assert propose_sql_templates(bank.store, bank.project_id, actor=ACTOR) == []
    assert len(propose_sql_templates(bank.store, bank.project_id, actor=ACTOR, limit=1)) == 0
    assert bank.actions().count("sql_template.propose") == 3


def test_a_saved_template_is_a_checked_draft(bank):
    saved = save_sql_template(bank.store, bank.project_id, f"  {CITY} ", actor=ACTOR)
    assert (saved.sql, saved.status, saved.approvable) == (CITY, DRAFT, True)
    assert bank.sql() == [saved]
    assert "sql_template.save" in bank.actions()


@pytest.mark.parametrize(
    ("sql", "check"),
    [
        ("SELECT city FRM branch WHERE", "parses"),
        ("SELECT ... FROM ... WHERE Name = '[Table.Name]';", "parses"),
        ("DELETE FROM branch WHERE name = '[branch.name]'", "read_only"),
        ("SELECT city FROM branch WHERE name = '[branch.nam]'", "placeholder"),
        ("SELECT town FROM branch WHERE name = '[branch.name]'", "names"),
    ],
)
def test_what_cannot_be_run_is_kept_as_a_draft_and_never_approved(bank, sql, check):
    saved = save_sql_template(bank.store, bank.project_id, sql, actor=ACTOR)
    assert failed(saved) == [check]
    assert set_sql_status(bank.store, bank.project_id, [saved.id], APPROVED, actor=ACTOR) == [saved.id]
    assert [template.status for template in bank.sql()] == [DRAFT]


def test_an_empty_template_is_refused(bank):
    with pytest.raises(InvalidTemplate, match="is empty"):
        save_sql_template(bank.store, bank.project_id, " \n", actor=ACTOR)


def test_a_template_of_the_same_meaning_is_refused(bank):
    save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    twin = "select b.city from branch b where '[branch.name]' = b.name"
    with pytest.raises(InvalidTemplate, match="already has a template with this meaning: SELECT city"):
        save_sql_template(bank.store, bank.project_id, twin, actor=ACTOR)


def test_the_duplicate_check_sees_the_whole_project(bank):
    stored = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    with sql_review.open_database(sql_review.project_database(bank.store, bank.project_id)) as database:
        twin = sql_review.checked_sql_template(database, f"{CITY};", siblings=[stored])
        alone = sql_review.checked_sql_template(database, CITY)
    assert (failed(twin), failed(alone)) == (["duplicate"], [])
    assert twin.id == alone.id == stored.id


def test_a_new_spelling_keeps_the_wordings_and_a_new_meaning_drops_them(bank):
    template = bank.approved_sql(CITY)
    bank.approved_text(template, CITY_SHORT)
    same = save_sql_template(
        bank.store, bank.project_id, CITY.replace("SELECT", "select"), actor=ACTOR, replaces=template.id
    )
    assert (same.id, same.status, len(bank.texts())) == (template.id, DRAFT, 1)
    other = save_sql_template(bank.store, bank.project_id, MANAGER, actor=ACTOR, replaces=template.id)
    assert ([one.id for one in bank.sql()], bank.texts()) == ([other.id], [])


def test_editing_a_template_into_another_one_is_refused(bank):
    city, manager = bank.approved_sql(CITY), bank.approved_sql(MANAGER)
    with pytest.raises(InvalidTemplate, match="this meaning"):
        save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR, replaces=manager.id)
    assert {one.id for one in bank.sql()} == {city.id, manager.id}


def test_editing_a_template_that_was_deleted_meanwhile(bank):
    with pytest.raises(NotFound, match="no SQL template sql_gone"):
        save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR, replaces="sql_gone")
    assert bank.sql() == []


def test_approval_looks_at_the_database_as_it_is_now(bank):
    saved = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    assert saved.approvable
    bank.change("ALTER TABLE branch RENAME COLUMN city TO town")
    assert set_sql_status(bank.store, bank.project_id, [saved.id], APPROVED, actor=ACTOR) == [saved.id]
    (stored,) = bank.sql()
    assert (stored.status, failed(stored)) == (DRAFT, ["names"])


def test_a_draft_that_failed_is_approved_once_the_data_are_right(bank):
    bank.change("UPDATE branch SET name = 'Same'")
    saved = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    assert "one_answer" in failed(saved)
    bank.change("UPDATE branch SET name = 'Branch ' || branch_id")
    assert set_sql_status(bank.store, bank.project_id, [saved.id], APPROVED, actor=ACTOR) == []
    assert bank.sql(APPROVED)[0].approvable


def test_an_approved_template_that_no_longer_fits_becomes_a_draft(bank):
    template = bank.approved_sql(CITY)
    bank.change("UPDATE branch SET name = 'Same'")
    assert set_sql_status(bank.store, bank.project_id, [template.id], APPROVED, actor=ACTOR) == [template.id]
    assert [stored.status for stored in bank.sql()] == [DRAFT]


def test_nothing_is_approved_without_the_database(bank):
    saved = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    bank.file.unlink()
    with pytest.raises(SourceUnavailable):
        set_sql_status(bank.store, bank.project_id, [saved.id], APPROVED, actor=ACTOR)
    # Rejecting needs no database.
    assert set_sql_status(bank.store, bank.project_id, [saved.id], REJECTED, actor=ACTOR) == []
    assert [stored.status for stored in bank.sql()] == [REJECTED]


@pytest.mark.parametrize("status", list(TemplateStatus))
def test_one_unknown_id_changes_nothing(bank, status):
    saved = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    with pytest.raises(NotFound, match="sql_gone"):
        set_sql_status(bank.store, bank.project_id, [saved.id, "sql_gone"], status, actor=ACTOR)
    text = bank.saved_text(saved, CITY_SHORT)
    with pytest.raises(NotFound, match="gone"):
        set_text_status(bank.store, bank.project_id, [text.id, "gone"], status, actor=ACTOR)
    assert (bank.sql()[0].status, bank.texts()[0].status) == (DRAFT, DRAFT)


def test_a_template_that_is_edited_during_its_approval(bank, monkeypatch):
    saved = save_sql_template(bank.store, bank.project_id, CITY, actor=ACTOR)
    genuine = sql_review._rechecked_sql

    def slow(*arguments):
        found = genuine(*arguments)
        save_sql_template(bank.store, bank.project_id, CITY.lower(), actor=ACTOR, replaces=saved.id)
        return found

    monkeypatch.setattr(sql_review, "_rechecked_sql", slow)
    with pytest.raises(Conflict, match="was changed meanwhile"):
        set_sql_status(bank.store, bank.project_id, [saved.id], APPROVED, actor=ACTOR)
    assert [stored.status for stored in bank.sql()] == [DRAFT]


def test_no_id_is_no_error(bank):
    assert set_sql_status(bank.store, bank.project_id, [], APPROVED, actor=ACTOR) == []
    assert set_text_status(bank.store, bank.project_id, [], APPROVED, actor=ACTOR) == []


def test_wordings_are_proposed_for_approved_templates_only(bank):
    with pytest.raises(InvalidInput, match="No SQL template is approved"):
        propose_text_templates(bank.store, bank.project_id, forms=["short"], n=2, actor=ACTOR)
    template = bank.approved_sql(CITY)
    save_sql_template(bank.store, bank.project_id, MANAGER, actor=ACTOR)
    proposed = propose_text_templates(bank.store, bank.project_id, forms=["short", "long"], n=2, actor=ACTOR)
    assert (len(proposed), proposed.unworded) == (4, ())
    assert {text.sql_template_id for text in proposed.texts} == {template.id}
    assert list(proposed.texts) == bank.texts(DRAFT)
    assert all(text.checks and text.approvable for text in proposed.texts)
    again = propose_text_templates(bank.store, bank.project_id, forms=["short", "long"], n=3, actor=ACTOR)
    assert len(again) == 2, "the third wording of each form; the first two are here already"
    with pytest.raises(InvalidInput, match="no built-in form 'my own'"):
        propose_text_templates(bank.store, bank.project_id, forms=["my own"], n=2, actor=ACTOR)


@pytest.mark.slow
def test_templates_without_words_are_named(bank):
    bank.approved_sql(CITY)
    hard = bank.approved_sql(COUNT)
    proposed = propose_text_templates(bank.store, bank.project_id, forms=["short"], n=1, actor=ACTOR)
    assert (len(proposed), [template.id for template in proposed.unworded]) == (1, [hard.id])


def test_a_wording_is_checked_beside_its_siblings_and_on_the_data(bank):
    template = bank.approved_sql(CITY)
    good = bank.saved_text(template, CITY_SHORT)
    assert (good.status, good.approvable) == (DRAFT, True)
    assert failed(bank.saved_text(template, f"{CITY_SHORT.upper().replace('BRANCH.NAME', 'branch.name')}?")) == [
        "distinct"
    ]
    assert failed(bank.saved_text(template, "Is '[branch.name]' in Arden?")) == ["answer_hidden"]
    assert failed(bank.saved_text(template, "Which city?")) == ["same_placeholders"]


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (" ", "short", "wording is empty"),
        ("City of '[branch.name]'", " ", "form cannot be called"),
        ("City of '[branch.name]'", "../up", "form cannot be called"),
        ("City of '[branch.name]'", "x" * 41, "form cannot be called"),
    ],
)
def test_wordings_that_are_not_stored(bank, text, form, message):
    template = bank.approved_sql(CITY)
    with pytest.raises(InvalidTemplate, match=message):
        bank.saved_text(template, text, form)
    assert bank.texts() == []


def test_a_form_of_ones_own_has_no_rule_of_length(bank):
    template = bank.approved_sql(CITY)
    saved = bank.approved_text(template, "Pray tell, in which city may one find '[branch.name]'?", " Formal ")
    assert (saved.form, bank.texts(APPROVED)[0].form) == ("formal", "formal")
    assert form_name("Plain English-2") == "plain english-2"


def test_a_wording_that_is_here_already_keeps_its_approval(bank):
    template = bank.approved_sql(CITY)
    text, other = bank.approved_text(template, CITY_SHORT), bank.approved_text(template, "'[branch.name]' city?")
    with pytest.raises(InvalidTemplate, match="has this wording already"):
        bank.saved_text(template, CITY_SHORT)
    with pytest.raises(InvalidTemplate, match="has this wording already"):
        save_text_template(bank.store, bank.project_id, replace(text, id=""), actor=ACTOR, replaces=other.id)
    assert [stored.status for stored in bank.texts()] == [APPROVED, APPROVED]


def test_an_edited_wording_replaces_the_old_one_as_a_draft(bank):
    template = bank.approved_sql(CITY)
    text = bank.approved_text(template, CITY_SHORT)
    edited = save_text_template(
        bank.store, bank.project_id, replace(text, text="City for '[branch.name]'"), actor=ACTOR, replaces=text.id
    )
    assert [(one.id, one.status) for one in bank.texts()] == [(edited.id, DRAFT)]
    assert edited.id != text.id
    same = save_text_template(bank.store, bank.project_id, edited, actor=ACTOR, replaces=edited.id)
    assert bank.texts() == [same]
    with pytest.raises(NotFound):
        save_text_template(bank.store, bank.project_id, replace(text, sql_template_id="sql_no"), actor=ACTOR)
    with pytest.raises(NotFound):
        save_text_template(bank.store, bank.project_id, text, actor=ACTOR, replaces="gone")


def test_approving_a_wording_checks_it_again(bank):
    template = bank.approved_sql(CITY)
    text = bank.saved_text(template, "Is '[branch.name]' in Utopia?")
    assert text.approvable
    bank.change("UPDATE branch SET city = 'Utopia'")
    assert set_text_status(bank.store, bank.project_id, [text.id], APPROVED, actor=ACTOR) == [text.id]
    assert (bank.texts()[0].status, failed(bank.texts()[0])) == (DRAFT, ["answer_hidden"])
    assert set_text_status(bank.store, bank.project_id, [text.id], REJECTED, actor=ACTOR) == []


def test_of_two_equal_wordings_the_first_may_be_approved(bank):
    template = bank.approved_sql(CITY)
    first, second = bank.saved_text(template, CITY_SHORT), bank.saved_text(template, f"{CITY_SHORT}?")
    both = [first.id, second.id]
    assert set_text_status(bank.store, bank.project_id, both, APPROVED, actor=ACTOR) == [second.id]
    set_text_status(bank.store, bank.project_id, [first.id], REJECTED, actor=ACTOR)
    assert set_text_status(bank.store, bank.project_id, [second.id], APPROVED, actor=ACTOR) == []
    assert set_text_status(bank.store, bank.project_id, [first.id], APPROVED, actor=ACTOR) == [first.id]


def test_imported_templates_are_checked_drafts(bank):
    city = bank.approved_sql(CITY)
    read = [
        read_template(CITY, status=APPROVED),
        read_template(MANAGER, status=APPROVED),
        read_template(MANAGER.lower(), status=APPROVED),
        read_template("no sql at all"),
    ]
    imported = import_sql_templates(bank.store, bank.project_id, read, actor=ACTOR)
    assert [(stored.sql, stored.status, failed(stored)) for stored in imported] == [
        (MANAGER, DRAFT, []),
        ("no sql at all", DRAFT, ["parses"]),
    ]
    assert [stored.id for stored in bank.sql(APPROVED)] == [city.id]
    assert import_sql_templates(bank.store, bank.project_id, read, actor=ACTOR) == []
    with pytest.raises(InvalidInput, match="no SQL template"):
        import_sql_templates(bank.store, bank.project_id, [], actor=ACTOR)


def test_imported_wordings_are_checked_drafts(bank):
    city = bank.approved_sql(CITY)
    bank.approved_text(city, CITY_SHORT)
    read = [
        read_text(city, CITY_SHORT),
        read_text(city, "City for '[branch.name]'", "Formal"),
        read_text(city, "City for '[branch.name]'", "Formal"),
        replace(read_text(city, f"{CITY_SHORT} "), status=APPROVED),
    ]
    imported = import_text_templates(bank.store, bank.project_id, read, actor=ACTOR)
    assert [(stored.text, stored.form, stored.status, failed(stored)) for stored in imported] == [
        ("City for '[branch.name]'", "formal", DRAFT, []),
        (f"{CITY_SHORT} ", "short", DRAFT, ["distinct"]),
    ]
    assert len(bank.texts()) == 3
    assert import_text_templates(bank.store, bank.project_id, read, actor=ACTOR) == []
    with pytest.raises(InvalidInput, match="no SQL template for the wording"):
        import_text_templates(bank.store, bank.project_id, [read_text(read_template(MANAGER), "x")], actor=ACTOR)
    with pytest.raises(InvalidInput, match="no wording"):
        import_text_templates(bank.store, bank.project_id, [], actor=ACTOR)


def test_deleting_is_recorded(bank):
    city = bank.approved_sql(CITY)
    text = bank.approved_text(city, CITY_SHORT)
    delete_text_template(bank.store, bank.project_id, text.id, actor=ACTOR)
    delete_sql_template(bank.store, bank.project_id, city.id, actor=ACTOR)
    assert (bank.sql(), bank.texts()) == ([], [])
    assert {"text_template.delete", "sql_template.delete"} <= set(bank.actions())
    with pytest.raises(NotFound):
        delete_sql_template(bank.store, bank.project_id, city.id, actor=ACTOR)


def test_two_people_propose_at_once(bank, monkeypatch):
    genuine = sql_review._checked_new

    def slow(*arguments):
        found = genuine(*arguments)
        monkeypatch.setattr(sql_review, "_checked_new", genuine)
        other = propose_sql_templates(bank.store, bank.project_id, actor=ACTOR)
        set_sql_status(bank.store, bank.project_id, [other[0].id], APPROVED, actor=ACTOR)
        return found

    monkeypatch.setattr(sql_review, "_checked_new", slow)
    assert propose_sql_templates(bank.store, bank.project_id, actor=ACTOR) == []
    assert len(bank.sql(APPROVED)) == 1, "the other's approval stands"


@pytest.mark.parametrize(
    "action",
    [
        lambda b: propose_sql_templates(b.store, b.project_id, actor="eve"),
        lambda b: save_sql_template(b.store, b.project_id, CITY, actor="eve"),
        lambda b: set_sql_status(b.store, b.project_id, [], APPROVED, actor="eve"),
        lambda b: import_sql_templates(b.store, b.project_id, [], actor="eve"),
        lambda b: delete_sql_template(b.store, b.project_id, "x", actor="eve"),
        lambda b: propose_text_templates(b.store, b.project_id, forms=[], n=1, actor="eve"),
        lambda b: set_text_status(b.store, b.project_id, [], APPROVED, actor="eve"),
        lambda b: import_text_templates(b.store, b.project_id, [], actor="eve"),
        lambda b: delete_text_template(b.store, b.project_id, "x", actor="eve"),
    ],
)
def test_only_validators_change_templates(bank, action):
    with pytest.raises(Forbidden, match="requires the role validator"):
        action(bank)


def test_the_database_file_is_not_changed(bank):
    before = bank.file.read_bytes()
    propose_sql_templates(bank.store, bank.project_id, actor=ACTOR)
    save_sql_template(bank.store, bank.project_id, "DROP TABLE branch", actor=ACTOR)
    assert bank.file.read_bytes() == before
