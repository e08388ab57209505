"""Templates inside a project: propose, check, save, approve, import, delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.errors import InvalidInput, InvalidTemplate
from core.domain.projects import Role
from core.domain.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store import templates
from core.store.database import Store
from core.testset.grounded.canonical import canonical_id
from core.testset.grounded.sql_checks import check_sql_template
from core.testset.grounded.sql_generator import generate_sql_templates
from core.testset.grounded.text_checks import check_text_template
from core.testset.grounded.text_generator import generate_text_templates
from core.testset.grounded.text_templates import text_id


def propose_sql_templates(store: Store, project_id: str, *, actor: str, limit: int = 40) -> list[SqlTemplate]:
    """Writes SQL templates from the schema alone, checks each on the data, stores the new ones as drafts.

    Returns:
        The templates that were not there before, most useful first.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        known = {template.id for template in templates.sql(connection, project_id)}
    with open_database(source) as database:
        proposed = [
            check_sql_template(template, database).template
            for template in generate_sql_templates(database.schema, limit=limit)
            if template.id not in known
        ]
    _store_sql(store, project_id, proposed, actor=actor, action="sql_template.propose")
    return proposed


def save_sql_template(
    store: Store,
    project_id: str,
    sql: str,
    *,
    actor: str,
    sql_with_ids: str = "",
    origin: str = "person",
    replaces: str = "",
) -> SqlTemplate:
    """Checks a statement and stores it as a draft; what it replaces goes, with its wordings.

    Raises:
        InvalidTemplate: It cannot be read as a template at all, or the project has it already.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with open_database(source) as database:
        template = checked_sql_template(database, sql, sql_with_ids=sql_with_ids, origin=origin)
    with store.read() as connection:
        known = {known.id for known in templates.sql(connection, project_id)}
    if template.id in known and template.id != replaces:
        raise InvalidTemplate(
            f"The project already has a template with this meaning: {template.sql}",
            "Edit the existing one, or change what this one asks.",
        )
    with store.write(
        actor, "sql_template.save", project_id=project_id, subject=template.id, detail={"replaces": replaces}
    ) as connection:
        if replaces and replaces != template.id:
            templates.delete_sql(connection, project_id, replaces)
        templates.put_sql(connection, project_id, template)
    return template


def checked_sql_template(
    database: DatabaseSource, sql: str, *, sql_with_ids: str = "", origin: str = "person"
) -> SqlTemplate:
    """A statement as a template with its checks, stored nowhere."""
    template = SqlTemplate(
        id=canonical_id(sql, database.schema.dialect), sql=sql.strip(), sql_with_ids=sql_with_ids.strip(), origin=origin
    )
    return check_sql_template(template, database).template


def set_sql_status(
    store: Store, project_id: str, template_ids: Sequence[str], status: TemplateStatus, *, actor: str
) -> list[str]:
    """Sets the review status of templates.

    Returns:
        The ids that were not approved because a blocking check failed; empty for other statuses.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(
        actor,
        f"sql_template.{status.value}",
        project_id=project_id,
        subject=",".join(template_ids[:5]),
        detail={"templates": len(template_ids)},
    ) as connection:
        known = {template.id: template for template in templates.sql(connection, project_id)}
        refused = [
            template_id
            for template_id in template_ids
            if status is TemplateStatus.APPROVED and not known[template_id].approvable
        ]
        for template_id in template_ids:
            if template_id not in refused:
                templates.set_sql_status(connection, project_id, template_id, status)
    return refused


def propose_text_templates(
    store: Store, project_id: str, *, forms: Sequence[str], n: int, actor: str
) -> list[TextTemplate]:
    """Words every approved SQL template in each form and stores the wordings that are new as drafts."""
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        approved = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        known = {text.id for text in templates.text(connection, project_id)}
    if not approved:
        raise InvalidInput("No SQL template is approved yet.", "Approve at least one on the Templates page.")
    if source.schema is None:
        raise InvalidInput("The database's schema has not been read.", "Connect the database again.")
    proposed = [
        checked
        for template in approved
        for form in forms
        for checked in checked_text_templates(
            generate_text_templates(template, source.schema, form=form, n=n), template
        )
        if checked.id not in known
    ]
    with store.write(
        actor, "text_template.propose", project_id=project_id, detail={"texts": len(proposed)}
    ) as connection:
        templates.put_text(connection, project_id, proposed)
    return proposed


def checked_text_templates(texts: Sequence[TextTemplate], template: SqlTemplate) -> list[TextTemplate]:
    """Wordings of one SQL template with their checks, each seen beside its siblings."""
    return [
        check_text_template(text, template, siblings=[other for other in texts if other.id != text.id])
        for text in texts
    ]


def save_text_template(
    store: Store, project_id: str, text: TextTemplate, *, actor: str, replaces: str = ""
) -> TextTemplate:
    """Checks a wording beside its siblings and stores it as a draft."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.read() as connection:
        template = templates.get_sql(connection, project_id, text.sql_template_id)
        siblings = templates.text(connection, project_id, sql_template_id=template.id)
    text = replace(text, id=text_id(text.sql_template_id, text.form, text.text), status=TemplateStatus.DRAFT)
    others = [other for other in siblings if other.id not in (text.id, replaces)]
    checked = check_text_template(text, template, siblings=others)
    with store.write(
        actor, "text_template.save", project_id=project_id, subject=checked.id, detail={"replaces": replaces}
    ) as connection:
        if replaces and replaces != checked.id:
            templates.delete_text(connection, project_id, replaces)
        templates.put_text(connection, project_id, [checked])
    return checked


def set_text_status(
    store: Store, project_id: str, text_ids: Sequence[str], status: TemplateStatus, *, actor: str
) -> list[str]:
    """Sets the review status of wordings; returns the ids that may not be approved."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(
        actor,
        f"text_template.{status.value}",
        project_id=project_id,
        subject=",".join(text_ids[:5]),
        detail={"texts": len(text_ids)},
    ) as connection:
        known = {text.id: text for text in templates.text(connection, project_id)}
        refused = [
            text_id for text_id in text_ids if status is TemplateStatus.APPROVED and not known[text_id].approvable
        ]
        for text_id in text_ids:
            if text_id not in refused:
                templates.set_text_status(connection, project_id, text_id, status)
    return refused


def import_sql_templates(
    store: Store, project_id: str, read: Sequence[SqlTemplate], *, actor: str
) -> list[SqlTemplate]:
    """Checks templates of a file on the project's data and stores those that are new as drafts."""
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        known = {template.id for template in templates.sql(connection, project_id)}
    with open_database(source) as database:
        checked = {
            template.id: check_sql_template(template, database).template
            for template in read
            if template.id not in known
        }
    _store_sql(store, project_id, list(checked.values()), actor=actor, action="sql_template.import")
    return list(checked.values())


def delete_sql_template(store: Store, project_id: str, template_id: str, *, actor: str) -> None:
    """Deletes an SQL template with its wordings; test sets made from it keep their cases."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(actor, "sql_template.delete", project_id=project_id, subject=template_id) as connection:
        templates.delete_sql(connection, project_id, template_id)


def import_text_templates(
    store: Store, project_id: str, read: Sequence[TextTemplate], *, actor: str
) -> list[TextTemplate]:
    """Checks wordings of a file and stores those that are new, for SQL templates the project has, as drafts."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.read() as connection:
        sql = {template.id: template for template in templates.sql(connection, project_id)}
        known = {text.id for text in templates.text(connection, project_id)}
    new = [text for text in read if text.id not in known and text.sql_template_id in sql]
    checked = [
        check_text_template(
            text,
            sql[text.sql_template_id],
            siblings=[other for other in new if other.sql_template_id == text.sql_template_id and other.id != text.id],
        )
        for text in new
    ]
    with store.write(
        actor, "text_template.import", project_id=project_id, detail={"texts": len(checked)}
    ) as connection:
        templates.put_text(connection, project_id, checked)
    return checked


def delete_text_template(store: Store, project_id: str, text_id: str, *, actor: str) -> None:
    """Deletes a wording; test sets made from it keep their cases."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(actor, "text_template.delete", project_id=project_id, subject=text_id) as connection:
        templates.delete_text(connection, project_id, text_id)


def _store_sql(store: Store, project_id: str, proposed: list[SqlTemplate], *, actor: str, action: str) -> None:
    with store.write(actor, action, project_id=project_id, detail={"templates": len(proposed)}) as connection:
        templates.put_sql(connection, project_id, proposed)
