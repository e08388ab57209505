"""The wording half of the Templates page: propose, read side by side with a filled example, edit, approve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.projects import Source
from core.domain.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.testset.grounded.sql_checks import TemplateReview
from core.testset.grounded.text_generator import FORMS
from core.testset.review import (
    delete_text_template,
    import_text_templates,
    propose_text_templates,
    save_text_template,
    set_text_status,
)
from pages.ui import errors, numbers, review, state
from pages.ui.frame import Page


def draw(
    page: Page, source: Source, found: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool
) -> None:
    """Draws the wordings of one SQL template, a column a form."""
    approved = [template for template in found if template.status is TemplateStatus.APPROVED]
    worded = {text.sql_template_id for text in texts}
    offered = [template for template in found if template in approved or template.id in worded]
    if not offered:
        with st.container(border=True, key="no_texts"):
            st.markdown("**No SQL template is approved yet.**  \nWordings are written for approved templates.")
            if st.button("Review the SQL templates", key="go_sql", type="primary"):
                state.update(view="sql")
                st.rerun()
        return
    _actions(page, texts, may_write)
    names = {template.id: template.sql for template in offered}
    chosen_id = state.choose("SQL template", list(names), "template", name=lambda key: names.get(key, key))
    chosen = next(template for template in offered if template.id == chosen_id)
    example = _example(page, source, chosen)
    forms = list(dict.fromkeys([*FORMS, *(text.form for text in texts)]))
    for form, column in zip(forms, st.columns(len(forms), gap="large"), strict=True):
        of_form = [text for text in texts if text.sql_template_id == chosen.id and text.form == form]
        with column:
            st.markdown(f"**{form.capitalize()}** · {numbers.count(len(of_form), 'wording')}")
            for text in of_form:
                _card(page, chosen, text, example, may_write)
            if may_write:
                _add(page, chosen, form)
    _files(page, found, texts, may_write)


def _actions(page: Page, texts: Sequence[TextTemplate], may_write: bool) -> None:
    if not may_write:
        return
    ready = [text.id for text in texts if text.status is TemplateStatus.DRAFT and text.approvable]
    count, write, approve = st.columns([2, 3, 3], vertical_alignment="bottom")
    n = int(count.number_input("Wordings a form", min_value=1, max_value=10, value=3, key="wordings_n"))
    if write.button(
        "Write wordings", key="propose_text", type="secondary" if texts else "primary", width="stretch",
        help="For every approved SQL template, short and long. Wordings that are here already stay.",
    ):  # fmt: skip
        with errors.shown():
            made = propose_text_templates(page.store, page.project.id, forms=FORMS, n=n, actor=page.actor)
            state.say(
                f"{numbers.count(len(made), 'new wording')} written."
                if made
                else "Nothing new: every approved template has these wordings already."
            )
            st.rerun()
    if ready and approve.button(
        f"Approve {numbers.count(len(ready), 'passing draft')}", key="approve_all_text", type="primary", width="stretch"
    ):
        _set_status(page, ready, TemplateStatus.APPROVED)


def _example(page: Page, source: Source, chosen: SqlTemplate) -> TemplateReview | None:
    try:
        return review.review(page.store, source, chosen)
    except PlumblineError as error:
        errors.show(error)
        return None


def _card(page: Page, chosen: SqlTemplate, text: TextTemplate, example: TemplateReview | None, may_write: bool) -> None:
    with st.container(border=True, key=f"wording_{text.id}"):
        st.caption(review.STATUS[text.status])
        if state.kept("editing") == text.id and may_write:
            _edit(page, text)
            return
        st.text(text.text)
        if shown := review.filled(text.text, chosen, example):
            st.caption(f"Asked as: {errors.plain(shown)}")
        failed = [check for check in text.checks if not check.passed]
        review.draw_checks(failed)
        if not may_write:
            return
        with st.container(horizontal=True):
            if text.status is not TemplateStatus.APPROVED and st.button(
                "Approve", key=f"approve_{text.id}", disabled=not text.approvable
            ):
                _set_status(page, [text.id], TemplateStatus.APPROVED)
            if text.status is not TemplateStatus.REJECTED and st.button("Reject", key=f"reject_{text.id}"):
                _set_status(page, [text.id], TemplateStatus.REJECTED)
            if st.button("Edit", key=f"edit_{text.id}"):
                state.keep("editing", text.id)
                st.rerun()


def _edit(page: Page, text: TextTemplate) -> None:
    words = st.text_area("Wording", value=text.text, key=f"text_{text.id}", height=120)
    with st.container(horizontal=True):
        if st.button("Save", key=f"save_{text.id}", type="primary"):
            _save(page, replace(text, text=words, origin="person"), replaces=text.id)
        if st.button("Delete", key=f"delete_{text.id}"):
            with errors.shown():
                delete_text_template(page.store, page.project.id, text.id, actor=page.actor)
                state.drop("editing")
                st.rerun()
        if st.button("Cancel", key=f"cancel_{text.id}"):
            state.drop("editing")
            st.rerun()


def _add(page: Page, chosen: SqlTemplate, form: str) -> None:
    key = state.fresh(f"add_{form}_{chosen.id}")
    tokens = " ".join(f"'{placeholder.token}'" for placeholder in chosen.placeholders)
    words = st.text_area("Your own wording", key=key, height=80, placeholder=f"Use {tokens}")
    if st.button("Add this wording", key=f"add_{form}", disabled=not words.strip()):
        state.renew(f"add_{form}_{chosen.id}")
        _save(page, TextTemplate(id="", sql_template_id=chosen.id, form=form, text=words.strip()))


def _save(page: Page, text: TextTemplate, replaces: str = "") -> None:
    with errors.shown():
        saved = save_text_template(page.store, page.project.id, text, actor=page.actor, replaces=replaces)
        state.drop("editing")
        state.say("Saved as a draft." if saved.approvable else "Saved as a draft; a check failed, see the card.")
        st.rerun()


def _set_status(page: Page, ids: Sequence[str], status: TemplateStatus) -> None:
    with errors.shown():
        refused = set_text_status(page.store, page.project.id, ids, status, actor=page.actor)
        state.say(f"{numbers.count(len(ids) - len(refused), 'wording')} {status.value}.")
        st.rerun()


def _files(page: Page, found: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool) -> None:
    with st.expander("Import and export in GRAMMAR's format", key="text_files"):
        left, right = st.columns(2, gap="large")
        if may_write:
            with left:
                form = st.text_input("Form of the file", value="short", key="import_form", max_chars=40)
                upload = st.file_uploader("short.json, long.json", type=["json"], key=state.fresh("text_file"))
                if upload is not None and st.button("Import wordings", key="import_text"):
                    with errors.shown():
                        read = review.imported_texts(upload.getvalue(), form.strip(), found)
                        stored = import_text_templates(page.store, page.project.id, read, actor=page.actor)
                        state.renew("text_file")
                        state.say(
                            f"{numbers.count(len(stored), 'wording')} imported as drafts, of {len(read)} in the file."
                        )
                        st.rerun()
        with right:
            for form in dict.fromkeys(text.form for text in texts):
                st.download_button(
                    f"Download {form}.json",
                    data=review.exported_texts([text for text in texts if text.form == form], found),
                    file_name=f"{form}.json",
                    key=f"export_{form}",
                    on_click="ignore",
                )
