"""A project with the small bank, in a store of its own."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.project.service import create_project
from core.sources.service import connect_database
from core.store.database import Store
from core.store.testset import templates
from core.store.trail import audit
from core.testset.templates.review import save_sql_template, save_text_template, set_sql_status, set_text_status
from tests.support.small_bank import ACTOR, write_bank
from tests.support.stores import blank_url

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
MANAGER = "SELECT manager FROM branch WHERE name = '[branch.name]'"
CITY_SHORT = "City of branch '[branch.name]'"


@dataclass
class Bank:
    """The store, its project, and the bank's file."""

    store: Store
    project_id: str
    file: Path

    def change(self, script: str) -> None:
        """Changes the database behind the project's back."""
        with closing(sqlite3.connect(self.file)) as connection:
            connection.executescript(script)

    def sql(self, status: TemplateStatus | None = None) -> list[SqlTemplate]:
        with self.store.read() as connection:
            return templates.sql(connection, self.project_id, status=status)

    def texts(self, status: TemplateStatus | None = None) -> list[TextTemplate]:
        with self.store.read() as connection:
            return templates.text(connection, self.project_id, status=status)

    def actions(self) -> list[str]:
        with self.store.read() as connection:
            return [entry.action for entry in audit.entries(connection, self.project_id)]

    def approved_sql(self, sql: str, with_ids: str = "") -> SqlTemplate:
        saved = save_sql_template(self.store, self.project_id, sql, actor=ACTOR, sql_with_ids=with_ids)
        assert set_sql_status(self.store, self.project_id, [saved.id], TemplateStatus.APPROVED, actor=ACTOR) == []
        return saved

    def saved_text(self, template: SqlTemplate, text: str, form: str = "short") -> TextTemplate:
        wording = TextTemplate(id="", sql_template_id=template.id, form=form, text=text)
        return save_text_template(self.store, self.project_id, wording, actor=ACTOR)

    def approved_text(self, template: SqlTemplate, text: str, form: str = "short") -> TextTemplate:
        saved = self.saved_text(template, text, form)
        assert set_text_status(self.store, self.project_id, [saved.id], TemplateStatus.APPROVED, actor=ACTOR) == []
        return saved


@pytest.fixture
def bank(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    file = write_bank(tmp_path / "bank.sqlite")
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as store:
        project = create_project(store, "Bank", ACTOR)
        connect_database(store, project.id, f"sqlite:///{file}", actor=ACTOR)
        yield Bank(store, project.id, file)
