"""Files as the peers write them become cases, answers, passages, references and scores."""

import json

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.responses import Verdict
from core.domain.status import Status
from core.io.exchange.detecting import detect
from core.io.exchange.format import find_format, list_formats
from core.io.tables.columns import Field
from core.runs.exchange.reading import OTHER_PASSAGES, SAME_PASSAGES, read_exchange
from tests.support.files import exchange_files as files
from tests.support.files.exchange_files import ANSWERS, IDEAL, IDS, PASSAGES, QUESTIONS, REFERENCES
from tests.support.shared_data import shared


def column(found, name):
    return next(one for one in found.columns if one.mapped.column == name)


def check_texts(found, *, references=REFERENCES, passages=PASSAGES):
    """The ferry's questions and answers, whatever they were called."""
    assert [one.case.question for one in found.records] == list(QUESTIONS)
    assert [one.response.answer for one in found.records] == list(ANSWERS)
    assert [one.case.reference_answers for one in found.records] == [(text,) for text in references]
    assert [[context.text for context in one.response.contexts] for one in found.records] == list(passages)


def scores(found, metric):
    return [next(score for score in one.scores if score.metric == metric) for one in found.records]


def test_every_format_of_the_contract_is_there():
    names = ["deepeval", "grammar", "grouse", "inspectorraget", "mlflow", "ragas", "ragchecker", "trulens"]
    listed = [one.spec.name for one in list_formats()]
    assert set(names) <= set(listed)
    assert listed == sorted(listed)
    with pytest.raises(InvalidInput, match="no format 'csv'"):
        find_format("csv")


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".csv"])
def test_ragas_since_0_2(tmp_path, ending):
    rows = files.ragas_rows()
    path = tmp_path / f"scores{ending}"
    if ending == ".csv":
        files.write_csv(path, [{name: "" if value is None else value for name, value in row.items()} for row in rows])
    elif ending == ".json":
        # pandas' to_json() without orient: one object for each column
        files.write_json(path, {name: {str(i): row[name] for i, row in enumerate(rows)} for name in rows[0]})
    else:
        files.write_lines(path, rows)
    found = read_exchange(path)
    assert (found.spec.name, found.detected.confidence) == ("ragas", 0.97)
    check_texts(found)
    assert [[c.document_id for c in one.response.contexts] for one in found.records] == list(IDS)
    assert [one.case.gold_document_ids for one in found.records] == [("times",), ("animals",), ("lifts",)]
    assert [score.value for score in scores(found, "ragas.faithfulness")] == [1.0, 0.5, None]
    assert scores(found, "ragas.faithfulness")[2].status is Status.NOT_JUDGED
    # Not a name of Ragas; its numbers lie between 0 and 1 and tell that it is a score.
    assert [score.value for score in scores(found, "ragas.my_rubric")] == [0.25, 0.75, 1.0]
    assert found.mapped["question"] == "user_input"
    assert column(found, "retrieved_contexts").read_as == ("Python list" if ending == ".csv" else "a list")
    assert "recall" in column(found, "reference_context_ids").enables
    assert "recall" not in column(found, "response").enables


def test_ragas_0_1_with_lists_in_python_spelling(tmp_path):
    found = read_exchange(files.ragas_old_csv(tmp_path / "old.csv"))
    assert found.spec.name == "ragas"
    check_texts(found)
    assert column(found, "contexts").read_as == "Python list"


def test_a_conversation_of_ragas_asks_its_last_turn(tmp_path):
    turns = [
        {"content": "Hello.", "type": "human"},
        {"content": "Good day.", "type": "ai"},
        {"content": "And a dog?", "type": "human"},
        {"content": "Yes.", "type": "ai"},
    ]
    for value in (turns, str(turns)):
        path = files.write_lines(tmp_path / "turns.jsonl", [{"user_input": value, "reference": "Allowed."}])
        (one,) = read_exchange(path).records
        assert (one.case.question, one.response.answer) == ("And a dog?", "Yes.")
        assert one.conversation == (("human", "Hello."), ("ai", "Good day."))


def test_deepeval_context_is_the_ideal_context(tmp_path):
    found = read_exchange(files.deepeval_run(tmp_path / "run.json"))
    assert found.spec.name == "deepeval"
    check_texts(found)
    assert found.mapped["ideal_contexts"] == "context"
    assert found.mapped["contexts"] == "retrieval_context"
    assert [list(one.ideal_contexts) for one in found.records] == list(IDEAL)
    # Passages are the same where their texts are: of the second case's two ideal ones the one retrieved is found.
    assert SAME_PASSAGES in found.notes
    second = found.records[1]
    assert len(second.case.gold_chunk_ids) == 2
    assert second.response.contexts[0].chunk_id == second.case.gold_chunk_ids[0]
    assert "chunk_recall" in column(found, "context").enables
    assert [score.value for score in scores(found, "deepeval.answer_relevancy")] == [1.0, 0.75, 0.25]
    assert scores(found, "deepeval.answer_relevancy")[0].detail["reason"] == "Reason 0."
    assert scores(found, "deepeval.correctness_geval")[0].detail["reason"] == "timed out"
    assert [score.value for score in scores(found, "deepeval.success")] == [1.0, 1.0, 0.0]
    assert [one.case.attributes["additional_metadata.topic"] for one in found.records] == ["times", "rules", "rules"]
    assert "conversationalTestCases" in found.ignored


def test_ideal_passages_of_another_cut_say_nothing_about_retrieval(tmp_path):
    rows = [{"input": "Q?", "actual_output": "A.", "context": ["Written by hand."], "retrieval_context": ["A chunk."]}]
    found = read_exchange(files.write_json(tmp_path / "d.json", rows))
    assert found.notes[-1] == OTHER_PASSAGES
    assert found.records[0].case.gold_chunk_ids == ()
    assert found.records[0].ideal_contexts == ("Written by hand.",)


@pytest.mark.parametrize("sign", ["|", ";"])
def test_deepeval_tables_part_their_passages_by_a_sign(tmp_path, sign):
    rows = [
        {"input": "Q1?", "actual_output": "Yes; it is.", "retrieval_context": sign.join(["One.", "Two."])},
        {"input": "Q2?", "actual_output": "No.", "retrieval_context": "Three."},
    ]
    found = read_exchange(files.write_csv(tmp_path / "d.csv", rows))
    assert [[c.text for c in one.response.contexts] for one in found.records] == [["One.", "Two."], ["Three."]]
    assert column(found, "retrieval_context").read_as == f"parted by {sign} 1, one text 1"
    whole = read_exchange(tmp_path / "d.csv", lists="none")
    assert [len(one.response.contexts) for one in whole.records] == [1, 1]


def test_prose_and_tables_are_not_parted(tmp_path):
    rows = [{"input": "Q1?", "actual_output": "A.", "retrieval_context": "It is; so.\n| a | b |"}]
    found = read_exchange(files.write_csv(tmp_path / "d.csv", rows))
    assert found.records[0].response.contexts[0].text == "It is; so.\n| a | b |"


def test_grouse_samples_with_evaluations_and_conditions(tmp_path):
    found = read_exchange(files.write_lines(tmp_path / "g.jsonl", files.grouse_rows()))
    assert found.spec.name == "grouse"
    check_texts(found)
    relevancy = scores(found, "grouse.answer_relevancy")
    assert [(score.value, score.status) for score in relevancy] == [
        (5.0, Status.SCORED),
        (4.0, Status.SCORED),
        (None, Status.NULL_JUDGEMENT),
    ]
    assert relevancy[0].detail["reason"] == "Because."
    # An evaluation without the score is a failed call, which no condition ==None may take for a null.
    assert {score.status for score in scores(found, "grouse.faithfulness")} == {Status.PARSE_FAILED}
    assert found.records[0].case.attributes["completeness_condition"] == "==None"
    assert found.records[2].case.attributes["metadata.test_type"] == "2"


def test_trulens_session_file(tmp_path):
    path = files.trulens_sqlite(tmp_path / "default.sqlite")
    before = path.read_bytes()
    found = read_exchange(path)
    assert found.spec.name == "trulens"
    assert [one.case.question for one in found.records] == list(QUESTIONS)
    assert [one.response.answer for one in found.records] == list(ANSWERS)
    assert [[c.text for c in one.response.contexts] for one in found.records] == list(PASSAGES)
    assert found.records[1].response.contexts[0].document_id == "n1"
    grounded = scores(found, "trulens.groundedness")
    assert [(score.value, score.status) for score in grounded] == [
        (0.0, Status.SCORED),
        (0.5, Status.SCORED),
        (None, Status.PARSE_FAILED),
    ]
    assert grounded[0].detail["reason"] == "Why 0."
    assert path.read_bytes() == before


def test_trulens_table_with_calls(tmp_path):
    calls = [{"args": {"question": "q", "context": text}, "ret": 1.0, "meta": {"reason": "r"}} for text in PASSAGES[0]]
    row = {
        "record_id": "r1",
        "app_name": "ferry",
        "input": QUESTIONS[0],
        "output": ANSWERS[0],
        "latency": 1.5,
        "total_tokens": 40,
        "Context Relevance": 0.9,
        "Context Relevance_calls": str(calls),
    }
    (one,) = read_exchange(files.write_csv(tmp_path / "t.csv", [row])).records
    assert [context.text for context in one.response.contexts] == PASSAGES[0]
    assert (one.case.case_id, one.response.latency_s, one.response.tokens) == ("r1", 1.5, 40)
    assert one.scores[0].detail["reason"] == "r\nr"


def test_mlflow_table_in_split_orientation(tmp_path):
    found = read_exchange(files.mlflow_split(tmp_path / "eval_results_table.json"))
    assert found.spec.name == "mlflow"
    check_texts(found)
    correctness = scores(found, "mlflow.answer_correctness")
    assert [score.value for score in correctness] == [1.0, 2.0, 3.0]
    assert correctness[2].detail["reason"] == "Because 2."
    assert found.records[0].response.tokens == 7


def test_mlflow_rows_of_objects(tmp_path):
    found = read_exchange(files.write_lines(tmp_path / "m.jsonl", files.mlflow_rows()))
    check_texts(found, passages=[["text"]] * 3)
    assert [one.case.gold_document_ids for one in found.records] == [("d0",)] * 3
    assert found.records[1].response.contexts[0].document_id == "d1"
    assert [score.value for score in scores(found, "mlflow.correctness")] == [0.0, 1.0, 1.0]


def test_mlflow_part_with_one_key_is_that_part(tmp_path):
    rows = [{"inputs": "{'thema': 'Fähre?'}", "outputs": "Ja.", "expectations": '{"expected_response": "ja"}'}]
    (one,) = read_exchange(files.write_csv(tmp_path / "m.csv", rows), "mlflow").records
    assert (one.case.question, one.response.answer, one.case.reference_answers) == ("Fähre?", "Ja.", ("ja",))


def test_ragchecker_results(tmp_path):
    found = read_exchange(files.ragchecker(tmp_path / "r.json"))
    assert found.spec.name == "ragchecker"
    check_texts(found)
    assert [one.case.case_id for one in found.records] == ["q0", "q1", "q2"]
    assert [[c.document_id for c in one.response.contexts] for one in found.records] == list(IDS)
    assert [score.value for score in scores(found, "ragchecker.precision")] == [100.0, 99.0, 98.0]
    assert set(found.ignored) == {"response_claims", "metrics"}


@pytest.mark.parametrize("version", [1, 2])
def test_inspectorraget_one_model_of_a_file(tmp_path, version):
    path = files.inspectorraget(tmp_path / "i.json", version=version)
    with pytest.raises(InvalidInput, match="answers of 2 models") as caught:
        read_exchange(path)
    assert "alpha, beta" in caught.value.hint
    found = read_exchange(path, model="beta")
    assert found.spec.name == "inspectorraget"
    check_texts(found)
    assert found.records[0].conversation == (("user", "Hello."), ("agent", "Good day."))
    assert found.records[2].case.attributes["answerable"] == "unanswerable"
    # Below 0, and a score all the same: the file says so.
    assert [score.value for score in scores(found, "inspectorraget.rouge")] == [-0.5] * 3
    assert "Label page" in found.ignored["taste"]
    with pytest.raises(InvalidInput, match="no model 'gamma'"):
        read_exchange(path, model="gamma")


@pytest.mark.slow
def test_mtrag_as_shared():
    path = shared("mtrag/reference_subset_with_human_evaluations.json")
    found = read_exchange(path, model="gpt-4o")
    assert len(found.records) == 159
    shipped = {score.metric for one in found.records for score in one.scores}
    assert {"inspectorraget.bert_kprec", "inspectorraget.bert_rec", "inspectorraget.rl_f"} <= shipped
    assert {"faithfulness", "win-rate"} <= set(found.ignored)
    asked = json.loads(path.read_text(encoding="utf-8"))["tasks"]
    turns = {task["task_id"]: [turn["text"] for turn in task["input"]] for task in asked}
    for one in found.records:
        assert [*(text for _, text in one.conversation), one.case.question] == turns[one.case.case_id]


def test_grammar_rows_are_those_of_the_replay():
    found = read_exchange(shared("grammar-aurp/eval_results/results_short.json"))
    assert found.spec.name == "grammar"
    verdicts = [one.judgement.verdict for one in found.records]
    # 84 of 314 are correct in the recording (reference: accuracy, unbalanced, short).
    assert (len(verdicts), verdicts.count(Verdict.CORRECT)) == (314, 84)
    assert found.options["known_ids"]


def test_a_column_may_be_overruled(tmp_path):
    rows = [{"user_input": "Q?", "response": "A.", "passages": "One.", "grade": 3, "right": "yes"}]
    path = files.write_lines(tmp_path / "r.jsonl", rows)
    before = read_exchange(path)
    assert (column(before, "passages").mapped.becomes, column(before, "grade").mapped.becomes) == (
        Field.CONTEXTS,
        Field.ATTRIBUTE,
    )
    found = read_exchange(path, overrules={"passages": "contexts", "grade": "score", "right": "verdict"})
    (one,) = found.records
    assert one.response.contexts[0].text == "One."
    assert (one.scores[0].metric, one.scores[0].value) == ("ragas.grade", 3.0)
    assert one.judgement.verdict is Verdict.CORRECT
    assert column(found, "passages").enables


@pytest.mark.parametrize(
    ("overrules", "says"),
    [
        ({"nowhere": "contexts"}, "no column 'nowhere'"),
        ({"user_input": "colour"}, "cannot become 'colour'"),
        ({"user_input": "answer", "response": "answer"}, "cannot both become answer"),
        ({"user_input": "ignored"}, "Row 1 of .*no column holds the question"),
    ],
)
def test_an_overrule_that_cannot_be_is_refused(tmp_path, overrules, says):
    path = files.write_lines(tmp_path / "r.jsonl", [{"user_input": "Q?", "response": "A."}])
    with pytest.raises(InvalidInput, match=says):
        read_exchange(path, overrules=overrules)


def test_of_two_columns_for_a_field_the_one_chosen_by_hand_is_taken(tmp_path):
    rows = [{"user_input": "Q?", "response": "A.", "draft": "B."}]
    found = read_exchange(files.write_lines(tmp_path / "r.jsonl", rows), overrules={"draft": "answer"})
    assert found.records[0].response.answer == "B."
    assert found.ignored == {"response": "draft is taken for answer."}


def test_metrics_have_names_that_links_can_hold(tmp_path):
    row = {"user_input": "Q?", "response": "A.", "Fact Check": 0.5, "fact-check": 0.25, "plumbline.recall@5": 0.75}
    found = read_exchange(files.write_lines(tmp_path / "r.jsonl", [row]))
    assert [(score.metric, score.value) for score in found.records[0].scores] == [
        ("ragas.fact_check", 0.5),
        ("plumbline.recall@5", 0.75),
    ]
    assert found.ignored == {"fact-check": "Fact Check is taken for ragas.fact_check."}


def test_a_format_that_nothing_tells_is_not_guessed(tmp_path):
    path = files.write_lines(tmp_path / "x.jsonl", [{"frage": "?", "antwort": "!"}])
    with pytest.raises(InvalidInput, match="no known format: frage, antwort"):
        detect(path)
    (one,) = read_exchange(path, "ragas", overrules={"frage": "question", "antwort": "answer"}).records
    assert (one.case.question, one.response.answer) == ("?", "!")


@pytest.mark.parametrize("names", [("question", "answer"), ("input", "output")])
def test_names_that_everybody_uses_tell_no_tool(tmp_path, names):
    """What answer is, the reference or what a system said, only a person can tell."""
    path = files.write_lines(tmp_path / "x.jsonl", [dict.fromkeys(names, "text")])
    with pytest.raises(InvalidInput, match="names that many tools use"):
        detect(path)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "user_input;response\nQ1?;A.\nQ2?\n", "Row 2 .*1 cells and the header has 2: column response"),
        ("a.csv", "user_input;response, if any;n\nQ?;A.;1\n", "seem to be separated by semicolons"),
        ("a.csv", "user_input,response\nQ1?,A.\nQ2?\n", "Row 2 .*1 cells and the header has 2: column response"),
        ("a.csv", "user_input,response\nQ1?,A.\nQ2?,A.,B.\n", "Row 2 .*more cells"),
        ("a.csv", "user_input,response\nQ1?,A.\n,B.\n", "Row 2 of .*a.csv, column user_input: there is no question"),
        ("a.csv", "record_id,input,output\n1,Q1?,A.\n1,Q2?,A.\n", "Rows 1 and 2 .*same record_id, '1'"),
        ("a.csv", "user_input,response,latency_s\nQ?,A.,fast\n", "Row 1 of .*, column latency_s: 'fast' is no number"),
        ("a.jsonl", '{"user_input": {"a": "x", "b": "y"}}', "Row 1 .*, column user_input: it is an object with a, b"),
        (
            "a.jsonl",
            '{"user_input": "Q?", "retrieved_contexts": ["a", "b"], "retrieved_context_ids": ["1"]}',
            "Row 1 .*, column retrieved_context_ids: it has 1 of document_ids, and there are 2",
        ),
        ("a.jsonl", '{"user_input": "Q?", "retrieved_contexts": "[\'a\', b]"}', "Row 1 .*retrieved_contexts that look"),
        ("a.json", '{"question": ["a", "b"], "answer": ["c"]}', "Column answer of .* has 1 cells where column"),
        ("a.json", '{"columns": ["inputs", "outputs"], "data": [["a"]]}', "Row 1 of .* has 1 cells and there are 2"),
        ("a.jsonl", "", "has no row"),
        ("a.json", "{", "is damaged or is not JSON"),
        ("a.txt", "x", "ends in .txt"),
    ],
)
def test_bad_input_is_told_by_row_and_column(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=says) as caught:
        read_exchange(path, "ragas" if name == "a.txt" else "auto")
    assert caught.value.hint


def test_a_mark_at_the_start_and_nan_cells_do_no_harm(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("\ufeffuser_input,response,faithfulness\nQ?,A.,NaN\nR?,,0.5\n".encode())
    found = read_exchange(path)
    assert [score.value for score in scores(found, "ragas.faithfulness")] == [None, 0.5]
    assert [one.response.answer for one in found.records] == ["A.", None]
    assert found.records[1].response.error == "The file holds no answer for this case."


def test_a_file_too_large_to_be_held_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = files.write_lines(tmp_path / "r.jsonl", [{"user_input": "Q?", "response": "A."}])
    monkeypatch.setattr("core.io.exchange.format.MOST_BYTES", 10)
    with pytest.raises(UnreadableFile, match="more than the 10 that are read at once"):
        read_exchange(path)


def test_a_table_of_no_tool_is_read_once_its_columns_are_mapped(tmp_path):
    path = tmp_path / "bot.csv"
    rows = [{"Prompt": QUESTIONS[0], "Bot reply": ANSWERS[0], "Correct?": "yes", "Channel": "web"}]
    files.write_csv(path, rows)
    with pytest.raises(InvalidInput, match="no known format") as refused:
        read_exchange(path)
    assert "Prompt=question and Bot reply=answer" in refused.value.hint
    found = read_exchange(path, overrules={"Bot reply": "answer"})
    assert (found.spec.name, found.records[0].response.answer) == ("table", ANSWERS[0])
    assert found.mapped["verdict"] == "Correct?"
    assert found.records[0].case.attributes == {"Channel": "web"}
