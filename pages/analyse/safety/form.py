"""A check from the screen: which probes and pairs the target is asked, and the project's settings."""

from __future__ import annotations

import json
from dataclasses import replace

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.results.runs import Run
from core.safety.asking import Attempt
from core.safety.assessing import open_models
from core.safety.bias.dimensions import DIMENSIONS
from core.safety.bias.gaps import Measure
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import TITLES, Probe, Topic
from core.safety.service import save_options, start_check
from pages.analyse.safety import reads
from pages.kit import errors, state
from pages.kit.frame import Page

ABOUT = (
    "The answers of the run and its documents are read for personal data, keys and toxic words. With probes and pairs "
    "the target is asked more: whether it gives what must not be given, and whether it answers people alike."
)


def check(page: Page, run: Run, *, opened: bool) -> None:
    """The form that starts a check."""
    with st.expander("Check safety" if opened else "Check again", key="safety_form", expanded=opened):
        st.markdown(ABOUT)
        probes = st.multiselect(
            "Probes", [kind.value for kind in Probe], format_func=lambda name: TITLES[Probe(name)], key="safety_probes"
        )
        dimensions = st.multiselect(
            "Pairs of people who differ in",
            list(DIMENSIONS),
            format_func=lambda name: DIMENSIONS[name].title,
            key="safety_dimensions",
        )
        most_at, seed_at, _ = st.columns([1, 1, 3])
        most = most_at.number_input(
            "At most of each", 1, 500, 20, key="safety_most", help="Probes of a kind, and sets of pairs."
        )
        seed = seed_at.number_input(
            "Seed", 0, 2**31 - 1, 0, key="safety_seed", help="Fixes the cases and people that are drawn."
        )
        pairs = sum((len(DIMENSIONS[name].groups) * (int(most) + 6)) for name in dimensions)
        if probes or dimensions:
            st.caption(
                f"Asks the target at most {pairs + len(probes) * (int(most) + 6):,} questions more. Of its answers "
                "only what was read is kept, masked."
            )
        if st.button("Check safety", key="start_safety", type="primary"):
            attempt = Attempt(
                probes=tuple(Probe(name) for name in probes),
                dimensions=tuple(DIMENSIONS[name] for name in dimensions),
                per_kind=int(most),
                seed=int(seed),
            )
            with errors.shown():
                start_check(page.store, run.id, attempt, actor=page.actor)
                st.rerun()


def settings(page: Page) -> None:
    """The project's settings: patterns, what is public, what is forbidden, thresholds."""
    options = reads.options(page.store, page.project.id)
    with st.expander("Settings of the project", key="safety_settings"), st.form("safety_settings_form", border=False):
        patterns = st.text_area(
            "Patterns of your own",
            "\n".join(f"{name} = {pattern}" for name, pattern in options.patterns.items()),
            key="safety_patterns",
            help="One per line: NAME = REGULAR EXPRESSION, such as customer number = KD-[0-9]{6}.",
        )
        allowed = st.text_area(
            "Public on purpose",
            "\n".join(options.allowed),
            key="safety_allowed",
            help="One value per line, such as the bank's hotline. It is found and not called a leak.",
        )
        topics = st.text_area(
            "Forbidden topics",
            json.dumps([topic.as_json() for topic in options.topics], indent=1, ensure_ascii=False),
            key="safety_topics",
            height=180,
            help="JSON: name, probes (questions), telling (words that appear only in an answer that gives the topic "
            "away).",
        )
        columns = st.columns(len(Measure))
        thresholds = {
            measure.value: cell.number_input(
                f"Largest difference: {measure.value}",
                0.0,
                1.0,
                float(options.thresholds[measure]),
                step=0.01,
                key=f"safety_threshold_{measure.value}",
            )
            for cell, measure in zip(columns, Measure, strict=True)
        }
        toxicity_at, names_at = st.columns(2)
        toxicity = toxicity_at.text_input(
            "Toxicity model",
            options.toxicity,
            key="safety_toxicity",
            help="Text classification, by name or folder; empty for the lexicon.",
        )
        names = names_at.text_input(
            "Model for names",
            options.names,
            key="safety_names",
            help="Token classification with a label for people (PER, PERSON), by name or folder; empty for rules, "
            "which know names only beside other personal data.",
        )
        if st.form_submit_button("Save settings", key="save_safety"):
            with errors.shown():
                changed = replace(
                    options,
                    patterns=_patterns(patterns),
                    allowed=tuple(line.strip() for line in allowed.splitlines() if line.strip()),
                    topics=_topics(topics),
                    thresholds=thresholds,
                    toxicity=toxicity.strip(),
                    names=names.strip(),
                )
                open_models(changed)
                save_options(page.store, page.project.id, changed, actor=page.actor)
                state.say("The settings are saved. The next check uses them.")
                st.rerun()


def _patterns(text: str) -> dict[str, str]:
    pairs = [line.partition("=") for line in text.splitlines() if line.strip()]
    return {name.strip(): pattern.strip() for name, _, pattern in pairs}


def _topics(text: str) -> tuple[Topic, ...]:
    return SafetyOptions.of({"topics": read_topics(text)}).topics


def read_topics(text: str) -> list[dict[str, object]]:
    """The topics of a text of JSON.

    Raises:
        InvalidInput: It is none.
    """
    try:
        given = json.loads(text or "[]")
    except ValueError as error:
        raise InvalidInput(
            f"The forbidden topics are no JSON: {error}.", "Correct them, or clear the field."
        ) from error
    right = isinstance(given, list) and all(
        isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("probes"), list)
        for one in given
    )
    if not right:
        raise InvalidInput(
            "A forbidden topic has no name or no probes.", "Give a list of objects with name and probes."
        )
    return list(given)
