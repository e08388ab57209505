"""The look in one place: what each colour means, the chart templates of both themes, our few lines of CSS."""

from __future__ import annotations

from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core.report.palette import COLOURS, MARKS, MEANINGS, NAMES, PATTERNS

__all__ = ["COLOURS", "LOGO", "MARKS", "MEANINGS", "NAMES", "PATTERNS", "apply", "ink", "mode", "template"]

_INK: Final = {
    "light": {"text": "#1B2631", "faint": "#55616D", "line": "#D5DBE1", "paper": "#FFFFFF", "accent": "#0072B2"},
    "dark": {"text": "#E4E8EC", "faint": "#A7B1BB", "line": "#36404A", "paper": "#12161B", "accent": "#3D9BD6"},
}

# In a narrow window values and labels wrap, and filters and figures take a second row, rather than being cut.
# The grid's own download is made in the browser and leaves formulas as they are; ours (`tables.download`) does not.
_CSS: Final = """
<style>
.block-container {max-width: 1360px;}
[data-testid="stCaptionContainer"] {opacity: 0.85;}
[data-testid^="stBaseButton-primary"]:enabled, [data-testid^="stBaseButton-primary"]:enabled p {
  color: light-dark(#FFF, #0B1116);
}
[data-testid="stMultiSelectTagsContainer"] span {color: light-dark(#FFF, #0B1116);}
.st-key-sql_editor textarea {font-family: "Source Code Pro", monospace; font-size: 0.85rem; line-height: 1.5;}
[data-testid="stElementToolbarButton"]:has([aria-label="Download as CSV"]) {display: none;}
[data-testid="stMetricLabel"] p {font-size: 0.87rem;}
[data-testid="stMetric"] .stMarkdownEllipsis, [data-testid="stMetric"] .stMarkdownEllipsis p {
  white-space: normal; overflow: visible; text-overflow: clip;
}
[data-testid="stPageLink-NavLink"] span {white-space: normal;}
[data-testid="stSelectbox"] input {text-overflow: ellipsis;}
[data-testid="stButtonGroup"] [role="radiogroup"] {flex-wrap: wrap; mask-image: none;}
@media (max-width: 1100px) {
  :where([data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] > * > [class*="st-key-metric_"])) {
    min-width: calc(50% - 1rem);
  }
  :where([data-testid="stHorizontalBlock"]:has(
    > [data-testid="stColumn"] > [data-testid="stVerticalBlock"] > [class*="st-key-url_"]
  ) > [data-testid="stColumn"]) {
    min-width: min(100%, 11rem);
  }
  [data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] > :is(.st-key-url_run, .st-key-url_a)) {
    min-width: 100%;
  }
}
[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] {gap: 0.3rem;}
[data-testid="stPageLink-NavLink"]:focus-visible {
  background: none; outline: 2px solid light-dark(#0072B2, #3D9BD6); outline-offset: -2px;
}
[data-testid="stSidebarUserContent"] [data-testid="stCaptionContainer"] {
  margin: 0.7rem 0 -0.8rem; font-weight: 600;
}
</style>
"""

LOGO: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 32" width="150" height="32">'
    '<rect width="32" height="32" rx="6" fill="#0072B2"/>'
    '<path d="M8 4.5h16v2.3H8zM15.1 6.5h1.8v10h-1.8zM11 16.6h10v2.6L16 28l-5-8.8z" fill="#fff"/>'
    '<text x="42" y="22" font-family="Segoe UI,Helvetica Neue,Arial,sans-serif" font-size="19" '
    'font-weight="600" fill="{ink}">Plumbline</text></svg>'
)


def mode() -> str:
    """``"light"`` or ``"dark"``, as the browser shows it; light until it is known."""
    return st.context.theme.type or "light"


def ink(name: str) -> str:
    """A colour of the current theme: ``text``, ``faint``, ``line``, ``paper``, or ``accent`` for lines and frames."""
    return _INK[mode()][name]


def apply() -> None:
    """Adds our CSS and the wordmark; called by the frame."""
    st.html(_CSS)
    st.logo(LOGO.format(ink=ink("text")), size="large")


def template() -> go.layout.Template:
    """The Plotly template of the current theme: transparent paper, quiet grid, readable ink."""
    axis = {
        "gridcolor": ink("line"),
        "linecolor": ink("line"),
        "zerolinecolor": ink("line"),
        "tickfont": {"color": ink("faint"), "size": 12},
        "title": {"font": {"color": ink("faint"), "size": 12}, "standoff": 10},
        "automargin": True,
    }
    return go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": ink("text"), "size": 13, "family": "Source Sans, Source Sans Pro, system-ui, sans-serif"},
            "title": {"font": {"size": 15, "color": ink("text")}, "x": 0.004, "xanchor": "left", "xref": "container"},
            "margin": {"l": 8, "r": 8, "t": 40, "b": 8},
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {"bgcolor": ink("paper"), "bordercolor": ink("line"), "font": {"color": ink("text")}},
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": ink("faint"), "activecolor": ink("accent")},
            "legend": {
                "orientation": "h",
                "y": 1.02,
                "yanchor": "bottom",
                "x": 0,
                "font": {"color": ink("text"), "size": 12},
                "traceorder": "normal",
            },
            "colorway": [COLOURS["accent"], COLOURS["b"], COLOURS["correct"], COLOURS["knowledge_gap"]],
        }
    )
