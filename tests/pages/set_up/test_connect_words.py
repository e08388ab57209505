"""The words of tables and columns on the Connect page: proposed, changed, previewed, saved, as a file."""

from __future__ import annotations

import pytest

from core.domain.sources.projects import SourceKind
from core.sources.service import connect_database
from core.store import sources
from tests.support.databases.large_schema import write_large_schema
from tests.support.small_bank import ACTOR, said


def database_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.DATABASE)


def edit(app, number, row, changes):
    """Types into an editor: the tables are the first, the columns of the chosen table the second."""
    editor = app.data_editor[number]
    app.session_state[editor.key] = {"edited_rows": {row: changes}, "added_rows": [], "deleted_rows": []}
    return app.run()


def row_of(app, number, column, value):
    return list(app.data_editor[number].value[column]).index(value)


def test_every_table_is_listed_with_the_words_that_questions_use(open_page, bank):
    app = open_page("connect", project=bank.id)
    assert not app.exception
    tables = app.data_editor[0].value.set_index("Table")
    assert tables.loc[
        "branch", ["One row is called", "Several are called", "Rows are named by", "Said by"]
    ].tolist() == [
        "branch",
        "branches",
        "name",
        "rules",
    ]
    assert tables.loc["branch", "Referred to by"] == 1
    assert len(app.data_editor) == 1


@pytest.mark.slow
def test_a_changed_word_is_in_the_questions_before_it_is_saved(open_page, finished, bank):
    app = open_page("connect", project=bank.id, table="branch")
    assert "What is the city of the branch" in said(app)
    edit(app, 0, 0, {"One row is called": "office"})
    assert "What is the city of the office" in said(app)
    assert "1 change not saved yet" in said(app)
    assert database_of(finished, bank).layer is None
    app.button(key="save_columns").click().run()
    assert "Saved 1 change" in app.success[0].value
    assert database_of(finished, bank).schema.table("branch").noun == "office"
    assert app.data_editor[0].value["Said by"].tolist() == ["person"]


@pytest.mark.slow
def test_an_emptied_word_goes_back_to_the_rules(open_page, finished, bank):
    app = open_page("connect", project=bank.id, table="branch")
    edit(app, 0, 0, {"One row is called": "office"})
    app.button(key="save_columns").click().run()
    edit(app, 0, 0, {"One row is called": None})
    assert "What is the city of the branch" in said(app)
    app.button(key="save_columns").click().run()
    assert database_of(finished, bank).schema.table("branch").noun == ""
    assert app.data_editor[0].value["One row is called"].tolist() == ["branch"]


@pytest.mark.slow
def test_a_person_decides_which_columns_are_asked_about(open_page, finished, bank):
    app = open_page("connect", project=bank.id, table="account")
    row = row_of(app, 1, "Column", "account_id")
    assert not app.data_editor[1].value["Ask about"][row]
    edit(app, 1, row, {"Ask about": True})
    app.button(key="save_columns").click().run()
    assert not app.exception
    column = database_of(finished, bank).schema.table("account").column("account_id")
    assert column.descriptive
    assert column.overruled
    assert "Saved 1 change" in app.success[0].value


@pytest.mark.slow
def test_units_and_codes_are_kept(open_page, finished, bank):
    app = open_page("connect", project=bank.id, table="account")
    row = row_of(app, 1, "Column", "monthly_fee")
    edit(app, 1, row, {"Unit": "EUR", "Codes mean": "0 = free; 1=paid"})
    app.button(key="save_columns").click().run()
    column = database_of(finished, bank).schema.table("account").column("monthly_fee")
    assert (column.unit, column.codes) == ("EUR", (("0", "free"), ("1", "paid")))
    assert app.data_editor[1].value["Codes mean"][row] == "0 = free; 1 = paid"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editor", "changes", "says"),
    [
        (0, {"Rows are named by": "colour"}, "named by colour"),
        (1, {"Codes mean": "open and shut"}, "codes of branch.branch\\_id cannot be read"),
    ],
)
def test_words_that_cannot_be_read_are_told_and_nothing_is_saved(open_page, finished, bank, editor, changes, says):
    app = open_page("connect", project=bank.id, table="branch")
    edit(app, editor, 0, changes)
    assert not app.exception
    assert says in app.error[0].value
    assert "save_columns" not in {button.key for button in app.button}
    assert database_of(finished, bank).layer is None


def test_a_table_whose_rows_nothing_names_says_so(open_page, bank):
    app = open_page("connect", project=bank.id, table="branch")
    edit(app, 0, 0, {"Ask about": False})
    assert "No question is asked about single rows of branch" in said(app)


def test_saving_without_a_change_writes_nothing(open_page, finished, bank):
    before = database_of(finished, bank)
    app = open_page("connect", project=bank.id, table="account")
    app.button(key="save_columns").click().run()
    assert "Nothing was changed" in said(app)
    assert database_of(finished, bank) == before


def test_values_are_hidden_until_they_are_asked_for(open_page, bank):
    app = open_page("connect", project=bank.id, table="branch")
    assert "Sample values" not in app.data_editor[1].value
    assert "Ines Okoro" not in str(app.data_editor[1].value)
    app.toggle(key="show_samples").set_value(True).run()
    assert "Ines Okoro" in " ".join(app.data_editor[1].value["Sample values"])


@pytest.mark.slow
def test_a_glossary_is_shown_before_it_is_used(open_page, finished, bank):
    app = open_page("connect", project=bank.id)
    glossary = b"table,column,noun,unit\nbranch,,office,\naccount,monthly_fee,monthly charge,EUR\n"
    app.file_uploader[0].upload("glossary.csv", glossary).run()
    assert "names 2 tables and 1 column; 3 fields would change" in said(app)
    assert database_of(finished, bank).layer is None
    app.button(key="use_glossary").click().run()
    assert not app.exception
    schema = database_of(finished, bank).schema
    assert (schema.table("branch").noun, schema.table("account").column("monthly_fee").unit) == ("office", "EUR")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("words.csv", b"table,noun\nbranches,office\n", "names branches"),
        ("words.yaml", b"tables: [", "cannot be parsed"),
        ("words.json", b"\xff\xfe", "no text in UTF-8"),
        ("words.csv", b"name,noun\nbranch,office\n", "column 'name'"),
    ],
)
def test_a_glossary_that_cannot_be_used_is_told(open_page, finished, bank, name, content, says):
    app = open_page("connect", project=bank.id)
    app.file_uploader[0].upload(name, content).run()
    assert not app.exception
    assert says in app.error[0].value.replace("\\", "")
    assert database_of(finished, bank).layer is None


@pytest.fixture
def warehouse(finished, bank, tmp_path):
    """The bank's project with a database of seventy tables."""
    return connect_database(finished, bank.id, write_large_schema(tmp_path / "warehouse.sqlite", rows=2), actor=ACTOR)


@pytest.mark.slow
def test_a_table_of_seventy_is_shown_with_its_neighbours(open_page, bank, warehouse):
    app = open_page("connect", project=bank.id, table="finance_invoice")
    assert "finance\\_invoice** with the" in " ".join(caption.value for caption in app.caption)
    assert app.data_editor[1].value["Column"].tolist()[0] == "id"


@pytest.mark.slow
def test_seventy_tables_are_found_by_text_and_group(open_page, bank, warehouse):
    app = open_page("connect", project=bank.id)
    assert not app.exception
    assert "70 tables in all" in " ".join(caption.value for caption in app.caption)
    assert len(app.data_editor[0].value) == 70
    assert len(app.selectbox(key="url_group").options) == 6
    app.text_input(key="url_search").set_value("invoice").run()
    assert "finance_invoice" in app.data_editor[0].value["Table"].tolist()
    assert len(app.data_editor[0].value) < 70
    app.text_input(key="url_search").set_value("no such thing").run()
    assert "No table has that text" in app.info[0].value
