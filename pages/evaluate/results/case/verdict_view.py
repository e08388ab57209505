"""The verdict on one answer: who gave it and why, what the rules say beside a model, and the calls behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from core.domain.results.responses import Score
from core.domain.results.runs import Run
from pages.evaluate.results import reads
from pages.evaluate.results.case import judged_view
from pages.kit import errors
from pages.kit.frame import Page
from pages.kit.look import numbers, theme

COLOURS: Final = {"correct": "green", "incorrect": "orange", "not_judged": "gray"}
MODEL: Final = "llm"
"""Who decided, where that was a model."""


def draw(page: Page, run: Run, verdict: Score | None) -> None:
    """Draws the verdict.

    Args:
        page: The page.
        run: The run.
        verdict: None where the case was not judged yet.
    """
    key = reads.verdict_key(verdict)
    detail = dict(verdict.detail) if verdict and not verdict.edited else {}
    st.markdown(
        f":{COLOURS[key]}[**{theme.MARKS[key]} {theme.NAMES[key]}**] · {_who(verdict, detail)}"
        f"  \n{errors.plain(str(detail.get('reason', '')))}"
    )
    if detail.get("decided_by") != MODEL:
        return
    if beside := said_beside(detail):
        st.caption(errors.plain(beside))
    judged_view.calls(page, run, detail)


def _who(verdict: Score | None, detail: Mapping[str, Any]) -> str:
    if detail.get("decided_by") == MODEL:
        return f"judged by **{errors.plain(str(detail.get('model', 'a model')))}**"
    if verdict is not None and verdict.edited:
        return "changed by **a person**"
    return f"rule **{errors.plain(reads.rule(verdict) or numbers.NONE)}**"


def said_beside(detail: Mapping[str, Any]) -> str:
    """The votes of a model that was asked more than once, and what the rules say of the same answer.

    >>> said_beside({"votes": [{"verdict": "Correct"}, {"failure": "timeout"}, {"verdict": "Correct"}]})
    'Votes: 2 Correct, 1 without a verdict.'
    >>> said_beside({"votes": [{}], "match": {"verdict": "incorrect", "reason": "number: 14 is not 53"}})
    'The rules say: wrong (number: 14 is not 53).'
    """
    votes, rules = detail.get("votes", ()), detail.get("match", {})
    parts = []
    if len(votes) > 1:
        counted = Counter(str(vote.get("verdict", "without a verdict")) for vote in votes)
        parts.append(f"Votes: {', '.join(f'{number} {verdict}' for verdict, number in counted.most_common())}.")
    if rules:
        name = theme.NAMES.get(str(rules.get("verdict")), str(rules.get("verdict"))).lower()
        why = f" ({str(rules['reason']).removesuffix('.')})" if rules.get("reason") else ""
        parts.append(f"The rules say: {name}{why}.")
    return " ".join(parts)
