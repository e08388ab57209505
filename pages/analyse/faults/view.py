"""The result of a trial: four figures, the confusion table, precision and recall, and the answers to look at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.jobs import Job
from core.domain.specs import short_spec
from core.faults.confusion import named_rightly
from core.faults.kinds import TITLES, fault_named
from core.faults.outcome import FaultyAnswer
from core.faults.result import TrialResult
from pages.analyse.faults import charts as pictures
from pages.analyse.faults import frames
from pages.analyse.faults.words import CAUSES
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, verbatim

SIZE = 50


def choose(trials: Sequence[Job]) -> Job:
    """The trial in view: the URL's, else the newest."""
    by_id = {trial.id: trial for trial in trials}
    names: dict[str, str] = {}
    for trial in reversed(trials):  # the oldest first, so that a name does not change when another trial is started
        name = _name(trial)
        same = sum(other == name or other.startswith(f"{name} (") for other in names.values())
        names[trial.id] = f"{name} ({same + 1})" if same else name
    return by_id[state.choose("Trial", list(by_id), "job", name=names.__getitem__, pinned=True)]


def context(page: Page, result: TrialResult) -> None:
    """What the trial was made from."""
    made_from = result.made_from
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    test_set = sets.get(str(made_from["test_set_id"]))
    page.context(
        f"{errors.plain(test_set.name)} v{test_set.version}" if test_set else "",
        f"target {errors.plain(short_spec(str(made_from['target'])))}",
        numbers.count(result.counts["cases"], "question"),
        f"share {made_from['share']}",
        f"seed {made_from['seed']}",
        numbers.when(result.at),
    )


def draw(result: TrialResult) -> None:
    """Everything about a trial that is done."""
    figures = result.confusion
    headline.draw(
        [
            headline.share("named", "Named correctly", figures.named, "Wrong answers put down to what was planted."),
            headline.share(
                "undecided", "Undecided", figures.undecided, "Wrong answers for which the diagnosis accuses nobody."
            ),
            headline.share(
                "false_gaps",
                "False gaps",
                figures.false_gaps,
                "Wrong answers put down to the knowledge although the documents state the fact.",
            ),
            headline.count(
                "sound",
                "Usable facts",
                result.counts["sound"],
                result.counts["facts"],
                "facts",
                "Facts that could take a fault: the documents state them and the system answers some wording of them "
                "rightly. Only such wordings are asked again and counted.",
            ),
        ]
    )
    charts.show(pictures.confusion(result), key="confusion", data=frames.confusion_frame(result), name="planted_faults")
    st.caption(
        "A green outline and a tick mark what the diagnosis should say, a dotted one what it may say as well. The "
        "number is the count of wrong answers; the lighter a cell, the larger its share of the row."
    )
    tables.plain(frames.confusion_frame(result), key="confusion_table")
    st.markdown(
        "**Precision and recall**: share, 95% interval, counts; the wordings and faults of one fact are one cluster"
    )
    tables.plain(frames.rates_frame(result), key="rates_table")
    tables.download(frames.rates_data(result), name="planted_faults_rates", key="rates_csv", label="Rates as CSV")
    if result.confusion.mixed:
        with st.expander("All kinds mixed, by the kind in each fact", key="mixed_panel"):
            tables.plain(frames.mixed_frame(result), key="mixed_table")
    with st.expander("The cause that should be named by the one that is", key="expected_panel"):
        tables.plain(frames.expected_frame(result), key="expected_table")
    with st.expander("Where faults were planted, and where they could not be", key="planted_panel"):
        tables.plain(frames.planted_frame(result), key="planted_table")
        for sentence in frames.reasons(result):
            st.caption(errors.plain(sentence))
    _answers(result)


def _answers(result: TrialResult) -> None:
    st.subheader("Answers to look at", anchor=False)
    which_at, kind_at = st.columns([2, 2], vertical_alignment="bottom")
    with which_at:
        which = state.switch(
            "Answers",
            ["misnamed", "all"],
            "status",
            name={"misnamed": f"Wrongly named ({result.misnamed:,})", "all": f"All ({result.wrong:,})"}.__getitem__,
            label_visibility="collapsed",
        )
    with kind_at:
        kinds = list(result.confusion.planted)
        kind = state.choose("Fault", kinds, "kind", every="Every fault", name=lambda name: TITLES[fault_named(name)])
    keyed = [(f"a{place}", answer) for place, answer in enumerate(result.answers)]
    matching = [
        (key, answer)
        for key, answer in keyed
        if (which == "all" or not named_rightly(answer)) and kind in ("", answer.planted)
    ]
    if len(result.answers) < result.wrong:
        st.caption(f"{len(result.answers):,} of {result.wrong:,} wrong answers are kept, the wrongly named ones first.")
    if not matching:
        st.info("No answer here: every wrong answer was called by its name." if result.wrong else "No wrong answer.")
        return
    offset = tables.pages(len(matching), size=SIZE, thing="answer")
    tables.follow(
        frames.answers_frame(matching[offset : offset + SIZE]),
        key="faulty_answers",
        id_column="id",
        parameter="case",
        columns=frames.WIDTHS,
        height=318,
    )
    opened = next((answer for key, answer in keyed if key == state.link().case), None)
    if opened is None:
        st.caption("Select an answer to see what was planted and why the diagnosis says what it says.")
    else:
        _answer(opened)
    tables.download(
        lambda: frames.answers_data(matching),
        name="planted_faults_answers",
        key="answers_csv",
        label=f"Download {numbers.count(len(matching), 'answer')} as CSV",
    )


def _answer(answer: FaultyAnswer) -> None:
    with st.container(border=True, key="faulty_answer"):
        said, planted = st.columns(2, gap="large")
        with said:
            _texts(("Question", answer.question), ("Answer", answer.answer or "no answer"))
            st.markdown(
                f"**Should be {frames.should_be(answer).lower()}, is called {CAUSES[answer.diagnosed].lower()}**"
            )
            verbatim.show(answer.reason or "The diagnosis gives no reason.")
        with planted:
            st.markdown(f"**{frames.planted_in(answer)}**")
            _texts(
                ("Pages", ", ".join(answer.fault.document_ids)),
                ("Passage before", answer.fault.before),
                (
                    f"Passage after, on {answer.fault.home}" if answer.fault.home else "Passage after",
                    answer.fault.after or "gone",
                ),
            )


def _texts(*parts: tuple[str, str]) -> None:
    """Titles with texts from documents and systems, which are shown as they are."""
    for title, text in parts:
        st.caption(errors.plain(title))
        verbatim.show(text)


def _name(trial: Job) -> str:
    """What tells a trial from others and stays as it is: a browser knows a chosen entry by what it says."""
    target = short_spec(str(trial.params.get("target", "")))
    share, seed = trial.params.get("share", ""), trial.params.get("seed", "")
    return f"{target}, share {share}, seed {seed}, {numbers.when(trial.created_at)}"
