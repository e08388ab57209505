"""Wordings of SQL templates inside a project: propose, check, save, approve, import, delete.

As with SQL templates, no earlier check approves a wording.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.errors import InvalidInput, InvalidTemplate, NotFound
from core.domain.sources.projects import Role
from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.beyond.wordings import word_template
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.wording.checks import check_text_template
from core.testset.grounded.wording.templates import text_id
from core.testset.grounded.words.values import value_text

FORM = re.compile(r"[^\W_][\w -]{0,39}")
"""The name of a form, which file names and addresses contain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedWordings:
    """The wordings by rules.

    Attributes:
        texts: The new wordings.
        unworded: SQL templates that the rules cannot word in every form requested; a person has to.
    """

    texts: tuple[TextTemplate, ...]
    unworded: tuple[SqlTemplate, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)


def propose_text_templates(
    store: Store, project_id: str, *, forms: Sequence[str], n: int, actor: str
) -> ProposedWordings:
    """Words every approved SQL template in each form and stores the wordings that are new as drafts.

    Returns:
        The new wordings, and the SQL templates that the rules cannot word.

    Raises:
        InvalidInput: No SQL template is approved, or a form is not built in.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    source = project_database(store, project_id)
    with store.read() as connection:
        approved = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        stored = templates.text(connection, project_id)
    if not approved:
        raise InvalidInput("No SQL template is approved yet.", "Approve at least one on the Templates page.")
    proposed: list[TextTemplate] = []
    unworded: list[SqlTemplate] = []
    with open_database(source) as database:
        for template in approved:
            worded = [word_template(template, database.schema, form=form, n=n) for form in forms]
            if not all(worded):
                unworded.append(template)
            siblings = [text for text in stored if text.sql_template_id == template.id]
            new = [text for texts in worded for text in texts if text.id not in {other.id for other in siblings}]
            answers = example_answers(database, template) if new else ()
            proposed += checked_text_templates(new, template, siblings=siblings, example_answers=answers)
    with store.write(
        actor, "text_template.propose", project_id=project_id, detail={"texts": len(proposed)}
    ) as connection:
        templates.put_text(connection, project_id, proposed)
    return ProposedWordings(texts=tuple(proposed), unworded=tuple(unworded))


def checked_text_templates(
    texts: Sequence[TextTemplate],
    template: SqlTemplate,
    *,
    siblings: Sequence[TextTemplate] = (),
    example_answers: Sequence[str] = (),
) -> list[TextTemplate]:
    """Wordings of one SQL template with their checks, each compared with its siblings and those before it."""
    return [
        check_text_template(text, template, siblings=[*siblings, *texts[:place]], example_answers=example_answers)
        for place, text in enumerate(texts)
    ]


def save_text_template(
    store: Store, project_id: str, text: TextTemplate, *, actor: str, replaces: str = ""
) -> TextTemplate:
    """Checks a wording beside its siblings and on the data and stores it as a draft.

    Its form may be one of the built-in ones, which have a rule of length, or any other name.

    Args:
        store: Where the project lives.
        project_id: The project.
        text: The wording; its id and status are set here.
        actor: Who does it.
        replaces: The id of the wording that was edited, or empty.

    Raises:
        InvalidTemplate: It is empty, its form has no usable name, or the SQL template has this wording already.
        NotFound: The SQL template, or the wording it replaces, no longer exists.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not text.text.strip():
        raise InvalidTemplate("The wording is empty.", "Write a question with the placeholders of its SQL template.")
    form = form_name(text.form)
    text = replace(text, form=form, status=TemplateStatus.DRAFT, id=text_id(text.sql_template_id, form, text.text))
    source = project_database(store, project_id)
    with store.read() as connection:
        template = templates.get_sql(connection, project_id, text.sql_template_id)
        siblings = templates.text(connection, project_id, sql_template_id=template.id)
    with open_database(source) as database:
        answers = example_answers(database, template)
    others = [other for other in siblings if other.id not in (text.id, replaces)]
    checked = check_text_template(text, template, siblings=others, example_answers=answers)
    with store.write(
        actor, "text_template.save", project_id=project_id, subject=checked.id, detail={"replaces": replaces}
    ) as connection:
        stored_ids = {other.id for other in templates.text(connection, project_id, sql_template_id=template.id)}
        if checked.id in stored_ids and checked.id != replaces:
            raise InvalidTemplate(
                f"The SQL template has this wording already: {text.text}",
                "Change a word, or keep the existing wording.",
            )
        if replaces and replaces != checked.id:
            templates.delete_text(connection, project_id, replaces)
        templates.put_text(connection, project_id, [checked])
    return checked


def form_name(form: str) -> str:
    """A form's name as it is stored: in lower case, so that Formal and formal are one form.

    Raises:
        InvalidTemplate: It is empty, too long, or has characters that a file name cannot have.
    """
    name = form.strip().lower()
    if not FORM.fullmatch(name):
        raise InvalidTemplate(
            f"A form cannot be called {form!r}.",
            "Use up to 40 letters, digits, blanks, - or _, a letter or digit first.",
        )
    return name


def set_text_status(
    store: Store, project_id: str, text_ids: Sequence[str], status: TemplateStatus, *, actor: str
) -> list[str]:
    """Sets the review status of wordings. To be approved, each is checked again, as the SQL template and data are now.

    Returns:
        The ids that were not approved because a blocking check failed; they are drafts with their new checks. Empty for
        other statuses.

    Raises:
        NotFound: The project has no wording of one of the ids; none is changed.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    ids = list(dict.fromkeys(text_ids))
    approving = status is TemplateStatus.APPROVED
    checked = _rechecked_texts(store, project_id, ids) if approving and ids else {}
    refused = [text_id for text_id, text in checked.items() if not text.approvable]
    with store.write(
        actor,
        f"text_template.{status.value}",
        project_id=project_id,
        subject=",".join(ids[:5]),
        detail={"texts": len(ids) - len(refused), "refused": len(refused)},
    ) as connection:
        for wording_id in ids:
            # Fails for a wording that was deleted since: a wording's text never changes under its id.
            templates.set_text_status(connection, project_id, wording_id, status)
        updated = [
            replace(text, status=TemplateStatus.DRAFT if text.id in refused else status) for text in checked.values()
        ]
        templates.put_text(connection, project_id, updated)
    return refused


def import_text_templates(
    store: Store, project_id: str, read: Sequence[TextTemplate], *, actor: str
) -> list[TextTemplate]:
    """Checks wordings of a file and stores those that are new as drafts.

    Raises:
        InvalidInput: The file has no wording, or one of an SQL template that the project does not have.
        InvalidTemplate: A form has no usable name.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not read:
        raise InvalidInput("The file has no wording.", "Give one as GRAMMAR writes it: {sql: [text, ...]}.")
    source = project_database(store, project_id)
    with store.read() as connection:
        sql = {template.id: template for template in templates.sql(connection, project_id)}
        stored = templates.text(connection, project_id)
    strange = next((text for text in read if text.sql_template_id not in sql), None)
    if strange is not None:
        raise InvalidInput(
            f"The project has no SQL template for the wording: {strange.text}", "Import the SQL templates first."
        )
    stored_ids = {text.id for text in stored}
    new = {
        text.id: replace(text, status=TemplateStatus.DRAFT)
        for text in map(_with_form_name, read)
        if text.id not in stored_ids
    }
    checked: list[TextTemplate] = []
    with open_database(source) as database:
        for template_id in dict.fromkeys(text.sql_template_id for text in new.values()):
            checked += checked_text_templates(
                [text for text in new.values() if text.sql_template_id == template_id],
                sql[template_id],
                siblings=[text for text in stored if text.sql_template_id == template_id],
                example_answers=example_answers(database, sql[template_id]),
            )
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


def _with_form_name(text: TextTemplate) -> TextTemplate:
    """A wording with its form's name as it is stored, and the id that goes with it."""
    form = form_name(text.form)
    return replace(text, form=form, id=text_id(text.sql_template_id, form, text.text))


def _rechecked_texts(store: Store, project_id: str, text_ids: Sequence[str]) -> dict[str, TextTemplate]:
    """Wordings with new checks; of several equal ones, the first that is not rejected may be approved."""
    source = project_database(store, project_id)
    with store.read() as connection:
        sql = {template.id: template for template in templates.sql(connection, project_id)}
        stored = templates.text(connection, project_id)
    stored_by_id = {text.id: text for text in stored}
    for wording_id in text_ids:
        if wording_id not in stored_by_id:
            raise NotFound(
                f"The project has no wording {wording_id}.", "Load the page again; it may have been deleted."
            )
    checked: dict[str, TextTemplate] = {}
    with open_database(source) as database:
        answers = {
            template_id: example_answers(database, sql[template_id])
            for template_id in dict.fromkeys(stored_by_id[text_id].sql_template_id for text_id in text_ids)
        }
    for wording_id in text_ids:
        text = stored_by_id[wording_id]
        place = stored.index(text)
        rivals = [
            other
            for position, other in enumerate(stored)
            if other.sql_template_id == text.sql_template_id
            and other.id != text.id
            and (other.status is TemplateStatus.APPROVED or position < place)
            and other.status is not TemplateStatus.REJECTED
        ]
        checked[wording_id] = check_text_template(
            text, sql[text.sql_template_id], siblings=rivals, example_answers=answers[text.sql_template_id]
        )
    return checked


def example_answers(database: DatabaseSource, template: SqlTemplate) -> tuple[str, ...]:
    """Some answers of a template, to find wordings that give one away."""
    examples = check_sql_template(template, database).examples
    return tuple(value_text(part) for example in examples for answer in example.answers for part in answer)
