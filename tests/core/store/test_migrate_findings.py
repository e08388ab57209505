"""Findings of before get threads: those of several runs that name the same weakness share one, with one decision."""

import pytest
import sqlalchemy as sa
from alembic import command

from core.domain.results.findings import FindingStatus
from core.store.database import Store
from core.store.digests import checking
from core.store.engines import parse, writer
from core.store.people import findings
from core.store.trail import audit
from tests.core.store.test_migrate import config

BEFORE = "0022"
FINDING = """
INSERT INTO findings (id, project_id, run_id, kind, score, conditions, text, figures, case_ids, severity, status, owner,
                      comment, options, gone, created_at, created_by, changed_at, changed_by)
VALUES (:id, 'p', :run, 'cell', 'verdict', :conditions, 'Weak.', '{}', '[]', 'high', :status, :owner, '',
        '{"threshold": null}', false, '2026-01-01', 'anna', :changed_at, 'anna')
"""
CELL = '[["topic", "loans"], ["form", "long"]]'
TURNED = '[["form", "long"], ["topic", "loans"]]'


@pytest.mark.slow
def test_findings_of_before_are_one_over_runs(url):
    engine = writer(parse(url))
    with engine.connect() as connection, connection.begin():
        command.upgrade(config(connection), BEFORE)
        for statement in (
            "INSERT INTO projects (id, name, sample) VALUES ('p', 'Old bank', false)",
            "INSERT INTO test_sets (id, project_id, version, options, counts, drops) "
            "VALUES ('t', 'p', 1, '{}', '{}', '{}')",
            "INSERT INTO runs (id, project_id, test_set_id, seed, options) VALUES ('r1', 'p', 't', 0, '{}')",
            "INSERT INTO runs (id, project_id, test_set_id, seed, options) VALUES ('r2', 'p', 't', 0, '{}')",
        ):
            connection.execute(sa.text(statement))
        for values in (
            {
                "id": "f1",
                "run": "r1",
                "conditions": CELL,
                "status": "fixed",
                "owner": "ada",
                "changed_at": "2026-02-01",
            },
            {"id": "f2", "run": "r2", "conditions": TURNED, "status": "open", "owner": "", "changed_at": ""},
            {
                "id": "f3",
                "run": "r2",
                "conditions": "[]",
                "status": "accepted",
                "owner": "",
                "changed_at": "2026-02-02",
            },
        ):
            connection.execute(sa.text(FINDING), values)
    engine.dispose()
    with Store.open(url) as store:
        with store.read() as connection:
            every = {one.id: one for one in findings.of_project(connection, "p")}
            # What this test put in without the store was written by nobody; the migration digests what it changes.
            assert "findings" not in {row.table for row in checking.check(connection).broken}
            assert audit.verify(connection)[0]
        assert every["f1"].thread == every["f2"].thread != every["f3"].thread
        assert (every["f1"].status, every["f2"].status, every["f3"].status) == (
            FindingStatus.RESOLVED,
            FindingStatus.RESOLVED,
            FindingStatus.ACCEPTED,
        )
        assert every["f2"].owner == "ada"
        assert (every["f1"].title, every["f1"].due) == ("", "")
