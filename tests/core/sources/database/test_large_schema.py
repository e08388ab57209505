"""Seventy tables in five schemas: all are read, asked about, and nothing false is said."""

from __future__ import annotations

import pytest

from core.sources.database import DatabaseSource
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.sql.checks import check_sql_template
from tests.support.databases.large_schema import SCHEMAS, statements
from tests.support.databases.source_servers import schemas


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_seventy_tables_in_five_schemas(kind: str) -> None:
    with (
        schemas(kind, SCHEMAS, list(statements())) as (address, real),
        DatabaseSource.connect(f"{address}?schemas={','.join(real.values())}") as source,
    ):
        assert len(source.schema.tables) == 70
        assert not source.schema.left_out
        assert sum(len(table.foreign_keys) for table in source.schema.tables) == 5 * (9 + 2 * 3)
        templates = propose_templates(source.schema, limit=120)
        asked = {name for template in templates for name in template.tables}
        assert len(asked) >= 50
        assert all(check_sql_template(template, source).template.approvable for template in templates[:20])
