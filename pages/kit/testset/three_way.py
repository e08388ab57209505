"""What the three-way page reads and how it names it: experiments, their comparison, and the tables made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.diagnosis.reading_check import CrossTable, ReadingCheck
from core.diagnosis.service.evidence import QUICK_S
from core.diagnosis.service.three_way import Comparison, Experiment, check_reading, compare, experiments
from core.diagnosis.three_way import MEANINGS, Combination, Mode, Part, ThreeWay, ThreeWayCase
from core.domain.sources.evidence import FactEvidence
from core.domain.specs import short_spec
from core.domain.testset.cases import TestCase, TestSet
from core.store.database import Store
from core.store.results import runs
from core.store.testset import testsets
from pages.kit import cache
from pages.kit.look import numbers, theme

MODES: Final = {
    Mode.CLOSED_BOOK: "Without documents",
    Mode.ORACLE: "With the gold document",
    Mode.RETRIEVAL: "Live",
}
"""How the three runs are called."""

PARTS: Final = {
    Part.FINE: "Fine: documents make it right",
    Part.KNOWN: "Known: right without documents",
    Part.RETRIEVAL: "Retrieval",
    Part.READING: "Reading",
    Part.LUCKY: "Lucky",
    Part.NOT_JUDGED: "Not judged",
}
"""How the parts are called."""

PART_MEANINGS: Final = {
    Part.FINE: "Wrong without documents, right with the gold one and right live.",
    Part.KNOWN: "Right in all three runs: the model knows it, so the case says nothing of documents.",
    Part.RETRIEVAL: "Right with the gold document and wrong with what was retrieved.",
    Part.READING: "Wrong with the gold document at hand, and wrong live.",
    Part.LUCKY: "Wrong with the gold document and right live.",
    Part.NOT_JUDGED: "One of the three runs has no verdict.",
}

COLOURS: Final = {
    Part.FINE: "correct",
    Part.KNOWN: "accent",
    Part.RETRIEVAL: "retrieval",
    Part.READING: "language_model",
    Part.LUCKY: "unresolved_gap",
    Part.NOT_JUDGED: "not_judged",
}
"""The colour of each part, by its key in the theme."""

EVIDENCE: Final = {
    FactEvidence.PRESENT: "a document states it",
    FactEvidence.ABSENT: "no document states it",
    FactEvidence.CONTRADICTED: "the document says otherwise",
    FactEvidence.UNDECIDED: "words cannot tell",
    FactEvidence.UNKNOWN: "could not be looked up",
    None: "not looked up",
}

CASES: Final = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {
        "Question": 330,
        "Reference": 130,
        **dict.fromkeys(MODES.values(), 150),
        "Form": 70,
    }.items()
}


COMBINATIONS: Final = (
    {
        name: st.column_config.TextColumn(name, width=width)
        for name, width in {"Root cause": 84, "What it means": 400}.items()
    }
    | {
        name: st.column_config.TextColumn(short, width=106, help=name)
        for name, short in zip(MODES.values(), ("No document", "Gold document", "Live"), strict=True)
    }
    | {"Cases": st.column_config.NumberColumn(width=52)}
)


@cache.read("runs", "test_sets")
def found_experiments(store: Store, project_id: str) -> tuple[Experiment, ...]:
    """The project's experiments, newest first."""
    return experiments(store, project_id)


def compared(store: Store, experiment: Experiment, form: str, closed_domain: bool) -> Comparison:
    """The comparison of an experiment.

    Raises:
        Conflict: A run is missing.
    """
    run_ids = tuple(run.id for run in experiment.runs.values())
    project_id = next((run.project_id for run in experiment.runs.values()), "")
    return _compared(store, project_id, experiment, run_ids, form, closed_domain)


@cache.read("runs", "answers", "scores", "test_sets", "sources", "evidence")
def _compared(
    store: Store, project_id: str, _experiment: Experiment, run_ids: tuple[str, ...], form: str, closed_domain: bool
) -> Comparison:
    return compare(store, _experiment, form=form, closed_domain=closed_domain, seconds=QUICK_S)


@cache.read("runs", "answers", "scores", "test_sets", "sources", "evidence")
def reading(store: Store, oracle: str, live: str) -> ReadingCheck:
    """The reading check of an oracle run, beside a live run where one is named.

    Raises:
        InvalidInput: The two are not of one test set.
    """
    return check_reading(store, oracle, live, seconds=QUICK_S)


@cache.read("runs", "test_sets")
def cases_of_run(store: Store, run_id: str) -> dict[str, TestCase]:
    """The cases of a run's test set by id."""
    with store.read() as connection:
        cases = testsets.cases(connection, runs.get(connection, run_id).test_set_id)
    return {case.case_id: case for case in cases}


def label(experiment: Experiment, sets: dict[str, TestSet]) -> str:
    """How an experiment is called in a list."""
    test_set = sets.get(experiment.test_set_id)
    of = f"{test_set.name} v{test_set.version}" if test_set else experiment.test_set_id
    state = "" if experiment.finished else ", not finished"
    return f"{short_spec(experiment.target)} on {of}, {numbers.when(experiment.created_at)}{state}"


def finding(comparison: ThreeWay) -> str:
    """The picture's title: what costs most, in cases."""
    losses = {part: comparison.parts[part].num for part in (Part.RETRIEVAL, Part.READING)}
    n, judged = len(comparison.cases), comparison.judged
    if not judged:
        return "No case has a verdict in all three runs"
    from_memory = comparison.parts[Part.KNOWN].num
    worst = max(losses, key=lambda part: losses[part])
    if from_memory > max(losses.values()) and 2 * from_memory > judged:
        return f"The model knows most answers by itself: {from_memory:,} of {judged:,} judged cases need no document"
    if not losses[worst]:
        return f"Neither retrieval nor reading loses a case of {judged:,}"
    lead = {Part.RETRIEVAL: "Retrieval loses most", Part.READING: "Reading the gold document loses most"}[worst]
    what = "right with the gold document and wrong live" if worst is Part.RETRIEVAL else "wrong even with it"
    if losses[Part.RETRIEVAL] == losses[Part.READING]:
        lead = "Retrieval and reading lose equally many"
        what = "lost by each"
    return f"{lead}: {losses[worst]:,} of {n:,} cases are {what}"


def parts_frame(comparison: ThreeWay) -> pd.DataFrame:
    """The partition as plain numbers, for a download."""
    return pd.DataFrame(
        [
            {
                "part": str(part),
                "meaning": PART_MEANINGS[part],
                "cases": share.num,
                "of": share.den,
                "share": share.value,
                "low": share.low,
                "high": share.high,
                "groups": share.clusters,
            }
            for part, share in comparison.parts.items()
        ]
    )


def combinations_frame(comparison: ThreeWay) -> pd.DataFrame:
    """Every combination of the three verdicts with its cases; they sum to all."""
    rows = []
    for item in Combination:
        marks = ["?"] * 3 if item is Combination.NOT_JUDGED else [_mark(word) for word in str(item).split("-")]
        rows.append(
            {
                "id": str(item),
                **dict(zip(MODES.values(), marks, strict=True)),
                "Cases": comparison.combinations[item],
                "Root cause": PARTS[item.part].partition(":")[0],
                "What it means": MEANINGS[item],
            }
        )
    return pd.DataFrame(rows)


def cases_frame(compared: Comparison, cases: Sequence[ThreeWayCase]) -> pd.DataFrame:
    """Cases with what each run answered."""
    rows = []
    for case in cases:
        test_case = compared.cases[case.case_id]
        rows.append(
            {
                "case_id": case.case_id,
                "Question": test_case.question,
                "Reference": " or ".join(test_case.reference_answers),
                **{name: _marked_answer(compared, case, mode) for mode, name in MODES.items()},
                "Form": case.form,
            }
        )
    return pd.DataFrame(rows)


def open_domain_frame(comparison: ThreeWay) -> pd.DataFrame:
    """Acc_retrieval_db before and after the filter, for all groups and form by form."""
    accuracies = {
        "All": (comparison.open_domain.every, comparison.open_domain.closed),
        **comparison.open_domain.by_form,
    }
    return pd.DataFrame(
        [
            {
                "Form": form.capitalize() or "No form",
                "With open-domain groups": f"{numbers.proportion(every)} ({numbers.of(every)})",
                "Without": f"{numbers.proportion(closed)} ({numbers.of(closed)})",
            }
            for form, (every, closed) in accuracies.items()
        ]
    )


def failures_frame(check: ReadingCheck, test_cases: Mapping[str, TestCase]) -> pd.DataFrame:
    """The cases that fail with the gold document at hand."""
    gap = {True: "gap", False: "answered", None: "-"}
    rows = []
    for failure in check.failures:
        case = test_cases[failure.case_id]
        rows.append(
            {
                "case_id": failure.case_id,
                "Question": case.question,
                "Reference": " or ".join(case.reference_answers),
                "Documents": EVIDENCE[failure.evidence],
                "Fact live": gap[failure.live_gap],
                "Look at": failure.reason,
            }
        )
    return pd.DataFrame(rows)


def cross_frame(cross: CrossTable) -> pd.DataFrame:
    """The two by two table of facts with its margins."""
    rows = {
        "Fails in reading": (cross.both, cross.reading_only),
        "Read right in every wording": (cross.gap_only, cross.neither),
    }
    fact_rows = [
        {"Facts": name, "Gap live": gap, "Answered live": answered, "Together": gap + answered}
        for name, (gap, answered) in rows.items()
    ]
    gaps, answered = cross.both + cross.gap_only, cross.reading_only + cross.neither
    return pd.DataFrame(
        [*fact_rows, {"Facts": "Together", "Gap live": gaps, "Answered live": answered, "Together": cross.n}]
    )


def _mark(word: str) -> str:
    verdict = "correct" if word == "right" else "incorrect"
    return f"{theme.MARKS[verdict]} {word}"


def _marked_answer(compared: Comparison, case: ThreeWayCase, mode: Mode) -> str:
    verdict = case.verdicts[mode]
    answer = compared.answers[mode].get(case.case_id)
    return f"{theme.MARKS[str(verdict)]} {answer if answer is not None else 'no answer'}"
