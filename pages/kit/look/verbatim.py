"""A text that somebody else wrote, shown as it is stored: nothing in it is markup, and nothing turns its direction."""

from __future__ import annotations

import streamlit as st

from core.text.display.visible import unturned
from pages.kit import errors


def show(text: str) -> None:
    """Draws a text letter by letter; a sign that turns the direction of writing shows as its code point."""
    st.text(unturned(text))


def under_field(text: str) -> None:
    """Says under a field how its text is stored, where a sign in it turns what the field shows; nothing elsewhere."""
    if text != (stored := unturned(text)):
        st.caption(f"A sign turns the direction of writing here. Stored is: {errors.plain(stored)}")
