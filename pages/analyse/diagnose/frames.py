"""The tables of the Diagnose page: figures, groups, wordings, tests, each as a frame for people or for a download."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.diagnosis import Attribution, Diagnosis, GroupDiagnosis, HypothesisReport, RowDiagnosis
from core.diagnosis.figures import Figures, GroupCount
from core.domain.estimates import Proportion
from core.domain.results.responses import Response, Verdict
from core.domain.testset.cases import TestCase
from pages.analyse.diagnose.reads import MODULES, TAGS, by_form, documents_say, group_key
from pages.kit import errors
from pages.kit.look import numbers, theme
from pages.kit.testset import ground_truth

WIDTHS: Final = {
    name: st.column_config.TextColumn(width=width, help=meaning)
    for name, width, meaning in (
        ("Kind", 84, "Gap: no wording was answered. Non-robust: some were. Robust: every one was."),
        ("Form", 104, None),
        ("Correct", 66, "Correct answers of the judged ones of the group."),
        ("Asked about", 150, None),
        ("Reference", 100, None),
        ("Modules", 128, "How many questions of the group each module failed."),
        ("Documents", 172, "What the documents say about the fact."),
        ("One of its questions", 300, None),
    )
}
"""The columns of the list of groups; all but the last are on the screen at 1280 pixels."""

WORDINGS: Final = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Verdict": 92, "Question": 250, "Answer": 150, "Module": 110, "Why": 170}.items()
}

NOT_SEARCHED: Final = "Not searched yet"

TESTS: Final = {"Why not tested": st.column_config.TextColumn(width="large")}

IN_CONTEXT: Final = {
    True: "They state the fact",
    False: "They do not state the fact",
    None: "Their texts are not known",
}
COMPARED: Final = {
    True: "It was answered correctly",
    False: "None was answered correctly",
    None: "No wording of the group was answered correctly",
}
WITH_GOLD: Final = {
    Verdict.CORRECT: "It was answered correctly",
    Verdict.INCORRECT: "It was answered wrongly",
    Verdict.NOT_JUDGED: "It has no verdict",
    None: "Not asked; the three-way experiment asks it",
}

FIGURES: Final[tuple[tuple[str, str, Callable[[Figures], Proportion]], ...]] = (
    ("Accuracy", "Correct among judged questions (the paper's baseline).", lambda item: item.accuracy),
    (
        "Groups with an answer",
        "Acc_retrieval_db, equation 1: groups with at least one correct answer.",
        lambda item: item.retrieval_db,
    ),
    (
        "Refined accuracy",
        "Equation 2: correct among the questions of groups with at least one correct answer. It "
        "selects on the outcome.",
        lambda item: item.refined.accuracy,
    ),
    (
        "Document match",
        "Retrieved ids equal the gold ids. The paper prints this as Context Comparison.",
        lambda item: item.id_match,
    ),
    (
        "Document recall",
        "Every gold document is among the retrieved ones; the measure at k > 1.",
        lambda item: item.recall,
    ),
    (
        "Context comparison",
        "Correct, or wrong although the context was sufficient for another wording (section 4.3).",
        lambda item: item.context_comparison,
    ),
    (
        "Context comparison, ordered",
        "The same with equal ordered ids, the strict version.",
        lambda item: item.context_comparison_ordered,
    ),
    (
        "Refined document match",
        "Document match among the questions of competent groups.",
        lambda item: item.refined.id_match,
    ),
    (
        "Refined context comparison",
        "Context comparison among the questions of competent groups.",
        lambda item: item.refined.context_comparison,
    ),
)
"""Every figure: name, meaning, how it is read off."""


def figures_frame(diagnosis: Diagnosis) -> pd.DataFrame:
    """Every figure by form as Markdown: share and interval, under them the counts; the meaning under the name."""
    columns = by_form(diagnosis) if not diagnosis.by_form else {**diagnosis.by_form, "all": diagnosis}
    return pd.DataFrame(
        [
            {
                "Figure": f"**{name}**  \n:small[:gray[{meaning}]]",
                **{errors.plain(form.capitalize()): cell(of(inner.figures), "  \n") for form, inner in columns.items()},
            }
            for name, meaning, of in FIGURES
        ]
    )


def figures_data(diagnosis: Diagnosis) -> pd.DataFrame:
    """The same as plain numbers, for a download."""
    columns = by_form(diagnosis) if not diagnosis.by_form else {**diagnosis.by_form, "all": diagnosis}
    return pd.DataFrame(
        [
            {
                "figure": name,
                "form": form,
                "value": (value := of(inner.figures)).value,
                "low": value.low,
                "high": value.high,
                "numerator": value.num,
                "denominator": value.den,
                "clusters": value.clusters,
                "interval": value.method,
            }
            for name, _, of in FIGURES
            for form, inner in columns.items()
        ]
    )


def cell(value: Proportion, between: str = " ") -> str:
    """A proportion in a table: value, interval, counts, clusters; in small type on a line of its own with Markdown."""
    if not value.den:
        # A line that begins with "- " is a list in Markdown.
        return "- (0/0)" if between == " " else r"\- (0/0)"
    clusters = "" if value.clusters is None else f", {numbers.count(value.clusters, 'cluster')}"
    counts = f"{numbers.of(value)}{clusters}"
    if between == " ":
        return f"{numbers.proportion(value)} ({counts})"
    interval = errors.plain(numbers.interval(value.low, value.high))
    return f"**{numbers.share(value.value)}** {interval}{between}:small[:gray[{counts}]]"


def tags_frame(diagnosis: Diagnosis) -> pd.DataFrame:
    """Groups by tag and form, all of them together, and facts by tag where a fact is asked in several forms."""
    columns = by_form(diagnosis)
    rows = []
    for tag, name in TAGS.items():
        row: dict[str, object] = {"Groups": name}
        for form, inner in columns.items():
            row[form.capitalize()] = _counted(inner.figures.tags[tag], "group")
        if diagnosis.mutual is not None:
            row["All groups"] = _counted(diagnosis.figures.tags[tag], "group")
            row["Facts over all forms"] = _counted(diagnosis.mutual.counts[tag], "fact")
        rows.append(row)
    return pd.DataFrame(rows)


def _counted(count: GroupCount, thing: str) -> str:
    return f"{numbers.count(count.groups, thing)}, {numbers.count(count.rows, 'question')}"


def attribution_frame(diagnosis: Diagnosis) -> pd.DataFrame:
    """The partition by form, with the paper's own label beside it."""
    rows = []
    for part in Attribution:
        row: dict[str, object] = {"Module": theme.NAMES[part]}
        for form, inner in by_form(diagnosis).items():
            row[form.capitalize()] = cell(inner.figures.shares[part])
            row[f"{form.capitalize()}, the paper's label"] = f"{inner.figures.attribution_paper[part]:,}"
        rows.append(row)
    return pd.DataFrame(rows)


def groups_frame(groups: Sequence[GroupDiagnosis], cases: Mapping[str, TestCase]) -> pd.DataFrame:
    """Groups as a table for people; the id is ``group:form``.

    Args:
        groups: The groups.
        cases: By id, the first case of each group among them.
    """
    first = [cases[group.rows[0].row.case_id] for group in groups]
    return pd.DataFrame(
        [
            {
                "id": group_key(group),
                "Kind": str(group.tag).replace("_", "-").capitalize(),
                "Form": group.form,
                "Correct": f"{group.correct} of {group.judged}",
                "Asked about": ground_truth.asked_about(case),
                "Reference": " | ".join(case.reference_answers),
                "Modules": _parts(group),
                "Documents": documents_of(group),
                "One of its questions": case.question,
            }
            for group, case in zip(groups, first, strict=True)
        ],
        columns=["id", *WIDTHS],
    )


def documents_of(group: GroupDiagnosis) -> str:
    """What the documents say about a group's fact; "-" where nobody looks it up."""
    if group.evidence is None:
        return NOT_SEARCHED if any(row.row.pending for row in group.rows) else "-"
    return documents_say(group.rows[0].row, group.evidence)


def _parts(group: GroupDiagnosis) -> str:
    """Where the questions of a group ended: "Retrieval 2, Correct 1"."""
    ordered = sorted(group.attribution.items(), key=lambda item: item[0] is Attribution.CORRECT)
    return ", ".join(f"{theme.NAMES[part]} {count}" for part, count in ordered if count)


def wordings_frame(
    group: GroupDiagnosis, cases: Mapping[str, TestCase], responses: Mapping[str, Response]
) -> pd.DataFrame:
    """One group's questions with what became of each."""
    return pd.DataFrame(
        [
            {
                "case_id": row.row.case_id,
                "Verdict": f"{theme.MARKS[row.verdict]} {theme.NAMES[row.verdict]}",
                "Question": cases[row.row.case_id].question,
                "Answer": answer_of(responses.get(row.row.case_id)),
                "Module": theme.NAMES[row.attribution],
                "Why": row.reason,
                "Retrieved": ", ".join(row.row.retrieved_ids or ()),
            }
            for row in group.rows
        ]
    )


def witnesses_frame(row: RowDiagnosis) -> pd.DataFrame:
    """What each of the three witnesses says of one wrong answer."""
    evidence = row.row.evidence
    open_question = NOT_SEARCHED if row.row.pending else "The fact was not looked up"
    return pd.DataFrame(
        [
            (
                "The documents",
                documents_say(row.row, evidence) if evidence else open_question,
            ),
            ("The retrieved passages", IN_CONTEXT[row.row.in_context]),
            ("Another wording with these documents", COMPARED[row.sufficient]),
            ("The same question with the gold document", WITH_GOLD[row.row.with_gold]),
        ],
        columns=["Witness", "Says"],
    )


def answer_of(response: Response | None) -> str:
    """The answer to a case, or why there is none."""
    if response is None:
        return "- (not asked yet)"
    return response.answer if response.answer is not None else f"- ({response.error or 'no answer'})"


def dangling_frame(diagnosis: Diagnosis) -> pd.DataFrame:
    """Gold ids that name no document."""
    return pd.DataFrame({"Gold id without a document": list(diagnosis.dangling.ids) if diagnosis.dangling else []})


def tests_frame(report: HypothesisReport) -> pd.DataFrame:
    """One row a module: both sides, the difference, both p-values, how they were made."""
    return pd.DataFrame(
        [
            {
                "Module": MODULES[str(test.module)],
                report.a: numbers.share(test.a),
                report.b: numbers.share(test.b),
                f"Difference ({report.a} - {report.b})": numbers.estimate(test.difference),
                "p": numbers.p_value(test.p_value),
                "p, Holm-adjusted": numbers.p_value(test.p_adjusted),
                "Smallest difference it would find": numbers.NONE
                if test.detectable is None
                else numbers.share(test.detectable),
                "Groups": test.groups,
                **({"Why not tested": test.reason} if any(other.reason for other in report.tests) else {}),
            }
            for test in report.tests
        ]
    )
