"""The SQL half of the Templates page: propose, list, edit with live checks, approve."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.sources.projects import Source
from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.testset.templates.review import (
    delete_sql_template,
    propose_sql_templates,
    save_sql_template,
    set_sql_status,
)
from core.testset.templates.unproposed import unproposed
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.testset import templates
from pages.test_set.templates import generation, generation_view, kinds, template_files

NEW = "new"
QUESTION_LINES = 3
"""Lines of the list in which a question is read."""
LONGEST = 10_000
STARTER = "SELECT ... FROM ... WHERE Name = '[Table.Name]';"


def draw(
    page: Page, source: Source, sql_templates: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool
) -> None:
    """Draws who writes and what they wrote, the list, the editor of the selected template, and the files."""
    by_model = may_write and generation.writer() == generation.LLM
    busy = generation_view.draw(page, "sql")
    if by_model and not busy:
        generation.sql_form(page, source, first=not sql_templates)
    if not sql_templates:
        _first(page, may_write, by_model=by_model)
    else:
        _actions(page, sql_templates, may_write, by_model=by_model)
        operations = templates.operations(page.store, page.project.id, source)
        if source.schema is not None:
            kinds.draw_mix(_filtered(sql_templates), operations, source.schema)
        tables.follow(
            templates.sql_frame(
                _filtered(sql_templates),
                texts,
                operations,
                templates.questions(page.store, page.project.id, source),
            ),
            key="sql_table",
            id_column="id",
            parameter="template",
            columns=templates.COLUMNS,
            height=418,
            row_height=QUESTION_LINES * tables.LINE + tables.PADDING,
        )
        _open(page, source, sql_templates, may_write)
    template_files.sql(page, source, sql_templates, may_write)


def _open(page: Page, source: Source, sql_templates: Sequence[SqlTemplate], may_write: bool) -> None:
    """The editor of the template in the link; what somebody typed outlives the template it was about."""
    linked = state.link().template
    chosen = next((template for template in sql_templates if template.id == linked), None)
    if chosen is not None or linked == NEW:
        _editor(page, source, chosen, may_write, name=linked)
    elif linked and state.typed(state.fresh(f"sql_{linked}")) is not None and may_write:
        st.warning(
            "Another person has changed or deleted this template. Your text is below; saving keeps it as a new "
            "template."
        )
        _editor(page, source, None, may_write, name=linked)
    elif linked:
        st.warning("This template no longer exists. Select another one.")
    else:
        st.caption("Select a template to see its checks and examples, and to edit, approve or reject it.")


def _first(page: Page, may_write: bool, *, by_model: bool) -> None:
    with st.container(border=True, key="no_templates"):
        st.markdown(
            "**No SQL template yet.**  \nPlumbline can write them from the schema, or you import your own below."
        )
        if may_write and not by_model:
            wanted = kinds.choose()
            if st.button("Propose templates", key="propose_sql", type="primary", disabled=not wanted.kinds):
                _propose(page, wanted)


def _propose(page: Page, wanted: kinds.Wanted) -> None:
    with errors.shown():
        with st.spinner("Writing templates and checking each on the data"):
            sql_templates = propose_sql_templates(
                page.store, page.project.id, actor=page.actor, kinds=wanted.kinds, each=wanted.each
            )
            lacking = unproposed(page.store, page.project.id, wanted.kinds)
        done = (
            f"{numbers.count(len(sql_templates), 'new template')} proposed and checked."
            if sql_templates
            else "The schema gives no new template."
        )
        state.say(" ".join(filter(None, (done, kinds.none_of(lacking)))))
        st.rerun()


def _actions(page: Page, sql_templates: Sequence[SqlTemplate], may_write: bool, *, by_model: bool) -> None:
    ready = [
        template.id for template in sql_templates if template.status is TemplateStatus.DRAFT and template.approvable
    ]
    approved = [template.id for template in sql_templates if template.status is TemplateStatus.APPROVED]
    first, second, third, fourth = st.columns([3, 2, 2, 3], vertical_alignment="bottom")
    with first:
        state.choose(
            "Status",
            [status.value for status in TemplateStatus],
            "status",
            every=f"Every status ({len(sql_templates)})",
            name=lambda value: templates.STATUS[TemplateStatus(value)],
        )
    if not may_write:
        return
    if second.button("Add a template", key="add_sql", width="stretch"):
        state.update(template=NEW)
        st.rerun()
    if not by_model:
        with third.popover("Propose more", width="stretch"):
            wanted = kinds.choose()
            if st.button("Propose", key="propose_sql", disabled=not wanted.kinds):
                _propose(page, wanted)
    if ready and fourth.button(
        f"Approve {numbers.count(len(ready), 'passing draft')}",
        key="approve_all_sql",
        type="secondary" if approved else "primary",
        width="stretch",
    ):
        _set_status(page, ready, TemplateStatus.APPROVED)
    if (
        approved
        and not ready
        and fourth.button(
            "Check the approved again",
            key="recheck_sql",
            help="Each is checked on the database as it is now. One that no longer fits becomes a draft.",
            width="stretch",
        )
    ):
        _check_again(page, approved)


def _check_again(page: Page, approved: Sequence[str]) -> None:
    with errors.shown():
        with st.spinner("Checking each approved template on the data"):
            unfit = set_sql_status(page.store, page.project.id, approved, TemplateStatus.APPROVED, actor=page.actor)
        fitting = (
            f"{len(approved) - len(unfit)} of {numbers.count(len(approved), 'approved template')} fit the database."
        )
        one = "no longer fits and is a draft now." if len(unfit) == 1 else "no longer fit and are drafts now."
        state.say(f"{fitting} {len(unfit)} {one}" if unfit else fitting)
        st.rerun()


def _filtered(sql_templates: Sequence[SqlTemplate]) -> list[SqlTemplate]:
    linked = state.link().status
    return [template for template in sql_templates if not linked or template.status.value == linked]


def _editor(page: Page, source: Source, chosen: SqlTemplate | None, may_write: bool, *, name: str) -> None:
    with st.container(border=True, key="sql_editor"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown(f"**{templates.STATUS[chosen.status]}**" if chosen else "**New template**")
            sql, with_ids = _statements(chosen, name) if may_write else _read_only(chosen)
        template_review = None
        if chosen is None and sql == STARTER:
            right.caption("Write one SELECT on tables of the database. It is checked when you leave the field.")
            return
        with right, errors.shown():
            candidate = _candidate(sql, with_ids, chosen)
            sql_templates = templates.sql_templates(page.store, page.project.id)
            others = [other for other in sql_templates if chosen is None or other.id != chosen.id]
            template_review = templates.review(page.store, source, candidate, others)
            templates.draw_checks(template_review.template.checks)
        if template_review is not None:
            templates.draw_examples(template_review)
        if may_write:
            _buttons(
                page,
                chosen,
                sql,
                with_ids,
                approvable=template_review is not None and template_review.template.approvable,
            )


def _statements(chosen: SqlTemplate | None, name: str) -> tuple[str, str]:
    sql = st.text_area(
        "SQL template",
        value=chosen.sql if chosen else STARTER,
        key=state.fresh(f"sql_{name}"),
        height=110,
        max_chars=LONGEST,
        help="One SELECT. A placeholder '[Table.Column]' stands for each value of that column; '[Table.Column#1]' and "
        "'[Table.Column#2]' stand for two different values of it.",
    )
    with_ids = st.text_area(
        "The same with document ids",
        value=chosen.sql_with_ids if chosen else "",
        key=state.fresh(f"ids_{name}"),
        height=110,
        max_chars=LONGEST,
        help="Key columns of the record whose document holds the answer, appended to SELECT: they say which "
        "document must be retrieved. Leave empty where you cannot tell.",
    )
    return sql, with_ids


def _read_only(chosen: SqlTemplate | None) -> tuple[str, str]:
    if chosen is None:
        return "", ""
    st.code(chosen.sql, language="sql", wrap_lines=True)
    if chosen.sql_with_ids:
        st.caption("The same with document ids")
        st.code(chosen.sql_with_ids, language="sql", wrap_lines=True)
    return chosen.sql, chosen.sql_with_ids


def _candidate(sql: str, with_ids: str, chosen: SqlTemplate | None) -> SqlTemplate:
    """What is being written; it keeps its own id, so that another template of the same meaning is seen as another."""
    return SqlTemplate(
        id=chosen.id if chosen else NEW,
        sql=sql.strip(),
        sql_with_ids=with_ids.strip(),
        origin=chosen.origin if chosen else "person",
    )


def _buttons(page: Page, chosen: SqlTemplate | None, sql: str, with_ids: str, *, approvable: bool) -> None:
    changed = chosen is None or (sql.strip(), with_ids.strip()) != (chosen.sql.strip(), chosen.sql_with_ids.strip())
    save, approve, reject, delete = st.columns(4)
    # Never disabled: a click that leaves a changed field would fall on a button that is still the old one.
    if save.button(
        "Save as draft",
        key="save_sql",
        type="primary" if changed else "secondary",
        width="stretch",
        help="A template with another meaning is a new one: its wordings must be written again.",
    ):
        if not changed:
            st.info("Nothing was changed.")
            return
        with errors.shown():
            saved = save_sql_template(
                page.store,
                page.project.id,
                sql,
                sql_with_ids=with_ids,
                actor=page.actor,
                replaces=chosen.id if chosen else "",
            )
            state.update(template=saved.id)
            state.say("Saved as a draft. Approve it when its checks pass.")
            st.rerun()
    if chosen is None:
        return
    blocked = changed or not approvable or chosen.status is TemplateStatus.APPROVED
    why = "Save the change first." if changed else "" if approvable else "A failed check prevents approval."
    if approve.button("Approve", key="approve_sql", disabled=blocked, help=why or None, width="stretch"):
        _set_status(page, [chosen.id], TemplateStatus.APPROVED)
    if reject.button("Reject", key="reject_sql", disabled=chosen.status is TemplateStatus.REJECTED, width="stretch"):
        _set_status(page, [chosen.id], TemplateStatus.REJECTED)
    if delete.button("Delete", key="delete_sql", help="Its wordings are deleted too.", width="stretch"):
        with errors.shown():
            delete_sql_template(page.store, page.project.id, chosen.id, actor=page.actor)
            state.update(template="")
            state.say("Deleted, with its wordings.")
            st.rerun()


def _set_status(page: Page, ids: Sequence[str], status: TemplateStatus) -> None:
    with errors.shown():
        refused = set_sql_status(page.store, page.project.id, ids, status, actor=page.actor)
        done = len(ids) - len(refused)
        refusals = f" {numbers.count(len(refused), 'template')} cannot be: a check failed." if refused else ""
        state.say(f"{numbers.count(done, 'template')} {status.value}.{refusals}")
        st.rerun()
