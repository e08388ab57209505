"""A folder of CSV files becomes a database on the command line."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from core.cli.app import app

RUN = CliRunner()


def test_a_folder_becomes_a_database_and_the_plan_can_be_given_back(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "shops.csv").write_text("Shop No.,Shop\nS1,Bern\nS2,Linz\n")
    (folder / "sales.csv").write_text("Sale No.,Shop No.,Amt (EUR)\n1,S1,5\n2,S2,6\n")
    plan, made = tmp_path / "plan.csv", tmp_path / "made.sqlite"
    first = RUN.invoke(app, ["make-database", str(folder), "--plan-out", str(plan), "--json"])
    assert first.exit_code == 0, first.output
    assert [table["rows"] for table in json.loads(first.stdout)["tables"]] == [2, 2]
    plan.write_text(plan.read_text().replace("whole number,yes", "text,yes"))
    second = RUN.invoke(app, ["make-database", str(folder), "--plan", str(plan), "--out", str(made)])
    assert second.exit_code == 0, second.output
    assert made.is_file()
    third = RUN.invoke(app, ["schema", "--db", f"sqlite:///{made}"])
    assert "Shop_No TEXT" in third.output


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    kept = tmp_path / "kept.sqlite"
    kept.write_bytes(b"kept")
    (tmp_path / "a.csv").write_text("A No,B\n1,2\n")
    refused = RUN.invoke(app, ["make-database", str(tmp_path / "a.csv"), "--out", str(kept)])
    assert refused.exit_code != 0
    assert kept.read_bytes() == b"kept"
