"""What an experiment says: figures, the waterfall, the combinations with their cases, the open-domain filter."""

from __future__ import annotations

import streamlit as st

from core.diagnosis.service.three_way import Comparison, Experiment
from core.diagnosis.three_way import MEANINGS, Combination, Mode, PairedDifference, Part, ThreeWay
from pages.analyse.three_way import charts as three_way_charts
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables
from pages.kit.testset import three_way
from pages.kit.testset.three_way import MODES, PARTS

SCOPES = {"": "Every group", "closed": "Only groups the model alone does not answer"}
SIZE = 50


def filters(page: Page, experiment: Experiment) -> tuple[str, bool]:
    """The form, and whether open-domain groups are left out."""
    forms = list(project_reads.forms(page.store, experiment.test_set_id))
    form_at, scope_at = st.columns([1, 2], vertical_alignment="bottom") if len(forms) > 1 else [st.container()] * 2
    with form_at:
        form = state.choose("Form", forms, "form", every="Every form") if len(forms) > 1 else ""
    with scope_at:
        scope = state.choose(
            "Groups",
            ["closed"],
            "tag",
            every=SCOPES[""],
            name=SCOPES.__getitem__,
            help="The open-domain filter of GRAMMAR, Table 4: groups the model answers without any document test no "
            "retrieval.",
        )
    return form, scope == "closed"


def figures(comparison: ThreeWay) -> None:
    """What the model knows, what it reads, what arrives live, and what retrieval costs."""
    shares = comparison.accuracy
    headline.draw(
        [
            headline.share(
                "knows",
                "Right without documents",
                shares[Mode.CLOSED_BOOK],
                "Closed book: what the model knows. Of cases with a verdict in all three runs.",
            ),
            headline.share(
                "reads",
                "Right with gold document",
                shares[Mode.ORACLE],
                "Oracle context: the ceiling that no retrieval can pass; 1 minus it is what reading costs.",
            ),
            headline.share("live", "Right live", shares[Mode.RETRIEVAL], "With what the system retrieves."),
            _cost(comparison.retrieval_costs),
        ]
    )


def _cost(cost: PairedDifference) -> headline.Figure:
    value = cost.value
    ends = numbers.interval(value.low, value.high) or value.method
    return headline.Figure(
        key="costs",
        label="Retrieval costs",
        value=numbers.share(value.value),
        note=f"{ends} · {numbers.count(value.n, 'case')}, {numbers.count(cost.groups, 'group')}",
        help="Right with the gold document minus right live, on the same cases; resampled by group. "
        f"p {numbers.p_value(cost.p_value)}, {value.method}.",
    )


def sentences(comparison: ThreeWay, closed_domain: bool) -> None:
    """The differences in words, what the filter does, and what is missing."""
    if closed_domain:
        st.caption(
            "Groups that the run without documents answers are left out, so it is right nowhere here by construction."
        )
    give = comparison.documents_give
    reading = comparison.reading_costs
    st.caption(
        f"Reading costs {numbers.proportion(reading)} ({numbers.of(reading)} wrong with the gold document). Documents "
        f"give {numbers.estimate(give.value)} over none (p {numbers.p_value(give.p_value)}, {give.groups:,} groups)."
    )
    missing = {MODES[mode].lower(): count for mode, count in comparison.missing.items() if count}
    if missing:
        missing_list = ", ".join(f"{count:,} {name}" for name, count in missing.items())
        st.caption(
            f"No verdict: {missing_list}. {comparison.judged:,} of {len(comparison.cases):,} cases are judged in all "
            "three runs; the figures above are over these, the picture is over all."
        )


def picture(comparison: ThreeWay) -> None:
    """The waterfall; a click opens the cases of a part."""
    clicked = charts.show(
        three_way_charts.waterfall(comparison),
        key="waterfall",
        data=three_way.parts_frame(comparison),
        name="three-way",
        select=True,
    )
    if clicked and clicked[0] in set(Part) and clicked[0] != state.note("clicked_part"):
        state.update(module=clicked[0], case="", page=1)
    state.keep("clicked_part", clicked[0] if clicked else "")


def combinations(experiment: Experiment, compared: Comparison) -> None:
    """Every combination of verdicts; a selected one, or a clicked part, opens its cases."""
    comparison = compared.three
    st.subheader("Every combination of the three verdicts", anchor=False)
    if tables.follow(
        three_way.combinations_frame(comparison),
        key="combinations",
        id_column="id",
        parameter="module",
        columns=three_way.COMBINATIONS,
    ):
        state.update(case="", page=1)
        st.rerun()
    st.caption(f"Together {len(comparison.cases):,} cases. Select a combination to see its cases.")
    linked = state.link().module
    chosen = [case for case in comparison.cases if linked in (str(case.combination), str(case.part))]
    if not linked or linked not in {*map(str, Combination), *map(str, Part)}:
        return
    name = PARTS[Part(linked)] if linked in set(Part) else linked
    meaning = three_way.PART_MEANINGS[Part(linked)] if linked in set(Part) else MEANINGS[Combination(linked)]
    st.markdown(f"**Cases: {errors.plain(name)}**  \n{meaning}")
    if not chosen:
        st.info("No case ended like this.")
        return
    offset = tables.pages(len(chosen), size=SIZE, thing="case")
    tables.follow(
        three_way.cases_frame(compared, chosen[offset : offset + SIZE]),
        key="three_cases",
        id_column="case_id",
        parameter="case",
        columns=three_way.CASES,
    )
    tables.download(
        lambda: three_way.cases_frame(compared, chosen),
        name="three-way-cases",
        key="three_cases_csv",
        label=f"Download {numbers.count(len(chosen), 'case')} as CSV",
    )
    open_case(experiment, {case.case_id for case in chosen})


def open_case(experiment: Experiment, case_ids: set[str]) -> None:
    """Buttons that open the selected case in each of the three runs."""
    case = state.link().case
    if case not in case_ids:
        st.caption("Select a case to open it in the results of a run.")
        return
    for mode, cell in zip(Mode, st.columns(3), strict=True):
        run = experiment.runs.get(mode)
        if run is not None and cell.button(f"Open: {MODES[mode].lower()}", key=f"open_{mode}", width="stretch"):
            state.go("results", run=run.id, case=case)


def open_domain(comparison: ThreeWay) -> None:
    """Acc_retrieval_db with and without the groups that the model alone answers."""
    knowledge = comparison.open_domain
    st.subheader("Is the knowledge in the documents, or in the model?", anchor=False)
    st.markdown(
        f"The model alone answers **{len(knowledge.groups):,} of {numbers.count(knowledge.of, 'fact')}** "
        "(filled SQL queries). Groups with an answer live, one for each fact and form: "
        f"**{numbers.proportion(knowledge.every)}** ({numbers.of(knowledge.every)}) of all, "
        f"**{numbers.proportion(knowledge.closed)}** ({numbers.of(knowledge.closed)}) without those."
    )
    if knowledge.closed.value is None:
        st.caption("No closed-domain group is left, so nothing here tests the documents.")
    tables.plain(three_way.open_domain_frame(comparison), key="open_domain_table")
    st.caption(
        "Acc_retrieval_db (GRAMMAR, equation 1 and Table 4): groups with at least one correct answer among tagged "
        "ones. A group counts as open-domain where the run without documents answers any of its questions."
    )
