"""Files of other shapes than the formats: what becomes of each column, or why nothing is read before a person says it.

The table was made by looking at what became of each column. No answer, no reference and no passage of any file may be
lost without an error.
"""

from __future__ import annotations

import json

import pytest

from core.domain.errors import InvalidInput, PlumblineError
from core.io.exchange.lost import looks_like
from core.io.tables.columns import Field
from core.runs.exchange.reading import read_exchange
from tests.support.files.foreign_files import FILES, A, P, R

READ = {
    "our own test set with answers.jsonl": ("ragas", {"answer": "answer", "reference_answers": "reference_answers"}),
    "our own results.jsonl": ("ragas", {"answer": "answer", "contexts": "contexts", "verdict": "verdict"}),
    "ragas 0.1.csv": ("ragas", {"answer": "answer", "contexts": "contexts", "ground_truth": "reference_answers"}),
    "ragas 0.2.jsonl": (
        "ragas",
        {"response": "answer", "retrieved_contexts": "contexts", "reference": "reference_answers"},
    ),
    "ragas 0.2 testset.csv": ("ragas", {"reference": "reference_answers", "reference_contexts": "ideal_contexts"}),
    "ragas 0.1 testset.json": ("ragas", {"ground_truth": "reference_answers", "contexts": "ideal_contexts"}),
    "deepeval test cases.json": (
        "deepeval",
        {"actual_output": "answer", "retrieval_context": "contexts", "expected_output": "reference_answers"},
    ),
    "deepeval goldens.csv": ("deepeval", {"expected_output": "reference_answers", "context": "ideal_contexts"}),
    "trulens records.csv": ("trulens", {"output": "answer", "Groundedness": "trulens.groundedness"}),
    "grammar eval results.json": (
        "grammar",
        {"gpt_response": "answer", "answer": "reference_answers", "retrieved_documents": "contexts"},
    ),
    "promptfoo results.json": (
        "promptfoo",
        {"answer": "answer", "reference_answers": "reference_answers", "success": "promptfoo.success"},
    ),
    "inspect log.json": (
        "inspect",
        {"answer": "answer", "reference_answers": "reference_answers", "match": "inspect.match"},
    ),
}
"""Files that are recognised: the format, and what the columns with answers, references and passages become."""

REFUSED = {
    "promptfoo output.csv": "the columns of no known format",
    "phoenix spans.csv": "the columns of no known format",
    "phoenix dataset.csv": "names that many tools use",
    "giskard raget.jsonl": "the columns of no known format",
    "giskard raget report.csv": "the columns of no known format",
    "langsmith examples.csv": "names that many tools use",
    "langsmith experiment.csv": "names that many tools use",
    "langfuse dataset run.csv": "names that many tools use",
    "hotpotqa.jsonl": "names that many tools use",
    "ms marco.jsonl": "the columns of no known format",
    "clapnq.jsonl": "names that many tools use",
    "squad flat.jsonl": "the columns of no known format",
    "natural questions open.jsonl": "names that many tools use",
    "beir queries.jsonl": "the columns of no known format",
    "kgrag 10q.csv": "names that many tools use",
    "spreadsheet of a validator.csv": "the columns of no known format",
    "chat log.csv": "the columns of no known format",
    "two answers.csv": "would be lost: answer",
    "haystack eval run.csv": "the columns of no known format",
    "azure ai evaluation.jsonl": "would be lost: inputs.response, inputs.context, inputs.ground_truth",
}
"""Files that nothing is guessed of, with why."""

BY_HAND = {
    "promptfoo output.csv": (
        "ragas",
        {"[openai:gpt-4o] {{question}}": "answer", "expected": "reference_answers"},
        A,
        R,
    ),
    "phoenix spans.csv": (
        "ragas",
        {
            "attributes.input.value": "question",
            "attributes.output.value": "answer",
            "attributes.retrieval.documents": "ignored",
        },
        A,
        None,
    ),
    "giskard raget.jsonl": ("ragas", {"reference_context": "ideal_contexts"}, None, R),
    "giskard raget report.csv": ("ragas", {"agent_answer": "answer", "reference_context": "ideal_contexts"}, A, R),
    "langsmith examples.csv": ("mlflow", {"outputs.answer": "reference_answers"}, None, R),
    "langsmith experiment.csv": (
        "mlflow",
        {"reference_outputs.answer": "reference_answers", "outputs.documents": "contexts"},
        A,
        R,
    ),
    "langfuse dataset run.csv": ("trulens", {"expectedOutput": "reference_answers"}, A, R),
    "hotpotqa.jsonl": ("ragas", {"answer": "reference_answers", "context": "ignored"}, None, R),
    "natural questions open.jsonl": ("ragas", {"answer": "reference_answers"}, None, R),
    "kgrag 10q.csv": ("ragas", {"Answer": "reference_answers", "Source Docs": "gold_document_ids"}, None, R),
    "chat log.csv": (
        "ragas",
        {"user_message": "question", "bot_response": "answer", "source_docs": "document_ids"},
        A,
        None,
    ),
    "two answers.csv": ("ragas", {"answer": "reference_answers"}, A, R),
    "spreadsheet of a validator.csv": (
        "ragas",
        {
            "Frage": "question",
            "Antwort des Systems": "answer",
            "Erwartete Antwort": "reference_answers",
            "Fundstelle": "contexts",
        },
        A,
        R,
    ),
    "haystack eval run.csv": (
        "ragas",
        {"questions": "question", "predicted_answers": "answer", "ground_truth_answers": "reference_answers"},
        A,
        R,
    ),
    "azure ai evaluation.jsonl": (
        "mlflow",
        {
            "inputs.response": "answer",
            "inputs.context": "contexts",
            "inputs.ground_truth": "reference_answers",
            "outputs": "ignored",
        },
        A,
        R,
    ),
}
"""What a person says of a file, and the answer and the reference of its first row."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_every_file_is_in_the_table():
    assert len(FILES) >= 30
    assert set(READ) | set(REFUSED) == set(FILES)


@pytest.mark.parametrize("name", READ)
def test_what_each_column_becomes(folder, name):
    form, columns = READ[name]
    found = read_exchange(folder / name)
    assert found.spec.name == form
    becomes = {column.mapped.column: column.mapped.ours for column in found.columns}
    assert becomes | columns == becomes
    record = found.records[0]
    assert record.response.answer == (A if "answer" in columns.values() else None)
    assert record.case.reference_answers == ((R,) if "trulens" not in form else ())
    if "contexts" in columns.values():
        assert [context.text for context in record.response.contexts] == [P]


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_guessed_where_an_answer_could_be_lost(folder, name):
    with pytest.raises(PlumblineError) as refused:
        read_exchange(folder / name)
    assert REFUSED[name] in refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize("name", BY_HAND)
def test_what_a_person_says_is_read_so(folder, name):
    form, overrules, answer, reference = BY_HAND[name]
    record = read_exchange(folder / name, form, overrules=overrules).records[0]
    assert record.response.answer == answer
    assert record.case.reference_answers == ((reference,) if reference else ())


def test_a_file_of_our_own_names_is_not_taken_for_grammar(folder, tmp_path):
    """Every answer of such a file was lost, at a confidence of .99 and with exit 0."""
    path = folder / "our own test set with answers.jsonl"
    found = read_exchange(path)
    assert [record.response.answer for record in found.records] == [A, "It is due in May."]
    with pytest.raises(InvalidInput, match="has no gpt_response"):
        read_exchange(path, "grammar")


def test_a_second_column_that_says_the_same_loses_nothing(tmp_path):
    rows = [{"user_input": "Q?", "response": "A.", "answer": same} for same in ("A.", "")]
    path = tmp_path / "same.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_exchange(path).ignored["answer"] == "response is taken for answer."


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("agent_answer", Field.ANSWER),
        ("botResponse", Field.ANSWER),
        ("model completions", Field.ANSWER),
        ("expected_answer_text", None),
        ("gold_answer", Field.REFERENCES),
        ("retrieved_chunk_ids", Field.DOCUMENT_IDS),
        ("source_docs", Field.CONTEXTS),
        ("answer_relevancy", None),
        ("response_time", None),
        ("answer_type", None),
        ("document_count", None),
        ("id", None),
    ],
)
def test_names_that_look_like_something(column, kind):
    assert looks_like(column) is kind


def test_numbers_and_verdicts_are_no_answers(tmp_path):
    row = {"user_input": "Q?", "response": "A.", "good_answer": "yes", "num_documents": 3, "is_reference": True}
    path = tmp_path / "n.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    assert read_exchange(path).records[0].response.answer == "A."
