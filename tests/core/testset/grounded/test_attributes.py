import pytest

from core.domain.testset.templates import SqlTemplate
from core.testset.grounded.attributes import case_attributes
from core.testset.grounded.sql.binding import bind
from tests.support.databases.sqlite_files import sqlite_schema

SCRIPT = """
CREATE TABLE shop (name TEXT, opened DATE, seats INTEGER, is_open BOOLEAN, town TEXT);
"""


@pytest.mark.parametrize(
    ("selected", "asks_for", "kind"),
    [
        ("opened", "shop.opened", "date"),
        ("seats", "shop.seats", "number"),
        ("is_open", "shop.is_open", "yes/no"),
        ("town", "shop.town", "text"),
        ("seats + 1 AS more", "more", "text"),
        ("SUM(seats)", "shop.seats (total)", "number"),
        ("COUNT(*)", "shop (count)", "number"),
    ],
)
def test_what_is_asked_for(tmp_path, selected, asks_for, kind):
    schema = sqlite_schema(tmp_path / "shop.sqlite", SCRIPT)
    sql = f"SELECT {selected} FROM shop WHERE name = '[shop.name]'"
    found = case_attributes(SqlTemplate(id="a", sql=sql), bind(sql, schema), schema)
    assert (found["asks_for"], found["answer_type"], found["table"]) == (asks_for, kind, "shop")
