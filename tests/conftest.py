"""What holds for every test.

Property tests draw the same examples in every run, so that a change fails by itself and not by chance, and a busy
machine is no error: no example has a deadline, and none is drawn too slowly. To search further than a run does:
``pytest --hypothesis-profile=search``.

The longest files come first: a worker keeps a file (``--dist loadfile``), and one that began a long file at the end
would be waited for. Coverage counts what tests of the engine reach. Tests of screens and of whole data sets are not
measured: they reach lines without saying much about them, and measuring makes them take half as long again. Nor are
those that do many times over what their neighbours do once. What such a test prepares and the processes that it starts
are not measured either.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
LONGEST = (
    "tests/journeys/test_first_page.py",
    "tests/core/evaluation/test_service.py",
    "tests/golden/test_mtrag.py",
    "tests/journeys/test_document_questions.py",
    "tests/core/evaluation/test_demo.py",
    "tests/journeys/test_new_project.py",
    "tests/journeys/test_labelling.py",
    "tests/core/evaluation/test_scoring.py",
    "tests/core/testset/corpus/test_drafting.py",
    "tests/sample_data/test_planted.py",
    "tests/core/store/test_database.py",
    "tests/journeys/test_weakness.py",
    "tests/journeys/test_results.py",
    "tests/journeys/test_language_model.py",
    "tests/journeys/test_run.py",
    "tests/journeys/test_sample_project.py",
    "tests/statistical/test_weakness_statistics.py",
    "tests/statistical/test_slice_statistics.py",
    "tests/core/calibration/test_double.py",
    "tests/pages/test_calibrate.py",
    "tests/pages/test_label.py",
    "tests/pages/test_weakness.py",
    "tests/pages/test_weakness_sections.py",
    "tests/pages/test_run.py",
    "tests/pages/test_result_scores.py",
    "tests/pages/test_run_targets.py",
    "tests/core/cli/test_runs.py",
    "tests/core/evaluation/test_killed_models.py",
    "tests/core/evaluation/test_pass_rate.py",
    "tests/core/jobs/test_control.py",
    "tests/core/testset/grounded/test_combinations.py",
    "tests/core/testset/corpus/topics/test_finding.py",
    "tests/core/labelling/test_saving_at_once.py",
)
"""Those that take ten seconds or more, the longest first; those that share the sample do not begin together."""
NOT_MEASURED = tuple(
    ROOT / "tests" / folder for folder in ("docs", "golden", "journeys", "pages", "sample_data", "statistical")
)
OFTEN = frozenset(
    {
        "test_a_hundred_thousand_characters_are_cut_to_the_end",
        "test_after_a_kill_only_what_was_in_flight_is_sent_again",
        "test_another_process_makes_the_same_cases_in_the_same_order",
        "test_another_process_writes_the_same_byte_for_byte",
        "test_answers_that_cannot_be_judged_do_not_drag_the_share",
        "test_coverage_of_the_test_part_is_beta_binomial",
        "test_ended_after_any_write_it_is_completed_the_next_time",
        "test_isotonic_steps_cover_at_least_what_is_promised",
        "test_killed_again_and_again_it_is_complete_in_the_end",
        "test_killed_at_random_moments_every_item_is_there_once",
        "test_killed_while_it_prepares_or_runs_it_is_whole_in_the_end",
        "test_one_hundred_thousand_rows_are_all_filled_in_and_may_be_cut",
        "test_one_statement_and_one_query_per_combination_agree",
        "test_real_scores_have_the_chance_that_permutations_have",
        "test_sets_of_a_targeted_draw_keep_their_promise",
        "test_sources_of_alike_cases_are_covered",
        "test_sql_templates_of_a_killed_worker_are_all_there_once",
        "test_the_interval_covers",
        "test_the_interval_covers_a_skewed_mean",
        "test_the_interval_covers_alpha",
        "test_the_interval_covers_the_truth",
        "test_the_interval_holds_the_truth_although_the_model_is_fitted_on_the_same_labels",
        "test_the_worker_killed_at_random_moments",
        "test_the_worker_killed_at_twenty_moments",
        "test_the_worker_killed_while_it_measures_anew",
        "test_topics_are_the_same_in_another_process",
        "test_twenty_raters_in_threads_of_one_store_lose_no_label",
        "test_twenty_raters_in_two_processes_lose_no_label",
        "test_two_demos_at_once_build_one",
        "test_two_threads_build_one",
        "test_wordings_and_their_round_trips_outlive_a_kill",
    }
)
"""Tests that are not measured: simulations, kills, many rows. What they reach, other tests of their file reach too."""

MEASURES_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""What coverage tells processes that are to be measured."""
PROCESSES = pytest.StashKey[str]()

settings.register_profile(
    "plumbline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("search", settings.get_profile("plumbline"), derandomize=False, max_examples=1_000)
settings.load_profile("plumbline")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest files first and leaves the tests out of coverage that are not measured."""
    places = {ROOT / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
    for item in items:
        often = isinstance(item, pytest.Function) and item.originalname in OFTEN
        if often or any(folder in item.path.parents for folder in NOT_MEASURED):
            item.add_marker("no_cover")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Measures neither what a test prepares that is not measured nor, until it is over, processes it starts."""
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    item.stash[PROCESSES] = os.environ.pop(MEASURES_PROCESSES, "")
    return (yield from _paused(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Measures no tidying up of a test that is not measured; afterwards processes are measured again."""
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    try:
        return (yield from _paused(item))
    finally:
        if processes := item.stash.get(PROCESSES, ""):
            os.environ[MEASURES_PROCESSES] = processes


def _paused(item: pytest.Item) -> Iterator[None]:
    """Pauses coverage, which pytest-cov does for the test alone."""
    plugin = item.config.pluginmanager.getplugin("_cov")
    controller = plugin.cov_controller if plugin else None
    if controller is None:
        return (yield)
    controller.pause()
    try:
        return (yield)
    finally:
        controller.resume()
