"""Reads of the Diagnose page: the diagnosis of a run under a reading, and its figures and groups as frames."""

from __future__ import annotations

from collections import Counter
from typing import Final

from core.diagnosis import (
    Attribution,
    Diagnosis,
    DiagnosisRow,
    GroupDiagnosis,
    HypothesisReport,
    Tag,
    diagnose,
    test_hypothesis,
)
from core.diagnosis.service.evidence import QUICK_S
from core.diagnosis.service.rows import RunRows, diagnosis_rows
from core.domain.results.forms import form_others, with_forms_named
from core.domain.results.responses import Response
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import LOOK_UP, OPERATION, TestCase
from core.store.database import Store
from core.store.results import runs as run_table
from core.store.results.cases import case_columns
from core.store.writing.versions import Kind
from pages.kit import cache
from pages.kit.look import charts
from pages.kit.state import links

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
    FactEvidence.UNDECIDED: "Words cannot tell",
    FactEvidence.UNKNOWN: "Could not be looked up",
}

COMPUTED: Final = {
    FactEvidence.PRESENT: "The documents state all that it is computed from",
    FactEvidence.ABSENT: "The documents lack rows that it is computed from",
}

MODULES: Final = {
    "overall": "Overall accuracy",
    "retrieval": "Retrieval",
    "language_model": "Language model",
    "retrieval_db": "Retrieval database",
}

CLEARLY: Final = 0.05
"""Difference in share between forms from which the title of the picture names it."""

IN: Final = {
    Attribution.RETRIEVAL: "retrieval",
    Attribution.LANGUAGE_MODEL: "the language model",
    Attribution.KNOWLEDGE_GAP: "knowledge",
    Attribution.UNDECIDED: "undecided cases",
    Attribution.UNRESOLVED_GAP: "unresolved gaps",
}


KINDS: Final[tuple[Kind, ...]] = ("runs", "answers", "scores", "test_sets", "sources", "evidence")
"""What a diagnosis is made from."""


def documents_say(row: DiagnosisRow, evidence: FactEvidence) -> str:
    """What the documents say of a row's fact, or of the rows that its answer is computed from."""
    computed = row.attributes.get(OPERATION, LOOK_UP) != LOOK_UP
    return COMPUTED.get(evidence, EVIDENCE[evidence]) if computed else EVIDENCE[evidence]


@cache.shared(*KINDS)
def run_rows(store: Store, run_id: str) -> RunRows:
    """A run's rows with the evidence that is known, or found at once; the others are pending."""
    return diagnosis_rows(store, run_id, seconds=QUICK_S)


@cache.read("test_sets")
def cases(store: Store, test_set_id: str, case_ids: tuple[str, ...]) -> dict[str, TestCase]:
    """Some cases of a test set by id."""
    with store.read() as connection:
        return {case.case_id: case for case in case_columns.chosen(connection, test_set_id, case_ids)}


@cache.read("answers")
def responses(store: Store, run_id: str, case_ids: tuple[str, ...]) -> dict[str, Response]:
    """The responses to some cases by id; a case that was not asked yet has none."""
    with store.read() as connection:
        return run_table.responses(connection, run_id, case_ids)


@cache.shared(*KINDS)
def diagnosed(store: Store, run_id: str, reading: str) -> tuple[RunRows, Diagnosis]:
    """The rows of a run and their diagnosis; of one moment, while a search stores evidence."""
    rows = run_rows(store, run_id)
    return rows, diagnose(
        with_forms_named(rows.rows),
        policy="override" if reading == "override" else "plain",
        unjudged="incorrect" if reading == "paper" else "exclude",
        known_ids=rows.known_ids,
    )


def diagnosis(store: Store, run_id: str, reading: str) -> Diagnosis:
    """The diagnosis of a run."""
    return diagnosed(store, run_id, reading)[1]


def by_form(run_diagnosis: Diagnosis) -> dict[str, Diagnosis]:
    """The diagnosis of each form; the whole one under its form's name where there is only one."""
    return dict(run_diagnosis.by_form) or {run_diagnosis.form or "all": run_diagnosis}


def bars(run_diagnosis: Diagnosis) -> dict[str, dict[str, int]]:
    """Attribution counts by form, for the stacked bar."""
    return {
        charts.bar_label(form): {str(part): count for part, count in inner.figures.attribution.items()}
        for form, inner in by_form(run_diagnosis).items()
    }


def segment(run_diagnosis: Diagnosis, clicked: str) -> dict[str, str]:
    """The filters that a clicked part of the stacked bar stands for."""
    part, _, label = clicked.partition(":")
    form = next((form for form in by_form(run_diagnosis) if charts.bar_label(form) == label), "")
    return {"module": part, "form": form if run_diagnosis.by_form else ""}


def finding(run_diagnosis: Diagnosis) -> str:
    """The picture's title: the module in which one form errs clearly more than the others, else the largest cause.

    No module is named as long as the documents are still to be searched.
    """
    if run_diagnosis.pending:
        return charts.uncertain(run_diagnosis.pending)
    forms = {form: inner.figures.attribution for form, inner in by_form(run_diagnosis).items()}
    sizes = {form: sum(counts.values()) for form, counts in forms.items()}
    blamed = (Attribution.RETRIEVAL, Attribution.LANGUAGE_MODEL, Attribution.KNOWLEDGE_GAP, Attribution.UNRESOLVED_GAP)
    excess = [
        (forms[a][part] / sizes[a] - forms[b][part] / sizes[b], part, a, b)
        for part in blamed
        for a in forms
        for b in forms
        if a != b and sizes[a] and sizes[b]
    ]
    most = max(excess, default=(0.0, None, "", ""), key=lambda item: item[0])
    share, part, a, b = most
    if part is None or share < CLEARLY:
        return charts.finding({form: {str(key): n for key, n in counts.items()} for form, counts in forms.items()})
    return (
        f"{charts.bar_label(a)} fail more in {IN[part]}: {forms[a][part]:,} of {sizes[a]:,} questions, "
        f"against {forms[b][part]:,} of {sizes[b]:,} {form_others(b)}"
    )


def groups_of(run_diagnosis: Diagnosis, *, form: str, tag: str, module: str) -> list[GroupDiagnosis]:
    """The groups that the filters leave, worst first."""
    groups = [
        group
        for group in run_diagnosis.groups
        if (not form or group.form == form)
        and (not tag or group.tag == tag)
        and (not module or any(part == module for part in group.attribution))
    ]
    order = {Tag.GAP: 0, Tag.NON_ROBUST: 1, Tag.UNTAGGED: 2, Tag.ROBUST: 3}
    return sorted(groups, key=lambda group: order[group.tag])


def group_key(group: GroupDiagnosis) -> str:
    """How a group is named in the URL."""
    return links.group_key(group.group_id, group.form)


def attributes(rows: RunRows) -> dict[str, list[str]]:
    """The attributes that differ between cases, the form first, each with its values, most frequent first."""
    counts: dict[str, Counter[str]] = {"form": Counter(row.form for row in rows.rows if row.form)}
    for row in rows.rows:
        for name, value in row.attributes.items():
            counts.setdefault(name, Counter())[value] += 1
    return {name: [value for value, _ in count.most_common(200)] for name, count in counts.items() if len(count) > 1}


@cache.read(*KINDS)
def hypothesis(store: Store, run_id: str, reading: str, attribute: str, a: str, b: str) -> HypothesisReport:
    """The comparison of two values of an attribute, module by module.

    Raises:
        InsufficientData: Too few groups to compare.
        InvalidInput: The values are the same.
    """
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
