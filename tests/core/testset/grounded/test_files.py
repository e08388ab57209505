import json

import pytest

from core.domain.errors import InvalidInput, PlumblineError, UnreadableFile
from core.domain.testset.cases import TestCase
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.testset.grounded.files import (
    read_sql_templates,
    read_text_templates,
    write_questions,
    write_sql_templates,
    write_text_templates,
)
from tests.support.questions.question_files import answer_rows, read_questions
from tests.support.shared_data import shared

CLIENT = "SELECT Location FROM Client WHERE Name = '[Client.Name]'"
CLIENT_IDS = "SELECT Location, Name FROM Client WHERE Name = '[Client.Name]'"
JOINED = "SELECT c.Location FROM Project p JOIN Client c ON p.Client = c.Name WHERE p.Name = '[Project.Name]'"
TWICE = "SELECT Name FROM Client WHERE Location = '[Client.Location]' AND Name <> '[Client.Location]'"


def save(path, content):
    path.write_bytes(
        content
        if isinstance(content, bytes)
        else (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)).encode()
    )
    return path


@pytest.fixture
def sql_file(tmp_path):
    return save(tmp_path / "sql.json", {"('Client',)": [CLIENT, TWICE], "('Project', 'Client')": [JOINED]})


@pytest.fixture
def templates(sql_file):
    return read_sql_templates(sql_file)


def test_sql_templates_come_in_the_order_of_the_file(templates):
    assert [template.sql for template in templates] == [CLIENT, TWICE, JOINED]
    assert [template.tables for template in templates] == [("Client",), ("Client",), ("Project", "Client")]
    assert {template.origin for template in templates} == {"import"}
    assert len({template.id for template in templates}) == 3


def test_sql_templates_are_written_as_they_were_read(tmp_path, sql_file, templates):
    write_sql_templates(tmp_path / "again.json", templates)
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads(sql_file.read_text())
    assert read_sql_templates(tmp_path / "again.json") == templates


def test_statements_with_ids_are_paired_by_tables_and_place(tmp_path, sql_file):
    ids = save(tmp_path / "ids.json", {"('Project', 'Client')": [JOINED], "('Client',)": [CLIENT_IDS, TWICE]})
    templates = read_sql_templates(sql_file, with_ids=ids)
    assert [template.sql_with_ids for template in templates] == [CLIENT_IDS, TWICE, JOINED]
    write_sql_templates(tmp_path / "out.json", templates, with_ids=True)
    assert json.loads((tmp_path / "out.json").read_text())["('Client',)"] == [CLIENT_IDS, TWICE]


@pytest.mark.parametrize("ids", [{"('Client',)": [CLIENT_IDS]}, {"('Client',)": [CLIENT_IDS, TWICE]}, {}])
def test_a_file_with_other_statements_is_no_partner(tmp_path, sql_file, ids):
    with pytest.raises(InvalidInput, match="does not have the same statements"):
        read_sql_templates(sql_file, with_ids=save(tmp_path / "ids.json", ids))


def test_wordings_come_in_the_order_of_the_sql_templates_and_keep_their_blanks(tmp_path, templates):
    texts = {JOINED: ["Where is the client of '[Project.Name]'?  "], CLIENT + " ;": ["Site of '[Client.Name]' ", "b"]}
    wordings = read_text_templates(save(tmp_path / "short.json", texts), "short", templates)
    assert [text.text for text in wordings] == [
        "Site of '[Client.Name]' ",
        "b",
        "Where is the client of '[Project.Name]'?  ",
    ]
    assert [text.sql_template_id for text in wordings] == [templates[0].id, templates[0].id, templates[2].id]
    write_text_templates(tmp_path / "again.json", wordings, templates)
    assert read_text_templates(tmp_path / "again.json", "short", templates) == wordings


def test_a_placeholder_that_occurs_twice_drops_no_wording(tmp_path, templates):
    texts = ["Who is in '[Client.Location]' and not called '[Client.Location]'?", "Other name in '[Client.Location]'"]
    wordings = read_text_templates(save(tmp_path / "short.json", {TWICE: texts}), "short", templates)
    assert [text.text for text in wordings] == texts


def test_wordings_of_an_unknown_statement_are_refused_by_name(tmp_path, templates):
    path = save(tmp_path / "short.json", {"SELECT Industry FROM Client": ["x"]})
    with pytest.raises(InvalidInput, match="SELECT Industry FROM Client"):
        read_text_templates(path, "short", templates)


def case(template, group, question, *answers):
    return TestCase(
        case_id=question, question=question, reference_answers=answers, sql_template_id=template, group_id=group
    )


def test_questions_are_written_by_template_and_query(tmp_path):
    path = tmp_path / "short.json"
    write_questions(
        path,
        [
            case("s1", "g1", "Site of 'A'", "Bern"),
            case("s1", "g1", "Where is 'A'?", "Bern"),
            case("s1", "g2", "Site of 'O'Brien' OR 1=1 --'", "Cork"),
            case("s2", "g3", "Boss of '[Artist.Name]'"),
        ],
    )
    assert read_questions(path) == [
        [("[('Bern',)]", ("Site of 'A'", "Where is 'A'?")), ("[('Cork',)]", ("Site of 'O'Brien' OR 1=1 --'",))],
        [("[(None,)]", ("Boss of '[Artist.Name]'",))],
    ]


def test_several_answers_are_several_rows(tmp_path):
    write_questions(tmp_path / "q.json", [case("s", "g", "Cities?", "Bern", "Cork's")])
    assert answer_rows(read_questions(tmp_path / "q.json")[0][0][0]) == (("Bern",), ("Cork's",))


@pytest.mark.parametrize(
    "key", ["Client", "", "__import__('os').getcwd()", "(1, 2)", "('Client', *x)", "5", "(" * 5000]
)
def test_a_key_that_is_no_tuple_of_names_is_refused_and_never_run(tmp_path, key):
    with pytest.raises(UnreadableFile, match="not a tuple of table names") as caught:
        read_sql_templates(save(tmp_path / "sql.json", {key: [CLIENT]}))
    assert "sql.json" in caught.value.message
    assert repr(key)[:20] in caught.value.message


def test_one_table_may_be_written_as_a_plain_text_literal(tmp_path):
    templates = read_sql_templates(save(tmp_path / "sql.json", {"'Client'": [CLIENT]}))
    assert templates[0].tables == ("Client",)


BAD = {
    "empty": "",
    "blank": " \n ",
    "no JSON": "SELECT 1",
    "broken off": '{"a": ["b"',
    "another encoding": '{"(\'Kunde\',)": ["ä"]}'.encode("latin-1"),
    "UTF-16": "{}".encode("utf-16"),
    "nested without end": "[" * 100_000,
    "a number too long to be one": "9" * 5000,
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_named_whatever_reads_it(tmp_path, templates, content):
    path = save(tmp_path / "given.json", content)
    for read in (
        lambda: read_sql_templates(path),
        lambda: read_text_templates(path, "short", templates),
    ):
        with pytest.raises(PlumblineError, match=r"given\.json") as caught:
            read()
        assert caught.value.hint


@pytest.mark.parametrize("content", [[], "text", 5, None, {"('Client',)": CLIENT}, {"('Client',)": [1]}])
def test_another_shape_is_refused_as_sql_templates(tmp_path, content):
    with pytest.raises(UnreadableFile, match=r"sql\.json"):
        read_sql_templates(save(tmp_path / "sql.json", content))


def test_a_mark_at_the_start_of_the_file_is_skipped(tmp_path):
    path = save(tmp_path / "sql.json", b"\xef\xbb\xbf" + json.dumps({"('Client',)": [CLIENT]}).encode())
    assert [template.sql for template in read_sql_templates(path)] == [CLIENT]


def test_a_missing_file_and_one_that_cannot_be_written_are_named(tmp_path):
    with pytest.raises(UnreadableFile, match=r"none\.json"):
        read_sql_templates(tmp_path / "none.json")
    with pytest.raises(InvalidInput, match=r"out\.json"):
        write_sql_templates(tmp_path / "none" / "out.json", [])


def test_aurp_is_written_as_it_was_recorded(tmp_path):
    folder = shared("grammar-aurp")
    sql = folder / "SQLTemplateGenerator/sql_templates.json"
    templates = read_sql_templates(sql, with_ids=folder / "SQLTemplateGenerator/sql_templates_with_ids.json")
    write_sql_templates(tmp_path / "sql.json", templates)
    # The recording spells one key "('project', )".
    again = json.loads((tmp_path / "sql.json").read_text())
    assert list(again) == ["('client',)", "('employee',)", "('project',)"]
    assert list(again.values()) == list(json.loads(sql.read_text()).values())
    assert [template.sql for template in read_sql_templates(tmp_path / "sql.json")] == [
        template.sql for template in templates
    ]
    for form in ("short", "long"):
        recorded = folder / f"TextTemplateGenerator/{form}.json"
        texts = read_text_templates(recorded, form, templates)
        write_text_templates(tmp_path / f"{form}.json", texts, templates)
        assert json.loads((tmp_path / f"{form}.json").read_text()) == json.loads(recorded.read_text())


def test_templates_of_other_origin_are_written_too(tmp_path):
    ours = SqlTemplate(id="s", sql=CLIENT, tables=("Client",))
    text = TextTemplate(id="t", sql_template_id="s", form="short", text="Site of '[Client.Name]'")
    other = TextTemplate(id="u", sql_template_id="gone", form="short", text="x")
    write_text_templates(tmp_path / "short.json", [text, other], [ours])
    assert json.loads((tmp_path / "short.json").read_text()) == {CLIENT: ["Site of '[Client.Name]'"]}
