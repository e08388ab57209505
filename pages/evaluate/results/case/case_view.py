"""One case of a run: question, answer, ground truth with its SQL, passages, the other wordings."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.errors import NotFound
from core.domain.results.forms import form_name
from core.domain.results.responses import Context
from core.domain.results.runs import Run
from core.runs.mentions import Mention
from core.runs.results import CaseView, run_reference
from core.sources.database import QueryResult
from pages.evaluate.results import reads
from pages.evaluate.results.case import calibrated_case, module_view, score_view, verdict_view
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import passages, tables, verbatim
from pages.kit.testset import ground_truth

PASSAGE = 20_000
"""Characters of a passage that are shown; more take a browser seconds to lay out."""
SHORT = 600
LINES = 8
"""Characters and lines that need no scrolling."""
HIGH = 260
"""Pixels of a passage that is scrolled."""


def draw(page: Page, run: Run, case_id: str, *, closes: bool = True) -> None:
    """Draws a case; an id that names nothing is told with a way back.

    Args:
        page: The page.
        run: The run.
        case_id: The case.
        closes: Whether it can be closed; beside a list another one is opened instead.
    """
    try:
        view = reads.view(page.store, run.id, case_id)
    except NotFound as error:
        errors.show(error)
        _close()
        return
    with st.container(border=True, key="case_view", gap="xsmall"):
        if closes:
            with st.container(horizontal_alignment="right"):
                _close()
        _answer(page, view)
        calibrated_case.draw(page, run, case_id)
        _reference(page, view)
        _passages(view)
        st.divider()
        score_view.draw(page, run, case_id, view.verdict)
    _wordings(view)


def _close() -> None:
    if st.button("Close", key="close_case", type="tertiary", icon=":material/close:"):
        state.update(case="")
        st.rerun()


def _answer(page: Page, view: CaseView) -> None:
    st.caption("Question")
    verbatim.show(view.case.question)
    st.caption("Answer of the system")
    if view.response is None:
        verbatim.show("- (not asked yet)")
    elif view.response.answer is None:
        st.error(f"The target failed: {errors.plain(view.response.error)}", icon=":material/error:")
    else:
        verbatim.show(view.response.answer)
    verdict_view.draw(page, view.run, view.verdict)
    module_view.draw(page, view.run, view.case)
    st.caption(
        f"{errors.plain(form_name(view.case.form, view.case.attributes).capitalize())} · case {view.case.case_id}"
    )


def _reference(page: Page, view: CaseView) -> None:
    ground_truth.draw(view.case)
    if view.case.sql and st.button(
        "Run this SQL again", key="run_reference", help="Executes the statement on the connected database."
    ):
        with errors.shown():
            query_result = run_reference(page.store, view.run.test_set_id, view.case.case_id)
            tables.plain(_rows(query_result), key="reference_rows")


def _rows(query_result: QueryResult) -> pd.DataFrame:
    """The rows as texts; a column named like one before it is told apart by its place."""
    names = [
        name if name not in query_result.columns[:at] else f"{name} ({at + 1})"
        for at, name in enumerate(query_result.columns)
    ]
    return pd.DataFrame([[str(value) for value in row] for row in query_result.rows], columns=names)


def _passages(view: CaseView) -> None:
    contexts = view.response.contexts if view.response else ()
    retrieved = {context.document_id for context in contexts}
    st.caption(f"Retrieved passages: {len(contexts)}")
    for rank, context in enumerate(contexts, start=1):
        title = errors.plain(view.titles.get(context.document_id, context.document_id))
        score = "" if context.score is None else f"score {context.score:.3g}"
        st.markdown(" · ".join(filter(None, (f"**{rank}. {title}**", _mark(view, rank, context), score))))
        high = len(context.text) > SHORT or context.text.count("\n") > LINES
        with st.container(height=HIGH if high else "content", border=True, key=f"passage_{rank}"):
            if context.text:
                passages.draw(context.text[:PASSAGE])
                if len(context.text) > PASSAGE:
                    st.caption(f"The first {PASSAGE:,} of {len(context.text):,} characters.")
            else:
                st.caption("The text of this passage is not known.")
    missed = [document_id for document_id in view.gold if document_id not in retrieved]
    if missed:
        names = ", ".join(errors.plain(view.titles.get(document_id, document_id)) for document_id in missed)
        st.warning(f"Not retrieved: {names}, the document that should hold the fact.", icon=":material/search_off:")
    if view.without_document:
        st.info(errors.plain(without_document(view.without_document, len(contexts))), icon=":material/link_off:")


def _mark(view: CaseView, rank: int, context: Context) -> str:
    """Whether a passage is of a gold document; nothing where some gold id names none, so that any may hold the fact."""
    if context.document_id in view.gold:
        return ":green[**✓ gold document**]"
    names = [mention.name for mention in view.without_document if rank in mention.ranks]
    if names:
        return f":green[names {errors.plain(', '.join(names))}]"
    return ":gray[not the gold document]" if view.gold and not view.without_document else ""


def without_document(records: Sequence[Mention], passages: int) -> str:
    """What is known of the retrieval where gold ids name no document of the corpus.

    >>> without_document([Mention(gold_id="donor:D-4289", name="D-4289", ranks=(1, 3))], 4)
    'donor:D-4289 has no document of its own, so no passage can be told as its gold document. "D-4289" stands in \
passages 1, 3.'
    """
    ids = ", ".join(record.gold_id for record in records)
    own = "has no document of its own" if len(records) == 1 else "have no documents of their own"
    whose = "its gold document" if len(records) == 1 else "theirs"
    sentences = [f"{ids} {own}, so no passage can be told as {whose}."]
    for record in records:
        if record.ranks:
            ranks = ", ".join(map(str, record.ranks))
            noun = "passage" if len(record.ranks) == 1 else "passages"
            sentences.append(f'"{record.name}" stands in {noun} {ranks}.')
        elif record.name and passages:
            sentences.append(f'No retrieved passage has "{record.name}".')
    return " ".join(sentences)


def _wordings(view: CaseView) -> None:
    st.markdown(f"**The same fact in other words: {len(view.wordings)}**")
    if not view.wordings:
        st.caption(
            "This is the only question made from its filled SQL query."
            if view.case.sql
            else "No other question is in its semantic group."
        )
        return
    if tables.follow(
        reads.frame(list(view.wordings)),
        key="wordings_table",
        id_column="case_id",
        parameter="case",
        columns=reads.WORDINGS,
        order=list(reads.WORDINGS),
        whole=True,
    ):
        st.rerun()
