"""Where robustness is lost: flips by the topic, type or form of the parents."""

from __future__ import annotations

import streamlit as st

from core.robustness.parts import attributes_of, parts_of
from core.robustness.result import Robustness
from core.weakness.service.spoken import label_of
from pages.analyse.robustness import frames
from pages.kit import state
from pages.kit.look import tables


def draw(result: Robustness) -> None:
    """Draws the levels of one attribute, most right answers that became wrong first."""
    changed = [pair for pair in result.pairs if result.figures(pair.kind) is not None]
    attributes = attributes_of(changed)
    if not attributes:
        return
    st.subheader("Stability by what the questions are about", anchor=False)
    attribute = state.choose(
        "Attribute", list(attributes), "attribute", default=attributes[0], name=label_of, pinned=True
    )
    parts = parts_of(changed, attribute if attribute in attributes else attributes[0])
    frame = frames.parts_frame(parts)
    tables.plain(frame, key="parts_table")
    tables.download(frame, name="robustness_stability", key="parts_csv", label="Stability as CSV")
