"""Endpoints on the Models page: which there are, one in a form, a tiny call that tries it, the hosts they mean."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.domain.llm import Endpoint, Structured
from core.domain.sources.projects import Role
from core.llm import endpoint_settings
from core.llm.endpoint_settings import Trial
from core.net.gate import strict
from core.runs.planning.hosts import hosts_of
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import cost, form
from pages.set_up.models import profiles

NEW = "new"
FORMS = {
    Structured.AUTO: "As detected for the model",
    Structured.SCHEMA: "JSON schema",
    Structured.GRAMMAR: "JSON mode with a schema",
    Structured.JSON: "JSON mode",
    Structured.NONE: "Instruction only",
}
"""How an endpoint is held to a form of reply."""

_OPEN = "endpoint_open"
_TRIED = "endpoint_tried"


def draw(page: Page) -> None:
    """The endpoints, the one that is being edited, and the hosts."""
    endpoints = {endpoint.id: endpoint for endpoint in form.endpoints_of(page.store, page.project.id)}
    edits = page.may(Role.VALIDATOR)
    page.context(numbers.count(len(endpoints), "endpoint"))
    if endpoints:
        _list(endpoints, edits)
    else:
        with st.container(border=True, key="empty_state"):
            st.markdown(
                "**No endpoint is set up yet.**  \nPlumbline works without a language model. With one it can write "
                "templates, judge answers in any wording, and be the system under test. Any service with OpenAI's "
                "protocol works, on this machine or elsewhere."
            )
            if edits and st.button("Add an endpoint", key="add_endpoint", type="primary"):
                state.keep(_OPEN, NEW)
                st.rerun()
    opened = state.note(_OPEN, "")
    if edits and opened == NEW:
        _form(page, Endpoint(id="", project_id=page.project.id, name="", base_url=""))
    elif opened in endpoints:
        if edits:
            _try(page, endpoints[opened])
            profiles.draw(page)
            _form(page, endpoints[opened])
        else:
            _read(endpoints[opened])
    if not (edits and opened in endpoints):
        profiles.draw(page)
    _hosts(page)


def _list(endpoints: dict[str, Endpoint], edits: bool) -> None:
    rows = [_row(endpoint) for endpoint in endpoints.values()]
    chosen = tables.select(pd.DataFrame(rows), key="endpoints", id_column="id")
    seen = state.note("endpoint_seen", "")
    if chosen != seen:
        # Only a click opens: what was opened by a button stays open until a row is chosen.
        state.keep("endpoint_seen", chosen)
        state.keep(_OPEN, chosen)
    if edits and st.button("Add an endpoint", key="add_endpoint"):
        state.keep(_OPEN, NEW)


def _row(endpoint: Endpoint) -> dict[str, object]:
    return {
        "id": endpoint.id,
        "Name": endpoint.name,
        "Base URL": endpoint.base_url,
        "Key": key_mark(endpoint),
        "Parallel calls": endpoint.concurrency,
        "Timeout": f"{endpoint.timeout_s:g} s",
        "Structured replies": FORMS[endpoint.structured],
        "By": endpoint.created_by,
    }


def key_mark(endpoint: Endpoint) -> str:
    """The variables an endpoint refers to, each with whether it is set on this server; never a value."""
    variables = endpoint_settings.variables(endpoint)
    missing = "not set here, or not named for this host" if strict() else "not set here"
    return ", ".join(f"{name} ({'set' if here else missing})" for name, here in variables.items()) or "none needed"


def _read(endpoint: Endpoint) -> None:
    """An endpoint for those who may not change it."""
    st.subheader(errors.plain(endpoint.name), anchor=False)
    st.caption("Your role can read endpoints but not change them.")
    st.code(endpoint.base_url, language=None)


def _form(page: Page, endpoint: Endpoint) -> None:
    key = endpoint.id or NEW
    st.subheader("Settings" if endpoint.id else "A new endpoint", anchor=False)
    with st.form(f"endpoint_{key}"):
        left, right = st.columns(2)
        name = left.text_input("Name", endpoint.name, key=f"name_{key}", max_chars=80, placeholder="Bank LLM")
        url = right.text_input(
            "Base URL",
            endpoint.base_url,
            key=f"url_{key}",
            max_chars=1000,
            placeholder="https://llm.example.com/v1",
            help="Up to and without /chat/completions.",
        )
        key_env = left.text_input(
            "Key: name of the environment variable",
            endpoint.key_env,
            key=f"key_{key}",
            max_chars=200,
            placeholder="BANK_LLM_KEY",
            help="The name, never the key: Plumbline reads the variable when it calls, and stores no secret. Empty for "
            "a service without a key.",
        )
        version = right.text_input(
            "API version",
            endpoint.api_version,
            key=f"version_{key}",
            max_chars=80,
            help="Only if the service needs it.",
        )
        headers = st.text_area(
            "Further headers, one per line",
            endpoint_settings.write_headers(endpoint.headers),
            key=f"headers_{key}",
            height=80,
            max_chars=4000,
            placeholder="X-Team=rag\nX-Api-Key=${BANK_LLM_KEY}",
            help="NAME=VALUE. A secret is written as ${NAME} of an environment variable.",
        )
        ca_bundle = left.text_input(
            "Certificates to trust (file on the server)", endpoint.ca_bundle, key=f"ca_{key}", max_chars=1000
        )
        proxy = right.text_input(
            "Proxy", endpoint.proxy, key=f"proxy_{key}", max_chars=1000, placeholder="http://proxy.example.com:3128"
        )
        timeout_at, deadline_at, parallel_at, form_at = st.columns(4)
        timeout = timeout_at.number_input(
            "Timeout of one attempt (s)", 0.1, 3600.0, endpoint.timeout_s, 5.0, key=f"timeout_{key}", format="%g"
        )
        deadline = deadline_at.number_input(
            "Deadline over all attempts (s)",
            0.1,
            36000.0,
            endpoint.deadline_s,
            10.0,
            key=f"deadline_{key}",
            format="%g",
        )
        at_once = parallel_at.number_input(
            "Parallel calls",
            1,
            1000,
            endpoint.concurrency,
            key=f"at_once_{key}",
            help="The ceiling. Plumbline goes below it by itself where the endpoint answers 429.",
        )
        structured = form_at.selectbox(
            "Structured replies",
            list(FORMS),
            list(FORMS).index(endpoint.structured),
            key=f"form_{key}",
            format_func=FORMS.__getitem__,
            help="How the endpoint is made to reply in JSON.",
        )
        if st.form_submit_button("Save endpoint", key=f"save_{key}", type="primary"):
            with errors.shown():
                saved = endpoint_settings.save(
                    page.store,
                    replace(
                        endpoint,
                        name=name,
                        base_url=url,
                        key_env=key_env.strip(),
                        api_version=version.strip(),
                        headers=endpoint_settings.read_headers(headers),
                        ca_bundle=ca_bundle.strip(),
                        proxy=proxy.strip(),
                        timeout_s=float(timeout),
                        deadline_s=float(deadline),
                        concurrency=int(at_once),
                        structured=structured,
                    ),
                    actor=page.actor,
                )
                state.keep(_OPEN, saved.id)
                state.say(f"The endpoint {errors.plain(saved.name)} is saved. Test it before you rely on it.")
                st.rerun()
    if endpoint.id:
        _remove(page, endpoint)


def _remove(page: Page, endpoint: Endpoint) -> None:
    with st.popover("Remove", icon=":material/delete:", key=f"remove_{endpoint.id}"):
        st.markdown(f"Remove **{errors.plain(endpoint.name)}**? Its calls stay in the list of calls.")
        if st.button("Remove endpoint", key=f"confirm_remove_{endpoint.id}"):
            with errors.shown():
                endpoint_settings.remove(page.store, page.project.id, endpoint.id, actor=page.actor)
                state.drop(_OPEN)
                state.say(f"The endpoint {errors.plain(endpoint.name)} is removed.")
                st.rerun()


def _try(page: Page, endpoint: Endpoint) -> None:
    st.subheader(errors.plain(endpoint.name), anchor=False)
    st.caption(errors.plain(f"Variables: {key_mark(endpoint)}."))
    what, button, detect = st.columns([4, 1, 1], vertical_alignment="bottom")
    model = what.text_input("Model to test with", key=f"try_model_{endpoint.id}", max_chars=200)
    if button.button("Test", key=f"try_{endpoint.id}", width="stretch", help="One short call; it may cost a little."):
        state.drop(_TRIED)
        with errors.shown(), st.spinner("Asking"):
            trial = endpoint_settings.try_out(page.store, page.project.id, endpoint.id, model, actor=page.actor)
            state.keep(_TRIED, (endpoint.id, model, trial))
    if detect.button(
        "Detect",
        key=f"detect_{endpoint.id}",
        width="stretch",
        disabled=not model.strip(),
        help="About fifteen calls, of fifteen thousand tokens together: parameters, forms, reasoning, context. A slow "
        "model takes minutes.",
    ):
        profiles.detect(page, endpoint, model)
    tried = state.note(_TRIED)
    if tried and tried[0] == endpoint.id:
        _trial(page, tried[1], tried[2])


def _trial(page: Page, model: str, trial: Trial) -> None:
    with st.container(border=True, key="trial"):
        st.markdown(f"**{errors.plain(model)} answered in {trial.seconds:.2f} s.**")
        st.code(trial.reply or "(an empty reply)", language=None, wrap_lines=True)
        counted = trial.prompt_tokens is not None and trial.completion_tokens is not None
        tokens = f"{trial.prompt_tokens} tokens sent, {trial.completion_tokens} received" if counted else ""
        facts = [
            f"Form enforced by: {FORMS[trial.structured]}",
            tokens or "The endpoint does not report its tokens, so its cost is unknown",
            f"cost {cost.money(trial.cost, '')}" if trial.cost is not None else "no price known",
        ]
        st.caption(errors.plain(" · ".join(facts)))
        if st.button("See the call", key="see_trial", type="tertiary"):
            state.go("models", view="calls", call=trial.call_id)


def _hosts(page: Page) -> None:
    st.subheader("Hosts Plumbline may call", anchor=False)
    allowed = endpoint_settings.allowed_hosts()
    hosts = hosts_of(page.store, page.project.id)
    if allowed:
        st.caption(
            f"PLUMBLINE_ALLOWED_HOSTS allows these and no other: {errors.plain(', '.join(allowed))}.",
        )
    elif page.settings.require_login:
        st.caption(
            "This server has sign-in and names no host that may be called. Its operator can name some in "
            "PLUMBLINE_ALLOWED_HOSTS."
        )
    else:
        st.caption(
            "Only hosts that somebody named in an endpoint or a run are called; there is no telemetry. "
            "PLUMBLINE_ALLOWED_HOSTS restricts this for everybody."
        )
    if hosts:
        rows = [(host.name, host.why) for host in hosts]
        tables.plain(pd.DataFrame(rows, columns=["Host", "Named by"]), key="hosts")
    else:
        st.caption("None is named in this project.")
