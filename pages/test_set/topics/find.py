"""The form that finds topics, and the job that does."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.identity import short_hash
from core.domain.jobs import JobState
from core.domain.sources.projects import SourceKind
from core.domain.sources.topics import Clustering, Reduction, TopicSettings
from core.encoders.embedding import missing_encoder
from core.llm import Limits
from core.llm.spending.estimates import Outlook
from core.store.database import Store
from core.testset.topics.building import KIND, start_topics
from core.testset.topics.naming_cost import cost_of_first_names
from pages.kit import cache, errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.models import budget, cost
from pages.kit.models import form as model_form
from pages.kit.work import jobs

REDUCTIONS = {Reduction.UMAP: "UMAP", Reduction.PCA: "PCA"}
CLUSTERINGS = {Clustering.HDBSCAN: "HDBSCAN", Clustering.DBSCAN: "DBSCAN", Clustering.KMEANS: "k-means"}
ABOUT = {
    Clustering.HDBSCAN: "Groups of any size where passages lie densely; the rest is in no topic.",
    Clustering.DBSCAN: "Groups of passages within a distance of each other; the rest is in no topic.",
    Clustering.KMEANS: "A given number of groups; every passage is in one.",
}


def watch(page: Page) -> bool:
    """The job in view, if there is one; whether it is still going."""
    job_in_view = jobs.in_view(page, KIND)
    if job_in_view is None:
        return False
    job = jobs.panel(page, job_in_view.id, key="topics_job") or job_in_view
    budget.draw(page, job)
    if job.state is JobState.FINISHED:
        state.update(job="", view="", topic="")
        state.say("The topics are found. Read their words, correct them, then write questions.")
        st.rerun()
    return job.state.active


def form(page: Page, *, busy: bool, first: bool) -> None:
    """How topics are found, and the button that starts it."""
    with st.container(border=True, key="find_form"):
        st.markdown(
            "**Find topics**: groups of passages that say similar things, so that a test set forgets none of them."
        )
        if missing := missing_encoder():
            st.info(f"{missing} Topics cannot be found without one: install it, or set PLUMBLINE_ENCODER to another.")
        settings = _settings()
        namer, waits = _namer(page)
        spending = _within(page, settings, namer)
        if st.button("Find topics", key="find", type="primary" if first else "secondary", disabled=busy or waits):
            with errors.shown():
                started = start_topics(
                    page.store, page.project.id, settings, actor=page.actor, namer=namer, spending=spending
                )
                state.update(job=started.id)
                st.rerun()


def _settings() -> TopicSettings:
    reduce_at, cluster_at, seed_at = st.columns([3, 3, 2])
    reduction = reduce_at.selectbox(
        "Reduction",
        list(REDUCTIONS),
        key="topics_reduction",
        format_func=REDUCTIONS.__getitem__,
        help="Brings the meaning of passages to few dimensions. UMAP keeps neighbours together, PCA is faster.",
    )
    clustering = cluster_at.selectbox(
        "Clustering", list(CLUSTERINGS), key="topics_clustering", format_func=CLUSTERINGS.__getitem__
    )
    seed = seed_at.number_input("Seed", min_value=0, value=0, key="topics_seed", help="Fixes every random choice.")
    st.caption(ABOUT[clustering])
    min_size = topics = radius = None
    standard = TopicSettings()
    with st.expander("More settings", key="topics_more"):
        size_at, dimensions_at, runs_at = st.columns(3)
        if clustering is Clustering.KMEANS:
            topics = size_at.number_input(
                "Topics", min_value=2, value=None, key="topics_number", placeholder="the best silhouette"
            )
        else:
            min_size = size_at.number_input(
                "Fewest passages per topic",
                min_value=2,
                value=None,
                key="topics_min_size",
                placeholder="fits the corpus",
            )
        if clustering is Clustering.DBSCAN:
            radius = size_at.number_input(
                "Distance", min_value=0.001, value=None, key="topics_radius", placeholder="from the distances"
            )
        dimensions = dimensions_at.number_input(
            "Dimensions", min_value=2, max_value=50, value=standard.dimensions, key="topics_dimensions"
        )
        runs = runs_at.number_input(
            "Repetitions for stability", min_value=0, max_value=10, value=standard.stability_runs, key="topics_runs"
        )
    return TopicSettings(
        reduction=reduction,
        clustering=clustering,
        dimensions=int(dimensions),
        min_size=None if min_size is None else int(min_size),
        topics=None if topics is None else int(topics),
        radius=None if radius is None else float(radius),
        seed=int(seed),
        stability_runs=int(runs),
    )


def _namer(page: Page) -> tuple[str, bool]:
    """A model that names the topics, and whether the form waits for it or for consent."""
    if not st.toggle("Have a language model name them", key="topics_namer", help="Otherwise their words name them."):
        return "", False
    spec = model_form.choose_model(page, "topics")
    st.warning("A few passages of each topic are sent to the address above.", icon=":material/outbound:")
    agreed = st.checkbox("I agree that passages are sent to this model", key=f"topics_agreed_{short_hash(spec)}")
    return spec, not (spec and agreed)


def _within(page: Page, settings: TopicSettings, namer: str) -> Limits:
    """The budget a person sets for the names, beside what they will take; none where no model gives them."""
    source = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    if not namer or source is None:
        return Limits()

    try:
        outlook = _cost_of_names(page.store, page.project.id, source.id, settings, namer)
    except PlumblineError:  # told when it is started
        return Limits()
    return Limits.of(cost.calls_panel(outlook, cost.line(outlook), key="topics", what="worker"))


@cache.read("sources", "topics", "prices", "calls", "endpoints", "prompts")
def _cost_of_names(store: Store, project_id: str, source_id: str, settings: TopicSettings, namer: str) -> Outlook:
    return Outlook(parts=cost_of_first_names(store, project_id, source_id, settings, namer))
