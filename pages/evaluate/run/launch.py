"""What the Run page chooses from, what a run will take, and the project's runs as a table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestSet
from core.runs.planning.plan import RunPlan
from core.runs.scores.applicable import Applicable, expected
from core.runs.scores.choice import ScoringOptions, judging_models
from core.runs.summary import RunSummary
from core.store.database import Store
from core.targets import TargetSpec
from pages.evaluate.run.target_form import HTTP, OPENAI, PYTHON, ChosenTarget
from pages.kit import cache, project_reads, run_names
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables
from pages.kit.models import cost
from pages.kit.models import judge as run_judge
from pages.kit.models.judge import ChosenJudge
from pages.kit.scores import judging, names, panel
from pages.kit.work import failed_cases

EXPLAINED = {
    "Looks at": st.column_config.TextColumn(width=110),
    "Metric": st.column_config.TextColumn(width=200),
    "What it answers": st.column_config.TextColumn(width=430),
    "Here": st.column_config.TextColumn(width=230),
}
STATES = {
    RunState.PLANNED: "Planned",
    RunState.RUNNING: "Not finished",
    RunState.FINISHED: "Finished",
}


def choose_k(kind: TargetSpec) -> int | None:
    """How many documents a built-in target retrieves; None where that is not ours to choose, or is chosen later."""
    if kind.default_k is None or kind.outside:
        return None
    return int(
        st.number_input(
            "Retrieved (k)",
            min_value=1,
            max_value=20,
            value=kind.default_k,
            key=f"k_{kind.name}",
            help="Documents given to the reader. The paper's deliberately weak retrieval takes one.",
        )
    )


def choose_budget(
    page: Page,
    test_set: TestSet,
    target: ChosenTarget,
    judge: ChosenJudge,
    options: Mapping[str, object],
    *,
    scored: bool,
) -> dict[str, object]:
    """What the run will take, with a warning where judge and target are kin, and the budget a person sets for it.

    Raises:
        InvalidInput: Target or judge cannot be opened as they are chosen.
    """
    run_judge.warn_of_same_family(page, judge.spec, f"{target.kind.name}:{target.argument}")
    bare = target.kind.name in (HTTP, PYTHON)  # these are opened when the run is made, not to look at them
    spec = target.kind.name if bare else target.spec(page)
    with st.spinner("Estimating what the run will take"):
        plan = cost.plan(page, test_set.id, spec, judge.spec, options)
    if bare or target.kind.name == OPENAI:
        st.markdown(waited_for(plan.cases, target, scored=scored))
    else:
        st.markdown(estimate(plan, scored=scored))
    return cost.cost_panel(page, plan)


def choose_metrics(page: Page, test_set: TestSet, judge: str, target: str) -> dict[str, object]:
    """What is scored when the answers are judged; more can be scored on the Results page at any time.

    Args:
        page: The page.
        test_set: The test set.
        judge: The run's judge; where it is a model, claims and GroUSE grades are scored by it unless others are chosen.
        target: The spec of the target, as far as it is known.

    Returns:
        Options of the run: the metrics, and the models that judge them where they are not the run's judge.
    """
    models, ensemble = judge, ""
    if judging.known(page, judge):
        models, ensemble = judging.choose(page, judge, target, key=f"run_{judge}")
    metrics = _expected(page.store, test_set.id, page.settings.nli, models)
    fitting = {item.name: item for item in metrics if item.ready}
    chosen = st.multiselect(
        "Scores besides the verdict",
        list(fitting),
        default=[name for name, item in fitting.items() if item.default],
        format_func=names.title,
        key=f"metrics_{test_set.id}",
        placeholder="None",
        help="Each comes with its evidence, sentence by sentence. Others can be added on the Results page later.",
    )
    if not page.settings.nli:
        st.caption("No NLI model is set (PLUMBLINE_NLI), so entailment is not among them.")
    if not judging_models(models):
        st.caption(
            "Claims and GroUSE grades need a judging model: choose the language model as the judge, or score them on "
            "the Results page once a model is connected."
        )
    with st.expander("What each score says", icon=":material/help:", key="run_scores"):
        explained = panel.needs_frame(metrics, set())[list(EXPLAINED)]
        tables.plain(explained, key="run_needs", columns=EXPLAINED, height=246)
    if not chosen:
        return {}
    own = {"metric_judges": models} if judging_models(models) != judging_models(judge) else {}
    return {"metrics": chosen, **own, **({"ensemble": ensemble} if ensemble else {})}


@cache.read("test_sets", "sources")
def _expected(store: Store, test_set_id: str, nli: str, judge: str) -> tuple[Applicable, ...]:
    """The metrics a run of this test set can have; `nli` is the model that the settings name."""
    return tuple(expected(store, test_set_id, ScoringOptions(metric_judges=judge)))


def waited_for(cases: int, chosen: ChosenTarget, *, scored: bool) -> str:
    """What a run takes whose target is waited for, in one line; nothing is asked to find out.

    Args:
        cases: Questions of the test set.
        chosen: The target.
        scored: Whether scores are computed besides the verdict.
    """
    calls = {OPENAI: "a model answers each", PYTHON: "one call of your function each"}
    by = calls.get(chosen.kind.name, "one request each")
    config = chosen.config
    at_once = config.concurrency if config else chosen.options.get("concurrency")
    rate = config.rate if config else chosen.options.get("rate")
    pace = [f"at most {at_once} at once" if at_once else ""]
    if isinstance(rate, (int, float)):
        pace.append(f"at most {rate:g} a second, so {numbers.duration(cases / rate)} or more")
    limits = "".join(f", {part}" for part in pace if part)
    after = " Answers are judged and scored as they come." if scored else " Answers are judged as they come."
    return f"{numbers.count(cases, 'question')}, {by}{limits}; how long it takes depends on it.{after}"


def estimate(plan: RunPlan, *, scored: bool) -> str:
    """The plan in one line.

    Args:
        plan: The plan, which knows nothing of scores.
        scored: Whether scores are computed besides the verdict.
    """
    after = " Scoring comes after that and shows its own time." if scored else ""
    calls = "no paid call" if not plan.model_calls else numbers.count(plan.model_calls, "model call")
    if plan.words_to_encode:
        words = numbers.count(plan.words_to_encode, "word")
        return (
            f"{numbers.count(plan.cases, 'question')}, {calls}, about {numbers.duration(plan.seconds or 0.0)}: "
            f"{words} of documents are encoded first, unless they were before.{after}"
        )
    time = (
        f"{numbers.duration(plan.seconds)}, from {numbers.count(plan.probed, 'probed case')}"
        if plan.seconds is not None
        else "duration unknown, no probed case was answered"
    )
    return f"{numbers.count(plan.cases, 'question')}, {calls}, {time}.{after}"


def figures(summary: RunSummary) -> None:
    """The run so far, each figure with its n."""
    headline.draw(
        [
            headline.count("answered", "Answered", summary.answered, summary.cases, "questions"),
            headline.count("judged", "Judged", summary.accuracy.den, summary.answered, "answered"),
            headline.share("accuracy", "Accuracy", summary.accuracy, "Correct answers of judged ones."),
            headline.count(
                "failed",
                "Target failed",
                summary.failed,
                summary.answered,
                "asked",
                "Errors of the target; never counted as wrong answers.",
            ),
        ]
    )
    failed_cases.reason(summary.failure)


def runs_frame(page: Page) -> pd.DataFrame:
    """The project's runs, newest first."""
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    return pd.DataFrame([_row(page, run, sets) for run in project_reads.runs(page.store, page.project.id)])


def _row(page: Page, run: Run, sets: Mapping[str, TestSet]) -> dict[str, object]:
    summary = project_reads.summary(page.store, run.id)
    test_set = sets.get(run.test_set_id)
    return {
        "run": run.id,
        "Started": numbers.when(run.created_at),
        "Target": run_names.target_name(run),
        "Test set": f"{test_set.name} v{test_set.version}" if test_set else run.test_set_id,
        "State": STATES[run.state],
        "Answered": f"{summary.answered:,} of {summary.cases:,}",
        "Accuracy": numbers.proportion(summary.accuracy),
        "Not judged": sum(summary.unscored[VERDICT_METRIC].values()),
        "By": run.created_by,
    }
