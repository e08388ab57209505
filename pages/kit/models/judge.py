"""Which judge a run has, and within which budget it works."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

import streamlit as st

from core.data_folder import project_folder
from core.judging import JudgeSpec, list_judges
from core.judging.llm_judge import OFFERED_REPEATS
from core.judging.match.settings import OFFERED_TOLERANCES, CoarseDates, MatchSettings
from core.judging.models.families import family_warnings
from core.llm import Limits
from core.store.database import Store
from core.testset.writers import question_writers
from pages.kit import cache, errors, uploads
from pages.kit.frame import Page
from pages.kit.models import cost, form

RECORDED, MODEL = "recorded", "llm"
COARSE_DATES = {
    CoarseDates.NOT_ACCEPTED.value: "Incorrect",
    CoarseDates.PARTLY.value: "Partly correct",
    CoarseDates.ACCEPTED.value: "Correct",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenJudge:
    """The judge spec and the options of the run that belong to it."""

    spec: str
    options: dict[str, object] = field(default_factory=dict)


def choose_kind() -> JudgeSpec:
    """The kind of judge."""
    specs = {spec.name: spec for spec in list_judges() if spec.name != RECORDED}
    names = sorted(specs, key=lambda name: name == MODEL)  # what needs no key comes first
    name = st.selectbox("Judge", names, key="judge", format_func=lambda key: specs[key].title)
    st.caption(errors.plain(specs[name].question))
    return specs[name]


def details(page: Page, kind: JudgeSpec) -> ChosenJudge | None:
    """What the kind needs to know; None while something is missing, which is told."""
    if kind.argument == uploads.FILE:
        upload = st.file_uploader(kind.title, key="judge_file")
        if upload is None:
            return None
        path = uploads.keep(project_folder(page.project.id, "judge_files"), upload.name, upload.getvalue())
        return ChosenJudge(spec=f"{kind.name}:{path}")
    if kind.name != MODEL:
        return ChosenJudge(spec=kind.usage, options=rules_settings().options())
    with st.container(border=True, key="judge_form"):
        st.markdown("**The model that judges**")
        spec = form.choose_model(page, "judge_model")
        often, first = st.columns(2, vertical_alignment="bottom")
        repeats = often.segmented_control(
            "Verdicts on each answer",
            list(OFFERED_REPEATS),
            key="judge_repeats",
            default=OFFERED_REPEATS[0],
            required=True,
            persist_state="session",
            help="Several are drawn independently, and the majority decides.",
        )
        match_first = first.toggle(
            "Rules first, a model for the rest",
            key="judge_match_first",
            persist_state="session",
            help="Where the match rules decide, no model is asked. How far the two agree is shown on the Judges page.",
        )
    rules = rules_settings() if match_first else MatchSettings()
    if not spec:
        return None
    options = {"judge_repeats": repeats, "judge_match_first": match_first, **rules.options()}
    return ChosenJudge(spec=f"{MODEL}:{spec}", options=options)


def rules_settings() -> MatchSettings:
    """What the match rules accept: how far a figure may be from the reference, and coarser dates."""
    figures, dates = st.columns(2, vertical_alignment="bottom")
    tolerance = figures.selectbox(
        "Tolerance for figures",
        [str(share) for share in OFFERED_TOLERANCES],
        key="judge_tolerance",
        persist_state="session",
        format_func=_shown_tolerance,
        help="How far a figure may be from the reference, in percent of the reference. The reason of each verdict "
        "names it where it decided.",
    )
    coarse_dates = dates.segmented_control(
        "Coarser dates count as",
        list(COARSE_DATES),
        key="judge_coarse_dates",
        default=CoarseDates.NOT_ACCEPTED.value,
        required=True,
        persist_state="session",
        format_func=COARSE_DATES.__getitem__,
        help="What an answer counts for that gives March 2021 where the reference is 15 March 2021.",
    )
    return MatchSettings(tolerance=Decimal(tolerance), coarse_dates=CoarseDates(coarse_dates))


def _shown_tolerance(share: str) -> str:
    settings = MatchSettings(tolerance=Decimal(share))
    return settings.shown_tolerance if settings.tolerance else "As precise as the reference"


def warn_of_same_family(page: Page, judge: str, target: str) -> None:
    """Warns where the judge's model is of the same family as the one it judges, or as one that wrote the questions."""
    for sentence in family_warnings([judge], {"target": target, **writers(page.store, page.project.id)}):
        st.warning(errors.plain(sentence))


@cache.read("endpoints", "calls")
def writers(store: Store, project_id: str) -> dict[str, str]:
    """The models that wrote the project's questions, by what a sentence calls them."""
    return question_writers(store, project_id)


def budget(key: str) -> dict[str, float | int | None]:
    """The fields of a new budget, with a key that is unique on the page; a limit left empty is none."""
    limits = cost.limit_fields(key, Limits())
    return {"budget": limits.money, "budget_calls": limits.calls}
