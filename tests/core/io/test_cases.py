import json

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.testset.cases import TestCase
from core.io.cases import read_cases, write_cases

FULL = TestCase(
    case_id="c1",
    question="Home of 'O'Brien' OR 1=1 --' [Artist.Name]\u2028second line\u0085 ",
    reference_answers=("Cork", "Zürich"),
    form="short",
    group_id="g1",
    sql='SELECT "home" FROM "artist" WHERE "name" = :p0',
    sql_params={"p0": "O'Brien' OR 1=1 --", "p1": 12, "p2": 0.5},
    gold_document_ids=("artist:1",),
    tables=("artist",),
    attributes={"table": "artist"},
    sql_template_id="sql_1",
    text_template_id="t1",
)


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "cases.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_what_is_written_is_read_back(tmp_path):
    path = tmp_path / "cases.jsonl"
    write_cases(path, [FULL])
    assert read_cases(path) == [FULL]
    write_cases(path, read_cases(path))
    assert read_cases(path) == [FULL]


def test_a_line_has_the_keys_of_the_contract(tmp_path):
    path = tmp_path / "cases.jsonl"
    write_cases(path, [FULL])
    keys = (
        "case_id",
        "question",
        "reference_answers",
        "form",
        "group_id",
        "sql",
        "sql_params",
        "gold_document_ids",
        "tables",
        "attributes",
    )
    assert set(keys) <= set(json.loads(path.read_text(encoding="utf-8")))


def test_excluded_cases_stay_behind(tmp_path):
    path = tmp_path / "cases.jsonl"
    write_cases(path, [FULL, TestCase(case_id="c2", question="?", excluded="asked twice")])
    assert [case.case_id for case in read_cases(path)] == ["c1"]


def test_a_question_and_its_answer_are_enough(written):
    found = read_cases(
        written('{"question": "Who?", "reference_answers": "Ann"}\n\n{"query": "When?", "answer": 1990}')
    )
    assert [(case.question, case.reference_answers) for case in found] == [("Who?", ("Ann",)), ("When?", ("1990",))]
    # Without ids each is a group of its own, and has the same id each time it is read.
    assert all(case.group_id == case.case_id for case in found)
    assert len({case.case_id for case in found}) == 2


@pytest.mark.parametrize("question", ["question", "query", "user_input", "input"])
@pytest.mark.parametrize("answer", ["reference_answers", "reference", "ground_truth", "expected_output"])
def test_other_tools_names_are_understood(written, question, answer):
    found = read_cases(written(json.dumps([{question: "Who?", answer: ["Ann", None, 7]}])))
    assert (found[0].question, found[0].reference_answers) == ("Who?", ("Ann", "7"))


def test_a_mark_at_the_start_of_the_file_and_null_values_do_no_harm(written):
    found = read_cases(written(b'\xef\xbb\xbf{"case_id": 5, "question": "Who? ", "answer": null, "form": null}\r\n'))
    assert found == [TestCase(case_id="5", question="Who? ", group_id="5")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "has no row"),
        (" \n", "has no row"),
        ("question,answer\n", "Line 1"),
        ('{"question": "a"}\n{"question": ', "Line 2"),
        ('[{"question": "a"},]', r"cases\.jsonl is damaged or is not JSON: "),
        ('[{"question": "a"},\n{"question": }]', "line 2"),
        ("[" * 100_000, "nested too deep"),
        ('{"question": ' + "[" * 100_000, "Line 1 .* nested too deep"),
        (f'{{"question": "a", "k": {"9" * 5000}}}', "Line 1 .* a number has too many digits"),
        ('{"question": "ä"}'.encode("latin-1"), "not UTF-8"),
    ],
)
def test_a_file_that_is_no_list_of_objects_is_refused_with_its_line(written, content, says):
    path = written(content)
    with pytest.raises(UnreadableFile, match=says) as caught:
        read_cases(path)
    assert str(path) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"answer": "a"}', "line 1: question"),
        ('{"question": "a"}\n{"question": ""}', "line 2: "),
        ('{"question": "a"}\n{"question": "  "}', "line 2: "),
        ('{"question": ["a"]}', "line 1: question"),
        ('{"question": "a", "attributes": [1]}', "line 1: attributes"),
        ("5", "Row 1 .* not an object but int"),
    ],
)
def test_a_line_that_is_no_case_is_refused_by_number_and_key(written, content, says):
    path = written(content)
    with pytest.raises(InvalidInput, match=says) as caught:
        read_cases(path)
    assert str(path) in caught.value.message


def test_two_cases_of_one_id_are_refused_with_both_lines(written):
    with pytest.raises(InvalidInput, match="lines 1 and 3 are both case a"):
        read_cases(written('{"case_id": "a", "question": "x"}\n\n{"case_id": "a", "question": "y"}'))


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(UnreadableFile, match=path.name):
            read_cases(path)


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(InvalidInput, match="none"):
        write_cases(tmp_path / "none" / "cases.jsonl", [FULL])
