"""A run that was written in a peer's format and read again has the same cases, answers, passages and references."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.results.responses import Context, Judgement, Response, Score, Verdict
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.io.exchange.format import Answered, RunData, find_format, list_formats
from core.io.exchange.inspectorraget_labels import read_inspectorraget
from core.io.grammar.runs import read_eval_results
from core.project.service import create_project
from core.runs.exchange.exporting import export_exchange, run_data
from core.runs.exchange.importing import import_exchange
from core.runs.exchange.reading import read_exchange
from core.runs.exchange.recordings import import_recording
from core.runs.scores.summary import metric_summaries
from core.runs.scores.verdict import verdict_score
from core.runs.summary import summarise
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.files import exchange_files as files
from tests.support.shared_data import shared
from tests.support.stores import blank_url

ACTOR = "local"
KINDS = [(one.spec.name, ending) for one in list_formats() for ending in one.spec.writes]

AWKWARD = (
    "He said \"yes\", 'no' and `maybe`.",
    "a,b;c|d\te",
    "line one\nline two\r\nline three\rend",
    "NUL \x00 inside",
    "emoji 🚢 and é",
    "[brackets]",
    '["a", "b"]',
    "{'a': 1}",
    '"quoted"',
    "  blanks at both ends  ",
    "=1+1",
    "\ufeffmark",
    "line \u2028 separator",
    "None",
    "nan",
    "0",
    "true",
)


def answered(number, text, *, answer="", contexts=(), references=(), **case):
    case_id = f"c{number}"
    return Answered(
        case=TestCase(
            case_id=case_id,
            question=f"{text}?",
            reference_answers=tuple(references),
            group_id=case_id,
            **case,
        ),
        response=Response(
            case_id=case_id, answer=answer, contexts=tuple(contexts), error="" if answer is not None else "down"
        ),
        verdict=verdict_score(case_id, Judgement(verdict=Verdict.CORRECT, rule="match", reason=text)),
        scores={"recall@5": Score(case_id=case_id, metric="recall@5", value=number / 100)},
    )


def as_data(rows, **more):
    contexts = any(one.response.contexts for one in rows)
    return RunData(
        run_id="run_1",
        name="Ferry",
        target="keyword",
        metrics=("recall@5",),
        answered=tuple(rows),
        contexts_known=contexts,
        **more,
    )


def trip(data, name, ending):
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"run{ending}"
        find_format(name).pack(data, path)
        return read_exchange(path, name)


def check_same(found, data):
    assert [one.case for one in found.records] == [one.case for one in data.answered]
    assert [one.response for one in found.records] == [one.response for one in data.answered]
    assert [one.ideal_contexts for one in found.records] == [one.ideal_contexts for one in data.answered]
    assert [one.conversation for one in found.records] == [one.conversation for one in data.answered]
    assert {one.judgement.verdict for one in found.records} == {Verdict.CORRECT}


@pytest.mark.parametrize(("name", "ending"), KINDS)
def test_awkward_texts_come_back(name, ending):
    rows = [
        answered(
            number,
            text,
            answer=text,
            references=(text, "another"),
            contexts=(
                Context(document_id="d1", text=text, score=0.5, chunk_id="d1-1"),
                Context(document_id="d1", text="", chunk_id="d1-2"),
            ),
            form="short",
            gold_document_ids=("d1", "people:7"),
            gold_chunk_ids=("d1-1",),
            sql="SELECT 1",
            sql_params={"p0": text, "p1": 3},
            tables=("people",),
            attributes={"topic": text, "answerable": "yes"},
            sql_template_id="s1",
            text_template_id="t1",
        )
        for number, text in enumerate(AWKWARD)
    ]
    talked = [
        replace(one, ideal_contexts=(text, "x"), conversation=(("user", text),))
        for one, text in zip(rows, AWKWARD, strict=True)
    ]
    data = as_data(talked)
    found = trip(data, name, ending)
    check_same(found, data)
    metric = "plumbline.recall@5"
    assert [score.value for one in found.records for score in one.scores if score.metric == metric] == [
        number / 100 for number in range(len(rows))
    ]


@pytest.mark.parametrize(("name", "ending"), KINDS)
def test_nothing_comes_back_as_nothing(name, ending):
    """No answer, an empty answer, no passage, ids without texts, no reference."""
    rows = [
        answered(0, "failed", answer=None),
        answered(1, "silent", answer=""),
        answered(2, "ids only", answer="A.", contexts=(Context(document_id="d1"), Context(document_id="d1"))),
        replace(
            answered(3, "measured", answer="B.", references=("B",)),
            response=Response(case_id="c3", answer="B.", abstained=False, latency_s=0.25, tokens=12),
        ),
    ]
    data = as_data(rows)
    check_same(trip(data, name, ending), data)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.lists(
        st.tuples(TEXT, st.none() | TEXT, st.lists(TEXT, max_size=3), st.lists(TEXT.filter(bool), max_size=3)),
        min_size=1,
        max_size=4,
    ),
    kind=st.sampled_from(KINDS),
)
def test_any_texts_come_back(texts, kind):
    rows = [
        answered(
            number,
            question,
            answer=answer,
            contexts=[Context(document_id=f"d{place}", text=text) for place, text in enumerate(contexts)],
            references=references,
        )
        for number, (question, answer, contexts, references) in enumerate(texts)
    ]
    data = as_data(rows)
    check_same(trip(data, *kind), data)


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Ferry", ACTOR)


def values(one):
    """A metric that no case has a value of leaves no trace in a table."""
    return {metric: score.value for metric, score in one.scores.items() if score.value is not None}


def imported(store, project, path, **more):
    options = {name: more.pop(name) for name in ("model", "overrules") if name in more}
    return import_exchange(store, project.id, read_exchange(path, **options), actor=ACTOR, **more)


def test_a_file_becomes_a_finished_run_with_the_peers_scores(store, project, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    made = imported(store, project, path)
    assert (made.rows, made.judged, dict(made.scores)) == (3, 0, {"ragas.faithfulness": 2, "ragas.my_rubric": 3})
    with store.read() as connection:
        run = runs.get(connection, made.run.id)
        test_set = testsets.get(connection, run.test_set_id)
        tally = runs.tally(connection, run.id)
    assert (test_set.name, test_set.frozen, run.options["format"]) == ("ferry", True, "ragas")
    assert (tally.cases, tally.answered, tally.not_judged) == (3, 3, 3)
    # The figures of Results: mean of 1.0 and 0.5 over 2 of 3, the third with its reason, nothing outdated.
    (faithful, rubric) = metric_summaries(store, run.id)
    assert (faithful.name, faithful.mean.value, faithful.scored, faithful.of) == ("ragas.faithfulness", 0.75, 2, 3)
    assert (dict(faithful.unscored), faithful.finished, faithful.outdated, faithful.spec) == (
        {"not_judged": 1},
        True,
        0,
        None,
    )
    assert rubric.scored == 3
    assert summarise(store, run.id).scored["ragas.faithfulness"] == 2


def test_a_judge_gives_verdicts_where_the_file_has_none(store, project, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    made = imported(store, project, path, judge="match")
    with store.read() as connection:
        verdicts = scores.of_metric(connection, made.run.id, "verdict")
    # "22:40" stands in the first answer, the third says that it does not know; the second has the reference in other
    # words, which is for a judge.
    assert sorted(one.value for one in verdicts.values() if one.value is not None) == [0.0, 1.0]
    assert made.judged == 2
    assert made.run.judge == "match"


def test_goldens_without_an_answer_become_a_test_set_to_be_run(store, project, tmp_path):
    rows = [{"input": "Q?", "expected_output": "A.", "context": ["Passage."], "source_file": "a.md"}]
    made = imported(store, project, files.write_json(tmp_path / "goldens.json", rows))
    assert (made.run, made.rows, made.judged) == (None, 1, 0)
    with store.read() as connection:
        assert runs.all(connection, project.id) == []
        test_set = testsets.get(connection, made.test_set_id)
        (case,) = testsets.cases(connection, test_set.id)
    assert test_set.frozen
    assert (case.question, case.reference_answers) == ("Q?", ("A.",))
    assert list(test_set.options["ideal_contexts"].values()) == [["Passage."]]


def test_a_second_import_is_the_next_version(store, project, tmp_path):
    path = files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows())
    imported(store, project, path)
    again = imported(store, project, path)
    with store.read() as connection:
        assert testsets.get(connection, again.run.test_set_id).version == 2


def test_only_a_validator_imports(store, project, tmp_path):
    found = read_exchange(files.write_lines(tmp_path / "ferry.jsonl", files.ragas_rows()))
    with pytest.raises(Forbidden):
        import_exchange(store, project.id, found, actor="nobody")
    with pytest.raises(NotFound):
        import_exchange(store, "prj_none", found, actor=ACTOR)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ending"), KINDS)
def test_an_imported_run_exported_and_imported_is_the_same_run(store, project, tmp_path, name, ending):
    first = imported(store, project, files.deepeval_run(tmp_path / "run.json"), judge="match").run
    path = tmp_path / f"out{ending}"
    written = export_exchange(store, first.id, path, name, actor=ACTOR)
    assert written.rows == 3
    assert {"question", "answer", "contexts", "reference_answers", "case_id"} <= set(written.mapped)
    second = import_exchange(store, project.id, read_exchange(path, name), actor=ACTOR, name="again").run
    before, _ = run_data(store, first.id, actor=ACTOR)
    after, _ = run_data(store, second.id, actor=ACTOR)
    for one, other in zip(before.answered, after.answered, strict=True):
        assert (one.case, one.response) == (other.case, other.response)
        assert (one.ideal_contexts, one.verdict.value) == (other.ideal_contexts, other.verdict.value)
        assert values(one) == values(other)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ending"), KINDS)
def test_a_peers_scores_and_their_reasons_come_back(store, project, tmp_path, name, ending):
    """Also scores that nothing but their name tells: whole numbers, zeros and ones."""
    rows = [
        {**row, "my_rubric": place, "passed": place % 2, "passed.reason": f"Reason {place}."}
        for place, row in enumerate(files.ragas_rows())
    ]
    path = files.write_lines(tmp_path / "in.jsonl", rows)
    overrules = {"my_rubric": "score", "passed": "score"}
    found = read_exchange(path, overrules=overrules)
    before, _ = run_data(store, import_exchange(store, project.id, found, actor=ACTOR).run.id, actor=ACTOR)
    out = tmp_path / f"out{ending}"
    for style in ("ragas", name) if name != "ragas" else ("ragas",):
        into = out if style == name else tmp_path / "between.jsonl"
        export_exchange(store, before.run_id, into, style, actor=ACTOR)
        again = import_exchange(store, project.id, read_exchange(into, style), actor=ACTOR, name=style).run
        after, _ = run_data(store, again.id, actor=ACTOR)
        for one, other in zip(before.answered, after.answered, strict=True):
            assert values(one) == values(other)
            assert other.scores["ragas.passed"].detail["reason"] == one.scores["ragas.passed"].detail["reason"]


def test_mlflow_gets_rows_that_its_evaluation_takes(store, project, tmp_path):
    run = imported(store, project, files.write_lines(tmp_path / "f.jsonl", files.ragas_rows())).run
    path = tmp_path / "out.json"
    export_exchange(store, run.id, path, "mlflow", actor=ACTOR)
    row = json.loads(path.read_text(encoding="utf-8"))[0]
    assert row["inputs"] == {"question": files.QUESTIONS[0]}
    assert row["outputs"] == files.ANSWERS[0]
    assert row["expectations"] == {
        "expected_response": files.REFERENCES[0],
        "expected_retrieved_context": [{"doc_uri": "times"}],
    }


def test_ragchecker_gets_the_groups_it_fills_in(store, project, tmp_path):
    run = imported(store, project, files.write_lines(tmp_path / "f.jsonl", files.ragas_rows())).run
    path = tmp_path / "out.json"
    export_exchange(store, run.id, path, "ragchecker", actor=ACTOR)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["metrics"] == {"overall_metrics": {}, "retriever_metrics": {}, "generator_metrics": {}}


def test_detection_knows_what_we_write(store, project, tmp_path):
    run = imported(store, project, files.deepeval_run(tmp_path / "run.json")).run
    for one in [one for one in list_formats() if one.pack is not None]:
        path = tmp_path / f"{one.spec.name}{one.spec.writes[0]}"
        export_exchange(store, run.id, path, one.spec.name, actor=ACTOR)
        assert read_exchange(path).spec.name == one.spec.name


def test_inspectorraget_gets_its_second_version(store, project, tmp_path):
    run = imported(store, project, files.inspectorraget(tmp_path / "i.json"), model="alpha").run
    path = tmp_path / "out.json"
    export_exchange(store, run.id, path, "inspectorraget", actor=ACTOR)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["schema_version"] == 2
    assert content["results"][0]["output"] == {"type": "text", "value": files.ANSWERS[0]}
    assert content["tasks"][0]["targets"] == [{"type": "text", "value": files.REFERENCES[0]}]
    assert [turn["text"] for turn in content["tasks"][0]["input"]] == ["Hello.", "Good day.", files.QUESTIONS[0]]
    assert [metric["name"] for metric in content["metrics"]] == ["rouge"]
    assert [document["text"] for document in content["documents"]] == [text for some in files.PASSAGES for text in some]
    assert read_inspectorraget(path).models == (run.target,)


@pytest.mark.slow
def test_the_shared_conversations_come_back(store, project, tmp_path):
    first = imported(store, project, shared("mtrag/reference_subset_with_human_evaluations.json"), model="gpt-4o").run
    path = tmp_path / "out.parquet"
    export_exchange(store, first.id, path, "ragas", actor=ACTOR)
    found = read_exchange(path)
    before, _ = run_data(store, first.id, actor=ACTOR)
    assert [one.case for one in found.records] == [one.case for one in before.answered]
    assert [one.response for one in found.records] == [one.response for one in before.answered]
    assert [one.conversation for one in found.records] == [one.conversation for one in before.answered]


@pytest.mark.slow
def test_grammar_gives_the_run_that_the_replay_gives(store, project):
    path = shared("grammar-aurp/eval_results/results_short.json")
    ours = imported(store, project, path).run
    theirs = import_recording(store, project.id, [path], actor=ACTOR, name="replay")
    a, _ = run_data(store, ours.id, actor=ACTOR)
    b, _ = run_data(store, theirs.id, actor=ACTOR)
    for one, other in zip(a.answered, b.answered, strict=True):
        assert one.case == other.case
        assert one.response.document_ids == other.response.document_ids
        assert one.response.answer == other.response.answer
        assert one.verdict.value == other.verdict.value
    assert ours.options["known_ids"] == theirs.options["known_ids"]


@pytest.mark.slow
def test_what_grammar_gets_is_diagnosed_like_the_recording(store, project, tmp_path):
    path = shared("grammar-aurp/eval_results/results_short.json")
    run = imported(store, project, path).run
    out = tmp_path / "results_short.json"
    export_exchange(store, run.id, out, "grammar", actor=ACTOR)
    assert read_eval_results(out).diagnosis_rows() == read_eval_results(path).diagnosis_rows()


def test_what_cannot_be_exported_is_refused(store, project, tmp_path):
    run = imported(store, project, files.write_lines(tmp_path / "f.jsonl", files.ragas_rows())).run
    with pytest.raises(InvalidInput, match=r"ends in \.xlsx"):
        export_exchange(store, run.id, tmp_path / "out.xlsx", "ragas", actor=ACTOR)
    with pytest.raises(InvalidInput, match="no format"):
        export_exchange(store, run.id, tmp_path / "out.json", "excel", actor=ACTOR)
    with pytest.raises(InvalidInput, match="cannot be written"):
        export_exchange(store, run.id, tmp_path / "no" / "out.json", "deepeval", actor=ACTOR)
    with pytest.raises(Forbidden):
        export_exchange(store, run.id, tmp_path / "out.json", "deepeval", actor="nobody")
    assert not list(tmp_path.glob("out*"))


def test_a_null_of_a_judge_stays_a_null(store, project, tmp_path):
    made = imported(store, project, files.write_lines(tmp_path / "g.jsonl", files.grouse_rows()))
    with store.read() as connection:
        counted = scores.counts(connection, made.run.id, made.run.test_set_id)
    assert counted["grouse.answer_relevancy"].unscored == {Status.NULL_JUDGEMENT.value: 1}
    assert counted["grouse.faithfulness"].unscored == {Status.PARSE_FAILED.value: 3}


def test_grades_of_ours_are_exported_under_grouses_names_too(store, project, tmp_path):
    run = imported(store, project, files.write_lines(tmp_path / "f.jsonl", files.ragas_rows())).run
    with store.write(ACTOR, "score.run", project_id=project.id) as connection:
        case_id = sorted(runs.answered_ids(connection, run.id))[0]
        scores.put(connection, run.id, [Score(case_id=case_id, metric="grouse_completeness", value=4.0)])
    export_exchange(store, run.id, tmp_path / "out.jsonl", "grouse", actor=ACTOR)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sorted({row["completeness"] for row in rows}, key=str) == [4.0, None]
    assert [row["completeness"] for row in rows] == [row["plumbline.grouse_completeness"] for row in rows]
    assert "faithfulness" not in rows[0], "what nobody graded has no column"


def test_nothing_is_stored_when_storing_fails(store, project, tmp_path, monkeypatch):
    found = read_exchange(files.write_lines(tmp_path / "f.jsonl", files.ragas_rows()))
    twice = replace(found, records=(*found.records, found.records[0]))
    with pytest.raises((Conflict, Exception)):
        import_exchange(store, project.id, twice, actor=ACTOR)
    with store.read() as connection:
        assert runs.all(connection, project.id) == []
        assert testsets.all(connection, project.id) == []
