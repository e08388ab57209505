"""The Test set page: build, look, exclude with a reason, freeze, export."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import asdict, replace

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.sources.projects import SourceKind
from core.domain.testset.templates import TemplateStatus, TextTemplate
from core.sources.service import connect_database
from core.store import sources
from core.store.testset import templates, testsets
from core.testset.grounded.left_out import LeftOut
from core.testset.service import STOPPED_TEMPLATES, build_test_set, delete_test_set
from core.testset.templates.review import save_sql_template, save_text_template, set_sql_status, set_text_status
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.small_bank import ACTOR, said


def sets_of(store, project):
    with store.read() as connection:
        return testsets.all(connection, project.id)


@pytest.fixture
def draft(finished, bank):
    """A draft test set of the small bank."""
    return build_test_set(finished, bank.id, actor=ACTOR, name="Second")


def test_without_approved_templates_the_page_leads_to_them(open_page, project):
    app = open_page("test_set", project=project.id)
    assert "Nothing is approved yet" in said(app)
    app.button(key="go_templates").click().run()
    assert app.title[0].value == "Which questions can the database answer?"


@pytest.mark.slow
def test_a_test_set_is_built_frozen_and_ready_to_run(open_page, finished, bank):
    app = open_page("test_set", project=bank.id, view="build")
    app.text_input(key="build_name").set_value("Branches")
    app.number_input(key="build_limit").set_value(10)
    app.button(key="build").click().run()
    assert not app.exception
    assert "Branches v2 is built as a draft" in app.success[0].value
    built = sets_of(finished, bank)[0]
    assert not built.frozen
    assert app.query_params["test_set"] == built.id
    # The ten questions drawn ask about accounts, and only branches have documents.
    assert app.button(key="freeze").disabled
    app.checkbox(key=f"gold_fit_confirmed_{built.id}").check().run()
    app.button(key="freeze").click().run()
    frozen = sets_of(finished, bank)[0]
    assert frozen.frozen
    assert frozen.content_hash[:12] in app.success[0].value
    assert f"content hash {frozen.content_hash[:12]}" in captions(app)
    assert not keys(app) & {"freeze", "discard", "exclude_case"}
    app.button(key="go_run").click().run()
    assert app.title[0].value == "What does the system answer?"
    assert app.query_params["test_set"] == built.id


def test_a_test_set_without_a_name_cannot_be_built(open_page, finished, bank):
    app = open_page("test_set", project=bank.id, view="build")
    app.text_input(key="build_name").set_value("   ")
    app.button(key="build").click().run()
    assert "Give the test set a name first" in said(app)
    assert len(sets_of(finished, bank)) == 1


def test_the_counts_are_those_of_the_papers_table(open_page, finished, bank):
    app = open_page("test_set", project=bank.id, view="counts")
    test_set = sets_of(finished, bank)[0]
    counted = holding(app, "Counted").set_index("Counted")
    questions = test_set.counts["questions"]
    assert counted.loc["SQL templates (M)", "Together"] == str(test_set.counts["sql_templates"])
    assert counted.loc["Questions (M x N x Q)", "Short"] == f"{questions['short']:,}"
    assert counted.loc["Questions (M x N x Q)", "Together"] == f"{sum(questions.values()):,}"
    assert metrics(app)["Questions"] == f"{sum(questions.values()):,}"
    assert holding(app, "Setting")["Value"].tolist()[:3] == ["yes", "-", "0"]


@pytest.mark.slow
def test_a_template_that_a_limit_ended_is_named_with_its_reason_and_remedy(open_page, finished, bank, draft):
    left_out = LeftOut(
        template_id="sql_1",
        sql="SELECT GROUP_CONCAT(a.name) FROM account AS a",
        reason="The query was stopped after 20 seconds of work.",
        remedy="Make it simpler, or add a condition that narrows it.",
    )
    with finished.write(ACTOR, "test_set.build", project_id=bank.id) as connection:
        testsets.put(connection, replace(draft, options={**draft.options, STOPPED_TEMPLATES: [asdict(left_out)]}))
    app = open_page("test_set", project=bank.id, test_set=draft.id, view="counts")
    assert not app.exception
    for words in (left_out.sql, left_out.reason, left_out.remedy, "A limit ended the template"):
        assert words in said(app)
    assert STOPPED_TEMPLATES not in set(holding(app, "Setting")["Setting"])


def test_a_template_without_a_wording_in_every_form_is_told_as_a_loss(open_page, finished, bank):
    with finished.read() as connection:
        text = next(one for one in templates.text(connection, bank.id) if one.form == "long")
        same = [
            one.id
            for one in templates.text(connection, bank.id)
            if (one.sql_template_id, one.form) == (text.sql_template_id, "long")
        ]
    set_text_status(finished, bank.id, same, TemplateStatus.REJECTED, actor=ACTOR)
    app = open_page("test_set", project=bank.id, view="build")
    assert "Balanced leaves out 1 approved template without an approved wording in every form" in captions(app)
    app.button(key="build").click().run()
    assert not app.exception
    told = next(item.value for item in app.warning if "has no question here" in item.value)
    assert "1 approved template" in told
    assert "(no long wording)" in told
    app.button(key="go_wordings").click().run()
    assert app.title[0].value == "Which questions can the database answer?"
    assert app.selectbox(key="url_template").value == text.sql_template_id


@pytest.mark.slow
def test_questions_are_filtered_searched_and_opened(open_page, bank):
    app = open_page("test_set", project=bank.id)
    everything = len(table(app, "cases_table"))
    app.selectbox(key="url_form").set_value("long").run()
    assert set(table(app, "cases_table")["Form"]) == {"long"}
    app.text_input(key="url_search").set_value("Arden").run()
    found = table(app, "cases_table")
    assert 0 < len(found) < everything
    assert all("Arden" in f"{row.Question} {row.Answer}" for row in found.itertuples())
    chosen = select(app, "cases_table", 0, "case_id")
    assert app.query_params["case"] == chosen
    assert any("SELECT" in code.value for code in app.code)
    app.text_input(key="url_search").set_value("zzz nothing :red[x] $\\alpha$").run()
    assert not app.exception
    assert "No question matches" in said(app)


@pytest.mark.slow
def test_a_question_is_excluded_with_its_reason_and_put_back(open_page, finished, bank, draft):
    app = open_page("test_set", project=bank.id, test_set=draft.id)
    before = metrics(app)["Questions"]
    chosen = select(app, "cases_table", 0, "case_id")
    app.button(key="exclude_case").click().run()
    assert "Give the reason first" in said(app)
    assert metrics(app)["Questions"] == before
    app.text_input(key=f"why_{chosen}_0").set_value("The *city* moved :red[away]").run()
    app.button(key="exclude_case").click().run()
    assert not app.exception
    assert "reason is kept" in app.success[0].value
    assert int(metrics(app)["Questions"]) == int(before) - 1
    with finished.read() as connection:
        assert testsets.case(connection, draft.id, chosen).excluded == "The *city* moved :red[away]"
    assert "Excluded: The *city* moved :red[away]" in said(app)
    assert "\\:red\\[away\\]" in app.warning[0].value
    app.toggle(key="show_excluded").set_value(True).run()
    assert "Excluded" in table(app, "cases_table")
    app.button(key="include_case").click().run()
    assert metrics(app)["Questions"] == before


@pytest.mark.slow
def test_a_draft_is_discarded(open_page, finished, bank, draft):
    app = open_page("test_set", project=bank.id, test_set=draft.id)
    app.button(key="discard").click().run()
    assert "The draft is deleted" in app.success[0].value
    assert [test_set.name for test_set in sets_of(finished, bank)] == ["Branches"]


@pytest.mark.slow
def test_a_draft_that_somebody_else_discarded_is_told(open_page, finished, bank, draft):
    app = open_page("test_set", project=bank.id, test_set=draft.id)
    delete_test_set(finished, draft.id, actor=ACTOR)
    app.button(key="freeze").click().run()
    assert not app.exception
    assert f"no test set {draft.id}" in said(app)
    app.button(key="show_latest").click().run()
    assert "Branches v1" in captions(app)


def test_a_case_that_does_not_exist_is_told(open_page, bank):
    app = open_page("test_set", project=bank.id, case="nothing")
    assert not app.exception
    assert "nothing" in app.error[0].value


@pytest.mark.slow
def test_a_viewer_reads_and_changes_nothing(open_page, finished, bank, draft, monkeypatch):
    app = open_page("test_set", project=bank.id, test_set=draft.id)
    select(app, "cases_table", 0, "case_id")
    as_viewer(app, finished, bank, monkeypatch)
    assert not app.exception
    assert not keys(app) & {"freeze", "discard", "build", "exclude_case"}
    assert len(table(app, "cases_table"))


def many_branches(path, count):
    """A database with so many branches that their test set is a large one."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, name TEXT UNIQUE, town TEXT)")
        connection.executemany(
            "INSERT INTO branch VALUES (?, ?, ?)",
            [(number, f"Branch {number}", f"Town {number}") for number in range(count)],
        )
        connection.commit()
    return f"sqlite:///{path}"


@pytest.mark.slow
def test_a_large_test_set_is_built_by_a_worker(open_page, store, project, tmp_path):
    """10,001 branches in two wordings are 20,002 questions: a worker builds them while the page only watches."""
    connect_database(store, project.id, many_branches(tmp_path / "many.sqlite", 10_001), actor=ACTOR)
    sql = save_sql_template(store, project.id, "SELECT town FROM branch WHERE name = '[branch.name]'", actor=ACTOR)
    set_sql_status(store, project.id, [sql.id], TemplateStatus.APPROVED, actor=ACTOR)
    for words in ("Town of branch '[branch.name]'", "Which town is branch '[branch.name]' in?"):
        text = TextTemplate(id="", sql_template_id=sql.id, form="short", text=words)
        saved = save_text_template(store, project.id, text, actor=ACTOR)
        set_text_status(store, project.id, [saved.id], TemplateStatus.APPROVED, actor=ACTOR)
    app = open_page("test_set", project=project.id)
    assert "about 20,002 questions. That is a long run" in captions(app)
    app.button(key="build").click().run()
    assert not app.exception
    [job] = jobs.list_jobs(store, project.id)
    assert jobs.wait(store, job.id, seconds=120).state is JobState.FINISHED
    app.run()
    assert not app.exception
    [made] = sets_of(store, project)
    assert made.counts["questions"] == {"short": 20_002}
    assert metrics(app)["Questions"] == "20,002"
    assert "job" not in app.query_params


@pytest.mark.slow
def test_the_next_version_says_which_answers_moved(open_page, finished, bank, draft):
    with finished.read() as connection:
        place = sources.latest(connection, bank.id, SourceKind.DATABASE).location.removeprefix("sqlite:///")
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE branch SET city = 'Newtown' WHERE name = 'Arden Branch'")
        connection.commit()
    app = open_page("test_set", project=bank.id, test_set=draft.id, view="build")
    app.button(key="build_next").click().run()
    assert not app.exception
    assert "Second v2 is built as a draft" in app.success[0].value
    shown = metrics(app)
    assert (shown["New"], shown["Gone"]) == ("0", "0")
    moved = app.dataframe[0].value
    assert {*moved["Answer before"]} == {"Arden"}
    assert {*moved["Answer now"]} == {"Newtown"}
    assert shown["Answers that moved"] == str(len(moved))
    # Seen from the older version, the same things moved in the same direction.
    app = open_page("test_set", project=bank.id, test_set=draft.id, view="changes")
    assert {*app.dataframe[0].value["Answer now"]} == {"Newtown"}


@pytest.mark.slow
def test_a_test_set_of_one_version_has_no_changes_to_show(open_page, bank, draft):
    app = open_page("test_set", project=bank.id, test_set=draft.id)
    assert "Changes between versions" not in str(app.get("button_group"))
    app = open_page("test_set", project=bank.id, test_set=draft.id, view="changes")
    assert not app.exception
