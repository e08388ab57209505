"""The import half of the exchange page: a peer's file, which format it is, what each column becomes, and in."""

from __future__ import annotations

from hashlib import sha256
from pathlib import PurePath
from typing import Final, Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.domain.errors import LostColumns
from core.domain.sources.projects import Role
from core.io.exchange.detecting import AUTO
from core.io.exchange.format import list_formats
from core.io.tables.columns import Field
from core.runs.exchange.importing import import_exchange
from core.runs.exchange.reading import Imported, Outline
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables
from pages.kit.look.headline import Figure
from pages.report.exchange import frames

ENDINGS: Final = sorted(
    {ending.removeprefix(".") for file_format in list_formats() for ending in file_format.spec.reads}
)
TITLES: Final = {AUTO: "Automatic", **{file_format.spec.name: file_format.spec.title for file_format in list_formats()}}
FORMATS: Final = {
    "Format": st.column_config.TextColumn(width=110),
    "A file of it": st.column_config.TextColumn(width=545),
    "Files": st.column_config.TextColumn(width=185),
}
GIVES: Final = {
    "Column": st.column_config.TextColumn(width=150),
    "Kept as": st.column_config.TextColumn(width=210),
    "Enables": st.column_config.TextColumn(width=215, help="Metrics of ours that look at it and have all they need."),
    "Note": st.column_config.TextColumn(width=270),
}
ROWS: Final = {
    "Case": st.column_config.TextColumn(width=120),
    "Question": st.column_config.TextColumn(width=230),
    "Answer": st.column_config.TextColumn(width=200),
    "Reference answers": st.column_config.ListColumn(width=140),
    "Retrieved passages": st.column_config.ListColumn(width=150),
}
MOST_ROWS_SHOWN: Final = 14
MOST_HIGH: Final = 500


def draw(page: Page) -> None:
    """The file, what it is, what becomes of it, and the button that imports it."""
    if not page.may(Role.VALIDATOR):
        st.info("Your role may read this project but not import runs; a run can be exported.")
        return
    upload = st.file_uploader(
        "A file of another tool",
        type=ENDINGS,
        key=state.fresh("exchange_file"),
        help="Answers with their questions, passages, references and scores. Nothing is stored before you import it.",
    )
    if upload is None:
        _nothing_yet()
        return
    with errors.shown():
        _chosen(page, upload)


def _nothing_yet() -> None:
    st.markdown(
        "Choose a file: this page then says which tool it is from, what each column becomes and which metrics it "
        "enables. An import makes a frozen test set and a finished run; the tool's scores keep its name in front."
    )
    tables.plain(frames.formats_frame(), key="exchange_formats", columns=FORMATS)


def _chosen(page: Page, upload: UploadedFile) -> None:
    """A file in view. Its mapping is edited on what the file says by itself, so that no edit is lost."""
    data, digest = upload.getvalue(), sha256(upload.getvalue()).hexdigest()
    left, middle, right = st.columns([2, 2, 3])
    form = left.selectbox(
        "Format",
        list(TITLES),
        key="exchange_format",
        format_func=TITLES.__getitem__,
        help="Detected from the columns; change it if that is wrong.",
    )
    lists = middle.selectbox(
        "Lists in a cell",
        list(frames.LISTS),
        key="exchange_lists",
        format_func=frames.LISTS.__getitem__,
        help="JSON and Python lists are always read. A separator splits texts only where no blank is beside it.",
    )
    model_options = frames.models(data, digest, upload.name, form)
    model = (
        right.selectbox("Model", model_options, key=f"exchange_model_{digest[:12]}") if len(model_options) > 1 else ""
    )
    what = (data, digest, upload.name, form, lists, model or "")
    base = frames.outlined(*what)
    sure = f", {frames.recognised(base)}" if form == AUTO else ""
    others = [TITLES[name] for name in base.detected.others] if form == AUTO else []
    also = f" It could also be {' or '.join(others)}; name the format where it is." if others else ""
    st.markdown(f"**{errors.plain(base.spec.title)}**{sure}. {errors.plain(base.detected.why + also)}")
    figures = st.container()
    changed = _edited(base, f"exchange_map_{digest[:12]}_{form}_{lists}_{model}")
    gives = st.container()
    with errors.shown():
        imported = _read(what, changed, f"exchange_leave_{digest[:12]}_{form}")
        if imported is None:
            return
        with figures:
            _figures(imported)
        with gives:
            st.subheader("Result of the reading", anchor=False)
            tables.plain(
                frames.outcome_frame(imported),
                key="exchange_gives",
                columns=GIVES,
                height=_height(base),
            )
        _import(page, imported, upload)
        for note in imported.notes:
            st.caption(errors.plain(note))
        _left_behind(imported)
        st.subheader("The first rows, as they were read", anchor=False)
        tables.plain(frames.rows_frame(imported), key="exchange_rows", columns=ROWS)


def _read(
    what: tuple[bytes, str, str, str, str, str], changed: tuple[tuple[str, str], ...], key: str
) -> Imported | None:
    """The file as it is mapped; None while columns would be lost that nobody let go."""
    try:
        return frames.read(*what, changed)
    except LostColumns as lost:
        st.error(f"**{errors.plain(lost.message)}**\n\n{errors.plain(lost.hint)}", icon=":material/error:")
        if not st.checkbox(errors.plain(f"Leave out {', '.join(lost.columns)}"), key=key):
            return None
        return frames.read(*what, (*changed, *((column, Field.IGNORED.value) for column in lost.columns)))


def _edited(base: Outline, key: str) -> tuple[tuple[str, str], ...]:
    """The editor of the mapping; what was changed in it."""
    st.subheader("Meaning of each column", anchor=False)
    before = frames.mapping_frame(base)
    after = st.data_editor(
        before,
        key=key,
        hide_index=True,
        width="stretch",
        height=_height(base),
        disabled=["Column", "Sample", "Filled"],
        column_config={
            "Column": st.column_config.TextColumn(width=190),
            "Becomes": st.column_config.SelectboxColumn(
                options=list(frames.FIELDS), required=True, width=215, help="Click twice to change it."
            ),
            "Sample": st.column_config.TextColumn(width=340),
            "Filled": st.column_config.TextColumn(width=100),
        },
    )
    return frames.overrules(before, after)


def _height(base: Outline) -> int | Literal["content"]:
    """As high as its rows, and not higher than a screen."""
    return "content" if len(base.mapped) <= MOST_ROWS_SHOWN else MOST_HIGH


def _figures(imported: Imported) -> None:
    n = len(imported.records)
    used = sum(column.mapped.becomes is not Field.IGNORED for column in imported.columns)
    scored = {column.mapped.name for column in imported.columns if column.mapped.becomes is Field.SCORE}
    answered = sum(record.response.answer is not None for record in imported.records)
    headline.draw(
        [
            Figure(key="exchange_n", label="Answers", value=f"{answered:,}", note=f"of {numbers.count(n, 'row')}"),
            Figure(
                key="exchange_used",
                label="Columns used",
                value=f"{used:,}",
                note=f"of {len(imported.columns):,} in the file",
            ),
            Figure(
                key="exchange_scores",
                label="Scores of the tool",
                value=f"{len(scored):,}",
                note=f"such as {min(scored)}" if scored else "in the file",
            ),
            Figure(
                key="exchange_enabled",
                label="Metrics of ours",
                value=f"{len(imported.metrics):,}",
                note="can be measured on it",
                help="Those whose needs at least one row meets.",
            ),
        ]
    )


def _left_behind(imported: Imported) -> None:
    """Parts of the file that are no columns; why a column is ignored stands in its row."""
    columns = {column.mapped.column for column in imported.columns}
    outside = {name: why for name, why in imported.ignored.items() if name not in columns}
    if outside:
        reasons = " ".join(f"**{errors.plain(name)}**: {errors.plain(why)}" for name, why in outside.items())
        st.caption(f"Left out of the file: {reasons}")


def _import(page: Page, imported: Imported, upload: UploadedFile) -> None:
    """The name, whether to judge, and the button."""
    name_cell, judge_cell = st.columns([3, 4], vertical_alignment="bottom")
    name = name_cell.text_input(
        "Name of the test set",
        value=PurePath(upload.name).stem[:80],
        max_chars=80,
        key=f"exchange_name_{upload.file_id}",
    )
    judge = judge_cell.checkbox(
        "Judge answers that came without a verdict, by rules and without a model",
        value=True,
        key="exchange_judge",
        help="The match judge holds each answer against the reference answers and names the rule that decided.",
    )
    label = f"Import {numbers.count(len(imported.records), 'row')}"
    if st.button(label, key="exchange_import", type="primary", disabled=not name.strip()):
        with errors.shown():
            imported_run = import_exchange(
                page.store, page.project.id, imported, actor=page.actor, name=name, judge="match" if judge else ""
            )
            state.renew("exchange_file")
            if imported_run.run is None:
                state.say(
                    f"{numbers.count(imported_run.rows, 'question')} imported as a frozen test set; none has an answer."
                )
                state.go("run", test_set=imported_run.test_set_id)
            state.say(f"{numbers.count(imported_run.rows, 'case')} imported as a finished run.")
            state.go("results", run=imported_run.run.id)
