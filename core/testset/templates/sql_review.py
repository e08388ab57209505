"""SQL templates inside a project: propose, check, save, approve, import, delete.

No earlier check approves a template: approving checks again, on the database and beside the other templates as they
are now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.domain.errors import Conflict, InvalidInput, InvalidTemplate, NotFound
from core.domain.sources.projects import Role
from core.domain.testset.templates import SqlTemplate, TemplateStatus
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.beyond.plan import Kind
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.checks import check_sql_template

ROUNDS = 4
"""How often others are proposed in place of templates that make no question."""


def propose_sql_templates(
    store: Store,
    project_id: str,
    *,
    actor: str,
    limit: int = 40,
    kinds: Collection[Kind] = (Kind.LOOK_UP,),
    each: int | None = None,
) -> list[SqlTemplate]:
    """Writes SQL templates from the schema alone, checks each on the data, stores the new ones as drafts.

    What finds no row to ask about is passed over: which branches have no account, where every branch has one.

    Args:
        store: Where the project lives.
        project_id: The project.
        actor: Who does it.
        limit: The most templates wanted.
        kinds: What they may ask the database to do. Look-ups alone unless told otherwise: documents hardly ever state
            what is computed from many rows, and a search that brings a few of them cannot bring all.
        each: The most wanted of each kind, in place of `limit`.

    Returns:
        The templates that were not there before, most useful first.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        known = {template.id for template in templates.sql(connection, project_id)}
    with open_database(source) as database:
        proposed: dict[str, SqlTemplate] = {}
        for _ in range(ROUNDS):
            barren = {template_id for template_id, template in proposed.items() if makes_nothing(template)}
            generated = propose_templates(database.schema, limit=limit, kinds=kinds, each=each, known={*known, *barren})
            new = [template for template in generated if template.id not in proposed]
            proposed |= {template.id: template for template in _checked_new(store, project_id, new, database)}
            wanted = [proposed[template.id] for template in generated if template.id in proposed]
            if not any(map(makes_nothing, wanted)):
                break
        found = [template for template in wanted if not makes_nothing(template)]
    return _store_new(store, project_id, found, actor=actor, action="sql_template.propose")


def makes_nothing(template: SqlTemplate) -> bool:
    """Whether a template was filled from the database and no value of it makes a question."""
    return any(check.name == "questions" and check.value == 0 for check in template.checks)


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
    """Checks a statement and stores it as a draft; the template it replaces is deleted, with its wordings.

    A statement that cannot be run, or is no SQL at all, is stored too: no input is lost, and its failed check says what
    is wrong and prevents approval. A new spelling of the same question keeps its wordings.

    Args:
        store: Where the project lives.
        project_id: The project.
        sql: The statement with placeholders.
        actor: Who does it.
        sql_with_ids: The same with document ids, or empty.
        origin: Where it comes from.
        replaces: The id of the template that was edited, or empty.

    Raises:
        InvalidTemplate: It is empty, or the project has one with this meaning already.
        NotFound: The template it replaces no longer exists.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not sql.strip():
        raise InvalidTemplate("The SQL template is empty.", "Write one SELECT with a placeholder '[Table.Column]'.")
    source = project_database(store, project_id)
    with store.read() as connection:
        others = [other for other in templates.sql(connection, project_id) if other.id != replaces]
    with open_database(source) as database:
        template = checked_sql_template(database, sql, sql_with_ids=sql_with_ids, origin=origin, siblings=others)
    with store.write(
        actor, "sql_template.save", project_id=project_id, subject=template.id, detail={"replaces": replaces}
    ) as connection:
        stored = {other.id: other for other in templates.sql(connection, project_id)}
        if template.id in stored and template.id != replaces:
            raise InvalidTemplate(
                f"The project already has a template with this meaning: {stored[template.id].sql}",
                "Edit the existing one, or change what this one asks.",
            )
        if replaces and replaces != template.id:
            templates.delete_sql(connection, project_id, replaces)
        templates.put_sql(connection, project_id, template)
    return template


def checked_sql_template(
    database: DatabaseSource,
    sql: str,
    *,
    sql_with_ids: str = "",
    origin: str = "person",
    siblings: Sequence[SqlTemplate] = (),
) -> SqlTemplate:
    """A statement as a template with its checks, stored nowhere.

    Args:
        database: The project's database.
        sql: The statement with placeholders.
        sql_with_ids: The same with document ids, or empty.
        origin: Where it comes from.
        siblings: The other templates of the project, to find one that means the same.
    """
    template_id = canonical_id(sql, database.schema.dialect)
    # Without an id it is not mistaken for the stored template of the same meaning.
    template = SqlTemplate(id="", sql=sql.strip(), sql_with_ids=sql_with_ids.strip(), origin=origin)
    return replace(check_sql_template(template, database, siblings).template, id=template_id)


def set_sql_status(
    store: Store, project_id: str, template_ids: Sequence[str], status: TemplateStatus, *, actor: str
) -> list[str]:
    """Sets the review status of templates. To be approved, each is checked again on the database as it is now.

    Returns:
        The ids that were not approved because a blocking check failed; they are drafts with their new checks. Empty for
        other statuses.

    Raises:
        NotFound: The project has no template of one of the ids; none is changed.
        Conflict: Somebody changed a template while it was checked; none is changed.
        SourceUnavailable: The database does not answer, so that nothing can be approved.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    ids = list(dict.fromkeys(template_ids))
    approving = status is TemplateStatus.APPROVED
    checked = _rechecked_sql(store, project_id, ids) if approving and ids else {}
    refused = [template_id for template_id, template in checked.items() if not template.approvable]
    with store.write(
        actor,
        f"sql_template.{status.value}",
        project_id=project_id,
        subject=",".join(ids[:5]),
        detail={"templates": len(ids) - len(refused), "refused": len(refused)},
    ) as connection:
        for template_id in ids:
            if not approving:
                templates.set_sql_status(connection, project_id, template_id, status)
                continue
            checked_template, stored = checked[template_id], templates.get_sql(connection, project_id, template_id)
            if (stored.sql, stored.sql_with_ids) != (checked_template.sql, checked_template.sql_with_ids):
                raise Conflict(f"The template {stored.sql} was changed meanwhile.", "Review it and approve it again.")
            outcome = TemplateStatus.DRAFT if template_id in refused else status
            templates.put_sql(connection, project_id, replace(checked_template, status=outcome))
    return refused


def import_sql_templates(
    store: Store, project_id: str, read: Sequence[SqlTemplate], *, actor: str
) -> list[SqlTemplate]:
    """Checks templates of a file on the project's data and stores those that are new as drafts.

    Returns:
        The new ones; of several with the same meaning the first.

    Raises:
        InvalidInput: The file has no template.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not read:
        raise InvalidInput(
            "The file has no SQL template.", "Give one as GRAMMAR writes it: {\"('Client',)\": [sql, ...]}."
        )
    source = project_database(store, project_id)
    with open_database(source) as database:
        checked = _checked_new(store, project_id, read, database)
    return _store_new(store, project_id, checked, actor=actor, action="sql_template.import")


def delete_sql_template(store: Store, project_id: str, template_id: str, *, actor: str) -> None:
    """Deletes an SQL template with its wordings; test sets made from it keep their cases."""
    require(store, project_id, actor, Role.VALIDATOR)
    with store.write(actor, "sql_template.delete", project_id=project_id, subject=template_id) as connection:
        templates.delete_sql(connection, project_id, template_id)


def _checked_new(
    store: Store, project_id: str, read: Sequence[SqlTemplate], database: DatabaseSource
) -> list[SqlTemplate]:
    """The templates that the project does not have, each once, checked beside the project's and those before them."""
    with store.read() as connection:
        beside = list(templates.sql(connection, project_id))
    known_ids = {template.id for template in beside}
    new_templates = []
    for template in read:
        if template.id not in known_ids:
            known_ids.add(template.id)
            draft = replace(template, status=TemplateStatus.DRAFT)
            new_templates.append(check_sql_template(draft, database, beside).template)
            beside.append(draft)
    return new_templates


def _store_new(
    store: Store, project_id: str, drafts: Sequence[SqlTemplate], *, actor: str, action: str
) -> list[SqlTemplate]:
    """Stores drafts, except those that were stored meanwhile."""
    stored: dict[str, object] = {}
    with store.write(actor, action, project_id=project_id, detail=stored) as connection:
        stored_ids = {template.id for template in templates.sql(connection, project_id)}
        new = [template for template in drafts if template.id not in stored_ids]
        stored["templates"] = len(new)
        templates.put_sql(connection, project_id, new)
    return new


def _rechecked_sql(store: Store, project_id: str, template_ids: Sequence[str]) -> dict[str, SqlTemplate]:
    source = project_database(store, project_id)
    with store.read() as connection:
        stored = {template.id: template for template in templates.sql(connection, project_id)}
    for template_id in template_ids:
        if template_id not in stored:
            raise NotFound(
                f"The project has no SQL template {template_id}.", "Load the page again; it may have been deleted."
            )
    with open_database(source) as database:
        return {
            template_id: check_sql_template(stored[template_id], database, list(stored.values())).template
            for template_id in template_ids
        }
