"""The Templates page: propose, check, approve, write wordings, and every statement that must be refused."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import pytest

from core.domain.testset.templates import TemplateStatus
from core.sources.service import connect_database
from core.store.testset import templates
from core.testset.templates.review import (
    delete_sql_template,
    delete_text_template,
    propose_sql_templates,
    propose_text_templates,
    set_sql_status,
    set_text_status,
)
from tests.pages.clicks import as_viewer, captions, holding, keys, select, table
from tests.support.small_bank import ACTOR, said, write_bank

FEE = "SELECT monthly_fee FROM account WHERE name = '[account.name]'"
CITY_IDS = "SELECT branch.city, branch.branch_id FROM branch WHERE branch.manager = '[branch.manager]'"
NAME = "SELECT account.name FROM account WHERE monthly_fee = '[account.monthly_fee]' AND 1 = 1"
CITY = "SELECT city FROM branch WHERE manager = '[branch.manager]'"


def sql_of(store, project, status=None):
    with store.read() as connection:
        return templates.sql(connection, project.id, status=status)


def texts_of(store, project, status=None):
    with store.read() as connection:
        return templates.text(connection, project.id, status=status)


@pytest.fixture
def connected(store, project, tmp_path):
    """A project with the bank's database and nothing else."""
    connect_database(store, project.id, f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}", actor=ACTOR)
    return project


@pytest.fixture
def proposed(store, connected):
    """The same with templates proposed."""
    propose_sql_templates(store, connected.id, actor=ACTOR)
    return connected


def write(app, sql, with_ids=""):
    app.text_area(key="sql_new_0").set_value(sql)
    app.text_area(key="ids_new_0").set_value(with_ids)
    return app.run()


@pytest.mark.slow
def test_without_a_database_the_page_leads_to_connect(open_page, project):
    app = open_page("templates", project=project.id)
    assert "No database is connected" in said(app)
    app.button(key="go_connect").click().run()
    assert app.title[0].value == "What do we know for certain?"


@pytest.mark.slow
def test_templates_are_proposed_from_the_schema_with_their_figures(open_page, store, connected):
    app = open_page("templates", project=connected.id)
    assert "No SQL template yet" in said(app)
    app.button(key="propose_sql").click().run()
    assert not app.exception
    assert "proposed and checked" in app.success[0].value
    shown = table(app, "sql_table")
    assert len(shown) == len(sql_of(store, connected)) > 3
    # D.1: each of the 6 branches has one manager, so the share is 1 and there are 6 questions.
    row = shown[shown["SQL"].str.contains("manager FROM branch")].iloc[0]
    assert (row["One answer"], row["Questions"]) == (1.0, 6.0)
    app.button(key="propose_sql").click().run()
    assert "gives no new template" in app.success[0].value


def test_a_list_of_templates_is_told_apart_by_their_questions(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    shown = table(app, "sql_table")
    assert list(shown.columns)[:2] == ["id", "Question"]
    assert shown["Question"].is_unique
    manager = shown[shown["SQL"].str.contains("SELECT manager FROM branch")].iloc[0]
    assert manager["Question"] == "Who is the manager of the branch '[branch.name]'?"


def test_kinds_without_a_proposal_are_named_with_the_reason(open_page, store, connected):
    app = open_page("templates", project=connected.id)
    app.multiselect(key="sql_kinds").set_value(["look-up", "negation"]).run()
    app.button(key="propose_sql").click().run()
    told = "None for: What has none (no named rows of a named one that rows of a third table belong to)."
    assert told in app.success[0].value.replace("\\", "")


@pytest.mark.slow
def test_what_is_proposed_unasked_goes_beyond_look_ups(open_page, store, connected):
    app = open_page("templates", project=connected.id)
    app.button(key="propose_sql").click().run()
    assert not app.exception
    asked = list(app.dataframe[0].value["Asks"])
    assert 0 < 3 * asked.count("look-up") <= 2 * len(asked)


def test_templates_beyond_look_ups_are_proposed_by_choice(open_page, store, connected):
    app = open_page("templates", project=connected.id)
    app.multiselect(key="sql_kinds").set_value(["look-up"]).run()
    app.button(key="propose_sql").click().run()
    assert not [template for template in sql_of(store, connected) if "COUNT(" in template.sql]
    app.multiselect(key="sql_kinds").set_value([]).run()
    assert app.button(key="propose_sql").disabled
    app.multiselect(key="sql_kinds").set_value(["count"]).run()
    app.button(key="propose_sql").click().run()
    assert not app.exception
    counts = [template for template in sql_of(store, connected) if "COUNT(" in template.sql]
    assert counts
    asked = app.dataframe[0].value.set_index("SQL").loc[counts[0].sql]
    assert (asked["Asks"], asked["Difficulty"]) == ("count", 2)
    assert re.search(
        r"count \d+; 2 of 2 tables that may be asked about; \d+ of \d+ templates join tables", captions(app)
    )
    assert all(template.approvable for template in counts)
    app.button(key="approve_all_sql").click().run()
    app = open_page("templates", project=connected.id, view="text")
    app.button(key="propose_text").click().run()
    assert not app.exception
    worded = {text.sql_template_id for text in texts_of(store, connected)}
    assert {template.id for template in counts} <= worded


@pytest.mark.slow
def test_passing_drafts_are_approved_together(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    ready = [template for template in sql_of(store, proposed) if template.approvable]
    assert str(len(ready)) in app.button(key="approve_all_sql").label
    app.button(key="approve_all_sql").click().run()
    assert len(sql_of(store, proposed, TemplateStatus.APPROVED)) == len(ready)
    assert "approve_all_sql" not in keys(app)


@pytest.mark.slow
def test_approved_templates_are_checked_again_on_a_changed_database(open_page, store, proposed, tmp_path):
    app = open_page("templates", project=proposed.id)
    assert "recheck_sql" not in keys(app)
    app.button(key="approve_all_sql").click().run()
    app.button(key="recheck_sql").click().run()
    every = sql_of(store, proposed, TemplateStatus.APPROVED)
    assert f"{len(every)} of {len(every)} approved templates fit the database." in said(app)
    with closing(sqlite3.connect(tmp_path / "bank.sqlite")) as database, database:
        database.execute("ALTER TABLE branch RENAME COLUMN manager TO head")
    app.button(key="recheck_sql").click().run()
    drafts = [template for template in sql_of(store, proposed, TemplateStatus.DRAFT) if "manager" in template.sql]
    assert drafts
    assert not any("manager" in template.sql for template in sql_of(store, proposed, TemplateStatus.APPROVED))
    assert f"{len(drafts)} no longer fit" in said(app)


def test_a_row_opens_its_checks_and_can_be_rejected(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    # The first that is not refused: nothing is filled in where the name of a branch gives its city away.
    usable = next(place for place, row in table(app, "sql_table").iterrows() if row["Questions"] > 0)
    chosen = select(app, "sql_table", int(usable), "id")
    assert app.query_params["template"] == chosen
    assert "It only reads" in said(app)
    assert len(holding(app, "Filled with")) == 3
    app.button(key="reject_sql").click().run()
    assert [template.id for template in sql_of(store, proposed, TemplateStatus.REJECTED)] == [chosen]
    app.selectbox(key="url_status").set_value("rejected").run()
    assert table(app, "sql_table")["id"].tolist() == [chosen]


@pytest.mark.slow
def test_a_template_of_ones_own_is_checked_saved_and_approved(open_page, store, connected):
    propose_sql_templates(store, connected.id, actor=ACTOR, limit=1)
    app = open_page("templates", project=connected.id)
    app.button(key="add_sql").click().run()
    assert app.text_area(key="sql_new_0").value.startswith("SELECT ...")
    assert "save_sql" not in keys(app)
    write(app, CITY, CITY_IDS)
    assert "6 of 6 placeholder values have exactly one answer (100%)" in said(app)
    assert "Document ids come from branch.branch_id" in said(app)
    app.button(key="save_sql").click().run()
    assert "Saved as a draft" in app.success[0].value
    app.button(key="approve_sql").click().run()
    assert [template.sql for template in sql_of(store, connected, TemplateStatus.APPROVED)] == [CITY]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DROP TABLE branch", "SELECT"),
        ("DELETE FROM branch WHERE name = '[branch.name]'", "SELECT"),
        (f"{FEE}; DELETE FROM branch", "statement"),
        ("PRAGMA table_info(branch)", "SELECT"),
        ("ATTACH DATABASE 'x' AS y", "SELECT"),
        (f"{FEE} -- and more", "comment"),
        ("SELECT load_extension('x') FROM branch WHERE name = '[branch.name]'", "LOAD_EXTENSION"),
        ("SELECT secret FROM branch WHERE name = '[branch.name]'", "secret"),
        ("SELECT city FROM nowhere WHERE name = '[nowhere.name]'", "nowhere"),
        ("SELECT name FROM branch WHERE name = '[branch.name]'", "question already states"),
        ("SELECT branch_id FROM branch WHERE name = '[branch.name]'", "would not understand"),
        ("SELECT city FROM branch WHERE city = '[branch.name]'", "not with its own column"),
        ("SELECT city FROM branch", "no placeholder"),
        ("not sql at all '", ""),
        ("", ""),
        ("SELECT '\N{GRINNING FACE}' FROM branch <script>alert(1)</script>", ""),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason_and_remedy(open_page, store, proposed, sql, says):
    before = sql_of(store, proposed)
    app = open_page("templates", project=proposed.id, template="new")
    write(app, sql)
    assert not app.exception
    told = said(app)
    assert ":orange[✗]" in told or app.error
    assert says in told
    if app.button(key="save_sql").disabled:
        return
    app.button(key="save_sql").click().run()
    assert not app.exception
    added = [template for template in sql_of(store, proposed) if template not in before]
    assert all(not template.approvable for template in added)
    if added:
        assert app.button(key="approve_sql").disabled


@pytest.mark.slow
def test_a_template_that_is_there_already_is_not_saved_twice(open_page, store, proposed):
    known = sql_of(store, proposed)[0]
    app = open_page("templates", project=proposed.id, template="new")
    write(app, known.sql.lower())
    app.button(key="save_sql").click().run()
    assert "has a template with this meaning" in app.error[0].value
    assert len(sql_of(store, proposed)) > 1


@pytest.mark.slow
def test_nothing_from_a_statement_is_markup(open_page, proposed):
    app = open_page("templates", project=proposed.id, template="new")
    write(app, "SELECT city FROM branch WHERE name = '[branch.name]' AND :red[x] = $\\alpha$")
    assert not app.exception
    assert all(":red[" not in item.value for item in [*app.error, *app.markdown])


@pytest.mark.slow
def test_what_somebody_wrote_outlives_a_template_that_somebody_else_deleted(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    chosen = select(app, "sql_table", 0, "id")
    app.text_area(key=f"sql_{chosen}_0").set_value(NAME).run()
    delete_sql_template(store, proposed.id, chosen, actor=ACTOR)
    app.button(key="save_sql").click().run()
    assert not app.exception
    assert NAME in [template.sql for template in sql_of(store, proposed)]


@pytest.mark.slow
def test_what_somebody_wrote_stays_on_the_page_until_it_is_saved(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    chosen = select(app, "sql_table", 0, "id")
    app.text_area(key=f"sql_{chosen}_0").set_value(NAME).run()
    delete_sql_template(store, proposed.id, chosen, actor=ACTOR)
    app.run()
    assert "Another person has changed or deleted this template" in said(app)
    assert app.text_area(key=f"sql_{chosen}_0").value == NAME


@pytest.mark.slow
def test_a_statement_of_ten_thousand_letters_is_checked_like_any_other(open_page, proposed):
    app = open_page("templates", project=proposed.id, template="new")
    write(app, "SELECT " + "city, " * 1600 + "name FROM branch WHERE manager = '[branch.manager]'")
    assert not app.exception
    assert "6 of 6 placeholder values" in said(app)


def test_a_link_to_a_template_that_is_gone_says_so(open_page, proposed):
    app = open_page("templates", project=proposed.id, template="sql_gone")
    assert "no longer exists" in app.warning[0].value


def test_wordings_wait_for_an_approved_template(open_page, proposed):
    app = open_page("templates", project=proposed.id, view="text")
    assert "No SQL template is approved yet" in said(app)
    app.button(key="go_sql").click().run()
    assert app.query_params.get("view", "sql") == "sql"


@pytest.fixture
def worded(store, proposed):
    """A project with one approved template and its wordings as drafts."""
    manager = next(template for template in sql_of(store, proposed) if "manager FROM branch" in template.sql)
    set_sql_status(store, proposed.id, [manager.id], TemplateStatus.APPROVED, actor=ACTOR)
    propose_text_templates(store, proposed.id, forms=("short", "long"), n=2, actor=ACTOR)
    return proposed


@pytest.mark.slow
def test_wordings_are_written_and_approved(open_page, store, proposed):
    manager = next(template for template in sql_of(store, proposed) if "manager FROM branch" in template.sql)
    set_sql_status(store, proposed.id, [manager.id], TemplateStatus.APPROVED, actor=ACTOR)
    app = open_page("templates", project=proposed.id, view="text")
    app.number_input(key="wordings_n").set_value(2)
    app.button(key="propose_text").click().run()
    assert not app.exception
    assert "written" in app.success[0].value
    assert {text.form for text in texts_of(store, proposed)} == {"short", "long"}
    assert any("Asked as" in item.value for item in app.caption)
    app.button(key="approve_all_text").click().run()
    assert len(texts_of(store, proposed, TemplateStatus.APPROVED)) == len(texts_of(store, proposed))


def test_wordings_that_wait_are_counted_and_led_to(open_page, store, proposed):
    usable = [template for template in sql_of(store, proposed) if template.approvable]
    set_sql_status(store, proposed.id, [one.id for one in usable], TemplateStatus.APPROVED, actor=ACTOR)
    propose_text_templates(store, proposed.id, forms=("short", "long"), n=1, actor=ACTOR)
    last = next(
        text for text in texts_of(store, proposed) if text.form == "long" and text.sql_template_id == usable[-1].id
    )
    others = [text.id for text in texts_of(store, proposed) if text.id != last.id]
    set_text_status(store, proposed.id, others, TemplateStatus.APPROVED, actor=ACTOR)
    app = open_page("templates", project=proposed.id, view="text")
    assert f"Of all {len(others) + 1} wordings: {len(others)} approved, 1 draft, 0 rejected." in captions(app)
    assert f"1 of {len(usable)} templates here has no approved wording in a form that others have" in captions(app)
    app.button(key="show_waiting").click().run()
    assert not app.exception
    assert app.selectbox(key="url_template").value == usable[-1].id
    assert "none of the form long" in captions(app)
    app.button(key=f"approve_{last.id}").click().run()
    assert "show_waiting" not in keys(app)
    assert "no approved wording in a form" not in captions(app)


def test_a_wording_is_edited_with_its_checks(open_page, store, worded):
    app = open_page("templates", project=worded.id, view="text")
    text = texts_of(store, worded)[0]
    app.button(key=f"edit_{text.id}").click().run()
    app.text_area(key=f"text_{text.id}").set_value("Which row of the table has it?")
    app.button(key=f"save_{text.id}").click().run()
    assert not app.exception
    assert "a check failed" in app.success[0].value
    edited = next(text for text in texts_of(store, worded) if text.text == "Which row of the table has it?")
    assert app.button(key=f"approve_{edited.id}").disabled
    assert ":orange[✗]" in said(app)
    assert text.id not in {text.id for text in texts_of(store, worded)}


@pytest.mark.slow
def test_an_edit_outlives_a_wording_that_somebody_else_deleted(open_page, store, worded):
    app = open_page("templates", project=worded.id, view="text")
    text = next(text for text in texts_of(store, worded) if text.form == "short")
    app.button(key=f"edit_{text.id}").click().run()
    mine = text.text.replace("?", "") + ", please?"
    app.text_area(key=f"text_{text.id}").set_value(mine)
    delete_text_template(store, worded.id, text.id, actor=ACTOR)
    app.run()
    assert "Another person has changed or deleted this wording" in said(app)
    app.button(key=f"save_{text.id}").click().run()
    assert not app.exception
    assert mine in [text.text for text in texts_of(store, worded)]


@pytest.mark.slow
def test_saving_without_a_change_writes_nothing(open_page, store, proposed):
    app = open_page("templates", project=proposed.id)
    select(app, "sql_table", 0, "id")
    before = sql_of(store, proposed)
    app.button(key="save_sql").click().run()
    assert "Nothing was changed" in said(app)
    assert sql_of(store, proposed) == before


def test_an_empty_wording_is_not_added(open_page, store, worded):
    app = open_page("templates", project=worded.id, view="text")
    before = texts_of(store, worded)
    app.button(key="add_short").click().run()
    assert "Write a wording first" in said(app)
    assert texts_of(store, worded) == before


def test_a_wording_of_ones_own_is_added(open_page, store, worded):
    app = open_page("templates", project=worded.id, view="text")
    template = texts_of(store, worded)[0].sql_template_id
    token = next(one for one in sql_of(store, worded) if one.id == template).placeholders[0].token
    app.text_area(key=f"add_short_{template}_0").set_value(f"Where is '{token}'?").run()
    app.button(key="add_short").click().run()
    assert not app.exception
    assert f"Where is '{token}'?" in [text.text for text in texts_of(store, worded)]


def test_templates_are_imported_in_grammars_format(open_page, store, connected):
    app = open_page("templates", project=connected.id)
    app.file_uploader(key="sql_file_0").upload(
        "sql_templates.json", json.dumps({"('branch',)": [CITY]}).encode(), "application/json"
    )
    app.run()
    app.button(key="import_sql").click().run()
    assert not app.exception
    assert "1 template imported" in app.success[0].value
    assert [template.origin for template in sql_of(store, connected)] == ["import"]


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"[1, 2", b"{}", b'{"(x": 3}', b'"text"'])
def test_a_file_that_holds_no_template_is_told(open_page, store, connected, content):
    app = open_page("templates", project=connected.id)
    app.file_uploader(key="sql_file_0").upload("sql_templates.json", content, "application/json")
    app.run()
    app.button(key="import_sql").click().run()
    assert not app.exception
    assert app.error or "0 templates imported" in app.success[0].value
    assert all("/tmp" not in error.value for error in app.error)
    assert sql_of(store, connected) == []


@pytest.mark.slow
def test_a_viewer_reads_templates_and_changes_nothing(open_page, finished, bank, monkeypatch):
    app = open_page("templates", project=bank.id)
    select(app, "sql_table", 0, "id")
    as_viewer(app, finished, bank, monkeypatch)
    assert not app.exception
    assert len(app.code) >= 1
    assert not keys(app) & {"add_sql", "propose_sql", "approve_all_sql", "save_sql", "reject_sql", "delete_sql"}
    app.query_params["view"] = "text"
    app.run()
    assert not app.exception
    assert not [key for key in keys(app) if key.startswith(("approve", "reject", "edit", "add_", "propose"))]


def test_a_statement_that_means_the_same_as_another_is_told_while_it_is_written(open_page, finished, bank):
    with finished.read() as connection:
        known = templates.sql(connection, bank.id)[0]
    app = open_page("templates", project=bank.id, template="new")
    app.text_area(key="sql_new_0").set_value(known.sql.replace("SELECT ", "select  ")).run()
    assert not app.exception
    assert "asks the same" in said(app)
    assert "No other template asks the same" not in said(app)
