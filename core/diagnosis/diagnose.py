"""The diagnosis of one run: figures over all rows and by form, with every group behind them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.diagnosis.documents import DocumentReader
from core.diagnosis.figures import Figures, figures_of, retrieval_db
from core.diagnosis.groups import GroupDiagnosis, diagnose_groups
from core.diagnosis.mutual import Mutual, mutual_of
from core.domain.estimates import Proportion
from core.domain.results.diagnosis import (
    GROUPINGS,
    POLICIES,
    UNJUDGED,
    DiagnosisRow,
    Grouping,
    Policy,
    Tag,
    Unjudged,
    check_choice,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dangling:
    """Gold ids that name no document: a defect of the data, not a retrieval miss.

    Attributes:
        rows: Rows with such an id.
        ids: The ids, each once, in order of appearance.
    """

    rows: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The diagnosis of the modules of a run.

    Attributes:
        form: The form of the rows, None for all rows together.
        n: All rows.
        not_judged: Rows without a verdict; under ``unjudged="incorrect"`` they nevertheless count as incorrect.
        figures: Every figure.
        retrieval_db_closed: Acc_retrieval_db without the open-domain groups, None where none were named.
        dangling: None where the ids of the corpus are not known.
        singles: Groups with one judged row, by tag: refined accuracy and context comparison carry no information there.
        balanced: Whether all groups have the same number of rows.
        groups: Every group, for drill-down.
        by_form: The same for each form, in order of appearance; empty inside a form's own diagnosis.
        mutual: Groups seen over all forms at once; None with fewer than two forms.
        notes: Caveats about these figures, one sentence each.
        pending: Wrong answers for whose facts the documents are still to be searched; their module may change.
    """

    form: str | None
    n: int
    not_judged: int
    policy: Policy
    unjudged: Unjudged
    figures: Figures
    retrieval_db_closed: Proportion | None
    dangling: Dangling | None
    singles: Mapping[Tag, int]
    balanced: bool
    groups: tuple[GroupDiagnosis, ...]
    by_form: Mapping[str, Diagnosis] = field(default_factory=dict)
    mutual: Mutual | None = None
    notes: tuple[str, ...] = ()
    pending: int = 0

    def as_json(self) -> dict[str, object]:
        """The command line's form, with one entry per form under `by_form` where there are several."""
        figures = self.figures
        tags = {str(tag): figures.tags[tag].as_json() for tag in (Tag.GAP, Tag.ROBUST, Tag.NON_ROBUST)}
        document: dict[str, object] = {
            "n": self.n,
            "not_judged": self.not_judged,
            "accuracy": figures.accuracy.as_json(),
            "id_match": figures.id_match.as_json(),
            "context_comparison": figures.context_comparison.as_json(),
            "refined": figures.refined.as_json(),
            "retrieval_db": figures.retrieval_db.as_json(),
            "groups": tags,
            "attribution": {str(part): count for part, count in figures.attribution.items()},
            "dangling_ids": {
                "rows": None if self.dangling is None else self.dangling.rows,
                "ids": None if self.dangling is None else len(self.dangling.ids),
            },
            "policy": self.policy,
            "unjudged": self.unjudged,
            "untagged": figures.tags[Tag.UNTAGGED].as_json(),
            "recall": figures.recall.as_json(),
            "context_comparison_ordered": figures.context_comparison_ordered.as_json(),
            "attribution_paper": {str(part): count for part, count in figures.attribution_paper.items()},
            "identity": figures.identity.as_json(),
            "balanced": self.balanced,
            "groups_of_one": {str(tag): count for tag, count in self.singles.items()},
            "notes": list(self.notes),
        }
        if self.retrieval_db_closed is not None:
            document["retrieval_db_without_open_domain"] = self.retrieval_db_closed.as_json()
        if self.mutual is not None:
            document["mutual"] = self.mutual.as_json()
        if self.by_form:
            document["by_form"] = {form: inner.as_json() for form, inner in self.by_form.items()}
        return document


def diagnose(
    rows: Sequence[DiagnosisRow],
    *,
    policy: Policy = "plain",
    unjudged: Unjudged = "exclude",
    known_ids: Collection[str] | None = None,
    grouping: Grouping = "form",
    open_domain: Collection[str] | None = None,
    also_retrieved: Collection[str] = (),
) -> Diagnosis:
    """Diagnoses which module is broken, with the figures behind it (GRAMMAR, section 4.3, made precise).

    The clusters of intervals and counts are filled SQL queries: two forms of one query are one cluster.

    Args:
        rows: All rows of a run; no rows give figures without a value.
        policy: ``"plain"``, the verdict as recorded, or ``"override"``, incorrect wherever ids differ.
        unjudged: ``"exclude"``, or ``"incorrect"`` to replay the paper.
        known_ids: The ids of the corpus, None where they are not known.
        grouping: ``"form"`` tags each form alone, ``"pooled"`` puts all forms of a query into one group.
        open_domain: Ids of groups that the language model answers without retrieval (see :func:`open_domain_groups`).
        also_retrieved: Ids that other rows of the run retrieved, where only some of its rows are given.

    Raises:
        InvalidInput: A policy or grouping of another name.
    """
    check_choice("The policy", policy, POLICIES)
    check_choice("The treatment of unjudged rows", unjudged, UNJUDGED)
    check_choice("The grouping", grouping, GROUPINGS)
    reader = DocumentReader(rows, known_ids, also_retrieved)
    groups = diagnose_groups(rows, reader, policy=policy, unjudged=unjudged, grouping=grouping)
    forms = tuple(dict.fromkeys(row.form for row in rows))
    by_form: dict[str, Diagnosis] = {}
    mutual = None
    if len(forms) > 1:
        per_form = groups if grouping == "form" else diagnose_groups(rows, reader, policy=policy, unjudged=unjudged)
        for form in forms:
            form_groups = tuple(group for group in per_form if group.form == form)
            by_form[form] = _diagnosis(form_groups, form, policy, unjudged, reader.observed, known_ids, open_domain)
        mutual = mutual_of(per_form)
    total = _diagnosis(groups, None, policy, unjudged, reader.observed, known_ids, open_domain)
    return Diagnosis(
        form=forms[0] if len(forms) == 1 else None,
        n=total.n,
        not_judged=total.not_judged,
        policy=policy,
        unjudged=unjudged,
        figures=total.figures,
        retrieval_db_closed=total.retrieval_db_closed,
        dangling=total.dangling,
        singles=total.singles,
        balanced=total.balanced,
        groups=groups,
        by_form=by_form,
        mutual=mutual,
        notes=total.notes,
        pending=total.pending,
    )


def open_domain_groups(rows: Sequence[DiagnosisRow]) -> frozenset[str]:
    """The groups that the language model answers without retrieval: no gap in such a run (Table 4).

    Args:
        rows: Rows of a run without retrieval, on the same test set.
    """
    groups = diagnose_groups(rows, DocumentReader(rows))
    return frozenset(group.group_id for group in groups if group.tag.competent)


def _diagnosis(
    groups: tuple[GroupDiagnosis, ...],
    form: str | None,
    policy: Policy,
    unjudged: Unjudged,
    observed: bool,
    known_ids: Collection[str] | None,
    open_domain: Collection[str] | None,
) -> Diagnosis:
    figures = figures_of(groups)
    n = sum(len(group.rows) for group in groups)
    not_judged = sum(row.unjudged for group in groups for row in group.rows)
    dangling = None if known_ids is None else _dangling(groups)
    sizes = {len(group.rows) for group in groups}
    singles = {tag: sum(group.tag is tag and group.judged == 1 for group in groups) for tag in (Tag.GAP, Tag.ROBUST)}
    pending = sum(row.row.pending and row.judged and not row.correct for group in groups for row in group.rows)
    closed = None
    if open_domain is not None:
        outside = frozenset(open_domain)
        closed = retrieval_db(group for group in groups if group.group_id not in outside)
    return Diagnosis(
        form=form,
        n=n,
        not_judged=not_judged,
        policy=policy,
        unjudged=unjudged,
        figures=figures,
        retrieval_db_closed=closed,
        dangling=dangling,
        singles=singles,
        balanced=len(sizes) <= 1,
        groups=groups,
        notes=tuple(
            _notes(n, not_judged, unjudged, observed, dangling, len(sizes) <= 1, sum(singles.values()), pending)
        ),
        pending=pending,
    )


def _dangling(groups: Sequence[GroupDiagnosis]) -> Dangling:
    ids: dict[str, None] = {}
    rows = 0
    for group in groups:
        for row in group.rows:
            if row.documents.dangling:
                rows += 1
                ids.update(dict.fromkeys(row.documents.dangling))
    return Dangling(rows=rows, ids=tuple(ids))


def _notes(
    n: int,
    not_judged: int,
    unjudged: Unjudged,
    observed: bool,
    dangling: Dangling | None,
    balanced: bool,
    singles: int,
    pending: int,
) -> list[str]:
    notes = []
    if pending:
        notes.append(
            f"The documents are still to be searched for the facts of {pending:,} wrong answers: in groups without a "
            "correct answer they count as undecided, in others ids alone decide, and both may change."
        )
    if not_judged:
        treatment = "count as incorrect, as in the paper" if unjudged == "incorrect" else "are left out of accuracies"
        notes.append(f"{not_judged:,} of {n:,} rows have no verdict; they {treatment}.")
    if n and not observed:
        notes.append("No row reports a retrieved document, so retrieval cannot be assessed.")
    if dangling is not None and dangling.rows:
        notes.append(
            f"The true ids of {dangling.rows:,} of {n:,} rows match no document: a data defect, not a retrieval miss."
        )
    if not balanced:
        notes.append("Groups differ in size: do not compare refined figures between forms.")
    if singles:
        have = "group has" if singles == 1 else "groups have"
        notes.append(f"{singles:,} {have} one judged row and can only be gap or robust.")
    if n:
        notes.append("Refined figures cover groups with at least one correct answer: they select on the outcome.")
    return notes
