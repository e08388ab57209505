"""What a person does on a page that AppTest has no method for: selecting a row of a table, reading a table."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.domain.sources.projects import Project, Role
from core.project.service import ensure_member
from core.store.database import Store
from pages.kit.look import tables
from tests.support.small_bank import ACTOR

VIEWER = "ada@example.com"


def table(app: AppTest, key: str) -> pd.DataFrame:
    """The rows of the table with this key, hidden columns included."""
    found = [item for item in app.dataframe if item.key and item.key.startswith(key)]
    assert found, f"no table {key} among {[item.key for item in app.dataframe]}"
    return found[0].value


def holding(app: AppTest, column: str) -> pd.DataFrame:
    """The first table with this column; for tables that are only read, which have no key here."""
    found = [item.value for item in [*app.dataframe, *app.table] if column in item.value.columns]
    assert found, f"no table with a column {column}"
    return found[0]


def select(app: AppTest, key: str, row: int, id_column: str) -> str:
    """Clicks a row of a `tables.follow` table; returns its id."""
    ids = table(app, key)[id_column]
    app.session_state[tables.row_key(key, ids)] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()
    return str(ids.iloc[row])


def keys(app: AppTest) -> set[str]:
    """The keys of every button on the page."""
    return {button.key for button in app.button if button.key}


def metrics(app: AppTest) -> dict[str, str]:
    """The headline figures by label, those of cards and those of a line."""
    cards = {metric.label: metric.value for metric in app.metric}
    parts = [re.fullmatch(r"([A-Z][a-z ]+) \*\*([^*]+)\*\*(?: :gray\[(.*)\])?", item.value) for item in app.markdown]
    return cards | {part[1]: part[2] for part in parts if part}


def captions(app: AppTest) -> str:
    """The small print of a page as one text."""
    return " ".join(item.value for item in app.caption).replace("\\", "")


MARKUP = "*Correct* [x](y) $a$"
"""A name that Markdown would make something else of."""


def rendered(app: AppTest) -> list[str]:
    """Every text of a page that Streamlit renders as Markdown: paragraphs, labels, options of radio buttons, hovers."""
    shown = [
        item.value
        for kind in ("markdown", "caption", "title", "header", "subheader", "info", "warning", "error", "success")
        for item in app.get(kind)
    ]
    for kind in (
        "button",
        "selectbox",
        "multiselect",
        "radio",
        "checkbox",
        "text_input",
        "text_area",
        "number_input",
        "slider",
        "metric",
        "button_group",
        "expander",
    ):
        for item in app.get(kind):
            proto = item.proto
            shown += [getattr(proto, "label", ""), getattr(proto, "help", "")]
            if kind in ("radio", "button_group"):
                shown += [getattr(option, "content", option) for option in proto.options]
    return [str(text) for text in shown if text]


def as_written(app: AppTest) -> list[str]:
    """Every text of a page that Streamlit shows as it is: options of select boxes, cells of tables."""
    shown = [option for kind in ("selectbox", "multiselect") for item in app.get(kind) for option in item.proto.options]
    cells = [str(cell) for item in app.dataframe for cell in item.value.to_numpy().ravel()]
    return [*shown, *cells]


def as_viewer(app: AppTest, store: Store, project: Project, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The same page for somebody who may only read."""
    ensure_member(store, project.id, VIEWER, Role.VIEWER, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app.user = {"is_logged_in": True, "email": VIEWER}
    return app.run()
