"""Prompts: which is in use, one to read, to edit as a new version, and to see filled."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd
import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.sources.projects import Role
from core.llm import Prompt, parse_prompt
from core.llm.prompts import versions
from core.llm.prompts.catalogue import SHORT
from core.llm.prompts.versions import Known
from core.store.database import Store
from core.store.models.prompt_versions import PromptVersion
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

BUILT_IN = "built-in"


def draw(page: Page, only: Collection[str] = ()) -> None:
    """Every prompt, and the one in view.

    Args:
        page: The page.
        only: The ids of the prompts that are shown, without ``/short``; empty for all.
    """
    items = {
        item.built_in.id: item
        for item in _prompts(page.store, page.project.id)
        if not only or item.built_in.id.removesuffix(SHORT) in only
    }
    edited = sum(item.chosen is not None for item in items.values())
    page.context(numbers.count(len(items), "prompt"), f"{edited} edited" if edited else "all built in")
    rows = pd.DataFrame([_row(item) for item in items.values()])
    columns = {"What it is for": st.column_config.TextColumn(width="large")}
    if tables.follow(rows, key="prompts", id_column="id", parameter="prompt", columns=columns, height=318):
        st.rerun()
    item = items.get(state.link().prompt)
    if item is None:
        st.caption("Choose a prompt to read it, to change its wording, or to see it filled with an example.")
        return
    with st.container(key="prompt_view"):
        _prompt(page, item)


def _row(item: Known) -> dict[str, object]:
    return {
        "id": item.built_in.id,
        "Prompt": item.built_in.id,
        "What it is for": item.built_in.purpose,
        "In use": item.chosen.version if item.chosen else f"{item.built_in.version} ({BUILT_IN})",
        "Versions": 1 + len(item.versions),
    }


def _prompt(page: Page, item: Known) -> None:
    prompt = item.built_in
    st.subheader(errors.plain(prompt.id), anchor=False)
    st.markdown(errors.plain(prompt.purpose))
    inputs = "; ".join(f"{name}: {meaning}" for name, meaning in prompt.inputs.items())
    st.caption(errors.plain(f"Inputs: {inputs}. Reply: {prompt.output}."))
    _choose(page, item)
    part = st.segmented_control(
        "Prompt",
        ["Wording", "Filled with an example", "Edit"],
        default="Wording",
        required=True,
        key=f"prompt_part_{prompt.id}",
        label_visibility="collapsed",
    )
    if part == "Edit":
        _edit(page, item)
    elif part == "Wording":
        st.code(versions.wording(item.text).strip(), language="jinja2", wrap_lines=True)
        _changes(item.built_in.text, item.text)
    else:
        with errors.shown():
            _messages(parse_prompt(item.text, f"The prompt {prompt.id}"))


def _choose(page: Page, item: Known) -> None:
    """Which version new calls are made from."""
    if not item.versions:
        return
    by_name = {version.version: version for version in item.versions}
    current = item.chosen.version if item.chosen else ""
    which, use = st.columns([4, 1], vertical_alignment="bottom")
    picked = which.selectbox(
        "Version for new calls",
        ["", *reversed(by_name)],
        index=["", *reversed(by_name)].index(current),
        key=f"prompt_version_{item.built_in.id}_{current}",
        format_func=lambda name: _version_label(by_name[name]) if name else f"{item.built_in.version} ({BUILT_IN})",
        disabled=not page.may(Role.VALIDATOR),
        help="Answers that were scored keep the version they were scored with.",
    )
    if picked != current and use.button("Use it", key="use_prompt", type="primary", width="stretch"):
        with errors.shown():
            versions.choose(page.store, page.project.id, item.built_in.id, picked, actor=page.actor)
            state.say(f"New calls use version {errors.plain(picked or BUILT_IN)} of {item.built_in.id}.")
            st.rerun()


def _version_label(version: PromptVersion) -> str:
    note = f": {version.note}" if version.note else ""
    return f"{version.version}, {numbers.when(version.created_at)} by {version.created_by}{note}"


def _edit(page: Page, item: Known) -> None:
    prompt = item.built_in
    if not page.may(Role.VALIDATOR):
        st.caption("Your role can read prompts but not change them.")
        return
    body = st.text_area(
        "Wording",
        versions.wording(item.text).strip(),
        key=f"prompt_body_{prompt.id}_{item.chosen.version if item.chosen else ''}",
        height=420,
        max_chars=versions.LONGEST,
        help="Jinja. Inputs are put in by {{ name }}; what comes from data is fenced, so that it cannot pass for an "
        "instruction. It is checked when you leave the field.",
    )
    try:
        draft = versions.check(prompt.id, versions.compose(prompt.id, body))
    except InvalidInput as error:
        errors.show(error)
        return
    same = body.strip() == versions.wording(item.text).strip()
    st.caption("Nothing is changed yet." if same else "The wording can be used.")
    _changes(prompt.text, draft.text)
    with st.expander("Filled with an example", key="prompt_preview"):
        _messages(draft)
    note, save = st.columns([4, 1], vertical_alignment="bottom")
    why = note.text_input("Why (optional)", key=f"prompt_note_{prompt.id}", max_chars=versions.LONGEST_NOTE)
    if save.button("Save as a new version", key="save_prompt", type="primary", disabled=same, width="stretch"):
        with errors.shown():
            saved = versions.save(page.store, page.project.id, prompt.id, body, actor=page.actor, note=why)
            state.say(f"Version {saved.version} of {prompt.id} is saved and in use.")
            st.rerun()


def _changes(old: str, new: str) -> None:
    """What differs from the built-in wording."""
    changed = versions.difference(versions.wording(old).strip(), versions.wording(new).strip())
    if changed:
        st.markdown("**Changes to the built-in wording**")
        st.code(changed, language="diff", wrap_lines=True)


def _messages(prompt: Prompt) -> None:
    """A prompt as a model would get it, with made-up inputs."""
    for message in versions.preview(prompt):
        st.markdown(f"**{message.role}**")
        st.code(message.content, language=None, wrap_lines=True)


@cache.read("prompts")
def _prompts(store: Store, project_id: str) -> list[Known]:
    return versions.of_project(store, project_id)
