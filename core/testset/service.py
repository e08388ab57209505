"""From a project's database to a frozen test set: propose, review, build, freeze."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.cases import TestSet, cases_hash
from core.domain.errors import InvalidInput, InvalidTemplate
from core.domain.identity import new_id
from core.domain.projects import Role
from core.domain.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store import templates, testsets
from core.store.database import Store
from core.testset.grounded.canonical import canonical_id
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.sql_checks import check_sql_template
from core.testset.grounded.sql_generator import generate_sql_templates
from core.testset.grounded.text_checks import check_text_template
from core.testset.grounded.text_generator import generate_text_templates


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
    others = [other for other in siblings if other.id not in (text.id, replaces)]
    checked = replace(check_text_template(text, template, siblings=others), status=TemplateStatus.DRAFT)
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


def build_test_set(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    balanced: bool = True,
    limit: int | None = None,
    seed: int = 0,
) -> TestSet:
    """Fills the approved templates with the database's values and stores the cases as a draft test set.

    Args:
        store: Where the project lives.
        project_id: The project.
        actor: Who does it.
        name: Of the test set; an existing name gets the next version.
        balanced: Whether every group has the same number of questions in each form.
        limit: The most questions wanted, sampled by SQL template; None for all.
        seed: Of the sample.

    Raises:
        InvalidInput: No SQL template or no wording is approved, or no question came out.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        sql_templates = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
        versions = [other.version for other in testsets.all(connection, project_id) if other.name == name]
    if not sql_templates or not texts:
        missing = "SQL template" if not sql_templates else "text template"
        raise InvalidInput(f"No {missing} is approved yet.", "Approve at least one on the Templates page.")
    with open_database(source) as database:
        made = instantiate(database, sql_templates, texts, balanced=balanced, limit=limit, seed=seed)
        fingerprint = database.schema.fingerprint
    if not made.cases:
        reasons = ", ".join(f"{reason} {count}" for reason, count in made.drops.items())
        raise InvalidInput(f"The approved templates make no question ({reasons}).", "Approve other templates.")
    test_set = TestSet(
        id=new_id("ts"),
        project_id=project_id,
        name=name,
        version=max(versions, default=0) + 1,
        options={
            "balanced": balanced,
            "limit": limit,
            "seed": seed,
            "source_id": source.id,
            "source_fingerprint": fingerprint,
        },
        counts=made.counts,
        drops=made.drops,
    )
    with store.write(
        actor, "test_set.build", project_id=project_id, subject=test_set.id, detail={"cases": len(made.cases)}
    ) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, made.cases)
    return test_set


def freeze_test_set(store: Store, test_set_id: str, *, actor: str) -> TestSet:
    """Freezes a test set: hashes its cases that are not excluded; from then on it never changes.

    Raises:
        Conflict: It is frozen already.
        InvalidInput: Every case is excluded.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        cases = testsets.cases(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if not cases:
        raise InvalidInput(f"Test set {test_set.name} has no case left.", "Include at least one case again.")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with store.write(
        actor, "test_set.freeze", project_id=test_set.project_id, subject=test_set_id, detail={"cases": len(cases)}
    ) as connection:
        testsets.freeze(connection, test_set_id, cases_hash(cases), at)
        return testsets.get(connection, test_set_id)


def exclude_case(store: Store, test_set_id: str, case_id: str, reason: str, *, actor: str) -> None:
    """Takes a case out of a draft test set; the reason is kept. An empty reason puts it back.

    Raises:
        Conflict: The test set is frozen.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    action = "test_set.exclude" if reason.strip() else "test_set.include"
    with store.write(
        actor, action, project_id=test_set.project_id, subject=case_id, detail={"reason": reason.strip()}
    ) as connection:
        if reason.strip():
            testsets.exclude(connection, test_set_id, case_id, reason.strip())
        else:
            testsets.include(connection, test_set_id, case_id)


def _store_sql(store: Store, project_id: str, proposed: list[SqlTemplate], *, actor: str, action: str) -> None:
    with store.write(actor, action, project_id=project_id, detail={"templates": len(proposed)}) as connection:
        templates.put_sql(connection, project_id, proposed)
