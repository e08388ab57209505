"""Cached reads: kept until a thing they read is written, in the project and run they read it of."""

import pytest

from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.projects import Project
from core.domain.testset.cases import TestCase as Case
from core.domain.testset.cases import TestSet as Questions
from core.store import projects
from core.store.results import runs
from core.store.testset import testsets
from pages.kit import cache

CALLS = []


@cache.read("answers", "runs")
def answers(store, run_id, wanted=1):
    CALLS.append((run_id, wanted))
    with store.read() as connection:
        return sorted(runs.responses(connection, run_id, ["c"]))


@cache.read("runs")
def names(store, project_id, _hidden=None):
    CALLS.append(project_id)
    with store.read() as connection:
        return [run.id for run in runs.all(connection, project_id)]


@cache.read("runs")
def everywhere(store):
    CALLS.append("everywhere")
    return len(CALLS)


@cache.shared("answers", "runs")
def large(store, run_id):
    CALLS.append(run_id)
    with store.read() as connection:
        return tuple(runs.responses(connection, run_id, ["c"]).items())


@cache.constant()
def once(store, name):
    CALLS.append(name)
    return name


def first():
    @cache.constant()
    def named(store, name):
        return f"first {name}"

    return named


def second():
    @cache.constant()
    def named(store, name):
        return f"second {name}"

    return named


@pytest.fixture
def filled(store):
    CALLS.clear()
    for name in ("p", "q"):
        with store.write("anna", "project.create", project_id=name) as connection:
            projects.put(connection, Project(id=name, name=name))
            testsets.put(connection, Questions(id=f"t{name}", project_id=name, name="t"))
            testsets.put_cases(
                connection, f"t{name}", [Case(case_id="c", question="?", reference_answers=("a",), group_id="g")]
            )
    for name, project in (("r", "p"), ("s", "p"), ("z", "q")):
        start(store, name, project)
    return store


def start(store, name, project):
    with store.write("anna", "run.start", project_id=project, subject=name) as connection:
        runs.put(connection, Run(id=name, project_id=project, test_set_id=f"t{project}", target="keyword"))


def answer(store, run, project):
    with store.write("anna", "run.answer", project_id=project, subject=run) as connection:
        runs.save_responses(connection, run, [Response(case_id="c", answer="a")])


def test_a_read_is_made_again_when_what_it_read_was_written(filled):
    assert answers(filled, "r") == answers(filled, "r") == []
    assert CALLS == [("r", 1)]
    answer(filled, "r", "p")
    assert answers(filled, "r") == ["c"]
    assert CALLS == [("r", 1), ("r", 1)]


def test_a_shared_read_is_not_copied_and_stands_no_longer_than_another(filled):
    assert large(filled, "r") is large(filled, "r")
    assert CALLS == ["r"]
    answer(filled, "s", "p")
    assert large(filled, "r") == ()
    assert CALLS == ["r"]
    answer(filled, "r", "p")
    assert [case_id for case_id, _ in large(filled, "r")] == ["c"]
    assert CALLS == ["r", "r"]


def test_a_run_at_work_empties_nothing_of_another_run_or_project(filled):
    answers(filled, "r"), names(filled, "p")
    CALLS.clear()
    answer(filled, "s", "p")
    answer(filled, "z", "q")
    start(filled, "y", "q")
    answers(filled, "r"), names(filled, "p")
    assert CALLS == []


def test_what_reads_all_projects_is_made_again_by_any(filled):
    assert everywhere(filled) == 1
    start(filled, "y", "q")
    assert everywhere(filled) == 2


def test_parameters_decide_the_result_however_they_are_given_and_hidden_ones_do_not(filled):
    answers(filled, "r"), answers(filled, run_id="r", wanted=1), answers(filled, "r", 2)
    assert CALLS == [("r", 1), ("r", 2)]
    names(filled, "p", object()), names(filled, "p", object())
    assert CALLS[2:] == ["p"]


def test_what_never_changes_is_read_once(filled):
    once(filled, "a"), answer(filled, "r", "p"), once(filled, "a")
    assert CALLS == ["a"]


@pytest.mark.slow
def test_a_deleted_project_is_not_remembered(filled):
    answers(filled, "r")
    assert names(filled, "p") == ["s", "r"]
    with filled.write("anna", "project.delete", project_id="p") as connection:
        projects.remove(connection, "p")
    assert names(filled, "p") == []
    assert answers(filled, "r") == []


def test_two_functions_of_one_name_keep_two_results(filled):
    assert first()(filled, "a") == "first a"
    assert second()(filled, "a") == "second a"
    assert first()(filled, "a") == "first a"


def test_the_guard_of_these_tests_finds_a_read_that_names_too_little(filled):
    @cache.read("labels")
    def hasty(store, project_id):
        return names(store, project_id)

    @cache.read("labels")
    def hastier(store, project_id):
        with store.read() as connection:
            return runs.all(connection, project_id)

    for function in (hasty, hastier):
        with pytest.raises(AssertionError, match="runs"):
            function(filled, "p")
