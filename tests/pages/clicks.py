"""What a person does on a page that AppTest has no method for: selecting a row of a table, reading a table."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.domain.projects import Project, Role
from core.project.service import ensure_member
from core.store.database import Store
from pages.ui import tables
from tests.support.small_bank import ACTOR

VIEWER = "ada@example.com"


def table(app: AppTest, key: str) -> pd.DataFrame:
    """The rows of the table with this key, hidden columns included."""
    found = [item for item in app.dataframe if item.key and item.key.startswith(key)]
    assert found, f"no table {key} among {[item.key for item in app.dataframe]}"
    return found[0].value


def holding(app: AppTest, column: str) -> pd.DataFrame:
    """The first table with this column; for tables that are only read, which have no key here."""
    found = [item.value for item in app.dataframe if column in item.value.columns]
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
    """The headline figures by label."""
    return {metric.label: metric.value for metric in app.metric}


def captions(app: AppTest) -> str:
    """The small print of a page as one text."""
    return " ".join(item.value for item in app.caption).replace("\\", "")


def as_viewer(app: AppTest, store: Store, project: Project, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The same page for somebody who may only read."""
    ensure_member(store, project.id, VIEWER, Role.VIEWER, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app.user = {"is_logged_in": True, "email": VIEWER}
    return app.run()
