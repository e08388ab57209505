"""The models that judge metrics: which of the project's models, one or several, and how they become one score."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.errors import InvalidInput
from core.judging.models.families import family_warnings
from core.llm import profile_settings
from core.llm.addresses import split_spec
from core.metrics.judges import Ensemble
from core.runs.scores.choice import judging_models
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.models import form
from pages.kit.models.judge import writers

WAYS: Final = {Ensemble.MEAN.value: "Mean", Ensemble.MAJORITY.value: "Majority"}
NEEDED: Final = (
    "Claims and GroUSE grades ask a judging model, and this project knows none yet. Everything else is scored without."
)


def known(page: Page, judge: str) -> list[str]:
    """The models that the project has called, those of a run's own judge first."""
    return _known(page.store, page.project.id, judge)


def choose(page: Page, judge: str, target: str, *, key: str = "score") -> tuple[str, str]:
    """The judges as specs with commas between, "" for none, and the ensemble where there are several.

    Args:
        page: The page.
        judge: Of the run, whose models are chosen at first.
        target: Of the run; a warning says where a judge is of its family.
        key: What the widgets' keys begin with.
    """
    models_known = known(page, judge)
    if not models_known and not form.endpoints_of(page.store, page.project.id):
        told, button = st.columns([5, 2], vertical_alignment="center")
        told.caption(NEEDED)
        if button.button("Connect a model", key="connect_judge", type="tertiary", icon=":material/hub:"):
            state.go("models")
        return "", ""
    models_at, way_at = st.columns([5, 2], vertical_alignment="bottom")
    chosen = models_at.multiselect(
        "Judging models",
        models_known,
        default=list(judging_models(judge)),
        format_func=form.at_host,
        key=f"{key}_judges",
        accept_new_options=True,
        placeholder="MODEL@BASE_URL",
        help="For claims and GroUSE grades. Several judge each answer independently, and how far they are apart is "
        "shown for each case. Type MODEL@BASE_URL to add one.",
    )
    way = Ensemble.MEAN.value
    if len(chosen) > 1:
        way = way_at.segmented_control(
            "Several become one by",
            list(WAYS),
            key=f"{key}_ensemble",
            default=way,
            required=True,
            format_func=WAYS.__getitem__,
            help="A value needs more than half of the judges either way.",
        )
    try:
        models = ["@".join(split_spec(spec)) for spec in chosen]
    except InvalidInput as error:
        errors.show(error)
        return "", ""
    specs = [f"llm:{model}" for model in models]
    for sentence in family_warnings(specs, {"target": target, **writers(page.store, page.project.id)}):
        st.warning(errors.plain(sentence))
    return ",".join(specs), way if len(specs) > 1 else ""


@cache.read("endpoints")
def _known(store: Store, project_id: str, judge: str) -> list[str]:
    """The models that the project has called, the run's own judge first."""
    profiles = profile_settings.of_endpoint(store, project_id, "")
    called = [f"{profile.model}@{profile.base_url}" for profile in profiles]
    return list(dict.fromkeys((*judging_models(judge), *called)))
