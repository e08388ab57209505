"""What is validated and why: the profile of the project, read by all and written by validators."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.domain.sources.profiles import Materiality, ProjectProfile, Risk, SystemUnderTest
from core.domain.sources.projects import Role
from core.project.profiles import save_profile
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, verbatim
from pages.set_up.overview import reads

MATERIALITY = {Materiality.HIGH: "▲ High", Materiality.MEDIUM: "■ Medium", Materiality.LOW: "▽ Low"}
Shown = Literal["visible", "collapsed"]

BLANK_RISKS = 2
"""Empty lines for further risks; more appear once these are saved."""


def draw(page: Page) -> None:
    """The form for validators, the text for everyone else."""
    profile = reads.profile(page.store, page.project.id)
    if profile.changed_at:
        st.caption(f"Last changed {numbers.when(profile.changed_at)} by {errors.plain(profile.changed_by)}.")
    if profile.missing:
        st.caption(f"Not written yet: {', '.join(profile.missing)}. The report begins with these.")
    if page.may(Role.VALIDATOR):
        _form(page, profile)
    else:
        _text(profile)


def _form(page: Page, profile: ProjectProfile) -> None:
    # A key for each state of the profile: what was typed beside an older one is never saved over a newer one unseen.
    tag = profile.changed_at
    with st.form(f"profile_{tag}"):
        left, right = st.columns(2)
        purpose = left.text_area(
            "Purpose",
            profile.purpose,
            key=f"purpose_{tag}",
            height=90,
            placeholder="What this validation is to decide",
        )
        scope = right.text_area(
            "Scope",
            profile.scope,
            key=f"scope_{tag}",
            height=90,
            placeholder="What it covers, and what it leaves out",
        )
        intended_use = left.text_area(
            "Intended use",
            profile.intended_use,
            key=f"use_{tag}",
            height=90,
            placeholder="What the system is used for, and what it must not be used for",
        )
        users = right.text_area(
            "Users",
            profile.users,
            key=f"users_{tag}",
            height=90,
            placeholder="Who uses it, and who is affected by its answers",
        )
        system = _system(profile.system, tag)
        risks = _risks(profile.risks, tag)
        saved = st.form_submit_button("Save purpose and risks", key="save_profile", type="primary")
    if saved:
        with errors.shown():
            wanted = ProjectProfile(
                purpose=purpose, scope=scope, intended_use=intended_use, system=system, users=users, risks=risks
            )
            save_profile(page.store, page.project.id, wanted, actor=page.actor)
            state.say("The profile is saved.")
            st.rerun()


def _system(system: SystemUnderTest, tag: str) -> SystemUnderTest:
    st.markdown("**System under test**")
    cells = st.columns(4)
    texts = {
        name: cell.text_input(label, getattr(system, name), key=f"system_{name}_{tag}")
        for cell, (name, label) in zip(
            cells,
            (("name", "Name"), ("version", "Version"), ("owner", "Owner"), ("model", "Language model")),
            strict=True,
        )
    }
    about = st.text_area(
        "How it works",
        system.description,
        key=f"system_description_{tag}",
        height=70,
        placeholder="Retrieval, number of passages, prompt, what it does when it does not know",
    )
    return SystemUnderTest(**texts, description=about)


def _risks(risks: tuple[Risk, ...], tag: str) -> tuple[Risk, ...]:
    st.markdown("**Risks of using it**  \n:small[:gray[An empty line is left out when you save.]]")
    kinds = list(Materiality)
    written = []
    for place, risk in enumerate([*risks, *[Risk(name="")] * BLANK_RISKS]):
        name_at, kind_at, about_at = st.columns([3, 1.4, 5])
        shown: Shown = "visible" if place == 0 else "collapsed"
        name = name_at.text_input(
            "Risk",
            risk.name,
            key=f"risk_{place}_{tag}",
            placeholder="Wrong rate quoted",
            label_visibility=shown,
        )
        kind = kind_at.selectbox(
            "Materiality",
            kinds,
            index=kinds.index(risk.materiality),
            format_func=MATERIALITY.__getitem__,
            key=f"materiality_{place}_{tag}",
            label_visibility=shown,
            help="How much harm it can do where it comes true.",
        )
        about = about_at.text_input(
            "How it comes about, and whom it harms",
            risk.description,
            key=f"risk_about_{place}_{tag}",
            label_visibility=shown,
        )
        if name.strip() or about.strip():
            written.append(Risk(name=name, materiality=kind, description=about))
    return tuple(written)


def _text(profile: ProjectProfile) -> None:
    system = profile.system
    named = " · ".join(filter(None, (system.name, system.version, system.model, system.owner)))
    for label, text in (
        ("Purpose", profile.purpose),
        ("Scope", profile.scope),
        ("Intended use", profile.intended_use),
        ("Users", profile.users),
        ("System under test", "\n".join(filter(None, (named, system.description)))),
    ):
        st.markdown(f"**{label}**")
        verbatim.show(text or numbers.NONE)
    st.markdown("**Risks of using it**")
    for risk in profile.risks:
        verbatim.show(f"{MATERIALITY[risk.materiality]}: {risk.name}. {risk.description}")
    if not profile.risks:
        verbatim.show(numbers.NONE)
    st.caption("Only a validator of the project may change this.")
