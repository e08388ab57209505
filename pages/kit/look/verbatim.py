"""A text that somebody else wrote, shown as it is stored: nothing in it is markup, and nothing turns its direction."""

from __future__ import annotations

import streamlit as st

from core.text.visible import unturned


def show(text: str) -> None:
    """Draws a text letter by letter; a sign that turns the direction of writing shows as its code point."""
    st.text(unturned(text))
