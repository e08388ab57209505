"""The suite of our own by the definitions it tests, and suites from GroUSE's files."""

import json
import re
from collections import Counter

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.judge_tests import Judged, JudgeTestOutcome, Part
from core.domain.status import Status
from core.judges.unit_tests.conditions import VALUES, parse
from core.judges.unit_tests.figures import CONTROL, figures
from core.judges.unit_tests.suite import FAILURE_MODES, OWN, implied, own_suite, read_suite
from sample_data.judge_tests import build
from tests.support.models.scripted_judge import as_judged, right

GROUSE = {
    "input": "Where is the office?",
    "actual_output": "In Dunnet Quay.[1]",
    "expected_output": "In Dunnet Quay.[1]",
    "references": ["The office is in Dunnet Quay."],
    "metadata": {"test_type": "irrelevant_information", "goal": "superfluous"},
    "conditions": {
        "answer_relevancy_condition": "<5",
        "completeness_condition": "==5",
        "faithfulness_condition": "==1",
        "usefulness_condition": "==None",
    },
}


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def said(test, of=None):
    """What a judge says in a test that takes it for another."""
    source = of or test
    judged = []
    for metric in test.conditions:
        value = right(source, metric) if metric in source.conditions else 1
        status = Status.NULL_JUDGEMENT if value is None else Status.SCORED
        judged.append(Judged(metric=metric, value=value, status=status))
    return JudgeTestOutcome(test_id=test.id, draw=0, judged=tuple(judged))


def test_the_suite_has_every_failure_mode_in_every_situation_it_can_occur_in():
    tests = own_suite().tests
    assert len(tests) == 100
    assert Counter(test.failure_mode for test in tests) == {"": 30, **dict.fromkeys(FAILURE_MODES, 10)}
    by_situation = {}
    for test in tests:
        by_situation.setdefault(test.situation, []).append(test)
    assert len(by_situation) == 20
    for some in by_situation.values():
        assert len({test.part for test in some}) == 1, "a situation is in one part as a whole"
        assert len({(test.question, test.references, test.expected) for test in some}) == 1
        assert len({test.actual for test in some}) == len(some)
    parts = Counter(test.part for test in tests)
    assert parts == {Part.TRAIN: 30, Part.TEST: 70}
    for part in (Part.TRAIN, Part.TEST):
        modes = Counter(test.failure_mode for test in own_suite().of(part) if test.failure_mode)
        assert len(set(modes.values())) == 1, "each part is balanced"
        assert set(modes) == set(FAILURE_MODES)


@pytest.mark.parametrize("test", own_suite().tests, ids=lambda test: test.id)
def test_conditions_follow_from_the_definitions(test):
    """Each rule of the definitions that a condition must not contradict."""
    asks = {metric: parse(text) for metric, text in test.conditions.items()}
    null = {metric: asks[metric].accepts(None) for metric in asks}
    assert all(sum(asks[metric].accepts(value) for value in (None, *VALUES[metric])) for metric in asks)
    declines = test.actual.startswith("No document seems to precisely answer")
    adds = declines and "However" in test.actual
    assert null["answer_relevancy"] == declines
    assert null["completeness"] == (not test.expected or test.expected.startswith("No document"))
    assert null["usefulness"] == (not adds)
    assert null["faithfulness"] == (declines and not adds)
    assert asks["positive_acceptance"].accepts(1.0) == (not declines and not null["completeness"])
    assert asks["negative_rejection"].accepts(1.0) == (declines and null["completeness"])
    cited = {int(mark) for mark in re.findall(r"\[(\d)\]", test.actual)}
    assert cited <= set(range(1, len(test.references) + 1)), "a citation names a document that is there"


def test_the_file_is_what_the_builder_writes():
    assert OWN.read_text(encoding="utf-8") == "".join(
        json.dumps(row, ensure_ascii=False) + "\n" for row in build.rows()
    )


def test_a_perfect_judge_passes_every_test():
    tests = own_suite().tests
    found = figures(tests, [said(test) for test in tests])
    assert (found.passed, found.tests, found.unjudged()) == (100, 100, 0)


@pytest.mark.parametrize("mode", FAILURE_MODES)
def test_a_judge_that_is_blind_to_one_failure_fails_exactly_its_tests(mode):
    tests = own_suite().tests
    found = figures(tests, [said(test, as_judged(test, {mode})) for test in tests])
    assert {item.test.failure_mode for item in found.failing} == {mode}
    assert found.by_failure_mode[mode].num == 0
    assert found.passed == 90
    assert found.by_failure_mode[CONTROL].value == 1.0


@pytest.mark.parametrize("value", [None, 1.0, 5.0])
def test_a_judge_that_always_says_the_same_does_not_pass(value):
    tests = own_suite().tests

    def constant(test):
        return JudgeTestOutcome(
            test_id=test.id,
            draw=0,
            judged=tuple(
                Judged(
                    metric=metric,
                    value=None if value is None else min(value, max(VALUES[metric])),
                    status=Status.NULL_JUDGEMENT if value is None else Status.SCORED,
                )
                for metric in test.conditions
            ),
        )

    found = figures(tests, [constant(test) for test in tests])
    assert found.passed <= 10


def test_grouses_own_rows_are_read(tmp_path):
    suite = read_suite(write(tmp_path / "unit.jsonl", GROUSE))
    (test,) = suite.tests
    assert (suite.name, test.id, test.failure_mode) == ("unit", "1", "irrelevant information")
    assert test.conditions == {
        "answer_relevancy": "<5",
        "completeness": "==5",
        "faithfulness": "==1",
        "usefulness": "==None",
        "positive_acceptance": "==1",
        "negative_rejection": "==None",
    }
    assert test.references == ("The office is in Dunnet Quay.",)
    assert (test.situation, test.part) == ("Where is the office?", Part.TEST)
    assert read_suite(write(tmp_path / "train.jsonl", GROUSE)).tests[0].part is Part.TRAIN


def test_a_wrapped_sample_and_columns_of_a_table_are_read_alike(tmp_path):
    sample = {key: GROUSE[key] for key in ("input", "actual_output", "expected_output", "references")}
    wrapped = {"evaluation_sample": sample, "expected_evaluation": GROUSE["conditions"]}
    flat = {**sample, **GROUSE["conditions"], "failure_mode": "irrelevant information"}
    first = read_suite(write(tmp_path / "a.jsonl", wrapped)).tests[0]
    second = read_suite(write(tmp_path / "b.jsonl", flat)).tests[0]
    assert (first.conditions, first.question, first.references) == (
        second.conditions,
        second.question,
        second.references,
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"conditions": {}}, "Row 1 of .* has no condition"),
        ({"conditions": {"answer_relevancy_condition": "five"}}, "Row 1 of .*'five' is no condition"),
        ({"conditions": {"clarity_condition": "==1"}}, "'clarity', which no judge gives"),
        ({"actual_output": ""}, "Row 1 of .* has no actual_output"),
        ({"metadata": {"part": "dev"}}, "part 'dev'"),
    ],
)
def test_a_row_that_is_no_unit_test_is_refused_by_its_number(tmp_path, change, says):
    with pytest.raises(InvalidInput, match=says):
        read_suite(write(tmp_path / "bad.jsonl", GROUSE | change))


def test_two_rows_of_one_id_and_an_empty_file_are_refused(tmp_path):
    row = GROUSE | {"id": "t1"}
    with pytest.raises(InvalidInput, match=r"Rows 1 and 2 .* id t1"):
        read_suite(write(tmp_path / "twice.jsonl", row, row))
    with pytest.raises(UnreadableFile):
        read_suite(write(tmp_path / "empty.jsonl"))


@pytest.mark.parametrize(
    ("relevancy", "completeness", "acceptance", "rejection"),
    [
        (">=4", "==5", "==1", "==None"),
        ("==None", "==1", "==0", "==None"),
        (">=1", "==None", "==None", "==0"),
        ("==None", "==None", "==None", "==1"),
    ],
)
def test_acceptance_follows_from_relevancy_and_completeness(relevancy, completeness, acceptance, rejection):
    stated = {"answer_relevancy": relevancy, "completeness": completeness}
    assert implied(stated) == {"positive_acceptance": acceptance, "negative_rejection": rejection}


def test_nothing_follows_from_a_condition_that_leaves_null_open():
    assert implied({"answer_relevancy": "!=5", "completeness": "==5"}) == {}


def test_the_hash_is_of_the_tests_and_not_of_the_name(tmp_path):
    first, second = (read_suite(write(tmp_path / name, GROUSE)) for name in ("a.jsonl", "b.jsonl"))
    assert first.hash == second.hash
    other = read_suite(write(tmp_path / "c.jsonl", GROUSE | {"actual_output": "Elsewhere.[1]"}))
    assert other.hash != first.hash


def test_a_part_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no train part"):
        read_suite(write(tmp_path / "unit.jsonl", GROUSE)).of(Part.TRAIN)
