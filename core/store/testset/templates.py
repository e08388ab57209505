"""SQL templates and their wordings."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, Table, delete, select, update

from core.domain.errors import NotFound
from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.store.codec import from_row, to_row
from core.store.tables import sql_templates, text_templates
from core.store.writing.upsert import put as upsert

_HINT = "Load the page again; it may have been deleted."


def put_sql(connection: Connection, project_id: str, templates: SqlTemplate | Sequence[SqlTemplate]) -> None:
    """Stores SQL templates, or replaces those with their ids; replaced ones keep their place in the order."""
    listed = [templates] if isinstance(templates, SqlTemplate) else templates
    rows = [{"project_id": project_id, **to_row(template)} for template in listed]
    upsert(connection, sql_templates, rows, key=["project_id", "id"])


def sql(connection: Connection, project_id: str, *, status: TemplateStatus | None = None) -> list[SqlTemplate]:
    """The SQL templates of a project, in the order they were added."""
    query = select(sql_templates).where(sql_templates.c.project_id == project_id).order_by(sql_templates.c.seq)
    if status is not None:
        query = query.where(sql_templates.c.status == status.value)
    return [from_row(SqlTemplate, row) for row in connection.execute(query).mappings()]


def get_sql(connection: Connection, project_id: str, template_id: str) -> SqlTemplate:
    """One SQL template.

    Raises:
        NotFound: The project has none of that id.
    """
    row = (
        connection.execute(
            select(sql_templates).where(sql_templates.c.project_id == project_id, sql_templates.c.id == template_id)
        )
        .mappings()
        .one_or_none()
    )
    if row is None:
        raise NotFound(f"The project has no SQL template {template_id}.", _HINT)
    return from_row(SqlTemplate, row)


def set_sql_status(connection: Connection, project_id: str, template_id: str, status: TemplateStatus) -> None:
    """Sets the review status of an SQL template.

    Raises:
        NotFound: The project has none of that id.
    """
    _set_status(connection, sql_templates, "SQL template", project_id, template_id, status)


def delete_sql(connection: Connection, project_id: str, template_id: str) -> None:
    """Deletes an SQL template with its wordings.

    Raises:
        NotFound: The project has none of that id.
    """
    _delete(connection, sql_templates, "SQL template", project_id, template_id)


def put_text(connection: Connection, project_id: str, templates: TextTemplate | Sequence[TextTemplate]) -> None:
    """Stores wordings, or replaces those with their ids.

    Raises:
        Conflict: The SQL template of one does not exist.
    """
    listed = [templates] if isinstance(templates, TextTemplate) else templates
    rows = [{"project_id": project_id, **to_row(template)} for template in listed]
    upsert(connection, text_templates, rows, key=["project_id", "id"])


def text(
    connection: Connection,
    project_id: str,
    *,
    sql_template_id: str | None = None,
    form: str | None = None,
    status: TemplateStatus | None = None,
) -> list[TextTemplate]:
    """The wordings of a project, in the order they were added; of one SQL template, form or status where given."""
    filters = {"sql_template_id": sql_template_id, "form": form, "status": status.value if status else None}
    query = select(text_templates).where(
        text_templates.c.project_id == project_id,
        *[text_templates.c[name] == value for name, value in filters.items() if value is not None],
    )
    rows = connection.execute(query.order_by(text_templates.c.seq)).mappings()
    return [from_row(TextTemplate, row) for row in rows]


def set_text_status(connection: Connection, project_id: str, template_id: str, status: TemplateStatus) -> None:
    """Sets the review status of a wording.

    Raises:
        NotFound: The project has none of that id.
    """
    _set_status(connection, text_templates, "text template", project_id, template_id, status)


def delete_text(connection: Connection, project_id: str, template_id: str) -> None:
    """Deletes a wording.

    Raises:
        NotFound: The project has none of that id.
    """
    _delete(connection, text_templates, "text template", project_id, template_id)


def _set_status(
    connection: Connection, table: Table, noun: str, project_id: str, template_id: str, status: TemplateStatus
) -> None:
    changed = connection.execute(
        update(table).where(table.c.project_id == project_id, table.c.id == template_id).values(status=status.value)
    ).rowcount
    if not changed:
        raise NotFound(f"The project has no {noun} {template_id}.", _HINT)


def _delete(connection: Connection, table: Table, noun: str, project_id: str, template_id: str) -> None:
    deleted = connection.execute(
        delete(table).where(table.c.project_id == project_id, table.c.id == template_id)
    ).rowcount
    if not deleted:
        raise NotFound(f"The project has no {noun} {template_id}.", _HINT)
