"""A button that copies the link of the view: the address holds the run, the filters and what is open."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

_COMPONENT: Final = st.components.v2.component(
    "plumbline_copy_link",
    html='<button type="button" class="pl-copy-link" title="The link opens this view: project, run, filters, case.">'
    '<span aria-live="polite">Copy link</span></button>',
    css="""
.pl-copy-link {
  background: none;
  border: none;
  border-radius: var(--st-base-radius);
  color: var(--st-text-color);
  opacity: 0.85;
  cursor: pointer;
  font: inherit;
  font-size: 0.87rem;
  padding: 0.1rem 0.4rem;
  text-decoration: underline;
  text-underline-offset: 0.2em;
  white-space: nowrap;
}
.pl-copy-link:hover { opacity: 1; }
.pl-copy-link:focus-visible { outline: 2px solid light-dark(#0072B2, #3D9BD6); outline-offset: 1px; }
""",
    js=(Path(__file__).parent / "copy_link.js").read_text("utf-8"),
    isolate_styles=False,
)


def draw() -> None:
    """Draws the button."""
    _COMPONENT(key="copy_link", width="content", height="content")
