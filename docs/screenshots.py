"""Takes the pictures in ``docs/screenshots`` from the real app with the sample project (``make screenshots``)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core import jobs  # noqa: E402
from core.diagnosis.three_way import Mode  # noqa: E402
from core.domain.identity import new_id  # noqa: E402
from core.domain.sources.topics import TopicSettings  # noqa: E402
from core.faults.service import TrialPlan, start_trial  # noqa: E402
from core.judges.comparing import judge_again  # noqa: E402
from core.runs.execute import execute_run  # noqa: E402
from core.runs.service import create_run  # noqa: E402
from core.store import projects  # noqa: E402
from core.store.database import Store  # noqa: E402
from core.store.results import runs  # noqa: E402
from core.store.testset import testsets  # noqa: E402
from core.testset.corpus.drafting import write_batch  # noqa: E402
from core.testset.corpus.questions.plan import QuestionPlan  # noqa: E402
from core.testset.topics.service import build_topics  # noqa: E402
from tests.support.application import browser, server  # noqa: E402
from tests.support.models.bank_model import BankModel, one_in  # noqa: E402
from tests.support.servers.llm_server import LlmServer  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
VIEWS = {
    "overview": "",
    "connect": "connect",
    "templates": "templates",
    "wordings": "templates?view=text",
    "test-set": "test-set",
    "run": "evaluate",
    "results": "results?columns=faithfulness,recall&sort=faithfulness&verdict=incorrect&form=long",
    "case": "results?verdict=incorrect&form=long",
    "evidence": "results?sort=groundedness&metric=groundedness&verdict=correct",
    "metrics": "results?view=metrics",
    "agreement": "results?view=agreement",
    "label": "label",
    "raters": "label?view=agreement",
    "calibrate": "calibrate",
    "decide": "calibrate?view=decide",
    "trust": "calibrate?view=trust",
    "diagnose": "diagnose",
    "groups": "diagnose?view=groups&tag=gap&form=short",
    "group": "diagnose?view=groups&tag=gap&form=short",
    "hypothesis": "diagnose?view=hypothesis&attribute=form&a=long&b=short",
    "weakness": "weakness",
    "weakness-levels": "weakness?view=attribute&attribute=asks_for",
    "weakness-slices": "weakness?view=slices",
    "weak-cell": "weakness?attribute=table&by=form&a=service_fee&b=long",
}
"""File name to address."""

OF_A_MODEL = {"judges": "judges?metric=self_check_qa", "know-read-retrieve": "know-read-retrieve?module=reading"}
"""The same, of the runs of a scripted model; they come last, so that the others show the sample as it is."""

OF_A_TRIAL = {"planted-faults": "planted-faults"}
"""The same, of a trial of planted faults."""

OF_DOCUMENTS = {"topics": "topics?topic=3", "questions": "questions?kind=simple"}
"""The same, of topics and questions of the sample's documents."""

SELECT_FIRST = {
    "templates": ".st-key-sql_table",
    "groups": ".st-key-groups_table",
    "group": ".st-key-groups_table",
}
"""Views that are shown with the first row selected."""

SCROLL_TO = {
    "templates": ".st-key-sql_editor",
    "case": ".st-key-case_view",
    "evidence": ".st-key-url_metric",
    "group": ".st-key-group_view",
    "weak-cell": ".st-key-weakness_part",
}
"""Views that are shown from a part on."""

WIDTH, HEIGHT = 1280, 860
TALL = {"weakness": 1140, "weakness-levels": 1140, "planted-faults": 1140}
"""Views whose picture lies lower."""


def main() -> None:
    """Builds the sample in a temporary folder, serves it, and takes one picture a view."""
    path = browser.find()
    if path is None:
        raise SystemExit("No browser: install Chromium or set PLUMBLINE_BROWSER.")
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        server.running(Path(data) / "data") as address,
        sync_playwright() as playwright,
    ):
        server.wait_for_scores(Path(data) / "data")
        chromium = playwright.chromium.launch(executable_path=path, args=list(browser.FLAGS))
        page = chromium.new_context(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light").new_page()
        for name, view in VIEWS.items():
            take(page, name, f"{address}/{view}")
        plant_faults(Path(data) / "data")
        for name, view in OF_A_TRIAL.items():
            take(page, name, f"{address}/{view}")
        write_questions(Path(data) / "data")
        for name, view in OF_DOCUMENTS.items():
            take(page, name, f"{address}/{view}")
        run_id = ask_a_model(Path(data) / "data")
        for name, view in OF_A_MODEL.items():
            take(page, name, f"{address}/{view}&run={run_id}")
        chromium.close()


def take(page: Page, name: str, address: str) -> None:
    """Takes one picture."""
    page.set_viewport_size({"width": WIDTH, "height": TALL.get(name, HEIGHT)})
    page.goto(address)
    settle(page)
    if name in SELECT_FIRST:
        grid = page.locator(f"{SELECT_FIRST[name]} [data-testid=stDataFrame]")
        if grid.count():
            grid.click(position={"x": 16, "y": 50})
            settle(page)
    if name in SCROLL_TO:
        page.locator(SCROLL_TO[name]).evaluate("part => part.scrollIntoView({block: 'start'})")
        settle(page)
    picture = page.screenshot(path=FOLDER / f"{name}.png", full_page=False)
    print(f"{name}.png {len(picture):,} bytes")


def plant_faults(data: Path) -> None:
    """Plants the usual faults in the sample's facts and waits until they are diagnosed."""
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        with store.read() as connection:
            sample = projects.all(connection)[0]
            found = runs.all(connection, sample.id)[-1]
        job = start_trial(store, TrialPlan(test_set_id=found.test_set_id, target="bm25"), actor="local")
        jobs.wait(store, job.id, seconds=600)


def write_questions(data: Path) -> None:
    """Finds topics in the sample's documents and writes questions for them, by rules."""
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        with store.read() as connection:
            sample = projects.all(connection)[0]
        build_topics(store, sample.id, TopicSettings(), actor="local")
        write_batch(store, sample.id, QuestionPlan(), actor="local", batch_id=new_id("qb"))


def ask_a_model(data: Path) -> str:
    """Runs the three-way experiment with a scripted model on the sample's test set, and judges its live run.

    Returns:
        The id of the live run.
    """
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        with store.read() as connection:
            sample = projects.all(connection)[0]
            found = runs.all(connection, sample.id)[-1]
            cases = testsets.cases(connection, found.test_set_id)
        known = {case.question: f"It is {case.reference_answers[0]}." for case in cases if one_in(7, case.group_id)}
        with LlmServer(BankModel(known)) as model:
            judge = model.spec("bank-judge")
            shared = {"experiment": new_id("exp"), "k": 1, "retriever": "keyword", "judge_match_first": True}
            for mode in (Mode.ORACLE, Mode.CLOSED_BOOK, Mode.RETRIEVAL):
                live = create_run(
                    store,
                    found.test_set_id,
                    actor="local",
                    target=f"openai:{model.spec('bank-model')}",
                    judge=f"llm:{judge}",
                    options={**shared, "mode": str(mode)},
                )
                execute_run(store, live.id, actor="local")
            judge_again(store, live.id, ["match", f"ragas_fact:{judge}", f"self_check_qa:{judge}"], actor="local")
        return live.id


def settle(page: Page) -> None:
    """Waits until the app has drawn: not running, no skeletons, charts painted."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
    page.wait_for_timeout(1_200)


if __name__ == "__main__":
    main()
