"""Answered questions from the files of the usual tools."""

import csv
import json

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from core.domain.errors import InvalidInput, PlumblineError, UnreadableFile
from core.metrics.samples.files import read_samples

OURS = {
    "case_id": "c1",
    "question": "Who manages it?",
    "answer": "Ann Lee.",
    "contexts": [{"document_id": "branch:1", "text": "Ann Lee manages it.", "chunk_id": "branch:1#2", "score": 0.5}],
    "reference_answers": ["Ann Lee", "A. Lee"],
    "gold_document_ids": ["branch:1"],
    "gold_chunk_ids": ["branch:1#2"],
    "abstained": False,
    "answerable": "yes",
    "group_id": "g1",
}
PEERS = {
    "ragas": {
        "user_input": "Q?",
        "response": "A.",
        "retrieved_contexts": ["one", "two"],
        "reference": "R",
        "retrieved_context_ids": ["a", "b"],
        "reference_context_ids": ["a"],
    },
    "ragas, older": {"question": "Q?", "answer": "A.", "contexts": ["one", "two"], "ground_truth": "R"},
    "deepeval": {
        "input": "Q?",
        "actual_output": "A.",
        "expected_output": "R",
        "retrieval_context": ["one", "two"],
        "context": ["ideal"],
    },
    "grouse": {"input": "Q?", "actual_output": "A.", "expected_output": "R", "references": ["one", "two"]},
    "trulens": {"input": "Q?", "output": "A.", "context": ["one", "two"], "expected_response": "R"},
    "mlflow": {
        "inputs": {"question": "Q?"},
        "outputs": "A.",
        "retrieved_context": [{"doc_uri": "d1", "content": "one"}, {"doc_uri": "d2", "content": "two"}],
        "expected_response": "R",
    },
    "ragchecker": {
        "query_id": "000",
        "query": "Q?",
        "gt_answer": "R",
        "response": "A.",
        "retrieved_context": [{"doc_id": "d1", "text": "one"}, {"doc_id": "d2", "text": "two"}],
    },
    "grammar": {"query": "Q?", "answer": "R", "gpt_response": ["A."], "contexts": ["one", "two"]},
}


def written(tmp_path, rows, name="data.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def samples(path):
    return [sample for _, sample, _ in read_samples(path)]


def test_our_own_columns(tmp_path):
    ((raw, sample, cluster),) = read_samples(written(tmp_path, [OURS]))
    assert raw == OURS
    assert cluster == "g1"
    assert sample.case_id == "c1"
    assert sample.references == ("Ann Lee", "A. Lee")
    assert sample.texts == ("Ann Lee manages it.",)
    assert sample.document_ids == ("branch:1",)
    assert sample.chunk_ids == ("branch:1#2",)
    assert sample.gold_chunk_ids == ("branch:1#2",)
    assert sample.answerable is True
    assert sample.abstained is False


@pytest.mark.parametrize("tool", PEERS)
def test_the_columns_of_other_tools(tmp_path, tool):
    (sample,) = samples(written(tmp_path, [PEERS[tool]]))
    assert sample.question == "Q?"
    assert sample.answer == "A."
    assert sample.texts == ("one", "two")
    assert sample.references == ("R",)


def test_the_ideal_context_of_deepeval_says_nothing_about_what_was_retrieved(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"input": "Q?", "actual_output": "A.", "context": ["ideal"]}), encoding="utf-8")
    ((_, sample, _),) = read_samples(path)
    assert sample.contexts is None


def test_ids_of_passages_serve_documents_and_chunks(tmp_path):
    (sample,) = samples(written(tmp_path, [PEERS["ragas"]]))
    assert sample.document_ids == sample.chunk_ids == ("a", "b")
    assert sample.gold_document_ids == sample.gold_chunk_ids == ("a",)


def test_unknown_and_empty_contexts_differ(tmp_path):
    unknown, empty = samples(written(tmp_path, [{"question": "Q?", "answer": "A"}, {"question": "Q?", "contexts": []}]))
    assert unknown.contexts is None
    assert empty.contexts == ()
    assert empty.answer is None


def test_rows_without_an_id_are_told_apart(tmp_path):
    first, second = samples(written(tmp_path, [{"question": "Q?"}, {"question": "Q?"}]))
    assert first.case_id != second.case_id


def test_lists_in_cells_of_a_table(tmp_path):
    path = tmp_path / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["question", "answer", "contexts", "reference"])
        table.writerow(["Q?", "A.", '["one", "two"]', "R"])
        table.writerow(["Q?", "A.", "['one', 'it''s two']", "[R]"])
        table.writerow(["Q?", "A.", "one passage; still one", ""])
    first, second, third = samples(path)
    assert first.texts == ("one", "two")
    assert second.texts == ("one", "its two")
    assert third.texts == ("one passage; still one",)
    assert second.references == ("[R]",)
    assert third.references == ()


def test_an_object_of_inputs_is_read_by_name_not_by_place(tmp_path):
    rows = [
        {"inputs": {"temperature": "0", "question": "What is the fee?"}, "outputs": {"model": "m", "response": "5."}},
        {"inputs": {"ask": "What is it?", "k": 3}, "outputs": {"said": "5."}},
        {"inputs": {"query": "Q?"}, "outputs": {"content": "A.", "role": "assistant"}},
    ]
    found = samples(written(tmp_path, rows))
    assert [(sample.question, sample.answer) for sample in found] == [
        ("What is the fee?", "5."),
        ("What is it?", "5."),
        ("Q?", "A."),
    ]
    unclear = written(tmp_path, [rows[0], {"inputs": {"temperature": "0", "ask": "What is the fee?"}}])
    with pytest.raises(InvalidInput, match=r"Row 2 of .* a question with 2 texts, .* \(temperature, ask\)"):
        samples(unclear)


def test_what_mlflow_expects_is_the_reference(tmp_path):
    row = {"inputs": {"question": "Q?"}, "outputs": "A.", "expectations": {"expected_response": "R", "guidelines": "g"}}
    assert samples(written(tmp_path, [row]))[0].references == ("R",)
    assert samples(written(tmp_path, [{**row, "expectations": {"guidelines": "g"}}]))[0].references == ()
    path = tmp_path / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([row, [json.dumps(row["inputs"]), "A.", str(row["expectations"])]])
    (sample,) = samples(path)
    assert (sample.question, sample.references) == ("Q?", ("R",))


def test_no_number_is_nothing(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text(
        '{"question": "Q?", "answer": NaN, "reference": NaN}\n'
        '{"question": "Q?", "answer": "A.", "reference": ["R", NaN], "score": -Infinity, "huge": 1e999}\n'
    )
    (raw, first, _), (other, second, _) = read_samples(path)
    assert (first.answer, first.references) == (None, ())
    assert raw["answer"] is None
    assert second.references == ("R",)
    assert (other["score"], other["huge"]) == (None, None)
    table = pd.DataFrame({"question": ["Q?", "P?"], "answer": ["A.", "B."], "wave": [float("nan"), 2.0]})
    pq.write_table(pa.table({name: table[name].to_numpy() for name in table}), tmp_path / "data.parquet")
    assert [raw.get("wave") for raw, _, _ in read_samples(tmp_path / "data.parquet")] == [None, 2.0]


def test_half_a_surrogate_pair_is_replaced(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"question": "Q \\ud83d?", "answer": "\\ud83d\\ude00", "\\udc00": ["\\uD800"]}\n')
    ((raw, sample, _),) = read_samples(path)
    assert (sample.question, sample.answer) == ("Q \ufffd?", "\U0001f600")
    assert raw["\ufffd"] == ["\ufffd"]


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("['A is 5.'\n 'B is 6.']", ("A is 5.", "B is 6.")),
        ("""["It's 5." 'B is 6.']""", ("It's 5.", "B is 6.")),
        ("['A is 5.']", ("A is 5.",)),
        ("['it''s one', 'two']", ("its one", "two")),
        ("['it''s one']", ("its one",)),
        ("[1] The fee is 5.", ("[1] The fee is 5.",)),
        ("[sic] the fee]", ("[sic] the fee]",)),
        ("(as of 2020)", ("(as of 2020)",)),
    ],
)
def test_lists_as_numpy_prints_them(tmp_path, cell, texts):
    path = tmp_path / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["question", "contexts"], ["Q?", cell]])
    assert samples(path)[0].texts == texts


@pytest.mark.parametrize(
    "cell",
    [
        "['A' 'B' ... 'Z']",
        "[{'text': 'A'}\n {'text': 'B'}]",
        "array(['A', 'B'], dtype=object)",
        "['A, 'B']",
        "['A' 'B', 'C']",
    ],
)
def test_lists_that_cannot_be_read_are_refused(tmp_path, cell):
    path = tmp_path / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["question", "contexts"], ["Q?", cell]])
    with pytest.raises(InvalidInput, match=r"Row 1 of .* has contexts that look like a list"):
        samples(path)


def test_numbers_as_numpy_prints_them_are_ids(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("question,retrieved_ids\nQ?,[3 14 15]\n", encoding="utf-8")
    assert samples(path)[0].document_ids == ("3", "14", "15")


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("question,answer, answer,,\nQ?,A.,B.,,\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="more than one column 'answer'"):
        samples(path)
    pq.write_table(pa.Table.from_arrays([pa.array(["Q?"])] * 2, names=["question"] * 2), tmp_path / "data.parquet")
    with pytest.raises(UnreadableFile, match="more than one column 'question'"):
        samples(tmp_path / "data.parquet")


def test_the_same_rows_in_every_format(tmp_path):
    rows = [PEERS["ragas, older"], {**PEERS["ragas, older"], "question": "Other?"}]
    lines = written(tmp_path, rows)
    (tmp_path / "list.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "wrapped.json").write_text(json.dumps({"results": rows, "version": 1}), encoding="utf-8")
    pd.DataFrame(rows).to_parquet(tmp_path / "rows.parquet")
    (tmp_path / "list.jsonl").write_text(json.dumps(rows, indent=1), encoding="utf-8-sig")
    expected = samples(lines)
    for name in ("list.json", "wrapped.json", "rows.parquet"):
        assert samples(tmp_path / name) == expected
    assert [sample.question for sample in samples(tmp_path / "list.jsonl")] == ["Q?", "Other?"]


def test_a_long_cell_is_read_and_other_readers_keep_their_limit(tmp_path):
    before = csv.field_size_limit()
    path = tmp_path / "data.csv"
    path.write_text(f"question,contexts\nQ?,{'word ' * 100_000}\n", encoding="utf-8")
    assert len(samples(path)[0].texts[0]) == 500_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"", "a.jsonl", "no row"),
        (b"  \n", "a.jsonl", "no row"),
        (b"{oops}", "a.jsonl", "Line 1"),
        (b"[" * 100_000, "a.json", "not JSON"),
        (b'{"question": "Q"}\n[1]', "a.jsonl", "Row 2"),
        (b'{"rows": 1}', "a.json", "list of rows"),
        (b"\xff\xfe\x00", "a.jsonl", "UTF-8"),
        (b"question,answer\n1,2,3\n", "a.csv", "more cells"),
        (b"not parquet", "a.parquet", "Parquet"),
        (b'{"foo": 1}', "a.jsonl", "neither a question nor an answer"),
        (b'{"question": "Q", "contexts": 5}', "a.jsonl", "contexts"),
        (b'{"question": "Q", "contexts": [[1]]}', "a.jsonl", "context that is list"),
        (b'{"question": "Q", "contexts": ["a"], "document_ids": ["x", "y"]}', "a.jsonl", "1 contexts and 2"),
        (b'{"question": "Q", "abstained": "maybe"}', "a.jsonl", "abstained"),
        (b'{"question": true}', "a.jsonl", "question that is bool"),
        (b'{"question": "Q", "reference": [{}]}', "a.jsonl", "reference"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path, content, name, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(PlumblineError, match=said) as error:
        samples(path)
    assert error.value.hint


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnreadableFile, match=r"nowhere\.csv"):
        samples(tmp_path / "nowhere.csv")


def test_a_row_is_read_when_it_is_needed(tmp_path):
    path = written(tmp_path, [{"question": "Q?"}])
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{broken")
    reading = read_samples(path)
    assert next(reading)[1].question == "Q?"
    with pytest.raises(PlumblineError, match="Line 2"):
        next(reading)


def test_an_unusable_answerability_says_nothing(tmp_path):
    (sample,) = samples(
        written(tmp_path, [{"question": "Q?", "Answerability": "x", "answerability": "CONVERSATIONAL"}])
    )
    assert sample.answerable is None
    with pytest.raises(InvalidInput):
        samples(written(tmp_path, [{"answerable": "yes"}]))
