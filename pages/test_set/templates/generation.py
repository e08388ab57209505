"""Templates and wordings by a language model: who writes, the form, the job, and what came of the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.sources.projects import Source
from core.domain.testset.templates import TemplateStatus, TextTemplate
from core.llm import Limits
from core.llm.spending.estimates import Outlook
from core.store.database import Store
from core.testset.grounded.llm.forms import FORM_CRITERIA
from core.testset.grounded.llm.sql_generator import MOST_PER_SET
from core.testset.grounded.llm.text_generator import MOST_PER_FORM
from core.testset.templates.generating import start_generation
from core.testset.templates.generation_cost import expected_calls, expected_cost
from core.testset.templates.llm_requests import Expected, Generation
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import cost
from pages.kit.models import form as model_form

RULES, LLM = "rules", "llm"
WRITERS = {RULES: "Rules", LLM: "Language model"}
SIZES = {1: "Single tables", 2: "Pairs", 3: "Triples"}
LONGEST = 2_000
PRIVACY = "The schema is sent: names, types, keys. Rows are not; the checks run here, on the data."


def writer() -> str:
    """Who writes templates and wordings; rules unless a person chooses otherwise."""
    return str(
        st.segmented_control(
            "Written by",
            list(WRITERS),
            default=RULES,
            required=True,
            format_func=WRITERS.__getitem__,
            key="writer",
            persist_state="session",
            help="Rules need no model and always write the same. A language model writes more variety, in any form; "
            "what it writes passes the same checks and waits for the same review.",
        )
    )


def sql_form(page: Page, source: Source, *, first: bool) -> None:
    """What a model needs to know to propose SQL templates."""
    with st.container(border=True, key="llm_sql"):
        st.markdown("**SQL templates by a language model**, for each set of tables that foreign keys connect")
        model = _model(page)
        sizes_at, number_at, tables_at = st.columns([3, 2, 4])
        sizes = sizes_at.multiselect(
            "Tables asked about together",
            list(SIZES),
            default=[1, 2],
            format_func=SIZES.__getitem__,
            key="llm_sizes",
            persist_state="session",
        )
        per_set = number_at.number_input(
            "Templates per set",
            min_value=1,
            max_value=MOST_PER_SET,
            value=5,
            key="llm_per_set",
            persist_state="session",
        )
        names = [table.name for table in source.schema.tables] if source.schema else []
        chosen = tables_at.multiselect(
            "Only these tables", names, key=f"llm_tables_{source.id}", persist_state="session", placeholder="All tables"
        )
        criteria = _criteria("llm_sql_criteria", "Only what a customer would ask. No contact details.")
        generation = Generation(
            what="sql", model=model, criteria=criteria, sizes=tuple(sizes), tables=tuple(chosen), per_set=int(per_set)
        )
        expected = expected_calls(page.store, page.project.id, generation)
        st.caption(_estimate(expected, model, "table set", "template"))
        generation = _within(page, generation, "sql_cost")
        _start(page, generation, "Ask for templates", key="generate_sql", first=first, ready=bool(expected.requests))


def text_form(page: Page, texts: Sequence[TextTemplate]) -> None:
    """What a model needs to know to word the approved SQL templates, and to turn wordings back into SQL."""
    with st.container(border=True, key="llm_text"):
        st.markdown("**Wordings by a language model**, of every approved SQL template in each form")
        model = _model(page)
        forms_at, number_at = st.columns([5, 2])
        offered = list(dict.fromkeys([*FORM_CRITERIA, *(text.form for text in texts)]))
        chosen = forms_at.multiselect(
            "Forms",
            offered,
            default=["short", "long"],
            key="llm_forms",
            persist_state="session",
            accept_new_options=True,
            help="A form of your own: type its name, then describe it below.",
        )
        n = number_at.number_input(
            "Wordings per form", min_value=1, max_value=MOST_PER_FORM, value=3, key="llm_n", persist_state="session"
        )
        described = {form: _about(form) for form in chosen}
        criteria = _criteria("llm_text_criteria", "British spelling. Say branch, never office.")
        round_trip = st.toggle(
            "Round trip: have the model turn each wording back into SQL",
            key="llm_round_trip",
            persist_state="session",
            help="Both statements are run on a sample of values. Where results differ, or a wording cannot be turned "
            "back, it is flagged for you; it is evidence, not a refusal. One call for each wording.",
        )
        generation = Generation(
            what="text", model=model, criteria=criteria, forms=described, n=int(n), round_trip=round_trip
        )
        expected = expected_calls(page.store, page.project.id, generation)
        st.caption(_estimate(expected, model, "pair of template and form", "wording", "pairs of template and form"))
        generation = _within(page, generation, "text_cost")
        with st.container(horizontal=True):
            _start(
                page,
                generation,
                "Ask for wordings",
                key="generate_text",
                first=not texts,
                ready=bool(expected.requests),
            )
            drafts = sum(text.status is TemplateStatus.DRAFT for text in texts)
            if drafts:
                back = Generation(what="round_trip", model=model, limits=generation.limits)
                _start(page, back, f"Turn {numbers.count(drafts, 'draft')} back into SQL", key="turn_back", first=False)


def _model(page: Page) -> str:
    """The model, with a word on where endpoints are kept while the project has none."""
    if not model_form.endpoints_of(page.store, page.project.id):
        st.caption(
            "The project has no endpoint yet: give an address here, or keep one with its key and limits on the Models "
            "page. Rules need none."
        )
    return model_form.choose_model(page, "generate")


def _about(form: str) -> str:
    """The words of a form: built-in ones are shown, one's own are asked for."""
    built_in = FORM_CRITERIA.get(form, "")
    if built_in:
        return ""
    return st.text_input(
        f"What is a wording of the form {errors.plain(form)} like?",
        key=f"about_{form}",
        persist_state="session",
        max_chars=500,
        placeholder="One sentence, such as: As a spoken question with a greeting.",
    )


def _criteria(key: str, example: str) -> str:
    return st.text_area(
        "Further criteria",
        key=key,
        persist_state="session",
        height=80,
        max_chars=LONGEST,
        placeholder=f"None. For example: {example}",
        help="In your words; they are sent to the model beside our own criteria.",
    )


def _estimate(expected: Expected, model: str, thing: str, product: str, things: str = "") -> str:
    """What a generation will take, before it is started."""
    if not expected.requests:
        return f"There is no {thing} to ask about."
    calls = numbers.count(expected.most_calls, "model call")
    if expected.least_calls != expected.most_calls:
        calls = f"{expected.least_calls:,} to {calls}"
    host = f" to {errors.plain(urlsplit(model.rpartition('@')[2]).netloc)}" if model else ""
    return (
        f"{numbers.count(expected.requests, thing, things)}, {numbers.count(expected.wanted, product)} requested: "
        f"{calls}{host}; what was asked before is not asked again. {PRIVACY}"
    )


def _within(page: Page, generation: Generation, key: str) -> Generation:
    """The generation within the budget a person sets, beside what it will take; as it is while it is not whole."""
    if not generation.model:
        return generation

    try:
        generation.check()
        outlook = _outlook(page.store, page.project.id, generation, str(generation.as_params()))
    except PlumblineError:  # told when it is started
        return generation
    limits = cost.calls_panel(outlook, cost.line(outlook), key=key, what="request")
    return replace(generation, limits=Limits.of(limits))


@cache.read("templates", "sources", "prices", "calls", "endpoints", "prompts")
def _outlook(store: Store, project_id: str, _generation: Generation, params: str) -> Outlook:
    """What a generation will take; `params` is all of it, as one text."""
    return Outlook(parts=expected_cost(store, project_id, _generation))


def _start(page: Page, generation: Generation, label: str, *, key: str, first: bool, ready: bool = True) -> None:
    if not st.button(label, key=key, type="primary" if first else "secondary", disabled=not ready):
        return
    if not generation.model:
        st.info("Give the model and its address first; without one, choose Rules above.")
        return
    with errors.shown():
        state.update(job=start_generation(page.store, page.project.id, generation, actor=page.actor).id)
        st.rerun()
