"""One file, one meaning: whatever name a column has, every entrance reads the same in it."""

import json
import logging

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.responses import Response, Verdict
from core.domain.testset.cases import TestCase
from core.io.cases import read_cases
from core.io.labels import read_labels
from core.io.replies.passages import read_passages
from core.io.tables.columns import ALIASES, COMMON_WORDS, LABELS, Field
from core.judging import open_judge
from core.metrics.samples.files import read_samples
from core.runs.exchange.reading import read_exchange
from core.targets import open_target

CONTEXTS = ["One.", "Two."]
TABLE = {
    Field.CASE_ID: "c1",
    Field.QUESTION: "Who?",
    Field.ANSWER: "Ann.",
    Field.CONTEXTS: CONTEXTS,
    Field.DOCUMENT_IDS: ["d1", "d2"],
    Field.REFERENCES: "Ann",
}
NAMES = [(field, name) for field in TABLE for name in ALIASES[field] if name != "expectations"]


def written(tmp_path, row, ending):
    path = tmp_path / f"rows.{ending}"
    if ending == "csv":
        cells = {name: json.dumps(value) if isinstance(value, list) else value for name, value in row.items()}
        lines = [
            ",".join('"' + str(cell).replace('"', '""') + '"' for cell in line) for line in (cells, cells.values())
        ]
        path.write_text("\n".join(lines), encoding="utf-8")
    elif ending == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(list(row))
        book.active.append([json.dumps(value) if isinstance(value, list) else value for value in row.values()])
        book.save(path)
    else:
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def scored(path):
    ((_, sample, _),) = read_samples(path)
    return sample.case_id, sample.question, sample.answer, sample.texts, sample.document_ids, sample.references


def imported(path):
    (one,) = read_exchange(path, "ragas").records
    response = one.response
    return (
        one.case.case_id,
        one.case.question,
        response.answer,
        tuple(context.text for context in response.contexts),
        response.document_ids,
        one.case.reference_answers,
    )


def replayed(path, references):
    target = open_target(f"recorded:{path}", None)
    by_case, by_question = target.answer("c1", "-"), target.answer("-", "Who?")
    assert (by_case.answer, by_case.contexts) == (by_question.answer, by_question.contexts)
    texts = tuple(context.text for context in by_case.contexts)
    return "c1", "Who?", by_case.answer, texts, by_case.document_ids, references


@pytest.mark.parametrize("ending", ["jsonl", "csv", "xlsx"])
@pytest.mark.parametrize(("field", "name"), NAMES, ids=[f"{field}-{name}" for field, name in NAMES])
def test_every_name_means_the_same_wherever_the_file_enters(tmp_path, field, name, ending):
    row = {(name if one is field else ALIASES[one][0]): value for one, value in TABLE.items()}
    if name == "answer":
        row = {"reference" if column == "reference_answers" else column: value for column, value in row.items()}
    if name == "references":
        row.pop("gpt_response")
        row["response"] = TABLE[Field.ANSWER]
    path = written(tmp_path, row, ending)
    expected = ("c1", "Who?", "Ann.", ("One.", "Two."), ("d1", "d2"), ("Ann",))
    assert scored(path) == expected
    assert imported(path) == expected
    assert replayed(path, ("Ann",)) == expected
    (case,) = read_cases(path)
    assert (case.case_id, case.question, case.reference_answers) == ("c1", "Who?", ("Ann",))


@pytest.mark.parametrize("name", ALIASES[Field.ANSWER])
def test_a_verdict_is_about_the_same_answer(tmp_path, name):
    path = written(tmp_path, {"question": "Who?", name: "Ann.", "verdict": "correct"}, "jsonl")
    judge = open_judge(f"recorded:{path}")
    assert judge.judge(TestCase(case_id="x", question="Who?"), Response(case_id="x", answer="Ann.")).verdict is (
        Verdict.CORRECT
    )


def test_of_two_answers_every_entrance_takes_the_same(tmp_path):
    row = {"case_id": "c1", "question": "Who?", "gpt_response": "Ann.", "response": "Ben.", "verdict": "correct"}
    path = written(tmp_path, row, "jsonl")
    (sample,) = (sample for _, sample, _ in read_samples(path))
    with pytest.raises(InvalidInput, match=r"would be lost: response \(gpt_response is taken for answer"):
        read_exchange(path, "ragas")
    (one,) = read_exchange(path, "ragas", overrules={"response": "ignored"}).records
    judge, case = open_judge(f"recorded:{path}"), TestCase(case_id="c1", question="Who?")
    assert (
        sample.answer == one.response.answer == open_target(f"recorded:{path}", None).answer("c1", "").answer == "Ann."
    )
    assert judge.judge(case, Response(case_id="c1", answer="Ann.")).verdict is Verdict.CORRECT
    assert judge.judge(case, Response(case_id="c1", answer="Ben.")).verdict is Verdict.NOT_JUDGED


PASSAGES = {
    "LangChain's Document": ({"page_content": "One.", "metadata": {"source": "fees.md"}}, "fees.md", "", None),
    "a Document of an index": (
        {"id": "0b0f4f0e-7f5a-4a53-9f3e-3c0d7f8a1b2c", "page_content": "One.", "metadata": {"source": "fees.md"}},
        "fees.md",
        "0b0f4f0e-7f5a-4a53-9f3e-3c0d7f8a1b2c",
        None,
    ),
    "a Document as it is serialised": (
        {"lc": 1, "id": ["langchain"], "kwargs": {"page_content": "One.", "metadata": {"source": "fees.md"}}},
        "fees.md",
        "",
        None,
    ),
    "a Document with its score": ([{"page_content": "One.", "metadata": {"source": "a.md"}}, 0.5], "a.md", "", 0.5),
    "LlamaIndex's node": (
        {"node": {"id_": "n1", "text": "One.", "metadata": {"file_name": "fees.md"}}, "score": 0.25},
        "fees.md",
        "n1",
        0.25,
    ),
    "Haystack's": ({"content": "One.", "meta": {"file_path": "docs/fees.md"}, "score": 0.5}, "docs/fees.md", "", 0.5),
    "ours": ({"text": "One.", "document_id": "d1", "chunk_id": "c1", "score": 1}, "d1", "c1", 1.0),
    "ids alone": ({"text": "One.", "id": "d1"}, "d1", "", None),
}


@pytest.mark.parametrize("called", PASSAGES)
def test_a_passage_is_read_the_same_from_a_reply_an_import_and_a_recording(tmp_path, called):
    """The id of a document in `metadata.source` was read by targets, and lost by imports and recordings."""
    item, document_id, chunk_id, score = PASSAGES[called]
    expected = [(document_id, "One.", chunk_id, score)]
    (told,) = read_passages([item])
    assert [(told.document_id, told.text, told.chunk_id, told.score)] == expected
    row = {"case_id": "c1", "question": "Who?", "answer": "Ann.", "contexts": [item], "references": ["Ann"]}
    path = written(tmp_path, row, "jsonl")
    (record,) = read_exchange(path, "ragas").records
    response = open_target(f"recorded:{path}", None).answer("c1", "Who?")
    for contexts in (record.response.contexts, response.contexts):
        assert [(one.document_id, one.text, one.chunk_id, one.score) for one in contexts] == expected


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_an_empty_answer_is_not_filled_from_the_column_of_the_reference(tmp_path, ending):
    """GRAMMAR has the right answer in a column called answer; a row without a response has none."""
    path = tmp_path / f"rows.{ending}"
    rows = [("a", "Ann.", "Ann"), ("b", "", "Ben")]
    if ending == "csv":
        lines = [
            "case_id,question,gpt_response,answer",
            *(f"{case},{case}?,{said},{right}" for case, said, right in rows),
        ]
    else:
        lines = [
            json.dumps({"case_id": case, "question": f"{case}?", "gpt_response": said or None, "answer": right})
            for case, said, right in rows
        ]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert [sample.answer for _, sample, _ in read_samples(path)] == ["Ann.", None]
    assert [one.response.answer for one in read_exchange(path, "ragas").records] == ["Ann.", None]
    target = open_target(f"recorded:{path}", None)
    assert [target.answer(case, "").answer for case in "ab"] == ["Ann.", None]


def test_rows_of_json_may_each_name_their_own_columns(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"case_id": "a", "question": "A?", "answer": "1"}, {"case_id": "b", "question": "B?", "response": "2"}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [sample.answer for _, sample, _ in read_samples(path)] == ["1", "2"]
    assert [one.response.answer for one in read_exchange(path, "ragas").records] == ["1", "2"]
    target = open_target(f"recorded:{path}", None)
    assert [target.answer(case, "").answer for case in "ab"] == ["1", "2"]


@pytest.mark.parametrize("name", LABELS["case_id"])
def test_labels_know_the_same_ids_of_cases(tmp_path, name):
    path = written(tmp_path, {name: "c1", "rater": "ann", "value": 1}, "jsonl")
    assert [label.case_id for label in read_labels(path).rows] == ["c1"]
    assert set(ALIASES[Field.CASE_ID]) <= set(LABELS["case_id"])


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"id": "same"}, "id"),
        ({"label": "finance"}, "label"),
        ({"correct": "roughly"}, "correct"),
        ({"reason": "x"}, "reason"),
    ],
)
def test_a_common_word_is_taken_by_an_import_only_where_its_values_fit(tmp_path, row, field):
    assert field in COMMON_WORDS
    path = tmp_path / "rows.jsonl"
    lines = [json.dumps({"user_input": f"{number}?", "response": "A.", **row}) for number in range(3)]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = read_exchange(path)
    assert [one.case.attributes[field] for one in found.records] == [row[field]] * 3


def test_ignored_columns_are_named_once(tmp_path, caplog):
    row = {"case_id": "c1", "answer": "Ann.", "colour": "red", "output": "Ben.", "sql": "SELECT 1"}
    path = written(tmp_path, row, "csv")
    with caplog.at_level(logging.WARNING, logger="core.io"):
        open_target(f"recorded:{path}", None)
        open_target(f"recorded:{path}", None)
    (said,) = [record.getMessage() for record in caplog.records]
    assert said == (
        f"Ignored columns of {path}: colour (Unknown name); output (answer is taken for answer); "
        "sql (sql is not looked at here)."
    )


def test_many_ignored_columns_are_counted(tmp_path, caplog):
    path = written(tmp_path, {"case_id": "c1", "answer": "A."} | {f"x{number}": "1" for number in range(30)}, "jsonl")
    with caplog.at_level(logging.WARNING, logger="core.io"):
        open_target(f"recorded:{path}", None)
    assert "x11 (Unknown name) and 18 more." in caplog.text
