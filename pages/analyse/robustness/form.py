"""New variants from the screen: of which run, which kinds, how many; a preview; making, freezing and running them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st

from core.domain.jobs import Job
from core.domain.results.runs import Run
from core.domain.testset.variants import REPEAT
from core.jobs import list_jobs
from core.llm import Limits
from core.robustness.service import KIND, refuse_unfit, start_variants
from core.runs.target import searches_here
from core.testset.variants.making import Recipe
from core.testset.variants.registry import list_kinds, spec_of_kind
from core.testset.variants.service import VariantPlan
from pages.analyse.robustness import reads, words
from pages.kit import errors, project_reads, run_names, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import form as models
from pages.kit.models import judge
from pages.kit.work import jobs

ABOUT: Final = (
    "Variants of the questions of a run are put to the same system: misspelt, reworded, misleading, unclear, or about "
    "something that its documents do not hold. Each is compared with the answer to the question it was made from."
)
USUAL: Final = 30
"""Cases of each kind that are offered first."""
PREVIEWED: Final = 10


def job_in_view(page: Page) -> Job | None:
    """The job that makes variants: the URL's, else the newest that is at work or can go on."""
    linked = jobs.in_view(page, KIND)
    if linked is not None:
        return linked
    newest = next((job for job in list_jobs(page.store, page.project.id) if job.kind == KIND), None)
    return newest if newest is not None and newest.state.active else None


def draw(page: Page, finished: Mapping[str, Run], *, opened: bool) -> None:
    """The form that makes variants and runs them.

    Args:
        page: The page.
        finished: Runs they can be made for, newest first.
        opened: Whether it is drawn open.
    """
    sets = {one.id: one for one in project_reads.test_sets(page.store, page.project.id)}
    with st.expander("Make variants and run them", key="variants_form", expanded=opened, icon=":material/shuffle:"):
        run_id = st.selectbox(
            "Compare with run",
            list(finished),
            key="variants_of",
            format_func=lambda key: run_names.run_label(finished[key], sets),
            help="The variants are made of its test set, and put to the same system with the same options and judge.",
        )
        run = finished[run_id]
        recipe = _recipe(run)
        model, limits = _model(page, recipe)
        with errors.shown():
            _preview(page, run, recipe)
            plan = VariantPlan(recipe=recipe, model=model, limits=limits)
            if recipe.kinds:
                refuse_unfit(run, plan)
            if st.button(
                "Make, freeze and run variants", key="start_variants", type="primary", disabled=not recipe.kinds
            ):
                started = start_variants(page.store, run.id, plan, actor=page.actor)
                state.update(job=started.id, run="", case="", page=1)
                st.rerun()


def _recipe(run: Run) -> Recipe:
    plants = searches_here(run.target, run.options)
    specs = [spec for spec in list_kinds() if plants or not spec.plants]
    usual = [spec.name for spec in specs if not spec.plants]
    names = st.multiselect(
        "Kinds of variant",
        [spec.name for spec in specs],
        default=usual,
        key=f"variant_kinds_{plants}",
        format_func=words.title_of,
        placeholder="Choose kinds",
        help="Repeats ask the same question again: what flips by itself is no effect of a variant.",
    )
    if not plants:
        st.caption("This system searches documents of its own, so that no passage can be planted.")
    n_at, seed_at, rate_at, repeats_at = st.columns(4, vertical_alignment="bottom")
    n = n_at.number_input(
        "Cases of each kind", 1, 100_000, USUAL, key="variants_n", help="Drawn from the test set by the seed."
    )
    seed = seed_at.number_input("Seed", 0, 2**31 - 1, 0, key="variants_seed")
    rate = rate_at.number_input(
        "Misspelt words",
        0.01,
        1.0,
        0.1,
        step=0.05,
        key="variants_rate",
        help="Share of the words of a question that get a spelling mistake, one at least.",
    )
    repeats = repeats_at.number_input(
        "Repeats",
        1,
        20,
        3,
        key="variants_repeats",
        help="How often a question is asked again.",
        disabled=REPEAT not in names,
    )
    chosen = Recipe(kinds=tuple(names), n=int(n), seed=int(seed), rate=float(rate), repeats=int(repeats))
    asked = sum(chosen.repeats if name == REPEAT else 1 for name in names) * chosen.n if chosen.n else 0
    st.caption(f"At most {numbers.count(asked, 'question')}.")
    return chosen


def _model(page: Page, recipe: Recipe) -> tuple[str, Limits]:
    """The model that paraphrases, where one is wanted."""
    if "paraphrase" not in recipe.kinds:
        return "", Limits()
    wanted = st.checkbox(
        "Let a model paraphrase",
        key="variants_by_model",
        help="It is sent the question with each name, number and value masked, never a row of the database.",
    )
    if not wanted:
        return "", Limits()
    spec = models.choose_model(page, "variants_model")
    fields = judge.budget("variants")
    most = fields["budget_calls"]
    return spec or "", Limits(money=fields["budget"], calls=None if most is None else int(most))


def _preview(page: Page, run: Run, recipe: Recipe) -> None:
    if not recipe.kinds:
        return
    kind = st.segmented_control(
        "Preview by rules",
        list(recipe.kinds),
        default=recipe.kinds[0],
        key=f"variants_preview_{len(recipe.kinds)}",
        format_func=words.title_of,
    )
    if kind is None:
        return
    spec = spec_of_kind(kind)
    variants = reads.preview(page.store, run.test_set_id, kind, PREVIEWED, recipe.seed, recipe.rate)
    if spec:
        st.caption(f"{spec.question} Right: {spec.expected.value}.")
    for place, case in enumerate(variants.cases[:PREVIEWED]):
        parent = case.attributes.get("parent_question", "")
        with st.container(key=f"preview_{place}"):
            before_at, after_at = st.columns(2)
            before_at.markdown(errors.plain(parent))
            after_at.markdown(words.lit(parent, case.question))
            if planted := case.attributes.get("planted_passage"):
                after_at.caption(f"Planted: {errors.plain(planted)}")
    skipped = variants.skipped.get(kind, {})
    if skipped:
        reasons = "; ".join(f"{number:,}: {reason}" for reason, number in skipped.items())
        st.caption(errors.plain(f"Skipped while {len(variants.cases):,} were looked for: {reasons}."))
