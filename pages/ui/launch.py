"""What the Run page chooses from, what a run will take, and the project's runs as a table."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePath

import pandas as pd
import streamlit as st

from core.domain.cases import TestSet
from core.domain.projects import SourceKind
from core.domain.runs import VERDICT_METRIC, Run, RunState
from core.evaluation.plan import RunPlan, plan_run
from core.evaluation.summary import RunSummary
from core.judging import list_judges
from core.store import sources, testsets
from core.store.database import Store
from core.targets import list_targets, open_target
from pages.ui import errors, headline, numbers, readers
from pages.ui.frame import Page

RECORDED = "recorded"
ENDINGS = ("jsonl", "json", "csv")
STATES = {
    RunState.PLANNED: "Planned",
    RunState.RUNNING: "Not finished",
    RunState.FINISHED: "Finished",
}


def choose_target(page: Page) -> str:
    """The target spec a person chose; "" while a recording is wanted and none is uploaded."""
    known = {spec.name: spec for spec in list_targets()}
    name = st.selectbox(
        "System under test",
        list(known),
        key="target",
        format_func=lambda key: known[key].title,
        help="The built-in systems search the project's documents. A recording holds the answers of your own system.",
    )
    st.caption(errors.plain(known[name].question))
    if known[name].needs_corpus and readers.source(page.store, page.project.id, SourceKind.CORPUS) is None:
        st.warning("This target searches documents and the project has none. Load them on the Connect page.")
        return ""
    if name != RECORDED:
        return name
    upload = st.file_uploader(
        "Recorded answers",
        type=list(ENDINGS),
        key="recording",
        help="Rows with question or case_id, and answer.",
    )
    return "" if upload is None else f"{RECORDED}:{_kept(page, upload.name, upload.getvalue())}"


def choose_judge() -> str:
    """The judge spec a person chose."""
    known = {spec.name: spec for spec in list_judges() if spec.name != RECORDED}
    name = st.selectbox("Judge", list(known), key="judge", format_func=lambda key: known[key].title)
    st.caption(errors.plain(known[name].question))
    return name


def choose_k(target: str) -> int | None:
    """How many documents a built-in target retrieves; None where that is not ours to choose."""
    if not target or target.startswith(RECORDED):
        return None
    return int(
        st.number_input(
            "Retrieved (k)",
            min_value=1,
            max_value=20,
            value=1 if target == "keyword" else 3,
            key=f"k_{target}",
            help="Documents given to the reader. The paper's deliberately weak retrieval takes one.",
        )
    )


def plan(page: Page, test_set: TestSet, target: str, options: Mapping[str, int]) -> RunPlan:
    """What the run will take, probed once for a test set, a corpus and a target."""
    corpus = readers.source(page.store, page.project.id, SourceKind.CORPUS)
    return _plan(
        page.store,
        page.store.url,
        test_set.id,
        corpus.id if corpus else "",
        corpus.fingerprint if corpus else "",
        target,
        tuple(options.items()),
    )


@st.cache_data(max_entries=32, show_spinner="Asking a few questions to see how long it will take")
def _plan(
    _store: Store,
    url: str,
    test_set_id: str,
    corpus_id: str,
    corpus: str,
    target: str,
    options: tuple[tuple[str, int], ...],
) -> RunPlan:
    with _store.read() as connection:
        documents = sources.corpus(connection, corpus_id) if corpus_id else None
        cases = testsets.cases(connection, test_set_id)
    return plan_run(cases, open_target(target, documents, **dict(options)))


def estimate(plan: RunPlan) -> str:
    """The plan in one line."""
    calls = "no paid call" if not plan.model_calls else numbers.count(plan.model_calls, "model call")
    time = (
        f"{numbers.duration(plan.seconds)}, from {numbers.count(plan.probed, 'probed case')}"
        if plan.seconds is not None
        else "duration unknown, no probed case was answered"
    )
    return f"{numbers.count(plan.cases, 'question')}, {calls}, {time}."


def figures(summary: RunSummary) -> None:
    """The run so far, each figure with its n."""
    headline.draw(
        [
            headline.count("answered", "Answered", summary.answered, summary.cases, "questions"),
            headline.count("judged", "Judged", summary.accuracy.den, summary.answered, "answered"),
            headline.share("accuracy", "Accuracy", summary.accuracy, "Correct answers of judged ones."),
            headline.count(
                "failed", "Target failed", summary.failed, summary.answered, "asked",
                "Errors of the target; never counted as wrong answers.",
            ),
        ]
    )  # fmt: skip


def runs_frame(page: Page) -> pd.DataFrame:
    """The project's runs, newest first."""
    sets = {test_set.id: test_set for test_set in readers.test_sets(page.store, page.project.id)}
    return pd.DataFrame([_row(page, run, sets) for run in readers.runs(page.store, page.project.id)])


def _row(page: Page, run: Run, sets: Mapping[str, TestSet]) -> dict[str, object]:
    summary = readers.summary(page.store, run.id)
    test_set = sets.get(run.test_set_id)
    return {
        "run": run.id,
        "Started": numbers.when(run.created_at),
        "Target": run.target if "k" not in run.options else f"{run.target} (k = {run.options['k']})",
        "Test set": f"{test_set.name} v{test_set.version}" if test_set else run.test_set_id,
        "State": STATES[run.state],
        "Answered": f"{summary.answered:,} of {summary.cases:,}",
        "Accuracy": numbers.proportion(summary.accuracy),
        "Not judged": sum(summary.unscored[VERDICT_METRIC].values()),
        "By": run.created_by,
    }


def _kept(page: Page, name: str, data: bytes) -> str:
    """Writes an uploaded recording below the data folder, named by its content, and returns its path."""
    folder = page.settings.data / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    ending = PurePath(name).suffix.lower().removeprefix(".")
    path = folder / f"{sha256(data).hexdigest()[:16]}.{ending if ending in ENDINGS else ENDINGS[0]}"
    if not path.exists():
        path.write_bytes(data)
    return str(path)
