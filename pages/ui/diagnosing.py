"""Reads of the Diagnose page: the diagnosis of a run under a reading, and its figures and groups as frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import pandas as pd

from core.diagnosis import Attribution, Diagnosis, GroupDiagnosis, HypothesisReport, Tag, diagnose, test_hypothesis
from core.domain.estimates import Proportion
from core.domain.evidence import FactEvidence
from core.evaluation.rows import RunRows, diagnosis_rows
from core.store.database import Store
from pages.ui import numbers, readers, theme

READINGS: Final = {
    "": "As judged",
    "override": "Wrong document = wrong answer",
    "paper": "As in the paper: not judged = wrong",
}
"""How verdicts are read; the names stand in the URL."""

TAGS: Final = {
    Tag.GAP: "Gap: no wording answered",
    Tag.NON_ROBUST: "Non-robust: some wordings answered",
    Tag.ROBUST: "Robust: every wording answered",
    Tag.UNTAGGED: "Untagged: nothing judged",
}

EVIDENCE: Final = {
    FactEvidence.PRESENT: "A document states the fact",
    FactEvidence.ABSENT: "No document states the fact",
    FactEvidence.CONTRADICTED: "The document contradicts the database",
    FactEvidence.UNKNOWN: "Could not be looked up",
}

MODULES: Final = {
    "overall": "Overall accuracy",
    "retrieval": "Retrieval",
    "language_model": "Language model",
    "retrieval_db": "Retrieval database",
}

FIGURES: Final = (
    ("Accuracy", "Correct among judged questions (the paper's baseline).", lambda found: found.accuracy),
    ("Facts the system knows", "Acc_retrieval_db, equation 1: groups with at least one correct answer.",
     lambda found: found.retrieval_db),
    ("Refined accuracy", "Equation 2: correct among the questions of groups with at least one correct answer. It "
     "selects on the outcome.", lambda found: found.refined.accuracy),
    ("Document match", "Retrieved ids equal the gold ids. The paper prints this as Context Comparison.",
     lambda found: found.id_match),
    ("Document recall", "Every gold document is among the retrieved ones; the measure at k > 1.",
     lambda found: found.recall),
    ("Context comparison", "Correct, or wrong although the context was sufficient for another wording (section 4.3).",
     lambda found: found.context_comparison),
    ("Context comparison, ordered", "The same with equal ordered ids, the strict version.",
     lambda found: found.context_comparison_ordered),
    ("Refined document match", "Document match among the questions of competent groups.",
     lambda found: found.refined.id_match),
    ("Refined context comparison", "Context comparison among the questions of competent groups.",
     lambda found: found.refined.context_comparison),
)  # fmt: skip
"""Every figure: name, meaning, how it is read off."""


def run_rows(store: Store, run_id: str) -> RunRows:
    """A run's rows with the evidence of its corpus."""
    return readers.cached(store, "run_rows", lambda: diagnosis_rows(store, run_id), run_id)  # type: ignore[return-value]


def diagnosis(store: Store, run_id: str, reading: str) -> Diagnosis:
    """The diagnosis of a run."""

    def read() -> Diagnosis:
        rows = run_rows(store, run_id)
        return diagnose(
            rows.rows,
            policy="override" if reading == "override" else "plain",
            unjudged="incorrect" if reading == "paper" else "exclude",
            known_ids=rows.known_ids,
        )

    return readers.cached(store, "diagnosis", read, run_id, reading)  # type: ignore[return-value]


def by_form(found: Diagnosis) -> dict[str, Diagnosis]:
    """The diagnosis of each form; the whole one under its form's name where there is only one."""
    return dict(found.by_form) or {found.form or "all": found}


def bars(found: Diagnosis) -> dict[str, dict[str, int]]:
    """Attribution counts by form, for the stacked bar."""
    return {
        f"{form.capitalize()} questions": {str(part): count for part, count in inner.figures.attribution.items()}
        for form, inner in by_form(found).items()
    }


def finding(found: Diagnosis) -> str:
    """The picture's title: where most errors of the worst form come from."""
    worst_form, worst = min(
        by_form(found).items(),
        key=lambda item: (item[1].figures.accuracy.value is None, item[1].figures.accuracy.value),
    )
    counts = {
        part: count
        for part, count in worst.figures.attribution.items()
        if part not in (Attribution.CORRECT, Attribution.NOT_JUDGED)
    }
    errors = sum(counts.values())
    if not errors:
        return "No judged answer is wrong." if worst.figures.accuracy.den else "No answer is judged."
    part, count = max(counts.items(), key=lambda item: item[1])
    where = {
        Attribution.RETRIEVAL: "fail in retrieval",
        Attribution.KNOWLEDGE_GAP: "fail for missing knowledge",
        Attribution.LANGUAGE_MODEL: "fail in the language model",
        Attribution.UNRESOLVED_GAP: "fail for a reason that could not be resolved",
    }[part]
    return f"{worst_form.capitalize()} questions {where}: {count:,} of {errors:,} errors"


def figures_frame(found: Diagnosis) -> pd.DataFrame:
    """Every figure by form, with interval, numerator, denominator and clusters."""
    columns = by_form(found) if not found.by_form else {**found.by_form, "all": found}
    rows = []
    for name, meaning, of in FIGURES:
        row = {"Figure": name}
        for form, inner in columns.items():
            row[form.capitalize()] = cell(of(inner.figures))
        rows.append({**row, "Meaning": meaning})
    return pd.DataFrame(rows)


def figures_data(found: Diagnosis) -> pd.DataFrame:
    """The same as plain numbers, for a download."""
    columns = by_form(found) if not found.by_form else {**found.by_form, "all": found}
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


def cell(value: Proportion) -> str:
    """A proportion in a table: value, interval, counts, clusters."""
    if not value.den:
        return "- (0/0)"
    clusters = f", {value.clusters:,} clusters" if value.clusters is not None else ""
    return f"{numbers.proportion(value)} ({numbers.of(value)}{clusters})"


def tags_frame(found: Diagnosis) -> pd.DataFrame:
    """Groups by tag and form."""
    columns = by_form(found)
    rows = []
    for tag, name in TAGS.items():
        row: dict[str, object] = {"Groups": name}
        for form, inner in columns.items():
            count = inner.figures.tags[tag]
            row[form.capitalize()] = f"{count.groups:,} groups, {count.rows:,} questions"
        if found.mutual is not None:
            count = found.mutual.counts[tag]
            row["Over all forms"] = f"{count.groups:,} groups, {count.rows:,} questions"
        rows.append(row)
    return pd.DataFrame(rows)


def attribution_frame(found: Diagnosis) -> pd.DataFrame:
    """The partition by form, with the paper's own label beside it."""
    rows = []
    for part in Attribution:
        row: dict[str, object] = {"Module": theme.NAMES[part]}
        for form, inner in by_form(found).items():
            row[form.capitalize()] = cell(inner.figures.shares[part])
            row[f"{form.capitalize()}, the paper's label"] = f"{inner.figures.attribution_paper[part]:,}"
        rows.append(row)
    return pd.DataFrame(rows)


def groups_of(found: Diagnosis, *, form: str, tag: str, module: str) -> list[GroupDiagnosis]:
    """The groups that the filters leave, worst first."""
    left = [
        group
        for group in found.groups
        if (not form or group.form == form)
        and (not tag or group.tag == tag)
        and (not module or any(part == module for part in group.attribution))
    ]
    order = {Tag.GAP: 0, Tag.NON_ROBUST: 1, Tag.UNTAGGED: 2, Tag.ROBUST: 3}
    return sorted(left, key=lambda group: order[group.tag])


def groups_frame(groups: Sequence[GroupDiagnosis], rows: RunRows) -> pd.DataFrame:
    """Groups as a table for people; the id is ``group|form``."""
    return pd.DataFrame(
        [
            {
                "id": group_key(group),
                "Group": str(group.tag).replace("_", "-"),
                "Form": group.form,
                "Correct": f"{group.correct} of {group.judged}",
                "One of its questions": rows.cases[group.rows[0].row.case_id].question,
                "Reference": " | ".join(rows.cases[group.rows[0].row.case_id].reference_answers),
                "Modules": ", ".join(
                    f"{theme.NAMES[part]} {count}"
                    for part, count in group.attribution.items()
                    if part is not Attribution.CORRECT
                )
                or "-",
                "Documents": EVIDENCE.get(group.evidence, "") if group.evidence else "",
            }
            for group in groups
        ],
        columns=["id", "Group", "Form", "Correct", "One of its questions", "Reference", "Modules", "Documents"],
    )


def group_key(group: GroupDiagnosis) -> str:
    """How a group is named in the URL."""
    return f"{group.group_id}:{group.form}"


def wordings_frame(group: GroupDiagnosis, rows: RunRows) -> pd.DataFrame:
    """One group's questions with what became of each."""
    return pd.DataFrame(
        [
            {
                "case_id": row.row.case_id,
                "Verdict": f"{theme.MARKS[row.verdict]} {theme.NAMES[row.verdict]}",
                "Question": rows.cases[row.row.case_id].question,
                "Answer": answer_of(rows, row.row.case_id),
                "Module": theme.NAMES[row.attribution],
                "Why": row.reason,
                "Retrieved": ", ".join(row.row.retrieved_ids or ()),
            }
            for row in group.rows
        ]
    )


def answer_of(rows: RunRows, case_id: str) -> str:
    """The answer to a case, or why there is none."""
    response = rows.responses.get(case_id)
    if response is None:
        return "- (not asked yet)"
    return response.answer if response.answer is not None else f"- ({response.error or 'no answer'})"


def dangling_frame(found: Diagnosis) -> pd.DataFrame:
    """Gold ids that name no document."""
    return pd.DataFrame({"Gold id without a document": list(found.dangling.ids) if found.dangling else []})


def attributes(rows: RunRows) -> dict[str, list[str]]:
    """The attributes that differ between cases, the form first, each with its values, most frequent first."""
    counts: dict[str, Counter[str]] = {"form": Counter(row.form for row in rows.rows if row.form)}
    for row in rows.rows:
        for name, value in row.attributes.items():
            counts.setdefault(name, Counter())[value] += 1
    return {name: [value for value, _ in count.most_common(200)] for name, count in counts.items() if len(count) > 1}


def hypothesis(store: Store, run_id: str, reading: str, attribute: str, a: str, b: str) -> HypothesisReport:
    """The comparison of two values of an attribute, module by module.

    Raises:
        InsufficientData: Too few groups to compare.
        InvalidInput: The values are the same.
    """

    def read() -> HypothesisReport:
        rows = run_rows(store, run_id)
        return test_hypothesis(
            rows.rows,
            attribute=attribute,
            a=a,
            b=b,
            policy="override" if reading == "override" else "plain",
            unjudged="incorrect" if reading == "paper" else "exclude",
            known_ids=rows.known_ids,
        )

    return readers.cached(store, "hypothesis", read, run_id, reading, attribute, a, b)  # type: ignore[return-value]


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
                "Groups": test.groups,
                "Method, or why not": test.reason or test.method,
            }
            for test in report.tests
        ]
    )
