"""The form that has questions written: how many, of which kinds, for which topics, by whom; the job; what came."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.jobs import JobState
from core.domain.testset.question_drafts import QuestionBatch
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.allocation import Allocation, Share
from core.testset.corpus.drafting import KIND, start_questions
from core.testset.corpus.questions.ground import Ground, ground_of, shares_of
from core.testset.corpus.questions.kinds import KIND_RULES, NEEDS_MODEL
from core.testset.corpus.questions.plan import EVEN, QuestionPlan
from core.testset.corpus.questions.shortfall import WORDS, short_kinds, short_topics
from core.testset.corpus.selection.selecting import Check, Limits
from core.testset.topics.strata import Crossing
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import budget, form
from pages.kit.work import jobs
from pages.test_set.questions import models, reads
from pages.test_set.questions.models import Writers

ALLOCATIONS = {
    Allocation.PROPORTIONAL: "In proportion to passages",
    Allocation.EQUAL: "The same for each",
    Allocation.WEIGHTED: "By importance",
}
CROSSINGS = {
    Crossing.NONE: "Topic",
    Crossing.FORMAT: "Topic and document type",
    Crossing.YEAR: "Topic and year",
    Crossing.MONTH: "Topic and month",
}
A_ROW = 5
"""Kinds beside each other in the form."""
DELIVERED = {
    name: st.column_config.Column(width=width)
    for name, width in {
        "Stratum": 168,
        "Kind": 100,
        "Passages": 70,
        "Requested": 76,
        "Delivered": 72,
        "Turned down": 116,
        "Why fewer": 236,
    }.items()
}


def watch(page: Page) -> bool:
    """The go in view, if there is one; whether it is still going."""
    job_in_view = jobs.in_view(page, KIND)
    if job_in_view is None:
        return False
    job = jobs.panel(page, job_in_view.id, key="questions_job") or job_in_view
    budget.draw(page, job)
    if job.state is JobState.FINISHED:
        batch = next((b for b in reads.batches(page.store, page.project.id) if b.id == job.id), None)
        state.update(job="", view="review")
        state.say(f"{_delivered(batch)} Review them: only approved ones enter a test set.")
        st.rerun()
    return job.state.active


def draw(page: Page, *, busy: bool, first: bool) -> None:
    """The form, and the table of requested against delivered of the last batch."""
    with st.container(border=True, key="write_form"):
        st.markdown("**Write questions** for every topic of the documents")
        plan, writers = _plan(page)
        ground = None
        with errors.shown():
            ground = ground_of(page.store, page.project.id, plan, actor=page.actor)
        if ground is not None:
            plan = _weighted(plan, ground)
            _preview(ground, plan)
            plan = models.within(page, plan)
            stays = busy or not writers.ready
            if st.button("Write questions", key="write", type="primary" if first else "secondary", disabled=stays):
                with errors.shown():
                    started = start_questions(page.store, page.project.id, plan, actor=page.actor)
                    state.update(job=started.id)
                    st.rerun()
    batches = reads.batches(page.store, page.project.id)
    if batches:
        _result(batches[0])


def _plan(page: Page) -> tuple[QuestionPlan, Writers]:
    number_at, by_at, share_at, seed_at = st.columns([2, 3, 3, 2])
    n = number_at.number_input("Questions", min_value=1, max_value=20_000, value=60, step=10, key="questions_n")
    crossing = by_at.selectbox("For each", list(CROSSINGS), key="questions_by", format_func=CROSSINGS.__getitem__)
    allocation = share_at.selectbox(
        "How many of each", list(ALLOCATIONS), key="questions_allocation", format_func=ALLOCATIONS.__getitem__
    )
    seed = seed_at.number_input("Seed", min_value=0, value=0, key="questions_seed", help="Fixes every random choice.")
    kinds = _kinds()
    with st.expander("More settings", key="questions_more"):
        minimum_at, outliers_at = st.columns([2, 5], vertical_alignment="bottom")
        minimum = minimum_at.number_input("At least, per stratum", min_value=0, value=0, key="questions_minimum")
        outliers = outliers_at.toggle("Ask about passages without a topic too", key="questions_outliers")
        limits = _limits()
    writers = models.draw(page)
    plan = QuestionPlan(
        questions=int(n),
        kinds=kinds,
        allocation=allocation,
        minimum=int(minimum),
        crossing=crossing,
        outliers=outliers,
        seed=int(seed),
        limits=limits,
        model=writers.model,
        send_documents=writers.agreed,
        probe=writers.probe,
        checker=writers.checker,
    )
    return plan, writers


def _kinds() -> dict[QuestionKind, int]:
    st.caption("Weight of each kind; 0 leaves a kind out. " + " ".join(NEEDS_MODEL.values()))
    cells = [cell for _ in range(0, len(QuestionKind), A_ROW) for cell in st.columns(A_ROW)][: len(QuestionKind)]
    return {
        kind: int(
            cell.number_input(
                KIND_RULES[kind].name,
                min_value=0,
                max_value=100,
                value=EVEN[kind],
                key=f"parts_{kind.value}",
                help=KIND_RULES[kind].help,
            )
        )
        for kind, cell in zip(QuestionKind, cells, strict=True)
    }


def _limits() -> Limits:
    standard = Limits()
    similarity_at, copy_at, duplicate_at = st.columns(3)
    return Limits(
        similarity=similarity_at.slider(
            "Least similarity with the passage", 0.0, 1.0, standard.similarity, 0.05, key="limit_similarity"
        ),
        copy=copy_at.slider("Consecutive words copied, at most", 0.0, 1.0, standard.copy, 0.05, key="limit_copy"),
        duplicate=duplicate_at.slider(
            "Similarity that counts as repetition", 0.5, 1.0, standard.duplicate, 0.01, key="limit_duplicate"
        ),
    )


def _weighted(plan: QuestionPlan, ground: Ground) -> QuestionPlan:
    """The plan with a person's weights of the topics, where shares go by importance."""
    if plan.allocation is not Allocation.WEIGHTED:
        return plan
    numbers_of = sorted({stratum.topic for stratum in ground.strata})
    frame = pd.DataFrame(
        {
            "number": numbers_of,
            "Topic": [ground.topics[n].label if n in ground.topics else f"topic {n}" for n in numbers_of],
            "Importance": [1.0] * len(numbers_of),
        }
    )
    edited = st.data_editor(
        frame,
        key="questions_weights",
        hide_index=True,
        disabled=["Topic"],
        column_order=["Topic", "Importance"],
        column_config={"Importance": st.column_config.NumberColumn(min_value=0.0)},
    )
    weights = {int(row["number"]): float(row["Importance"] or 0.0) for row in edited.to_dict("records")}
    return QuestionPlan.of({**plan.as_params(), "weights": {str(n): weight for n, weight in weights.items()}})


def _preview(ground: Ground, plan: QuestionPlan) -> None:
    try:
        plan_shares = shares_of(ground, plan)
    except PlumblineError as error:
        errors.show(error)
        return
    with st.expander(f"How they are divided: {numbers.count(len(plan_shares), 'stratum', 'strata')}", key="divided"):
        tables.plain(_shares(ground, plan_shares), key="shares_table")


def _shares(ground: Ground, shares: tuple[Share, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Stratum": ground.label(share.stratum),
                "Passages": share.chunks,
                "Questions": share.requested,
                "Why": share.reason or "-",
            }
            for share in shares
        ]
    )


def _result(batch: QuestionBatch) -> None:
    st.subheader("Result of the last batch", anchor=False)
    plan = QuestionPlan.of(batch.plan)
    by = form.at_host(plan.model) if plan.model else "rules"
    by += f", answered by {form.at_host(plan.checker)}" if plan.checker else ""
    st.caption(errors.plain(f"{_delivered(batch)} By {by}, {numbers.when(batch.created_at)}, seed {plan.seed}."))
    fewer(batch)
    frame = pd.DataFrame([_row(row) for row in batch.delivered])
    tables.plain(frame, key="delivered_table", columns=DELIVERED)
    tables.download(frame, name="requested-and-delivered", key="delivered_csv")


def shortfall(page: Page) -> None:
    """Draws what the last batch lacks, while its questions are reviewed; nothing where all were delivered."""
    batch = next(iter(reads.batches(page.store, page.project.id)), None)
    if batch is None or not (short_topics(batch) or short_kinds(batch)):
        return
    requested, delivered = _counts(batch)
    with st.expander(f"{delivered:,} of {requested:,} requested: which topics and kinds have fewer", key="shortfall"):
        fewer(batch)


def fewer(batch: QuestionBatch) -> None:
    """Draws which topics and which kinds have fewer questions than requested, and why; nothing where none has."""
    for name, some in (("Topics", short_topics(batch)), ("Kinds", short_kinds(batch))):
        if some:
            lines = "".join(f"\n- {errors.plain(item.sentence)}" for item in some)
            st.markdown(f"**{name} with fewer questions than requested**\n{lines}")


def _row(row: Mapping[str, object]) -> dict[str, object]:
    down = row["turned_down"]
    reasons = ", ".join(f"{n} {WORDS[Check(check)]}" for check, n in down.items()) if isinstance(down, dict) else ""
    return {
        "Stratum": row["stratum"],
        "Kind": KIND_RULES[QuestionKind(str(row["kind"]))].name,
        "Passages": row["passages"],
        "Requested": row["requested"],
        "Delivered": row["delivered"],
        "Turned down": reasons or "-",
        "Why fewer": row["reason"] or "-",
    }


def _delivered(batch: QuestionBatch | None) -> str:
    requested, delivered = _counts(batch)
    return f"{delivered:,} of {numbers.count(requested, 'question')} requested were written and passed the checks."


def _counts(batch: QuestionBatch | None) -> tuple[int, int]:
    """Questions requested, and those delivered."""
    rows = batch.delivered if batch is not None else ()
    requested, delivered = (sum(int(str(row[name])) for row in rows) for name in ("requested", "delivered"))
    return requested, delivered
