"""One question put to a system before it is run: what came back, what was read in it, and what looks misread."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import TestSet
from core.store import document_mappings
from core.store.database import Store
from core.store.testset import testsets
from core.targets.http import HttpTrial
from core.targets.over_http.config import HttpConfig
from core.targets.trial.question import TargetTrial, try_target
from pages.kit import cache, errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, verbatim

Tried = tuple[HttpConfig | str, TargetTrial]


def draw(page: Page, test_set: TestSet, target: HttpConfig | str, *, key: str) -> None:
    """A question, the button that puts it, and what came of the last one.

    Args:
        page: The page.
        test_set: Whose first question is proposed.
        target: Settings of a system over HTTP, or the spec of another.
        key: Begins the keys of its elements ("http").
    """
    question = st.text_input(
        "Question for the test",
        _first_question(page.store, test_set.id),
        key=f"{key}_question_{test_set.id}",
        max_chars=2_000,
    )
    if st.button("Test", key=f"{key}_test", disabled=not question.strip(), icon=":material/play_arrow:"):
        name = target.host if isinstance(target, HttpConfig) else target
        with st.spinner(f"Asking {errors.plain(name)}"), errors.shown():
            documents = _documents(page)
            state.keep(f"{key}_trial", (target, try_target(target, question.strip(), documents=documents)))
    last: Tried | None = state.note(f"{key}_trial")
    if last is None:
        return
    tried, trial = last
    if isinstance(tried, HttpConfig) and isinstance(target, HttpConfig):
        if tried.model_copy(update={"response": target.response}) != target:
            st.caption("The settings have changed since the last test.")
            return
        if tried != target:
            st.caption("The paths have changed since the last test: test again to see what they find.")
    elif tried != target:
        return
    if trial.http is None:
        _found(trial, key)
        return
    left, right = st.columns(2, gap="large")
    with left:
        _reply(trial.http)
    with right:
        _found(trial, key)


def passes(page: Page, test_set: TestSet, target: HttpConfig | str, *, key: str) -> bool:
    """Whether a system answers one question, so that a run of it may begin; why it does not is told.

    A test that a person has just seen pass counts, so that nothing is asked twice.

    Args:
        page: The page.
        test_set: Whose first question is put.
        target: Settings of a system over HTTP, or the spec of another.
        key: As of `draw`.

    Raises:
        InvalidInput: The target cannot be opened at all.
    """
    last: Tried | None = state.note(f"{key}_trial")
    if last is None or last[0] != target or last[1].response is None:
        name = target.host if isinstance(target, HttpConfig) else target
        with st.spinner(f"Asking {errors.plain(name)} one question first"):
            trial = try_target(target, _first_question(page.store, test_set.id), documents=_documents(page))
        state.keep(f"{key}_trial", (target, trial))
        if trial.response is None:
            hint = f"\n\n{errors.plain(trial.hint)}" if trial.hint else ""
            st.error(
                f"**The run was not started: the system gave no answer that can be used to a first question.** "
                f"{errors.plain(trial.error)}{hint}",
                icon=":material/error:",
            )
            return False
    return True


def _reply(http: HttpTrial) -> None:
    took = "" if http.seconds is None else f", {numbers.duration(http.seconds)}"
    st.markdown(f"**Reply**{'' if http.status is None else f': HTTP {http.status}'}{took}")
    language = "json" if http.raw.startswith(("{", "[")) else None  # a stream is none
    if http.raw:
        st.code(http.raw, language=language, height=320, wrap_lines=True)
    else:
        st.caption("No reply came." if http.status is None else "The reply is empty.")
    with st.expander("What was sent", key="http_sent"):
        st.code(http.sent, language="json", wrap_lines=True)


def _found(trial: TargetTrial, key: str) -> None:
    st.markdown("**What was found in it**")
    response = trial.response
    if response is None:
        hint = f"\n\n{errors.plain(trial.hint)}" if trial.hint else ""
        st.error(f"**{errors.plain(trial.error)}**{hint}", icon=":material/error:")
        return
    for warning in trial.warnings:
        st.warning(errors.plain(warning), icon=":material/warning:")
    st.caption("Answer")
    verbatim.show((response.answer or "") or ("(declined)" if response.abstained else "(empty)"))
    if response.contexts:
        tables.plain(_passages(trial), key=f"{key}_contexts_found", height=180)
    facts = [
        numbers.count(len(response.contexts), "passage"),
        f"{response.tokens:,} tokens" if response.tokens is not None else "",
        f"latency {response.latency_s:.2f} s" if response.latency_s is not None else "",
        "" if response.abstained is None else f"abstained: {'yes' if response.abstained else 'no'}",
    ]
    read = ", ".join(f"{name.replace('_', ' ')} from {place}" for name, place in trial.places.items())
    st.caption(errors.plain(f"{', '.join(filter(None, facts))}.{f' Read: {read}.' if read else ''}"))


def _passages(trial: TargetTrial) -> pd.DataFrame:
    contexts = trial.response.contexts if trial.response else ()
    columns = ["Passage", "Document id", "Text", "Score"]
    rows = [(place, item.document_id or "-", item.text or "-", item.score) for place, item in enumerate(contexts, 1)]
    frame = pd.DataFrame(rows, columns=columns)
    return frame if frame["Score"].notna().any() else frame.drop(columns="Score")


def _documents(page: Page) -> KnownDocuments | None:
    corpus = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    if corpus is None:
        return None
    with page.store.read() as connection:
        return document_mappings.known(connection, page.project.id, corpus.id)


@cache.read("test_sets")
def _first_question(store: Store, test_set_id: str) -> str:
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id, limit=1)
    return cases[0].question if cases else ""
