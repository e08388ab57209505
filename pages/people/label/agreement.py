"""How far raters agree, per criterion: Krippendorff's alpha in words, pairs, each rater, time, the gold subset."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.estimates import Estimate
from core.domain.results.labels import Criterion, RoundOrigin
from core.domain.results.runs import Run
from core.labelling.agreement.report import AgreementReport, PairAgreement
from core.labelling.agreement.service import agreement_of_run, note_on_machines
from core.labelling.agreement.words import RELIABLE, TENTATIVE
from core.store.database import Store
from pages.kit import cache, errors
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables
from pages.kit.scores import heatmaps
from pages.people.label import second
from pages.people.label.reads import Situation
from pages.people.label.setup import rounds as label_rounds

USABLE: Final = {
    "refused": ":orange[**✗ Calibration refuses these labels.**]",
    "warned": ":orange[**! Calibration warns of these labels.**]",
    "fine": ":green[**✓ Good enough to calibrate against.**]",
}
READ_AS: Final = {"nominal": "names", "ordinal": "an order", "interval": "distances"}
ALPHA: Final = (
    "Krippendorff's alpha: 1 minus the disagreement there is over the disagreement chance would give. 1 is perfect, 0 "
    f"is chance; from {TENTATIVE} labels support tentative conclusions, from {RELIABLE} they can be relied on."
)
KAPPA: Final = (
    "Cohen's kappa of two raters, the mean of all pairs, each counted by the cases it shares: agreement beyond chance. "
    "Levels in an order are weighted by their squared distance."
)
FLEISS: Final = "Fleiss' kappa: agreement beyond chance of all raters at once; levels count as names without an order."


def draw(page: Page, run: Run, situation: Situation) -> None:
    """Draws the agreement under one criterion."""
    criterion = second.choose_criterion(situation, run)
    if criterion is None:
        return
    try:
        with st.spinner("Drawing the cases again and again for the intervals"):
            report = read(page, run, criterion)
    except PlumblineError as error:
        errors.show(error)
        return
    rounds = [
        label_round
        for label_round in situation.rounds
        if label_round.run_id == run.id and criterion.id in label_round.criteria
    ]
    played = {
        name for label_round in rounds if label_round.origin is RoundOrigin.SIMULATED for name in label_round.raters
    }
    only = bool(report.by_rater) and played.issuperset(rater.rater for rater in report.by_rater)
    if played:
        label_rounds.warn_of_machines(only=only)
    if not report.labels:
        st.info("Nobody has given a label under this criterion yet.")
        return
    # That a machine agrees with itself, alone or among people, is no good news about people.
    verdict = "" if only or (played and report.usable == "fine") else USABLE[report.usable]
    st.markdown(f"{verdict} {errors.plain(report.reading)}".strip())
    _figures(report)
    if len(criterion.levels) > 2 and report.alpha.value is not None:
        read_as = ", ".join(f"{READ_AS[level]} {estimate_text(value)}" for level, value in report.alphas.items())
        st.caption(f"Alpha with the levels taken as {read_as}. The figure above takes them as {READ_AS[report.level]}.")
    _pairs(report)
    st.markdown("**Each rater**")
    rows = raters_frame(report, played)
    tables.plain(rows, key="agreement_raters", columns=_WIDTHS)
    st.caption(
        "With the others: mean kappa over the pairs of this rater. Above or below the others: mean difference of the "
        "levels on the same cases. With themselves: repeated cases. Gold: practice cases with a known answer."
    )
    # The warning at the top says it, and the table who it is about.
    machines = note_on_machines(rater.rater for rater in report.by_rater if rater.rater in played)
    for note in report.notes:
        if note != machines:
            st.caption(errors.plain(note))
    tables.download(rows, name=f"agreement-{run.id}", key="agreement_csv")


def read(page: Page, run: Run, criterion: Criterion) -> AgreementReport:
    """The report, computed once for what is stored."""
    return _report(page.store, run.id, criterion.id)


@cache.read("runs", "labels", "test_sets")
def _report(store: Store, run_id: str, criterion_id: str) -> AgreementReport:
    return agreement_of_run(store, run_id, criterion_id)


def estimate_text(value: Estimate) -> str:
    """An estimate with interval and n, or why there is none."""
    if value.value is None:
        return f"{numbers.NONE} ({value.method})"
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}".strip()


def _figures(report: AgreementReport) -> None:
    fleiss = report.fleiss
    on = f"{numbers.count(report.shared, 'shared case')} of {report.items:,}"
    headline.draw(
        [
            _figure("alpha", "Krippendorff's alpha", report.alpha, f"{report.level} · {on}", ALPHA),
            _figure("kappa", "Mean Cohen's kappa", report.kappa, _pairs_note(report), KAPPA),
            _figure(
                "fleiss",
                "Fleiss' kappa",
                fleiss.estimate,
                f"{numbers.count(fleiss.estimate.n, 'case')} with {numbers.count(fleiss.raters, 'label')}",
                FLEISS,
            ),
            _figure(
                "gold",
                "With the gold answers",
                report.gold,
                f"{numbers.of(report.same_gold)} labels as expected" if report.same_gold.den else "no practice case",
                "Mean kappa of the raters with the known answers of practice cases.",
            ),
        ]
    )


def _pairs_note(report: AgreementReport) -> str:
    with_kappa = sum(pair.kappa.value is not None for pair in report.pairs)
    of = numbers.count(len(report.pairs), "pair")
    return of if with_kappa == len(report.pairs) else f"{with_kappa:,} of {of}"


def _figure(key: str, label: str, value: Estimate, note: str, meaning: str) -> headline.Figure:
    ends = numbers.interval(value.low, value.high)
    why = "" if value.value is not None else value.method
    return headline.Figure(
        key=f"agreement_{key}",
        label=label,
        value=numbers.share(value.value),
        note=" · ".join(part for part in (ends, why or note) if part),
        help=meaning,
    )


def _pairs(report: AgreementReport) -> None:
    names = [rater.rater for rater in report.by_rater]
    if len(names) < 2:
        st.info("One rater labelled so far; agreement needs two who see the same cases.")
        return
    by = {frozenset((pair.a, pair.b)): pair for pair in report.pairs}
    cells = [
        [
            heatmaps.Cell(
                value=by[frozenset((a, b))].kappa.value,
                n=by[frozenset((a, b))].same.den,
                id=f"{a}|{b}",
                note=_note(by[frozenset((a, b))]),
            )
            for b in names[:row]
        ]
        for row, a in enumerate(names)
    ]
    charts.show(
        heatmaps.matrix(names, cells, title=finding(report), measure="Kappa"),
        key="agreement_pairs",
        data=pairs_frame(report),
        name="agreement_pairs",
    )


def _note(pair: PairAgreement) -> str:
    return f"kappa {estimate_text(pair.kappa)}, same label {numbers.full(pair.same)}"


def finding(report: AgreementReport) -> str:
    """The pair that agrees most and the one that agrees least."""
    ranked_pairs = sorted(
        (pair for pair in report.pairs if pair.kappa.value is not None), key=lambda item: item.kappa.value or 0
    )
    if not ranked_pairs:
        return "No two raters labelled the same cases"
    least, most = ranked_pairs[0], ranked_pairs[-1]
    if len(ranked_pairs) > 1 and numbers.share(least.kappa.value) == numbers.share(most.kappa.value):
        which = "Both" if len(ranked_pairs) == 2 else f"All {len(ranked_pairs):,}"
        return f"{which} pairs of raters agree equally: kappa {numbers.share(least.kappa.value)}"
    if least is most:
        return f"{least.a} and {least.b}: kappa {numbers.share(least.kappa.value)}"
    return (
        f"{most.a} and {most.b} agree most ({numbers.share(most.kappa.value)}), {least.a} and {least.b} least "
        f"({numbers.share(least.kappa.value)})"
    )


def pairs_frame(report: AgreementReport) -> pd.DataFrame:
    """Every pair as numbers."""
    return pd.DataFrame(
        [
            {
                "a": pair.a,
                "b": pair.b,
                "kappa": pair.kappa.value,
                "low": pair.kappa.low,
                "high": pair.kappa.high,
                "n": pair.same.den,
                "same": pair.same.num,
                "why_none": "" if pair.kappa.value is not None else pair.kappa.method,
            }
            for pair in report.pairs
        ]
    )


def raters_frame(report: AgreementReport, simulated: Collection[str] = ()) -> pd.DataFrame:
    """Each rater with everything that is known of them; those that a machine played are marked."""
    return pd.DataFrame(
        [
            {
                "Rater": label_rounds.rater_name(rater.rater, played=rater.rater in simulated),
                "Cases": rater.n,
                "Cannot judge": rater.cannot_judge,
                "With the others": estimate_text(rater.kappa_with_rest),
                "Above or below": estimate_text(rater.bias),
                "With themselves": estimate_text(rater.repeats),
                "Gold": numbers.of(rater.same_gold) if rater.same_gold.den else numbers.NONE,
                "Time per case": numbers.duration(rater.seconds),
            }
            for rater in report.by_rater
        ]
    )


_WIDTHS: Final = {
    "Rater": st.column_config.TextColumn(width=185),
    "Cases": st.column_config.NumberColumn(width=55),
    "Cannot judge": st.column_config.NumberColumn(width=90),
    "With the others": st.column_config.TextColumn(width=125),
    "Above or below": st.column_config.TextColumn(width=125),
    "With themselves": st.column_config.TextColumn(width=125),
    "Gold": st.column_config.TextColumn(width=50),
    "Time per case": st.column_config.TextColumn(width=88),
}
