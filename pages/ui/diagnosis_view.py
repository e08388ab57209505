"""The three parts of the Diagnose page: modules, groups, hypothesis test."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from core.diagnosis import Attribution, Diagnosis, GroupDiagnosis, HypothesisReport, Tag
from core.domain.runs import Run
from core.evaluation.rows import RunRows
from pages.ui import charts, diagnosing, errors, numbers, state, tables, theme
from pages.ui.frame import Page


def headline(found: Diagnosis) -> None:
    """Four figures, each with interval, n and clusters."""
    figures = found.figures
    first, second, third, fourth = st.columns(4)
    first.metric("Accuracy", numbers.proportion(figures.accuracy), help=numbers.full(figures.accuracy))
    second.metric(
        "Facts the system knows",
        numbers.proportion(figures.retrieval_db),
        help="Groups with at least one correct answer (Acc_retrieval_db, GRAMMAR equation 1). "
        + numbers.full(figures.retrieval_db),
    )
    third.metric(
        "Refined accuracy",
        numbers.proportion(figures.refined.accuracy),
        help="Correct among the questions of those groups (equation 2). " + numbers.full(figures.refined.accuracy),
    )
    fourth.metric(
        "Document match",
        numbers.proportion(figures.id_match),
        help="Retrieved documents are exactly the gold ones. " + numbers.full(figures.id_match),
    )


def modules(found: Diagnosis) -> None:
    """The exhaustive attribution, the groups, every figure, and what a reader must know."""
    charts.show(
        charts.stacked(diagnosing.bars(found), title=diagnosing.finding(found)),
        key="attribution",
        data=diagnosing.attribution_frame(found),
        name="attribution",
    )
    st.markdown("**Semantic groups**: the questions made from one filled SQL query")
    tables.plain(diagnosing.tags_frame(found), key="tags_table")
    st.markdown("**Every figure**, with 95% interval; wordings of one fact are one cluster")
    tables.plain(diagnosing.figures_frame(found), key="figures_table")
    tables.download(diagnosing.figures_data(found), name="figures", key="figures_csv", label="Figures as CSV")
    _identity(found)
    for note in found.notes:
        st.caption(f"Note: {errors.plain(note)}")
    with st.expander("The partition in numbers, with the paper's own label beside it", key="partition"):
        tables.plain(diagnosing.attribution_frame(found), key="partition_table")
        st.caption("The paper calls every wrong question of a gap group a knowledge gap, whatever the documents say.")
    if found.dangling is not None and found.dangling.ids:
        title = f"{numbers.count(len(found.dangling.ids), 'gold id')} without a document"
        with st.expander(title, key="dangling"):
            st.caption("These records have no document: a gap of the corpus or of the ids, never a retrieval miss.")
            tables.plain(diagnosing.dangling_frame(found), key="dangling_table")


def _identity(found: Diagnosis) -> None:
    identity = found.figures.identity
    if identity.right is None:
        return
    holds = "holds" if identity.holds else "does not hold"
    st.caption(
        f"Equation 3 {holds}: accuracy {numbers.share(identity.left.value)} = refined accuracy "
        f"{numbers.share(identity.refined.value)} x share of questions in groups with a correct answer "
        f"{numbers.share(identity.share.value)} ({numbers.of(identity.share)})."
    )


def groups(page: Page, run: Run, found: Diagnosis, rows: RunRows) -> None:
    """Groups by form, tag and module; the selected one with its wordings and the corpus evidence."""
    form_at, tag_at, module_at = st.columns(3)
    with form_at:
        form = state.choose("Form", list(diagnosing.by_form(found)), "form", every="Every form")
    with tag_at:
        names = {str(tag): name for tag, name in diagnosing.TAGS.items()}
        tag = state.choose("Group", list(names), "tag", every="Every group", name=lambda key: names[key])
    with module_at:
        parts = [str(part) for part in Attribution if part is not Attribution.CORRECT]
        module = state.choose("Module", parts, "module", every="Every module", name=lambda key: theme.NAMES[key])
    left = diagnosing.groups_of(found, form=form, tag=tag, module=module)
    if not left:
        st.info("No group matches these filters.")
        return
    offset = tables.pages(len(left), size=50, thing="group")
    shown = diagnosing.groups_frame(left[offset : offset + 50], rows)
    wide = {"One of its questions": st.column_config.TextColumn(width="large")}
    picked = tables.select(shown, key="groups_table", id_column="id", columns=wide, height=330)
    tables.download(
        diagnosing.groups_frame(left, rows), name=f"groups_{run.id}", key="groups_csv", label="Groups as CSV"
    )
    if picked:
        state.update(group=picked)
    chosen = next((group for group in left if diagnosing.group_key(group) == state.link().group), None)
    if chosen is None:
        st.caption("Select a group to see its wordings and what the documents say about its fact.")
    else:
        _group(run, chosen, rows)


def _group(run: Run, group: GroupDiagnosis, rows: RunRows) -> None:
    first = rows.cases[group.rows[0].row.case_id]
    with st.container(border=True, key="group_view"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.markdown(f"**{diagnosing.TAGS[group.tag]}** · {group.correct} of {group.judged} judged answers correct")
            st.caption("Ground truth")
            st.text(" | ".join(first.reference_answers))
            if first.sql:
                st.code(first.sql, language="sql", wrap_lines=True)
                st.caption(
                    "with " + ", ".join(errors.plain(f"{name} = {value}") for name, value in first.sql_params.items())
                )
        with right:
            _evidence(group, rows)
        picked = tables.select(diagnosing.wordings_frame(group, rows), key="wordings_table", id_column="case_id")
        if picked and st.button("Open this case in the results", key="open_case"):
            state.go("results", run=run.id, case=picked)


def _evidence(group: GroupDiagnosis, rows: RunRows) -> None:
    st.caption("Document that should be found")
    st.text(", ".join(group.true_ids) or "not known")
    finding = rows.findings.get(group.group_id)
    if finding is None:
        looked = (
            "Looked up only for facts that some form never got right." if rows.known_ids else "The run has no corpus."
        )
        st.caption(f"What the documents say: {looked}")
        return
    st.caption("What the documents say")
    st.markdown(f"**{diagnosing.EVIDENCE[finding.evidence]}**")
    if finding.document_id:
        st.caption(f"in {errors.plain(finding.document_id)}")
        st.text(finding.passage)
    if finding.other_value:
        st.markdown(f"It says **{errors.plain(finding.other_value)}**, the database says otherwise.")


def hypothesis(page: Page, run: Run, rows: RunRows, reading: str) -> None:
    """Two values of an attribute compared in every module, with what it shows and what it cannot show."""
    known = diagnosing.attributes(rows)
    if not known:
        st.info("All cases have the same attributes: there is nothing to compare. A test set with two forms has.")
        return
    attribute_at, a_at, b_at = st.columns([2, 3, 3])
    with attribute_at:
        attribute = state.choose("Attribute", list(known), "attribute")
    values = known[attribute]
    ordered = sorted(values, key=lambda value: (value != "short", value != "long"))
    with a_at:
        a = state.choose("Questions with", ordered, "a", default=ordered[0])
    with b_at:
        b = state.choose("compared with", ordered, "b", default=ordered[1])
    with errors.shown():
        with st.spinner("Resampling groups"):
            report = diagnosing.hypothesis(page.store, run.id, reading, attribute, a, b)
        _report(report)


def _report(report: HypothesisReport) -> None:
    st.markdown(f"**{errors.plain(report.conclusion)}**")
    charts.show(_differences(report), key="differences", data=diagnosing.tests_frame(report), name="hypothesis")
    tables.plain(diagnosing.tests_frame(report), key="tests_table")
    how = "within semantic groups" if report.paired else "between groups"
    st.caption(f"Compared {how}; 95% bootstrap intervals over groups; permutation p-values; seed {report.seed}.")
    st.markdown("**What this cannot show**")
    for sentence in report.cannot_conclude:
        st.markdown(f"- {errors.plain(sentence)}")


def _differences(report: HypothesisReport) -> go.Figure:
    tested = [test for test in report.tests if test.difference.value is not None]
    figure = go.Figure()
    for test in tested:
        name = diagnosing.MODULES[str(test.module)]
        value, low, high = test.difference.value or 0.0, test.difference.low, test.difference.high
        figure.add_scatter(
            x=[value],
            y=[name],
            mode="markers",
            marker={"size": 12, "color": theme.COLOURS["incorrect" if test.shown else "accent"],
                    "symbol": "diamond" if test.shown else "circle"},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(value if high is None else high) - value],
                "arrayminus": [value - (value if low is None else low)],
                "color": theme.ink("text"),
                "thickness": 1.5,
            },
            customdata=[[name, numbers.estimate(test.difference), test.groups, numbers.p_value(test.p_adjusted)]],
            hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}, %{customdata[2]} groups, adjusted p "
            "%{customdata[3]}<extra></extra>",
            showlegend=False,
        )  # fmt: skip
        figure.add_annotation(
            x=1, xref="paper", xanchor="left", xshift=8, y=name, showarrow=False,
            text=f"{numbers.estimate(test.difference)}, n = {test.groups} groups"
            + (", difference shown" if test.shown else ""),
            font={"size": 12, "color": theme.ink("text")},
        )  # fmt: skip
    figure.add_vline(x=0, line={"color": theme.ink("faint"), "dash": "dot", "width": 1})
    figure.update_layout(
        height=80 + 40 * max(1, len(tested)),
        margin={"t": 14, "r": 300},
        xaxis={"title": f"Share of groups: {report.a} minus {report.b}", "range": [-1, 1]},
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}},
    )
    return figure


def all_gaps(found: Diagnosis) -> bool:
    """Whether no group has a correct answer, so that refined figures have nothing to stand on."""
    tags = found.figures.tags
    return tags[Tag.GAP].groups > 0 and tags[Tag.ROBUST].groups + tags[Tag.NON_ROBUST].groups == 0
