from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.testset.templates import Check, SqlTemplate, TemplateStatus, TextTemplate
from core.store.testset import templates
from tests.support.stores import with_run

SQL = [
    SqlTemplate(id="b", sql="SELECT Name FROM Client WHERE Id = '[Client.Id]'", tables=("Client",)),
    SqlTemplate(id="a", sql="SELECT 1", checks=(Check(name="parses", passed=False, message="no", remedy="yes"),)),
]
TEXTS = [
    TextTemplate(id="t1", sql_template_id="b", form="short", text="Who is [Client.Id]?  "),
    TextTemplate(id="t2", sql_template_id="b", form="long", text="Tell me who [Client.Id] is"),
    TextTemplate(id="t3", sql_template_id="a", form="short", text="What?"),
]


@pytest.fixture
def filled(store):
    with_run(store)
    with store.write("anna", "propose") as connection:
        templates.put_sql(connection, "prj_1", SQL)
        templates.put_text(connection, "prj_1", TEXTS)
    return store


def test_templates_read_back_equal_in_their_order(filled):
    with filled.read() as connection:
        assert templates.sql(connection, "prj_1") == SQL
        assert templates.get_sql(connection, "prj_1", "a") == SQL[1]
        assert templates.text(connection, "prj_1") == TEXTS
        assert templates.text(connection, "prj_1", sql_template_id="b", form="long") == [TEXTS[1]]
        assert templates.text(connection, "prj_1", status=TemplateStatus.APPROVED) == []
        assert templates.sql(connection, "prj_other") == []


def test_a_changed_template_keeps_its_place(filled):
    with filled.write("anna", "save") as connection:
        templates.put_sql(connection, "prj_1", replace(SQL[0], origin="import"))
        templates.put_text(connection, "prj_1", replace(TEXTS[0], text="Who?"))
    with filled.read() as connection:
        assert [template.id for template in templates.sql(connection, "prj_1")] == ["b", "a"]
        assert templates.text(connection, "prj_1", sql_template_id="b")[0].text == "Who?"


def test_status(filled):
    with filled.write("anna", "approve") as connection:
        templates.set_sql_status(connection, "prj_1", "b", TemplateStatus.APPROVED)
        templates.set_text_status(connection, "prj_1", "t3", TemplateStatus.REJECTED)
    with filled.read() as connection:
        assert [template.id for template in templates.sql(connection, "prj_1", status=TemplateStatus.APPROVED)] == ["b"]
        assert [template.id for template in templates.text(connection, "prj_1", status=TemplateStatus.REJECTED)] == [
            "t3"
        ]


def test_deleting_an_sql_template_deletes_its_texts(filled):
    with filled.write("anna", "delete") as connection:
        templates.delete_sql(connection, "prj_1", "b")
    with filled.read() as connection:
        assert templates.sql(connection, "prj_1") == SQL[1:]
        assert templates.text(connection, "prj_1") == TEXTS[2:]
    with filled.write("anna", "delete") as connection:
        templates.delete_text(connection, "prj_1", "t3")
    with filled.read() as connection:
        assert templates.text(connection, "prj_1") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: templates.get_sql(c, "prj_1", "z"), "no SQL template z"),
        (lambda c: templates.delete_sql(c, "prj_other", "a"), "no SQL template a"),
        (lambda c: templates.set_sql_status(c, "prj_1", "z", TemplateStatus.DRAFT), "no SQL template z"),
        (lambda c: templates.set_text_status(c, "prj_1", "z", TemplateStatus.DRAFT), "no text template z"),
        (lambda c: templates.delete_text(c, "prj_1", "z"), "no text template z"),
    ],
)
def test_what_is_not_there(filled, change, message):
    with pytest.raises(NotFound, match=message), filled.write("anna", "try") as connection:
        change(connection)


def test_a_text_needs_its_sql_template(filled):
    with pytest.raises(Conflict), filled.write("anna", "try") as connection:
        templates.put_text(connection, "prj_1", TextTemplate(id="t9", sql_template_id="z", form="short", text="?"))
