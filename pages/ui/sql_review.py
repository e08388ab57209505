"""The SQL half of the Templates page: propose, list, edit with live checks, approve, import, export."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.errors import InvalidTemplate
from core.domain.projects import Source
from core.domain.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.testset.grounded.canonical import canonical_id
from core.testset.review import (
    delete_sql_template,
    import_sql_templates,
    propose_sql_templates,
    save_sql_template,
    set_sql_status,
)
from pages.ui import errors, numbers, review, state, tables
from pages.ui.frame import Page

NEW = "new"
STARTER = "SELECT ... FROM ... WHERE Name = '[Table.Name]';"


def draw(
    page: Page, source: Source, found: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool
) -> None:
    """Draws the list, the editor of the selected template, and the files."""
    if not found:
        _first(page, may_write)
    else:
        _actions(page, found, may_write)
        shown = _filtered(found)
        picked = tables.select(
            review.sql_frame(shown, texts),
            key=state.fresh("sql_table"),
            id_column="id",
            columns={"SQL": st.column_config.TextColumn(width="large")},
            height=330,
        )
        if picked and picked != state.link().template:
            state.update(template=picked)
        chosen = next((template for template in found if template.id == state.link().template), None)
        if state.link().template == NEW:
            _editor(page, source, None, may_write)
        elif chosen is not None:
            _editor(page, source, chosen, may_write)
        elif state.link().template:
            st.warning("This template is no longer here. Select another one.")
        else:
            st.caption("Select a template to see its checks and examples, and to edit, approve or reject it.")
    _files(page, source, found, may_write)


def _first(page: Page, may_write: bool) -> None:
    with st.container(border=True, key="no_templates"):
        st.markdown(
            "**No SQL template yet.**  \nPlumbline can write them from the schema, or you import your own below."
        )
        if may_write and st.button("Propose templates", key="propose_sql", type="primary"):
            _propose(page)


def _propose(page: Page) -> None:
    with errors.shown():
        with st.spinner("Writing templates and checking each on the data"):
            made = propose_sql_templates(page.store, page.project.id, actor=page.actor)
        state.say(
            f"{numbers.count(len(made), 'new template')} proposed and checked."
            if made
            else "The schema gives no template that is not here already."
        )
        st.rerun()


def _actions(page: Page, found: Sequence[SqlTemplate], may_write: bool) -> None:
    ready = [template.id for template in found if template.status is TemplateStatus.DRAFT and template.approvable]
    approved = sum(template.status is TemplateStatus.APPROVED for template in found)
    first, second, third, fourth = st.columns([3, 2, 2, 3], vertical_alignment="bottom")
    with first:
        state.choose(
            "Status",
            [status.value for status in TemplateStatus],
            "status",
            every=f"Every status ({len(found)})",
            name=lambda value: review.STATUS[TemplateStatus(value)],
        )
    if not may_write:
        return
    if second.button("Add a template", key="add_sql", width="stretch"):
        state.update(template=NEW)
        state.renew("sql_table")
        st.rerun()
    if third.button("Propose more", key="propose_sql", width="stretch"):
        _propose(page)
    if ready and fourth.button(
        f"Approve {numbers.count(len(ready), 'passing draft')}",
        key="approve_all_sql",
        type="secondary" if approved else "primary",
        width="stretch",
    ):
        _set_status(page, ready, TemplateStatus.APPROVED)


def _filtered(found: Sequence[SqlTemplate]) -> list[SqlTemplate]:
    wanted = state.link().status
    return [template for template in found if not wanted or template.status.value == wanted]


def _editor(page: Page, source: Source, chosen: SqlTemplate | None, may_write: bool) -> None:
    name = chosen.id if chosen else NEW
    with st.container(border=True, key="sql_editor"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown(f"**{review.STATUS[chosen.status]}**" if chosen else "**New template**")
            sql = st.text_area(
                "SQL template",
                value=chosen.sql if chosen else STARTER,
                key=state.fresh(f"sql_{name}"),
                height=110,
                disabled=not may_write,
                help="One SELECT. A placeholder '[Table.Column]' stands for each value of that column.",
            )
            with_ids = st.text_area(
                "The same with document ids",
                value=chosen.sql_with_ids if chosen else "",
                key=state.fresh(f"ids_{name}"),
                height=90,
                disabled=not may_write,
                help="Key columns of the record whose document holds the answer, appended to SELECT: they say which "
                "document must be retrieved. Leave empty where you cannot tell.",
            )
        candidate = _candidate(source, sql, with_ids, chosen)
        with right:
            found = None
            if candidate is not None:
                with errors.shown():
                    found = review.review(page.store, source, candidate)
                    review.draw_checks(found.template.checks)
        if found is not None:
            review.draw_examples(found)
        if may_write:
            _buttons(page, chosen, sql, with_ids, approvable=found is not None and found.template.approvable)


def _candidate(source: Source, sql: str, with_ids: str, chosen: SqlTemplate | None) -> SqlTemplate | None:
    try:
        template_id = canonical_id(sql, source.schema.dialect if source.schema else "sqlite")
    except InvalidTemplate as error:
        errors.show(error)
        return None
    return SqlTemplate(
        id=template_id, sql=sql.strip(), sql_with_ids=with_ids.strip(), origin=chosen.origin if chosen else "person"
    )


def _buttons(page: Page, chosen: SqlTemplate | None, sql: str, with_ids: str, *, approvable: bool) -> None:
    changed = chosen is None or sql.strip() != chosen.sql or with_ids.strip() != chosen.sql_with_ids
    save, approve, reject, delete = st.columns(4)
    if save.button("Save as draft", key="save_sql", disabled=not changed, width="stretch"):
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
    why = "Save the change first." if changed else "" if approvable else "A check that failed keeps it from approval."
    if approve.button("Approve", key="approve_sql", disabled=blocked, help=why or None, width="stretch"):
        _set_status(page, [chosen.id], TemplateStatus.APPROVED)
    if reject.button("Reject", key="reject_sql", disabled=chosen.status is TemplateStatus.REJECTED, width="stretch"):
        _set_status(page, [chosen.id], TemplateStatus.REJECTED)
    if delete.button("Delete", key="delete_sql", help="Its wordings go with it.", width="stretch"):
        with errors.shown():
            delete_sql_template(page.store, page.project.id, chosen.id, actor=page.actor)
            state.update(template="")
            state.renew("sql_table")
            state.say("Deleted, with its wordings.")
            st.rerun()


def _set_status(page: Page, ids: Sequence[str], status: TemplateStatus) -> None:
    with errors.shown():
        refused = set_sql_status(page.store, page.project.id, ids, status, actor=page.actor)
        done = len(ids) - len(refused)
        kept = f" {numbers.count(len(refused), 'template')} cannot be: a check failed." if refused else ""
        state.say(f"{numbers.count(done, 'template')} {status.value}.{kept}")
        st.rerun()


def _files(page: Page, source: Source, found: Sequence[SqlTemplate], may_write: bool) -> None:
    with st.expander("Import and export in GRAMMAR's format", key="sql_files"):
        left, right = st.columns(2, gap="large")
        if may_write:
            with left:
                upload = st.file_uploader("sql_templates.json", type=["json"], key=state.fresh("sql_file"))
                ids = st.file_uploader(
                    "sql_templates_with_ids.json, if there is one", type=["json"], key=state.fresh("ids_file")
                )
                if upload is not None and st.button("Import templates", key="import_sql"):
                    with errors.shown():
                        dialect = source.schema.dialect if source.schema else "sqlite"
                        read = review.imported_sql(upload.getvalue(), ids.getvalue() if ids else None, dialect)
                        stored = import_sql_templates(page.store, page.project.id, read, actor=page.actor)
                        state.renew("sql_file")
                        state.renew("ids_file")
                        state.say(
                            f"{numbers.count(len(stored), 'template')} imported as drafts, of {len(read)} in the file."
                        )
                        st.rerun()
        with right:
            if found:
                st.download_button(
                    "Download sql_templates.json",
                    data=review.exported(found),
                    file_name="sql_templates.json",
                    key="export_sql",
                    on_click="ignore",
                )
                st.download_button(
                    "Download sql_templates_with_ids.json",
                    data=review.exported(found, with_ids=True),
                    file_name="sql_templates_with_ids.json",
                    key="export_ids",
                    on_click="ignore",
                )
            else:
                st.caption("Nothing to export yet.")
