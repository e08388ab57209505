"""The wording half of the Templates page: propose, read side by side with a filled example, edit, approve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.sources.projects import Source
from core.domain.testset.templates import Check, SqlTemplate, TemplateStatus, TextTemplate
from core.testset.grounded.llm import round_trip
from core.testset.grounded.sql.checks import TemplateReview
from core.testset.grounded.wording.checks import ROUND_TRIP
from core.testset.grounded.wording.generator import FORMS
from core.testset.templates.review import (
    ProposedWordings,
    delete_text_template,
    propose_text_templates,
    save_text_template,
    set_text_status,
)
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, verbatim
from pages.kit.testset import templates
from pages.test_set.templates import generation, generation_view, template_files

EDITING = "editing"
EDITED_FORM = "edited_form"
LONGEST = 2_000
IN_A_ROW = 3
"""Forms side by side; more are too narrow to read."""


def draw(
    page: Page, source: Source, sql_templates: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool
) -> None:
    """Draws the wordings of one SQL template, a column a form."""
    approved = [template for template in sql_templates if template.status is TemplateStatus.APPROVED]
    worded = {text.sql_template_id for text in texts}
    offered = [template for template in sql_templates if template in approved or template.id in worded]
    if not offered:
        with st.container(border=True, key="no_texts"):
            st.markdown("**No SQL template is approved yet.**  \nWordings are written for approved templates.")
            if st.button("Review the SQL templates", key="go_sql", type="primary"):
                state.update(view="sql")
                st.rerun()
        return
    by_model = may_write and generation.writer() == generation.LLM
    busy = generation_view.draw(page, "text")
    if by_model and not busy:
        generation.text_form(page, texts)
    _actions(page, texts, may_write, by_model=by_model)
    chosen = _choose(page, source, offered, texts)
    example = _example(page, source, chosen)
    forms = list(dict.fromkeys([*FORMS, *(text.form for text in texts)]))
    cells = [
        cell for _ in range(0, len(forms), IN_A_ROW) for cell in st.columns(min(len(forms), IN_A_ROW), gap="large")
    ]
    for form, column in zip(forms, cells, strict=False):
        of_form = [text for text in texts if text.sql_template_id == chosen.id and text.form == form]
        with column:
            st.markdown(f"**{form.capitalize()}** · {numbers.count(len(of_form), 'wording')}")
            if may_write:
                _orphan(page, chosen, form, texts)
            for text in of_form:
                _card(page, chosen, text, example, may_write)
            if may_write:
                _add(page, chosen, form)
    template_files.text(page, sql_templates, texts, may_write)


def _choose(page: Page, source: Source, offered: Sequence[SqlTemplate], texts: Sequence[TextTemplate]) -> SqlTemplate:
    """The template whose wordings are shown, by its question; those that wait for a person can be shown alone."""
    lacking = templates.lacking_forms(offered, texts)
    waiting = templates.to_review(offered, texts, lacking)
    shown_at, template_at = st.columns([3, 8], vertical_alignment="bottom")
    with shown_at:
        shown = state.choose(
            "Show",
            [templates.TO_REVIEW] if waiting else [],
            "status",
            every=f"All {numbers.count(len(offered), 'template')}",
            name=lambda _: f"To review ({len(waiting):,})",
            help="To review are templates with a wording that is neither approved nor rejected, and those without an "
            "approved wording in a form that others have.",
        )
    listed = waiting if shown else list(offered)
    # The names never change while the page is open: a selection is remembered by them.
    names = templates.questions(page.store, page.project.id, source)
    with template_at:
        chosen_id = state.choose(
            "Template", [template.id for template in listed], "template", name=lambda key: names.get(key, key)
        )
    chosen = next(template for template in listed if template.id == chosen_id)
    st.code(chosen.sql, language="sql", wrap_lines=True)
    st.caption(f"Of its wordings: {templates.standing(chosen, texts)}{_without(lacking.get(chosen.id, ()))}.")
    st.caption(_overall(offered, texts, lacking))
    if waiting and not shown and st.button(f"Show the {len(waiting):,} to review", key="show_waiting"):
        state.update(status=templates.TO_REVIEW, template="")
        st.rerun()
    return chosen


def _without(forms: Sequence[str]) -> str:
    return f", none of the form {errors.plain(' or '.join(forms))}" if forms else ""


def _overall(
    offered: Sequence[SqlTemplate], texts: Sequence[TextTemplate], lacking: Mapping[str, Sequence[str]]
) -> str:
    """How many wordings of all are approved, and which templates a balanced test set would leave out."""
    status = Counter(text.status for text in texts)
    counted = (
        f"Of all {numbers.count(len(texts), 'wording')}: {status[TemplateStatus.APPROVED]:,} approved, "
        f"{numbers.count(status[TemplateStatus.DRAFT], 'draft')}, {status[TemplateStatus.REJECTED]:,} rejected."
    )
    if not lacking:
        return counted
    verb = "has" if len(lacking) == 1 else "have"
    return (
        f"{counted} {len(lacking):,} of {numbers.count(len(offered), 'template')} here {verb} no approved wording in a "
        "form that others have: a balanced test set leaves out every question of such a template."
    )


def _actions(page: Page, texts: Sequence[TextTemplate], may_write: bool, *, by_model: bool) -> None:
    if not may_write:
        return
    # A warning does not keep a wording from approval, but a person should have read it.
    drafts = [text for text in texts if text.status is TemplateStatus.DRAFT]
    ready = [text.id for text in drafts if all(check.passed for check in text.checks)]
    count, write, approve = st.columns([2, 3, 3], vertical_alignment="bottom")
    if not by_model:
        n = int(count.number_input("Wordings per form", min_value=1, max_value=10, value=3, key="wordings_n"))
        if write.button(
            "Write wordings",
            key="propose_text",
            type="secondary" if texts else "primary",
            width="stretch",
            help="For every approved SQL template, short and long. Existing wordings stay.",
        ):
            with errors.shown():
                proposed_wordings = propose_text_templates(
                    page.store, page.project.id, forms=FORMS, n=n, actor=page.actor
                )
                state.say(_written(proposed_wordings))
                st.rerun()
    if ready and approve.button(
        f"Approve {numbers.count(len(ready), 'passing draft')}", key="approve_all_text", type="primary", width="stretch"
    ):
        _set_status(page, ready, TemplateStatus.APPROVED)


def _written(proposed_wordings: ProposedWordings) -> str:
    unworded = (
        f" {numbers.count(len(proposed_wordings.unworded), 'template')} cannot be worded by rule, the first being "
        f"{proposed_wordings.unworded[0].sql} Write their wordings yourself."
        if proposed_wordings.unworded
        else ""
    )
    if proposed_wordings.texts:
        return f"{numbers.count(len(proposed_wordings), 'new wording')} written.{unworded}"
    return unworded.strip() or "Nothing new: every approved template has these wordings already."


def _example(page: Page, source: Source, chosen: SqlTemplate) -> TemplateReview | None:
    try:
        return templates.review(page.store, source, chosen)
    except PlumblineError as error:
        errors.show(error)
        return None


def _card(page: Page, chosen: SqlTemplate, text: TextTemplate, example: TemplateReview | None, may_write: bool) -> None:
    with st.container(border=True, key=f"wording_{text.id}", gap="small"):
        if state.note(EDITING) == text.id and may_write:
            st.caption(templates.STATUS[text.status])
            _edit(page, chosen, text.form, text)
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(templates.STATUS[text.status], width="stretch")
            if may_write:
                _card_buttons(page, text)
        verbatim.show(text.text)
        if filled_text := templates.filled(text.text, chosen, example):
            st.caption(f"Asked as: {errors.plain(filled_text)}")
        templates.draw_checks([check for check in text.checks if not check.passed and check.name != ROUND_TRIP])
        for check in text.checks:
            if check.name == ROUND_TRIP:
                _round_trip(check)


def _round_trip(check: Check) -> None:
    """What a model made of the wording, with both statements where they differ."""
    if check.passed:
        st.caption(f"✓ {errors.plain(check.message)}")
        return
    what, own, back = round_trip.flag_lines(check)
    st.markdown(f":gray[○] **Round trip:** {errors.plain(what)}")
    if back:
        st.caption("The template, and what the model made of the wording")
        st.code(own, language="sql", wrap_lines=True)
        st.code(back, language="sql", wrap_lines=True)
    st.caption(errors.plain(check.remedy))


def _card_buttons(page: Page, text: TextTemplate) -> None:
    if text.status is not TemplateStatus.APPROVED and st.button(
        "Approve",
        key=f"approve_{text.id}",
        type="tertiary",
        disabled=not text.approvable,
        help=None if text.approvable else "A failed check prevents approval.",
    ):
        _set_status(page, [text.id], TemplateStatus.APPROVED)
    if text.status is not TemplateStatus.REJECTED and st.button("Reject", key=f"reject_{text.id}", type="tertiary"):
        _set_status(page, [text.id], TemplateStatus.REJECTED)
    if st.button("Edit", key=f"edit_{text.id}", type="tertiary"):
        state.keep(EDITING, text.id)
        state.keep(EDITED_FORM, text.form)
        st.rerun()


def _edit(page: Page, chosen: SqlTemplate, form: str, text: TextTemplate | None) -> None:
    """The field of a wording; without one it belongs to a wording that somebody else took away meanwhile."""
    text_id = state.note(EDITING)
    words = st.text_area(
        "Wording", value=text.text if text else "", key=f"text_{text_id}", height=120, max_chars=LONGEST
    )
    with st.container(horizontal=True):
        if st.button("Save", key=f"save_{text_id}", type="primary"):
            wording = TextTemplate(id="", sql_template_id=chosen.id, form=form, text=words, origin="person")
            _save(page, wording, replaces=text.id if text else "")
        if text is not None and st.button("Delete", key=f"delete_{text_id}"):
            with errors.shown():
                delete_text_template(page.store, page.project.id, text.id, actor=page.actor)
                state.drop(EDITING)
                st.rerun()
        if st.button("Cancel", key=f"cancel_{text_id}"):
            state.drop(EDITING)
            st.rerun()


def _orphan(page: Page, chosen: SqlTemplate, form: str, texts: Sequence[TextTemplate]) -> None:
    """What somebody typed outlives the wording it was about."""
    text_id = state.note(EDITING)
    if not text_id or state.note(EDITED_FORM) != form or any(text.id == text_id for text in texts):
        return
    if state.typed(f"text_{text_id}") is None:
        state.drop(EDITING)
        return
    with st.container(border=True, key="orphan"):
        st.warning("Another person has changed or deleted this wording. Saving keeps your text as a new one.")
        _edit(page, chosen, form, None)


def _add(page: Page, chosen: SqlTemplate, form: str) -> None:
    key = state.fresh(f"add_{form}_{chosen.id}")
    tokens = " ".join(f"'{placeholder.token}'" for placeholder in chosen.placeholders)
    words = st.text_area(
        "Your own wording", key=key, height=80, max_chars=LONGEST, placeholder=f"With {tokens}" if tokens else ""
    )
    if st.button("Add this wording", key=f"add_{form}"):
        wording = TextTemplate(id="", sql_template_id=chosen.id, form=form, text=words.strip())
        _save(page, wording, empties=f"add_{form}_{chosen.id}")


def _save(page: Page, text: TextTemplate, *, replaces: str = "", empties: str = "") -> None:
    if not text.text.strip():
        st.info("Write a wording first.")
        return
    with errors.shown():
        saved = save_text_template(page.store, page.project.id, text, actor=page.actor, replaces=replaces)
        state.drop(EDITING)
        if empties:
            state.renew(empties)
        state.say("Saved as a draft." if saved.approvable else "Saved as a draft; a check failed, see the card.")
        st.rerun()


def _set_status(page: Page, ids: Sequence[str], status: TemplateStatus) -> None:
    with errors.shown():
        refused = set_text_status(page.store, page.project.id, ids, status, actor=page.actor)
        state.say(f"{numbers.count(len(ids) - len(refused), 'wording')} {status.value}.")
        st.rerun()
