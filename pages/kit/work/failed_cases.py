"""What failed of a run, its target or its judge: why most often, and the button that does it again."""

from __future__ import annotations

import streamlit as st

from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.runs.service import retry_failed
from core.runs.summary import RunSummary
from core.store.database import Store
from core.store.results import failures
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers

HELP = "All else of the run is kept. The Run page shows how it goes; these cases get new verdicts and scores."


def retry(page: Page, run: Run, summary: RunSummary, *, key: str) -> None:
    """Draws the button where cases of a finished run failed; a click starts the run again and goes to where it is seen.

    Args:
        page: The page.
        run: The run.
        summary: Of it.
        key: Unique on the page.
    """
    if run.state is not RunState.FINISHED or not page.may(Role.VALIDATOR):
        return
    label = _label(summary.failed, _unjudged(page.store, run.id))
    if label and st.button(label, key=key, help=HELP, icon=":material/replay:"):
        with errors.shown():
            retry_failed(page.store, run.id, actor=page.actor)
            state.go("run", run=run.id)


def reason(failure: failures.CommonFailure | None) -> None:
    """Draws why the target failed most often, with the count; nothing where it did not fail."""
    if failure is not None:
        st.warning(errors.plain(failure.sentence), icon=":material/report:")


def _label(failed: int, unjudged: int) -> str:
    """What is done again; "" where nothing failed.

    >>> _label(2, 1)
    'Ask the 2 failed cases again and judge the 1 unjudged case again'
    """
    retries = f"ask the {numbers.count(failed, 'failed case')} again" if failed else ""
    rejudgements = f"judge the {numbers.count(unjudged, 'unjudged case')} again" if unjudged else ""
    label = " and ".join(part for part in (retries, rejudgements) if part)
    return f"{label[:1].upper()}{label[1:]}"


@cache.read("runs", "answers", "scores", "test_sets")
def _unjudged(store: Store, run_id: str) -> int:
    with store.read() as connection:
        return len(failures.unjudged_ids(connection, run_id))
