"""The result of a run on variants: the filters, four figures, a row per kind with whiskers, the table behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from core.domain.estimates import Estimate, Proportion
from core.domain.results.runs import RunState
from core.robustness.flips import KindFigures, right_share
from core.robustness.result import Robustness
from core.robustness.service import VariantRun
from pages.analyse.robustness import frames, words
from pages.kit import errors, project_reads, run_names, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, whiskers
from pages.kit.look.headline import Figure
from pages.kit.look.whiskers import Row

MEASURES = {"change": "Change of accuracy", "broke": "Right to wrong", "right": "Right behaviour"}
"""What the picture shows, by its name in the URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is in view.

    Attributes:
        kind: The kind whose variants are listed; empty for all.
        measure: A key of `MEASURES`.
    """

    kind: str
    measure: str


def choose(page: Page, variant_runs: Mapping[str, VariantRun]) -> VariantRun | None:
    """The run on variants in view: the URL's, else the newest finished one, made for the linked run if there is one."""
    if not variant_runs:
        return None
    linked = page.link.run
    default = linked if linked in variant_runs else ""
    finished = [key for key, item in variant_runs.items() if item.run.state is RunState.FINISHED] or list(variant_runs)
    default = default or next(
        (key for key in finished if (parent := variant_runs[key].parent) and parent.id == linked), finished[0]
    )
    sets = {one.id: one for one in project_reads.test_sets(page.store, page.project.id)}
    run_at, measure_at = st.columns([3, 2], vertical_alignment="bottom")
    with run_at:
        chosen = state.choose(
            "Run on variants",
            list(variant_runs),
            "run",
            default=default,
            name=lambda key: run_names.run_label(variant_runs[key].run, sets),
            pinned=True,
        )
    with measure_at:
        state.choose("Show", list(MEASURES), "view", default="change", name=MEASURES.__getitem__)
    return variant_runs[chosen]


def context(page: Page, chosen: VariantRun) -> None:
    """What is compared with what."""
    parent = chosen.parent
    page.context(
        f"{errors.plain(chosen.test_set.name)} v{chosen.test_set.version}",
        f"target {errors.plain(run_names.target_name(chosen.run))}",
        f"run {chosen.run.id}, compared with {parent.id}"
        if parent
        else f"run {chosen.run.id}, nothing to compare with",
    )
    if parent is None:
        st.warning(
            "The run on the original questions is not in this project, so that no flip can be counted. Run the test "
            "set they come from with the same system.",
            icon=":material/help:",
        )


def draw(page: Page, chosen: VariantRun, result: Robustness) -> Shown:
    """Draws the figures of all kinds.

    Returns:
        The kind whose variants are listed.
    """
    headline.draw(_headline(result))
    measure = state.link().view if state.link().view in MEASURES else "change"
    picked = charts.show(
        _figure(result, measure),
        key=f"kinds_{measure}",
        data=frames.kinds_data(result.kinds),
        name="robustness",
        select=True,
    )
    by_itself = result.noise.flipped
    if by_itself.den:
        st.caption(f"By itself, without any change, {frames.shown(by_itself)} of the verdicts change when asked again.")
    for sentence in result.not_measured:
        st.caption(errors.plain(sentence))
    tables.plain(frames.kinds_frame(result.kinds).drop(columns=["id"], errors="ignore"), key="kinds_table")
    if result.drops:
        with st.expander("Drop of each score", key="drops_panel"):
            st.caption("Below 0 is worse, whichever way the score is good.")
            tables.plain(frames.drops_frame(result.drops), key="drops_table")
    _variants_made(chosen)
    names = list(dict.fromkeys(pair.kind for pair in result.pairs))
    if picked and picked[0] in names and picked[0] != state.note("robustness_picked", ""):
        state.keep("robustness_picked", picked[0])
        state.update(kind=picked[0], case="", page=1)
    kind_at, weakness_at = st.columns([3, 1], vertical_alignment="bottom")
    with kind_at:
        kind = state.choose("Variants of the kind", names, "kind", every="Every kind", name=words.title_of)
    if weakness_at.button("Show where on Weakness", key="to_weakness", icon=":material/grid_on:"):
        state.go("weakness", run=chosen.run.id, score="flipped", attribute="variant", kind="", view="", case="")
    return Shown(kind=kind, measure=measure)


def _headline(result: Robustness) -> list[Figure]:
    tested = [figures for figures in result.kinds if figures.p_adjusted is not None]
    weak = [figures for figures in tested if figures.weak]
    worst = min(tested, key=lambda figures: figures.change.value or 0.0, default=None)
    pairs = [pair for pair in result.pairs if result.figures(pair.kind) is not None]
    return [
        headline.count(
            "robust_weak",
            "Kinds that make it worse",
            len(weak),
            len(tested),
            "kinds tested",
            "Kinds whose variants are answered worse than their parents, shown by a test adjusted over the kinds.",
        ),
        _worst(worst),
        headline.share(
            "robust_right",
            "Right behaviour",
            right_share(pairs),
            "The same answer, a correction, a question back or a refusal, whichever is right for the kind; of the "
            "variants of which rules can say.",
        ),
        headline.share(
            "robust_noise",
            "Changes by itself",
            result.noise.flipped,
            "Verdicts that change when the same question is asked again: the noise of the system and of its judge.",
        ),
    ]


def _worst(figures: KindFigures | None) -> Figure:
    label = "Largest drop of accuracy"
    if figures is None or figures.change.value is None:
        return Figure(key="robust_worst", label=label, value=numbers.NONE, note="no kind could be tested")
    ends = numbers.interval(figures.change.low, figures.change.high)
    return Figure(
        key="robust_worst",
        label=label,
        value=numbers.share(figures.change.value),
        note=f"{errors.plain(words.title_of(figures.kind))} · {ends} · n = {figures.change.n:,}",
        help="Accuracy of the variants minus that of their parents, with the 95% interval over semantic groups.",
    )


def _figure(result: Robustness, measure: str) -> go.Figure:
    rows = [_row(figures, measure) for figures in result.kinds]
    if measure == "change":
        return whiskers.estimates(
            rows, axis="Accuracy of variants minus that of their parents", title=_title(result), line=0.0
        )
    axis = (
        "Share of right answers that became wrong" if measure == "broke" else "Share of variants with right behaviour"
    )
    by_itself = result.noise.broke.value if measure == "broke" else None
    return whiskers.estimates(rows, axis=axis, span=(0.0, 1.0), line=by_itself)


def _row(figures: KindFigures, measure: str) -> Row:
    label = words.title_of(figures.kind)
    if measure == "change":
        value = figures.change
        least = "" if figures.detectable is None else f", detects ≥ {numbers.share(figures.detectable)}"
        note = f"{numbers.estimate(value)}  n = {value.n:,}{least}" if value.value is not None else ""
        value = value if value.value is not None else _none("no right answer to compare")
        return Row(
            id=figures.kind, label=label, value=value, note=note, colour="incorrect" if figures.weak else "accent"
        )
    share = figures.broke if measure == "broke" else figures.right
    return Row(id=figures.kind, label=label, value=_estimate(share), note=frames.shown(share))


def _estimate(share: Proportion) -> Estimate:
    if not share.den:
        return _none("no data (0/0)")
    return Estimate(value=share.value, low=share.low, high=share.high, n=share.den, method=share.method)


def _none(why: str) -> Estimate:
    return Estimate(value=None, low=None, high=None, n=0, method=why)


def _title(result: Robustness) -> str:
    weak = [words.title_of(figures.kind).lower() for figures in result.kinds if figures.weak]
    tested = sum(figures.p_adjusted is not None for figures in result.kinds)
    if not tested:
        return ""
    if not weak and not any(figures.broke.den for figures in result.kinds):
        return "No original question was answered right, so that no answer could become worse"
    if not weak:
        return f"No kind of {tested} is shown to make answers worse"
    listed = ", ".join(weak[:3]) + (f" and {len(weak) - 3} more" if len(weak) > 3 else "")
    return f"Answers become worse under {listed}"


def _variants_made(chosen: VariantRun) -> None:
    made = chosen.test_set.options.get("variants")
    if not isinstance(made, Mapping):
        return
    with st.expander("How the variants were made, and what was skipped", key="made_panel"):
        recipe = made.get("recipe")
        seed = recipe.get("seed") if isinstance(recipe, Mapping) else ""
        st.caption(errors.plain(f"Seed {seed}; likeness of meaning {made.get('similarity', 'not measured')}."))
        for reason, number in chosen.test_set.drops.items():
            st.caption(errors.plain(f"{numbers.count(number, 'case')} skipped: {reason}."))
