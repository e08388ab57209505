"""Profiles on the Models page: what each model takes, by which call that was found, and what a person sets instead."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.domain.model_profiles import EDITABLE, Profile
from core.domain.sources.projects import Role
from core.llm import detecting, profile_settings
from core.llm.profile_settings import Line
from core.net.addresses import host_of
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.work import jobs

AS_FOUND = "as found"
CHOICES = {
    "api": ("chat", "responses", "azure"),
    "structured": ("schema", "grammar", "json", "none"),
    "prompts": ("full", "short"),
    "token_limit": ("max_tokens", "max_completion_tokens", "none"),
    "temperature": ("yes", "no"),
    "system": ("yes", "no"),
    "stream": ("yes", "no"),
    "context_cut": ("yes", "no"),
}
TEXTS = {
    "reasoning_effort": "minimal, low, medium or high, as the model takes it.",
    "api_version": "Sent as api-version where the endpoint's settings name none.",
    "context_tokens": "Tokens that a prompt may have.",
    "reply_tokens": "Tokens of an answer or a verdict, thoughts included; empty leaves that to the endpoint.",
    "extra_body": 'A JSON object, such as {"top_k": 1}; sent with every request.',
}
ROW = 35
"""Height of a row, in pixels."""

_OPEN, _SEEN = "profile_open", "profile_detected"


def draw(page: Page) -> None:
    """What is being detected, the models of which something is known, and the one in view."""
    _detecting(page)
    profiles = {profile.id: profile for profile in _profiles(page.store, page.project.id)}
    if not profiles:
        return
    st.subheader("What the models accept", anchor=False)
    st.caption(
        "Learned from calls: during work, when an endpoint refuses something, or all at once with Detect. A refusal is "
        "no error of a case: the call goes again without what was refused. What a person sets goes before what was "
        "found."
    )
    chosen = tables.select(
        pd.DataFrame([_row(profile) for profile in profiles.values()]), key="profiles", id_column="id"
    )
    if chosen != state.note("profile_seen", ""):
        state.keep("profile_seen", chosen)
        state.keep(_OPEN, chosen)
    opened = profiles.get(state.note(_OPEN, ""))
    if opened is None:
        st.caption("Choose a model to read how each was found, and to set one by hand.")
        return
    _opened(page, opened)


def detect(page: Page, endpoint: Endpoint, model: str) -> None:
    """Starts a worker that asks for all that a model takes."""
    spec = f"{model.strip()}@{endpoint.base_url}"
    with errors.shown():
        started = detecting.start_detecting(page.store, page.project.id, spec, actor=page.actor)
        state.update(job=started.id)
        st.rerun()


def _detecting(page: Page) -> None:
    """The worker that detects a model, where one is at work or was just done; then the model is opened."""
    job = jobs.in_view(page, detecting.KIND)
    if job is None:
        return
    st.subheader(f"Detecting what {errors.plain(job.subject)} accepts", anchor=False)
    jobs.panel(page, job.id, key="detect_job")
    if job.state is not JobState.FINISHED:
        return
    st.caption("What it accepts was learned from calls; each is in the list of calls.")
    if state.note(_SEEN, "") != job.id:
        known = _profiles(page.store, page.project.id)
        found = next((one for one in known if f"{one.model}@{one.base_url}" == job.subject), None)
        state.keep(_SEEN, job.id)
        state.keep(_OPEN, found.id if found else "")


def _row(profile: Profile) -> dict[str, object]:
    by_name = {line.name: line for line in profile_settings.lines(profile)}
    return {
        "id": profile.id,
        "Model": profile.model,
        "At host": host_of(profile.base_url),
        "Form enforced by": by_name["structured"].value,
        "Reasoning": by_name["thoughts"].value,
        "Context": by_name["context_tokens"].value,
        "Prompts": by_name["prompts"].value,
        "Set by hand": len(profile.edits),
        "Detected": numbers.when(profile.probed_at).removesuffix(" UTC") if profile.probed_at else "during work only",
    }


def _opened(page: Page, profile: Profile) -> None:
    st.markdown(f"**{errors.plain(profile.model)}** at {errors.plain(profile.base_url)}")
    lines = profile_settings.lines(profile)
    chosen = tables.select(
        pd.DataFrame([_line(line) for line in lines]),
        key="profile_lines",
        id_column="id",
        columns={
            "What": st.column_config.TextColumn(width=165),
            "Value": st.column_config.TextColumn(width=185),
            "Found by": st.column_config.TextColumn(width=300),
            "When": st.column_config.TextColumn(width=120),
        },
        height=ROW * (len(lines) + 1) + 3,
    )
    line = next((line for line in lines if line.name == chosen), None)
    if line is not None:
        st.markdown(errors.plain(f"{line.title}: {line.value}. {line.why}"))
        if line.call_id and st.button("See the call", key="see_profile_call", type="tertiary"):
            state.go("models", view="calls", call=line.call_id)
    if page.may(Role.VALIDATOR):
        _edit(page, profile)


def _line(line: Line) -> dict[str, object]:
    return {
        "id": line.name,
        "What": line.title,
        "Value": line.value,
        "Found by": line.why,
        "When": numbers.when(line.at).removesuffix(" UTC") if line.at else "",
    }


def _edit(page: Page, profile: Profile) -> None:
    with st.expander("Set by hand", key="profile_edit"), st.form(f"profile_{profile.id}", border=False):
        columns = st.columns(4)
        wanted: dict[str, str] = {}
        for place, (name, choices) in enumerate(CHOICES.items()):
            now = _shown(profile.edits.get(name))
            options = [AS_FOUND, *choices]
            wanted[name] = columns[place % 4].selectbox(
                profile_settings.TITLES[name],
                options,
                options.index(now) if now in options else 0,
                key=f"set_{name}_{profile.id}",
                format_func=partial(_choice, name),
            )
        texts = st.columns(len(TEXTS))
        for place, (name, meaning) in enumerate(TEXTS.items()):
            wanted[name] = texts[place].text_input(
                profile_settings.TITLES[name],
                _shown(profile.edits.get(name)),
                key=f"set_{name}_{profile.id}",
                max_chars=2000,
                placeholder=AS_FOUND,
                help=meaning,
            )
        if st.form_submit_button("Save the profile", key="save_profile"):
            with errors.shown():
                changes = _changes(profile, wanted)
                profile_settings.edit(page.store, page.project.id, profile.id, changes, actor=page.actor)
                state.say(f"The profile of {errors.plain(profile.model)} is saved; new calls use it.")
                st.rerun()
    if st.button("Forget the profile", key="forget_profile", type="tertiary", icon=":material/delete:"):
        with errors.shown():
            profile_settings.forget(page.store, page.project.id, profile.id, actor=page.actor)
            state.drop(_OPEN)
            state.say(f"What was known of {errors.plain(profile.model)} is forgotten; the next call learns it anew.")
            st.rerun()


def _changes(profile: Profile, wanted: dict[str, str]) -> dict[str, object]:
    """What differs from what is set now; an empty field takes a value back."""
    changes: dict[str, object] = {}
    for name, value in wanted.items():
        given = "" if value == AS_FOUND else value.strip()
        if given != _shown(profile.edits.get(name)):
            changes[name] = given or None
    return changes


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return profile_settings.in_words("extra_body", value) if isinstance(value, dict) else str(value)


def _choice(name: str, value: str) -> str:
    if value == AS_FOUND:
        return value
    typed = value == "yes" if EDITABLE[name] is bool else EDITABLE[name](value)
    return profile_settings.in_words(name, typed)


@cache.read("endpoints")
def _profiles(store: Store, project_id: str) -> list[Profile]:
    return profile_settings.of_endpoint(store, project_id, "")
