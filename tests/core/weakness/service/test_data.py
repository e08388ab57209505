"""A run as a table in which weakness is looked for."""

import numpy as np
import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.results.labels import Level, ScaleKind
from core.domain.results.responses import Context, Response, Score
from core.domain.testset.cases import TestCase
from core.labelling.criteria import create_criterion
from core.store.people import calibrations
from core.store.results import failures, runs, scores
from core.store.testset import testsets
from core.weakness import bivariate, marginal
from core.weakness.binning import Binning
from core.weakness.service import data
from core.weakness.service.data import (
    attributes_key,
    cases_together,
    run_attributes,
    score_choices,
    table_of,
)
from core.weakness.service.scores import label_of_score
from tests.support.labels.labelled_store import calibrated, labelled, labelled_base, made  # noqa: F401
from tests.support.weakness.case_tables import attribute_infos, case_table
from tests.support.weakness.sliced_run import sliced_cases, sliced_run

NOTHING = "Every case that has it has the same one, so there is nothing to compare."


def infos(store, run):
    return {info.name: info for info in attribute_infos(store, run.id)}


def level_of(table, name, case_id):
    """The level of a case, None for none."""
    attribute = table.attribute(name)
    code = attribute.codes[table.case_ids.index(case_id)]
    return attribute.levels[code] if code >= 0 else None


def test_an_attribute_shares_cases_with_some_of_the_others(store):
    read = run_attributes(store, sliced_run(store).id)
    together = cases_together(read, "topic")
    table = table_of(store, read, "verdict")
    for other in table.attributes:
        both = (table.attribute("topic").codes >= 0) & (other.codes >= 0)
        assert together[other.name] == both.sum()
    with pytest.raises(InvalidInput, match="no attribute colour"):
        cases_together(read, "colour")


def stored(attribute, values):
    """A case each with one attribute of that value, empty for none."""
    return [
        TestCase(case_id=f"c{place}", question="Why?", attributes={attribute: value} if value else {})
        for place, value in enumerate(values)
    ]


def test_what_cases_can_be_told_apart_by_is_named_and_counted(store):
    found = infos(store, sliced_run(store))
    assert list(found) == [
        "topic",
        "form",
        "tables",
        "sql_template",
        "text_template",
        "gold_document",
        "retrieval_rank",
        "passages",
        "question_length",
        "answer_length",
        "key",
        "year",
    ]
    topic = found["topic"]
    assert (topic.label, topic.levels, topic.covered, topic.of, topic.source) == ("Topic", 2, 16, 23, "test set")
    assert (topic.numeric, topic.useful, topic.note) == (False, True, "")
    assert found["retrieval_rank"].label == "Rank of the first right document"
    assert [name for name, info in found.items() if info.numeric] == [
        "retrieval_rank",
        "passages",
        "question_length",
        "answer_length",
        "year",
    ]


def test_what_the_run_did_is_told_from_what_was_asked(store):
    found = infos(store, sliced_run(store))
    assert [name for name, info in found.items() if info.outcome] == ["retrieval_rank", "passages", "answer_length"]


def test_an_attribute_that_can_show_nothing_is_offered_with_a_note(store):
    found = infos(store, sliced_run(store))
    assert (found["passages"].useful, found["passages"].levels, found["passages"].note) == (False, 1, NOTHING)
    # A text such as 007 is a key and no number, and here every case has its own.
    assert (found["key"].useful, found["key"].levels) == (False, 23)
    assert found["key"].note.startswith("Nearly every case has one of its own")


def test_two_attributes_that_divide_the_cases_alike_are_told(store):
    found = infos(store, sliced_run(store))
    assert (found["form"].same_as, found["tables"].same_as, found["text_template"].same_as) == ("", "form", "form")
    assert found["tables"].note == "It divides the cases in the same way as Form."
    assert found["tables"].useful


def test_levels_are_what_people_read(store):
    table = case_table(store, sliced_run(store).id, "verdict")
    assert table.attribute("tables").levels == ("branch", "branch, city")
    assert table.attribute("sql_template").levels == (
        "SELECT phone FROM branch WHERE name = '[branch.name]'",
        "sql_gone",
    )
    # Two wordings with the same text are two.
    assert table.attribute("text_template").levels == (
        "Phone of [branch.name]? (text_1)",
        "Phone of [branch.name]? (text_2)",
    )
    lengths = table.attribute("question_length")
    assert (lengths.levels[0], lengths.ordered) == ("3 to 5 words", True)
    assert level_of(table, "topic", "c2") is None


def test_the_rank_of_the_first_right_document_and_what_was_not_retrieved(store):
    table = case_table(store, sliced_run(store).id, "verdict")
    rank = table.attribute("retrieval_rank")
    assert (rank.levels, rank.ordered) == (("1", "2", "3", "not retrieved"), True)
    assert [level_of(table, "retrieval_rank", f"c{n}") for n in (0, 5, 8, 12)] == ["3", "2", "1", "not retrieved"]
    # c4 failed: nobody knows what it retrieved.
    assert level_of(table, "retrieval_rank", "c4") is None
    assert level_of(table, "passages", "c4") is level_of(table, "answer_length", "c4") is None


def test_chunks_are_ranked_where_cases_name_them_and_the_target_tells_them(store):
    cases = [
        TestCase(case_id=f"c{n}", question="Why?", gold_document_ids=("d",), gold_chunk_ids=(f"k{n}",)) for n in (0, 1)
    ]
    contexts = tuple(Context(document_id="d", chunk_id=f"k{n}", text="A text.") for n in (2, 0))
    given = [Response(case_id=case.case_id, answer="So.", contexts=contexts) for case in cases]
    run = sliced_run(store, cases=cases, responses=given)
    assert infos(store, run)["retrieval_rank"].label == "Rank of the first right passage"
    table = case_table(store, run.id, "verdict")
    assert [level_of(table, "retrieval_rank", name) for name in ("c0", "c1")] == ["2", "not retrieved"]


def test_a_target_that_does_not_tell_what_it_retrieved_has_no_rank_and_no_passages(store):
    cases = sliced_cases(8)
    silent = [Response(case_id=case.case_id, answer="So.") for case in cases]
    found = infos(store, sliced_run(store, cases=cases, responses=silent))
    assert "retrieval_rank" not in found
    assert "passages" not in found
    assert found["answer_length"].levels == 1


def test_a_target_of_ours_that_found_nothing_has_missed_it(store):
    cases = sliced_cases(8)
    nothing = [Response(case_id=case.case_id, answer="So.") for case in cases]
    run = sliced_run(store, cases=cases, responses=nothing, target="bm25")
    table = case_table(store, run.id, "verdict")
    assert table.attribute("retrieval_rank").levels == ("not retrieved",)
    assert table.attribute("passages").levels == ("0 passages",)


def test_a_gold_document_that_the_corpus_does_not_have_is_no_miss(store):
    run = sliced_run(store, options={"known_ids": ["0", "1", "2"]})
    table = case_table(store, run.id, "verdict")
    assert level_of(table, "retrieval_rank", "c12") == "not retrieved"  # branch:0
    assert level_of(table, "retrieval_rank", "c15") is None  # branch:3


def test_an_excluded_case_is_left_out_and_a_failed_one_is_unscored(store):
    run = sliced_run(store)
    table = case_table(store, run.id, "groundedness")
    assert (len(table), "c23" in table.case_ids) == (23, False)
    assert table.case_ids[0] == "c0"
    assert np.flatnonzero(~table.scored).tolist() == [4]
    choice = next(choice for choice in score_choices(store, run.id) if choice.key == "groundedness")
    assert (choice.n, choice.of, dict(choice.unscored)) == (22, 23, {"target_failed": 1})


def test_clusters_are_the_filled_queries(store):
    table = case_table(store, sliced_run(store).id, "verdict")
    assert table.clusters.tolist() == [place // 2 for place in range(23)]


def test_scores_come_with_range_and_direction(store):
    run = sliced_run(store)
    found = {choice.key: choice for choice in score_choices(store, run.id)}
    assert list(found) == ["verdict", "groundedness", "recall", "wasserstein"]
    assert (found["verdict"].label, found["verdict"].kind, found["verdict"].n) == ("Verdict", "verdict", 22)
    assert (found["groundedness"].label, found["groundedness"].kind) == ("Groundedness", "metric")
    for key, choice in found.items():
        column = case_table(store, run.id, key, attributes=()).score
        shown = (column.low, column.high, column.higher_is_better)
        assert shown == (choice.low, choice.high, choice.higher_is_better)
    assert not found["wasserstein"].higher_is_better
    assert (found["verdict"].low, found["verdict"].high) == (0.0, 1.0)


def test_a_score_the_run_does_not_have_is_refused_by_name(store):
    run = sliced_run(store)
    with pytest.raises(InvalidInput, match="no score mrr") as caught:
        case_table(store, run.id, "mrr")
    assert "groundedness" in caught.value.hint
    with pytest.raises(NotFound, match="run_none"):
        case_table(store, "run_none", "verdict")


def test_only_the_attributes_asked_for_in_that_order(store):
    table = case_table(store, sliced_run(store).id, "verdict", attributes=("form", "topic", "form"))
    assert [attribute.name for attribute in table.attributes] == ["form", "topic"]
    assert case_table(store, "run_1", "verdict", attributes=()).attributes == ()


def test_a_filter_keeps_the_cases_of_a_level_and_changes_no_bins(store):
    run = sliced_run(store)
    whole = case_table(store, run.id, "verdict")
    table = case_table(store, run.id, "verdict", where={"topic": "loans", "form": "long"})
    assert table.case_ids == ("c0", "c6", "c12", "c18")
    assert (table.clusters.tolist(), table.score.values.tolist()) == ([0, 1, 2, 3], [0.0] * 4)
    assert table.attribute("topic").levels == ("loans",)
    assert table.attribute("gold_document").levels == ("branch:0", "branch:2")
    assert table.attribute("question_length").levels == whole.attribute("question_length").levels
    # c2 has no topic: it is no part of any level of it.
    others = case_table(store, run.id, "verdict", where={"form": "long"}).attribute("topic")
    assert (others.levels, others.codes.tolist()[:3]) == (("cards", "loans"), [1, -1, 0])


def test_a_filter_on_a_number_names_a_level_of_its_bins(store):
    run = sliced_run(store)
    short = Binning(kind="edges", edges=(8,))
    table = case_table(
        store, run.id, "verdict", bins={"question_length": short}, where={"question_length": "8 words or less"}
    )
    assert len(table) == 9
    assert table.attribute("question_length").levels == ("8 words or less", "9 words or more")
    missed = case_table(store, run.id, "verdict", where={"retrieval_rank": "not retrieved"})
    assert missed.case_ids == ("c12", "c13", "c14", "c15")


def test_what_is_not_there_is_refused_by_name(store):
    run = sliced_run(store)
    with pytest.raises(InvalidInput, match="no attribute colour") as caught:
        case_table(store, run.id, "verdict", attributes=("colour",))
    assert "topic, form" in caught.value.hint
    with pytest.raises(InvalidInput, match="no attribute colour"):
        case_table(store, run.id, "verdict", where={"colour": "red"})
    with pytest.raises(InvalidInput, match="Topic has no level 'red'") as caught:
        case_table(store, run.id, "verdict", where={"topic": "red"})
    assert caught.value.hint == "Its levels are: cards; loans."
    with pytest.raises(InvalidInput, match="Document that holds the answer is not a number"):
        case_table(store, run.id, "verdict", bins={"gold_document": Binning()})


def test_many_levels_are_not_all_listed_in_a_refusal(store):
    cases = stored("number", [f"n{place:02d}" for place in range(20)])
    run = sliced_run(store, cases=cases, responses=[])
    with pytest.raises(InvalidInput) as caught:
        case_table(store, run.id, "verdict", where={"number": "n99"})
    assert caught.value.hint.endswith("n11; and 8 more.")


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (["2", "10", "", "2"], ("2", "10")),
        (["0.5", "-1", "3", "0.25"], ("-1", "0.25", "0.5", "3")),
        (["01", "2"], ("01", "2")),
        (["1e5", "nan", "2"], ("1e5", "2", "nan")),
    ],
)
def test_an_attribute_of_numbers_alone_is_a_number(store, values, levels):
    run = sliced_run(store, cases=stored("size", values), responses=[])
    assert case_table(store, run.id, "verdict").attribute("size").levels == levels
    assert infos(store, run)["size"].numeric == (levels[0] in ("2", "-1"))


def test_an_attribute_of_the_test_set_goes_before_one_that_is_worked_out(store):
    run = sliced_run(store, cases=stored("question_length", ["brief", "brief", "wordy"]), responses=[])
    assert case_table(store, run.id, "verdict").attribute("question_length").levels == ("brief", "wordy")


def test_a_run_without_cases_or_answers_has_an_empty_table(store):
    run = sliced_run(store, cases=[], responses=[])
    table = case_table(store, run.id, "verdict")
    assert (len(table), table.clusters.size) == (0, 0)
    assert all(info.covered == 0 and info.note == "No case has it." for info in attribute_infos(store, run.id))
    assert score_choices(store, run.id) == ()
    assert marginal(table, "question_length").tested == 0


def test_attributes_read_once_serve_every_score(store):
    run = sliced_run(store)
    found = run_attributes(store, run.id)
    assert data.described(found) == attribute_infos(store, run.id)
    for key in ("verdict", "groundedness"):
        one, other = table_of(store, found, key), case_table(store, run.id, key)
        assert one.score.values.tobytes() == other.score.values.tobytes()
        assert [item.levels for item in one.attributes] == [item.levels for item in other.attributes]


def test_what_was_read_holds_until_cases_or_responses_change(store):
    run = sliced_run(store)
    with store.write("local", "test.freeze", project_id=run.project_id) as connection:
        testsets.freeze(connection, run.test_set_id, "hash", "2026-01-01T00:00:00+00:00")
    key = attributes_key(store, run.id)
    with store.write("local", "test.score", project_id=run.project_id) as connection:
        scores.put(connection, run.id, [Score(case_id="c0", metric="verdict", value=1.0)])
    assert attributes_key(store, run.id) == key
    with store.write("local", "test.ask", project_id=run.project_id) as connection:
        assert failures.forget_failed(connection, run.id) == 1
    again = attributes_key(store, run.id)
    assert again != key
    with store.write("local", "test.ask", project_id=run.project_id) as connection:
        runs.save_responses(connection, run.id, [Response(case_id="c4", answer="So.")])
    assert attributes_key(store, run.id) not in (key, again)


def test_what_was_read_of_a_draft_holds_until_anything_is_written(store):
    run = sliced_run(store)
    key = attributes_key(store, run.id)
    assert attributes_key(store, run.id) == key
    with store.write("local", "test.exclude", project_id=run.project_id) as connection:
        testsets.exclude(connection, run.test_set_id, "c0", "Odd.")
    assert attributes_key(store, run.id) != key


@pytest.mark.slow
def test_the_table_goes_into_the_maps(store):
    table = case_table(store, sliced_run(store).id, "verdict")
    found = bivariate(table, "topic", "form")
    means = {
        (found.rows.levels[row], found.columns.levels[column]): mean
        for row, column, mean in zip(found.row, found.column, found.cells.mean.tolist(), strict=True)
    }
    # Every third case has no topic. Of the others, wrong are the long questions about loans.
    assert means == {("cards", "long"): 1.0, ("cards", "short"): 1.0, ("loans", "long"): 0.0, ("loans", "short"): 1.0}
    assert found.outside == 7


@pytest.mark.slow
def test_a_calibrated_probability_is_a_score(labelled, made):  # noqa: F811
    older, newer = calibrated(labelled, made), calibrated(labelled, made, seed=1)
    other = calibrated(labelled, made, "completeness")
    chances = [choice for choice in score_choices(labelled, made.run.id) if choice.kind == "chance"]
    assert [choice.key for choice in chances] == [f"chance:{other.id}", f"chance:{newer.id}"]
    assert chances[1].label == "Chance of Correct, from Groundedness"
    assert (chances[1].low, chances[1].high, chances[1].n, chances[1].of) == (0.0, 1.0, 158, 160)
    assert dict(chances[1].unscored) == {"no score to calibrate": 2}
    for calibration in (older, newer):
        table = case_table(labelled, made.run.id, f"chance:{calibration.id}", attributes=("topic",))
        with labelled.read() as connection:
            kept = calibrations.columns(connection, calibration.id).probabilities
        assert table.score.values.tobytes() == kept.tobytes()


def test_a_calibration_of_another_run_is_refused(labelled, made, store):  # noqa: F811
    calibration = calibrated(labelled, made)
    run = sliced_run(labelled)
    with pytest.raises(InvalidInput, match=f"is of run {made.run.id}, not of run_1"):
        case_table(labelled, run.id, f"chance:{calibration.id}")
    with pytest.raises(NotFound, match="no calibration cal_none"):
        case_table(labelled, run.id, "chance:cal_none")


@pytest.mark.slow
def test_a_calibration_of_other_cases_is_refused(labelled, made):  # noqa: F811
    calibration = calibrated(labelled, made)
    with labelled.write("local", "test.add", project_id=made.run.project_id) as connection:
        connection.exec_driver_sql("UPDATE test_sets SET frozen_at = ''")
        testsets.put_cases(connection, made.run.test_set_id, [TestCase(case_id="new", question="Why?")])
    with pytest.raises(InvalidInput, match="is of 160 cases, and the run has 161"):
        case_table(labelled, made.run.id, f"chance:{calibration.id}")
    assert not [choice for choice in score_choices(labelled, made.run.id) if choice.kind == "chance"]


def test_what_people_said_is_a_score(labelled, made):  # noqa: F811
    found = {choice.key: choice for choice in score_choices(labelled, made.run.id)}
    correct, faithful = found[f"label:{made.binary.id}"], found[f"label:{made.likert.id}"]
    assert (correct.label, correct.kind, correct.threshold, correct.of) == ("Correct, by people", "label", 1.0, 160)
    assert (faithful.low, faithful.high, faithful.threshold) == (1.0, 4.0, 3.0)
    assert correct.n + sum(correct.unscored.values()) == 160
    assert correct.unscored["not labelled"] == 50
    table = case_table(labelled, made.run.id, faithful.key)
    assert int(table.scored.sum()) == faithful.n
    assert set(table.score.values[table.scored].tolist()) <= {1.0, 2.0, 3.0, 4.0}
    with pytest.raises(NotFound, match="no criterion crt_none"):
        case_table(labelled, made.run.id, "label:crt_none")


def test_comments_and_criteria_without_a_label_are_no_scores(labelled, made):  # noqa: F811
    project_id, before = made.run.project_id, score_choices(labelled, made.run.id)
    words = {"question": "What do you think of the answer?", "actor": "local"}
    comment = create_criterion(labelled, project_id, name="Remarks", kind=ScaleKind.COMMENT, **words)
    yes_no = (Level(value=0, anchor="No"), Level(value=1, anchor="Yes"))
    create_criterion(labelled, project_id, name="Polite", kind=ScaleKind.BINARY, levels=yes_no, **words)
    assert score_choices(labelled, made.run.id) == before
    with pytest.raises(InvalidInput, match="Remarks asks for a comment"):
        case_table(labelled, made.run.id, f"label:{comment.id}")


def test_names_of_scores():
    assert label_of_score("judge_llm_m") == "judge_llm_m"
    assert label_of_score("chunk_recall@3") == "Recall by chunk at 3"
