"""What holds for every test.

Property tests draw the same examples in every run, so that a change fails by itself and not by chance, and a busy
machine is no error: no example has a deadline, and none is drawn too slowly. To search further than a run does:
``pytest --hypothesis-profile=search``.

The longest files come first: a worker keeps a file (``--dist loadfile``), and one that began a long file at the end
would be waited for. Coverage counts what tests of the engine reach. Tests of screens and of whole data sets are not
measured: they reach lines without saying much about them, and measuring makes them take half as long again.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
LONGEST = (
    "tests/journeys/test_first_page.py",
    "tests/golden/test_mtrag.py",
    "tests/journeys/test_labelling.py",
    "tests/core/evaluation/test_demo.py",
    "tests/core/evaluation/test_service.py",
    "tests/journeys/test_results.py",
    "tests/journeys/test_document_questions.py",
    "tests/core/testset/corpus/test_drafting.py",
    "tests/core/evaluation/test_scoring.py",
    "tests/journeys/test_language_model.py",
    "tests/journeys/test_run.py",
    "tests/journeys/test_sample_project.py",
    "tests/journeys/test_new_project.py",
    "tests/sample_data/test_planted.py",
    "tests/pages/test_calibrate.py",
    "tests/core/calibration/test_double.py",
    "tests/pages/test_label.py",
    "tests/pages/test_run.py",
    "tests/pages/test_result_scores.py",
    "tests/pages/test_run_targets.py",
    "tests/core/store/test_database.py",
    "tests/core/cli/test_runs.py",
    "tests/core/evaluation/test_killed_models.py",
    "tests/core/evaluation/test_pass_rate.py",
)
"""Those that take ten seconds or more, the longest first."""
NOT_MEASURED = tuple(ROOT / "tests" / folder for folder in ("golden", "pages", "statistical"))

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
        if any(folder in item.path.parents for folder in NOT_MEASURED):
            item.add_marker("no_cover")
