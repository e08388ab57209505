"""The tables of the page of planted faults, for people and for downloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.estimates import Proportion
from core.faults.kinds import TITLES, Cause, Combination, FaultKind, fault_named
from core.faults.outcome import FaultyAnswer
from core.faults.result import TrialResult, answer_json
from pages.analyse.faults.words import CAUSES
from pages.kit.look import numbers

WIDTHS: Final = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Planted": 170, "Question": 270, "Answer": 150, "Should be": 108, "Called": 108}.items()
}


def confusion_frame(result: TrialResult) -> pd.DataFrame:
    """Planted fault by diagnosed cause, in counts."""
    return pd.DataFrame(
        [
            {
                "Planted": TITLES[fault_named(row)],
                "Wrong answers": sum(counts.values()),
                "Named correctly": _named(result.confusion.named_by_kind.get(row)),
                **{CAUSES[cause]: counts[cause] for cause in Cause},
            }
            for row, counts in result.confusion.planted.items()
        ]
    )


def mixed_frame(result: TrialResult) -> pd.DataFrame:
    """Where all kinds are mixed in one copy: the kind in a fact by what its answers are called, in counts."""
    return pd.DataFrame(
        [
            {
                "In the fact": TITLES[FaultKind(kind)],
                "Wrong answers": sum(counts.values()),
                "Named correctly": _named(result.confusion.mixed_named.get(kind)),
                **{CAUSES[cause]: counts[cause] for cause in Cause},
            }
            for kind, counts in result.confusion.mixed.items()
        ]
    )


def expected_frame(result: TrialResult) -> pd.DataFrame:
    """The cause that should be named by the one that is, in counts."""
    return pd.DataFrame(
        [
            {
                "Should be": CAUSES[Cause(row)],
                **{CAUSES[cause]: counts[cause] for cause in Cause},
                "Wrong answers": sum(counts.values()),
            }
            for row, counts in result.confusion.expected.items()
        ]
    )


def rates_frame(result: TrialResult) -> pd.DataFrame:
    """Precision and recall of each cause that accuses a module, with interval and counts."""
    return pd.DataFrame(
        [
            {
                "Cause": CAUSES[Cause(cause)],
                "Precision: correct, of those called so": _shown(share),
                "Recall: called so, of those that are": _shown(result.confusion.recall[cause]),
            }
            for cause, share in result.confusion.precision.items()
        ]
    )


def rates_data(result: TrialResult) -> pd.DataFrame:
    """The same with every figure in a column of its own."""
    return pd.DataFrame(
        [
            {"rate": rate, "cause": cause, **share.as_json()}
            for rate, shares in (("precision", result.confusion.precision), ("recall", result.confusion.recall))
            for cause, share in shares.items()
        ]
    )


def planted_frame(result: TrialResult) -> pd.DataFrame:
    """Where faults were planted and what became of them."""
    counts = result.counts
    return pd.DataFrame(
        [
            {
                "Fault": TITLES[fault_named(kind)],
                "Facts with it": planted,
                "Facts skipped": sum(counts["skipped"].get(kind, {}).values()),
                "Answers still right": counts["still_right"].get(kind, 0),
                "Not judged": counts["not_judged"].get(kind, 0),
                "Wrong answers": sum(result.confusion.planted[kind].values()),
            }
            for kind, planted in counts["planted"].items()
        ]
    )


def reasons(result: TrialResult) -> list[str]:
    """Why facts could take no fault, one sentence each."""
    counts = result.counts
    right, left_out = counts.get("wordings", 0), counts.get("unused_wordings", 0)
    wordings = [
        f"{right:,} of {numbers.count(right + left_out, 'wording')} of the facts that could take a fault were answered "
        "rightly before; only these are asked again and counted."
    ]
    unsound = [f"{numbers.count(n, 'fact')} could take no fault: they {why}." for why, n in counts["unsound"].items()]
    skipped = [
        f"{TITLES[fault_named(kind)]}: {numbers.count(n, 'fact')} passed over, {why}."
        for kind, why_n in counts["skipped"].items()
        for why, n in why_n.items()
    ]
    return [*(wordings if right else ()), *unsound, *skipped]


def answers_frame(answers: Sequence[tuple[str, FaultyAnswer]]) -> pd.DataFrame:
    """Wrong answers with what was planted, what they should be called and what they are."""
    return pd.DataFrame(
        [
            {
                "id": key,
                "Planted": planted_in(answer),
                "Question": answer.question,
                "Answer": answer.answer or numbers.NONE,
                "Should be": should_be(answer),
                "Called": CAUSES[answer.diagnosed],
            }
            for key, answer in answers
        ],
        columns=["id", "Planted", "Question", "Answer", "Should be", "Called"],
    )


def answers_data(answers: Sequence[tuple[str, FaultyAnswer]]) -> pd.DataFrame:
    """Everything about wrong answers, for a download."""
    rows = [answer_json(answer) for _, answer in answers]
    return pd.DataFrame(
        [
            {
                **row,
                "faults": "+".join(answer.fault.kinds),
                "either": ", ".join(answer.either),
                "document_ids": ", ".join(answer.fault.document_ids),
            }
            for row, (_, answer) in zip(rows, answers, strict=True)
        ]
    )


def should_be(answer: FaultyAnswer) -> str:
    """What a wrong answer should be called, both where two are right."""
    first, *others = (CAUSES[cause] for cause in (answer.expected, *answer.either))
    return " or ".join([first, *(other.lower() for other in others)])


def planted_in(answer: FaultyAnswer) -> str:
    """What was planted in the fact of an answer: of a mix, which of its kinds."""
    kinds = " + ".join(TITLES[kind].lower() for kind in answer.fault.kinds)
    return f"{TITLES[answer.planted]}: {kinds}" if answer.planted is Combination.MIXED else TITLES[answer.planted]


def _named(share: Proportion | None) -> str:
    return _shown(share) if share is not None else numbers.NONE


def _shown(share: Proportion) -> str:
    return f"{numbers.proportion(share)} ({numbers.of(share)})" if share.den else "no such answer (0/0)"
