"""The cases of a part: what to look at next, three failing examples, the list with each case's score and answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.diagnosis.service.blame import Blame, blame_of
from core.diagnosis.service.evidence import QUICK_S
from core.domain.results.runs import Run
from core.store.database import Store
from core.weakness.service.next_steps import WhatNext, what_next
from core.weakness.table import Ints
from pages.analyse.weakness import reads, words
from pages.analyse.weakness.controls import Shown
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, theme, verbatim
from pages.kit.scores import names

SIZE: Final = 100
"""Cases in the list; the file has all."""

HEIGHT: Final = 620
"""Pixels of a part that stands beside a picture."""

COLUMNS: Final[dict[str, Any]] = {
    "Score": st.column_config.TextColumn(width=100),
    "Question": st.column_config.TextColumn(width=330),
    "Answer": st.column_config.TextColumn(width=240),
    "Reference": st.column_config.TextColumn(width=150),
}


def just(picked: str, name: str) -> str:
    """What was picked just now, else "": a mark that stays selected opens nothing a second time."""
    seen = state.note(name, "")
    state.keep(name, picked)
    return picked if picked != seen else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The page of a long table of parts that the URL names.

    Attributes:
        key: Of the table; other parts are another table, so that a selection goes to no row nobody chose.
        places: Numbers of the parts on it.
        picked: The part that was picked just now, None for none.
    """

    key: str
    places: Ints
    picked: int | None


def rows(name: str, order: Ints, size: int, *of: str) -> Rows:
    """The page of a table of parts, and what was picked in it.

    Args:
        name: Of the table.
        order: Numbers of all parts as they stand in the table.
        size: Parts on a page.
        *of: Attributes the parts are made of.
    """
    last = max(1, -(-len(order) // size))
    start = (min(max(1, state.link().page), last) - 1) * size
    places = order[start : start + size]
    key = tables.row_key(name, [*of, *map(str, places.tolist())])
    at = state.row(key)
    picked = just("" if at is None or at >= len(places) else f"{key}:{at}", name)
    return Rows(key=key, places=places, picked=int(places[at]) if picked and at is not None else None)


def open_levels(a: str, b: str = "", case: str = "") -> None:
    """Opens the cases of a level or of a cell."""
    state.update(a=a, b=b, case=case)


def draw(page: Page, run: Run, ids: Sequence[str], title: str, *, shown: Shown, beside: bool = False) -> None:
    """Draws what to look at next and the cases.

    Args:
        page: The page.
        run: The run.
        ids: Ids of the cases, worst first.
        title: What they have in common.
        shown: What the page looks for.
        beside: Whether it stands beside a picture: one column, as high as a screen, which scrolls by itself.
    """
    case_ids = tuple(ids)
    with st.container(border=True, key="weakness_part", height=HEIGHT if beside else "content"):
        st.markdown(f"**{errors.plain(title)}** · {numbers.count(len(case_ids), 'case')}")
        with errors.shown():
            with st.spinner("Looking into these cases"):
                advice = _next_of(page.store, run.id, run.corpus_id or "", case_ids, shown.score)
            _next(run, advice, beside=beside)
        _list(page, run, case_ids, shown)


@cache.read(*reads.KINDS)
def _next_of(store: Store, run_id: str, corpus_id: str, case_ids: tuple[str, ...], score: str) -> WhatNext:
    # Without a corpus every response tells which documents there are: that is read once for all parts of a run.
    blame = None if corpus_id else _blame(store, run_id)
    return what_next(store, run_id, case_ids, score, blame=blame, seconds=QUICK_S)


@cache.read(*reads.KINDS)
def _blame(store: Store, run_id: str) -> dict[str, Blame]:
    return blame_of(store, run_id, seconds=QUICK_S)


def _next(run: Run, advice: WhatNext, *, beside: bool) -> None:
    st.markdown(f"What to look at next: {errors.plain(advice.sentence)}")
    total = sum(advice.modules.values())
    modules = [
        (theme.NAMES.get(str(part), str(part)), f"{count:,} of {total:,}")
        for part, count in advice.modules.items()
        if count
    ]
    if beside:
        _lines(modules, advice)
    else:
        _tables(modules, advice)
    if not advice.examples:
        return
    st.caption(numbers.count(len(advice.examples), "failing example"))
    places = [st.container() for _ in advice.examples] if beside else st.columns(3)
    for cell, example in zip(places, advice.examples, strict=False):
        with cell.container(border=True, height="stretch", gap="xsmall"):
            verbatim.show(example.question)
            st.caption("Answer")
            verbatim.show(example.answer or "- (no answer)")
            st.caption("Reference")
            verbatim.show(example.reference or "- (none)")
            if example.because:
                st.caption(errors.plain(example.because))
            with st.container(horizontal=True):
                if example.contexts:
                    with st.popover("Passages", type="tertiary"):
                        for context in example.contexts:
                            verbatim.show(context)
                if st.button("Open in the results", key=f"example_{example.case_id}", type="tertiary"):
                    state.go("results", run=run.id, case=example.case_id)


def _tables(modules: Sequence[tuple[str, str]], advice: WhatNext) -> None:
    modules_at, retrieval_at = st.columns(2, gap="large")
    if modules:
        modules_at.caption("Wrong answers by module")
        with modules_at:
            tables.plain(pd.DataFrame(modules, columns=["Module", "Wrong answers"]), key="next_modules")
    if advice.retrieval:
        retrieval_at.caption("Retrieval, here and elsewhere")
        with retrieval_at:
            tables.plain(
                pd.DataFrame(
                    [
                        {
                            "Figure": names.title(name),
                            "Here": f"{words.value(here)} (n = {n:,})",
                            "Elsewhere": f"{words.value(there)} (n = {others:,})",
                        }
                        for name, here, n, there, others in advice.retrieval
                    ]
                ),
                key="next_retrieval",
            )


def _lines(modules: Sequence[tuple[str, str]], advice: WhatNext) -> None:
    """The same as lines, which wrap where a table would be cut off."""
    if modules:
        st.caption("Wrong answers by module")
        st.markdown("\n".join(f"- {errors.plain(module)}: {count}" for module, count in modules))
    if advice.retrieval:
        st.caption("Retrieval, here and elsewhere")
        st.markdown(
            "\n".join(
                f"- {errors.plain(names.title(name))}: {words.value(here)} here (n = {n:,}), {words.value(there)} "
                f"elsewhere (n = {others:,})"
                for name, here, n, there, others in advice.retrieval
            )
        )


def _list(page: Page, run: Run, case_ids: tuple[str, ...], shown: Shown) -> None:
    some = case_ids[:SIZE]
    listed = f"the {SIZE} worst of {len(case_ids):,} are listed" if len(case_ids) > SIZE else "worst score first"
    st.caption(f"Cases: {listed}; those without a score come last.")
    tables.follow(
        cases_frame(page, run, some, shown),
        key="weakness_case_list",
        id_column="case_id",
        parameter="case",
        columns=COLUMNS,
        height=420,
        whole=True,
    )
    opened = state.link().case
    if opened not in case_ids:
        st.caption("Select a case to open it with its evidence.")
    elif st.button("Open this case in the results", key="open_case"):
        state.go("results", run=run.id, case=opened)
    tables.download(
        lambda: cases_frame(page, run, case_ids, shown),
        name=f"weakness_cases_{run.id}",
        key="weakness_case_csv",
        label=f"Download {numbers.count(len(case_ids), 'case')} as CSV",
    )


def cases_frame(page: Page, run: Run, case_ids: tuple[str, ...], shown: Shown) -> pd.DataFrame:
    """Cases with score, question, answer and reference."""
    cases = reads.values(page.store, run.id, shown)
    places = pd.Index(cases.case_ids).get_indexer(list(case_ids))
    verdict = reads.choice(page.store, run.id, shown.score).kind == "verdict"
    records = []
    texts = reads.texts(page.store, run.id, case_ids)
    for at, (case, response) in zip(places.tolist(), texts, strict=True):
        records.append(
            {
                "case_id": case.case_id,
                "Score": _score(float(cases.score.values[at]) if at >= 0 else float("nan"), verdict=verdict),
                "Question": case.question,
                "Answer": "- (not asked yet)"
                if response is None
                else response.answer
                if response.answer is not None
                else f"- ({response.error or 'no answer'})",
                "Reference": " | ".join(case.reference_answers),
            }
        )
    return pd.DataFrame(records, columns=["case_id", *COLUMNS])


def _score(score: float, *, verdict: bool) -> str:
    if score != score:
        return f"{theme.MARKS['not_judged']} not scored"
    if not verdict:
        return words.value(score)
    key = "correct" if score == 1.0 else "incorrect"
    return f"{theme.MARKS[key]} {theme.NAMES[key]}"
