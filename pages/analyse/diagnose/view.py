"""The three parts of the Diagnose page: modules, groups, hypothesis test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go
import streamlit as st

from core.diagnosis import Attribution, Diagnosis, GroupDiagnosis, HypothesisReport, Tag
from core.diagnosis.no_recall import left_out_of_recall, no_recall
from core.diagnosis.service.rows import RunRows
from core.domain.results.runs import Run
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from pages.analyse.diagnose import frames, reads
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, theme, verbatim, whiskers
from pages.kit.testset import ground_truth

GROUPS: Final = (
    "A gap group has no wording that was answered correctly; whether its fact is a knowledge gap is another question, "
    "which the documents decide. A fact that is asked in several forms has a group in each, so there are fewer facts "
    "than groups: a fact is a gap only where no form of it was answered."
)
"""The one definition of a gap group, said where groups are counted."""


def figures(diagnosis: Diagnosis) -> None:
    """Four figures, each with interval and n."""
    run_figures = diagnosis.figures
    headline.draw(
        [
            headline.share("accuracy", "Accuracy", run_figures.accuracy, "Correct answers of judged ones."),
            headline.share(
                "known",
                "Groups with an answer",
                run_figures.retrieval_db,
                "Groups with at least one correct answer (Acc_retrieval_db, GRAMMAR equation 1).",
            ),
            headline.share(
                "refined",
                "Refined accuracy",
                run_figures.refined.accuracy,
                "Correct among the questions of those groups (equation 2).",
            ),
            # Recall, not the exact match: the two are one figure at k = 1, and only recall means something above.
            headline.share(
                "recall", "Document recall", run_figures.recall, "Every gold document is among the retrieved ones."
            ),
        ]
    )


def recall(diagnosis: Diagnosis, rows: RunRows) -> None:
    """Why document recall has no value for some or all questions, and where a person can settle it."""
    some = bool(diagnosis.figures.recall.den)
    reason = left_out_of_recall(rows.rows) if some else no_recall(rows.rows)
    if reason is None:
        return
    st.caption(f"{'' if some else 'Document recall has no value. '}{errors.plain(reason.sentence)}")
    if reason.unmatched and st.button("Open records and documents", key="recall_connect"):
        state.go("connect", view="documents")


def unjudged(diagnosis: Diagnosis, reading: str) -> None:
    """How many answers no figure rests on, and which reading counts them."""
    if diagnosis.not_judged and reading != "paper":
        st.caption(
            f"{theme.MARKS['not_judged']} {numbers.count(diagnosis.not_judged, 'answer')} of {diagnosis.n:,} not "
            f"judged and in "
            f"no share; the reading '{reads.READINGS['paper']}' counts them as wrong."
        )


def modules(diagnosis: Diagnosis) -> None:
    """The exhaustive attribution, the groups, every figure, and what a reader must know."""
    bars = charts.stacked(reads.bars(diagnosis), title=reads.finding(diagnosis))
    clicked = charts.show(
        bars.update_layout(xaxis_title="Share of questions; click a part of a bar to see its groups"),
        key="attribution",
        data=frames.attribution_frame(diagnosis),
        name="attribution",
        select=True,
    )
    if clicked:
        state.update(view="groups", tag="", group="", page=1, **reads.segment(diagnosis, clicked[0]))
        st.rerun()
    st.markdown("**Semantic groups**: the questions about one fact in one form")
    st.caption(GROUPS)
    tables.wrapped(frames.tags_frame(diagnosis))
    st.markdown("**Every figure**: share, 95% interval, counts; the wordings of one fact are one cluster")
    st.table(frames.figures_frame(diagnosis), border="horizontal", hide_index=True)
    tables.download(frames.figures_data(diagnosis), name="figures", key="figures_csv", label="Figures as CSV")
    _identity(diagnosis)
    for note in diagnosis.notes:
        st.caption(f"Note: {errors.plain(note)}")
    with st.expander("The partition in numbers, with the paper's own label beside it", key="partition"):
        tables.plain(frames.attribution_frame(diagnosis), key="partition_table")
        st.caption("The paper calls every wrong question of a gap group a knowledge gap, whatever the documents say.")
    if diagnosis.dangling is not None and diagnosis.dangling.ids:
        title = f"{numbers.count(len(diagnosis.dangling.ids), 'gold id')} without a document"
        with st.expander(title, key="dangling"):
            st.caption("These records have no document: a gap of the corpus or of the ids, never a retrieval miss.")
            tables.plain(frames.dangling_frame(diagnosis), key="dangling_table")


def _identity(diagnosis: Diagnosis) -> None:
    identity = diagnosis.figures.identity
    if identity.right is None:
        return
    holds = "holds" if identity.holds else "does not hold"
    st.caption(
        f"Equation 3 {holds}: accuracy {numbers.share(identity.left.value)} = refined accuracy "
        f"{numbers.share(identity.refined.value)} x share of questions in groups with a correct answer "
        f"{numbers.share(identity.share.value)} ({numbers.of(identity.share)})."
    )


def groups(page: Page, run: Run, diagnosis: Diagnosis, rows: RunRows) -> None:
    """Groups by form, tag and module; the selected one with its wordings and the corpus evidence."""
    form_at, tag_at, module_at = st.columns(3)
    with form_at:
        form = state.choose("Form", list(reads.by_form(diagnosis)), "form", every="Every form")
    with tag_at:
        names = {str(tag): name for tag, name in reads.TAGS.items()}
        tag = state.choose("Kind of group", list(names), "tag", every="Every kind", name=lambda key: names[key])
    with module_at:
        parts = [str(part) for part in Attribution]
        module = state.choose("Module", parts, "module", every="Every module", name=lambda key: theme.NAMES[key])
    matches = reads.groups_of(diagnosis, form=form, tag=tag, module=module)
    if not matches:
        st.info("No group matches these filters.")
        return
    offset = tables.pages(len(matches), size=50, thing="group")
    shown = matches[offset : offset + 50]
    tables.follow(
        frames.groups_frame(shown, _first_cases(page, run, shown)),
        key="groups_table",
        id_column="id",
        parameter="group",
        columns=frames.WIDTHS,
        height=318,
    )
    chosen = next((group for group in diagnosis.groups if reads.group_key(group) == state.link().group), None)
    if chosen is not None:
        _group(page, run, chosen, rows)
    elif state.link().group:
        st.warning("The link names a group this run does not have. Select another one.")
    else:
        st.caption("Select a group to see its wordings and what the documents say about its fact.")
    tables.download(
        lambda: frames.groups_frame(matches, _first_cases(page, run, matches)),
        name=f"groups_{run.id}",
        key="groups_csv",
        label=f"Download {numbers.count(len(matches), 'group')} as CSV",
    )


def _first_cases(page: Page, run: Run, groups: Sequence[GroupDiagnosis]) -> dict[str, TestCase]:
    return reads.cases(page.store, run.test_set_id, tuple(group.rows[0].row.case_id for group in groups))


def _group(page: Page, run: Run, group: GroupDiagnosis, rows: RunRows) -> None:
    case_ids = tuple(row.row.case_id for row in group.rows)
    cases = reads.cases(page.store, run.test_set_id, case_ids)
    with st.container(border=True, key="group_view"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown(f"**{reads.TAGS[group.tag]}** · {group.correct} of {group.judged} judged answers correct")
            ground_truth.draw(cases[case_ids[0]])
        with right:
            _evidence(group, rows)
        tables.follow(
            frames.wordings_frame(group, cases, reads.responses(page.store, run.id, case_ids)),
            key="wordings_table",
            id_column="case_id",
            parameter="case",
            columns=frames.WORDINGS,
        )
        only = group.rows[0] if len(group.rows) == 1 else None
        opened = next((row for row in group.rows if row.row.case_id == state.link().case), only)
        if opened is None:
            st.caption("Select a wording to read the reason for its module and to open it in the results.")
            return
        st.caption(
            f"{theme.NAMES[opened.attribution]}: {errors.plain(opened.reason) or 'answered as the database says'}"
        )
        if opened.attribution is Attribution.UNDECIDED:
            st.dataframe(frames.witnesses_frame(opened), hide_index=True, key="witnesses")
        if st.button("Open this case in the results", key="open_case"):
            state.go("results", run=run.id, case=opened.row.case_id)


def _evidence(group: GroupDiagnosis, rows: RunRows) -> None:
    st.caption("Document that should be found")
    verbatim.show(", ".join(group.true_ids) or "not known")
    finding = rows.findings.get(group.group_id)
    if finding is None:
        reason = "Looked up only for facts with a wrong answer." if rows.known_ids else "The run has no corpus."
        if any(row.row.pending for row in group.rows):
            reason = "Not searched yet. Until then no module of this group is certain."
        st.caption(f"What the documents say: {reason}")
        return
    st.caption("What the documents say")
    st.markdown(f"**{reads.documents_say(group.rows[0].row, finding.evidence)}**")
    if finding.document_id:
        others = len(finding.document_ids) - 1
        also = f" and in {numbers.count(others, 'other document')}" if others > 0 else ""
        st.caption(f"in {errors.plain(finding.document_id)}{also}")
        verbatim.show(finding.passage)
    if finding.other_value:
        doubt = finding.evidence is FactEvidence.UNDECIDED
        told = "which may be the answer in another form" if doubt else "the database says otherwise"
        st.markdown(f"It says **{errors.plain(finding.other_value)}**, {told}.")


def hypothesis(page: Page, run: Run, rows: RunRows, reading: str) -> None:
    """Two values of an attribute compared in every module, with what it shows and what it cannot show."""
    attributes = reads.attributes(rows)
    if not attributes:
        st.info("All cases have the same attributes: there is nothing to compare. A test set with two forms has.")
        return
    attribute_at, a_at, b_at = st.columns([2, 3, 3])
    with attribute_at:
        attribute = state.choose("Attribute", list(attributes), "attribute", pinned=True)
    values = attributes[attribute]
    ordered = sorted(values, key=lambda value: (value != "short", value != "long"))
    with a_at:
        a = state.choose("Questions with", ordered, "a", default=ordered[0], pinned=True)
    with b_at:
        b = state.choose("compared with", ordered, "b", default=ordered[1], pinned=True)
    with errors.shown():
        with st.spinner("Resampling groups"):
            report = reads.hypothesis(page.store, run.id, reading, attribute, a, b)
        _report(report)


def _report(report: HypothesisReport) -> None:
    with st.container(border=True, key="conclusion"):
        st.markdown(errors.plain(report.conclusion))
    charts.show(_differences(report), key="differences", data=frames.tests_frame(report), name="hypothesis")
    tables.plain(frames.tests_frame(report), key="tests_table", columns=frames.TESTS)
    how = "within semantic groups" if report.paired else "between groups"
    methods = "; ".join(dict.fromkeys(test.method for test in report.tests if not test.reason))
    st.caption(
        f"Compared {how}. Intervals are 95%, p-values two-sided and adjusted for the modules tested (Holm). "
        f"Method: {errors.plain(methods) or 'none applied'}; seed {report.seed}."
    )
    st.markdown("**What this cannot show**")
    st.markdown("\n".join(f"- {errors.plain(sentence)}" for sentence in report.cannot_conclude))


def _differences(report: HypothesisReport) -> go.Figure:
    return whiskers.differences(
        [
            whiskers.Difference(
                label=reads.MODULES[str(test.module)],
                value=test.difference,
                shown=test.shown,
                note=f"n = {test.groups:,} groups, adjusted p {numbers.p_value(test.p_adjusted)}",
            )
            for test in report.tests
            if test.difference.value is not None
        ],
        axis=f"Mean share over groups: {report.a} minus {report.b}",
    )


def all_gaps(diagnosis: Diagnosis) -> bool:
    """Whether no group has a correct answer, so that refined figures have nothing to stand on."""
    tags = diagnosis.figures.tags
    return tags[Tag.GAP].groups > 0 and tags[Tag.ROBUST].groups + tags[Tag.NON_ROBUST].groups == 0
