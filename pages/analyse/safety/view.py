"""The sections of the page of safety: each with its figures, its picture and the masked evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.domain.estimates import Proportion
from core.safety.answered import RULES
from core.safety.bias.dimensions import DIMENSIONS
from core.safety.bias.gaps import MEANINGS, Measure
from core.safety.probes.kinds import TITLES, Probe
from core.safety.service import SafetyResult
from pages.analyse.safety import evidence, frames
from pages.analyse.safety.reads import estimate, proportion
from pages.kit import errors, state
from pages.kit.look import charts, headline, numbers, tables, whiskers

VIEWS = {
    "privacy": "Personal data",
    "toxicity": "Toxicity",
    "probes": "Probes",
    "bias": "Bias",
    "documents": "Documents",
}
PLACES = {"answer": "Answers", "context": "Retrieved passages", "document": "Documents"}

SHARES = (
    ("leaks_unprompted", "Answers that leak"),
    ("leaks", "Answers that leak, probes included"),
    ("passages", "Passages with a person's data"),
    ("documents", "Documents with a person's data"),
)


def head(result: SafetyResult) -> None:
    """Four figures, each with its interval and n, and what exceeds the project's thresholds."""
    sections = result.sections
    toxic, leaks = proportion(sections["toxicity"]["toxic"]), proportion(sections["privacy"]["leaks_unprompted"])
    failed = sum(figures["failed"] for figures in sections["probes"]["by_kind"].values())
    decided = failed + sum(figures["passed"] for figures in sections["probes"]["by_kind"].values())
    gaps = sections["bias"]["gaps"]
    different = sum(gap["decision"] == "different" for gap in gaps)
    by = f"By {sections['toxicity']['by']}, from {sections['toxicity']['threshold']}."
    undecided = "Undecided probes are not counted."
    shown = "Between groups of people: beyond the threshold, and shown by a test."
    headline.draw(
        [
            _rare("leaks", "Answers that leak", leaks, "Answers to usual questions with a person's data or a key."),
            _rare("toxic", "Toxic answers", toxic, by),
            headline.count("failed", "Failed probes", failed, decided, "decided probes", undecided),
            headline.count("gaps", "Differences", different, len(gaps), "gaps", shown),
        ]
    )
    over = _exceeded(result.made_from.get("rates", {}), toxic.value, leaks.value, failed / decided if decided else None)
    if over:
        st.error(" ".join(over), icon=":material/priority_high:")


def draw(result: SafetyResult) -> None:
    """The section in view."""
    view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
    _DRAWN[view](result)


def _privacy(result: SafetyResult) -> None:
    sections = result.sections
    privacy = sections["privacy"]
    rows = [whiskers.Dot(label=label, value=proportion(privacy[name]), colour="incorrect") for name, label in SHARES]
    leaks = rows[1].value
    title = (
        f"{numbers.count(leaks.num, 'answer')} of {leaks.den:,} give a person's data, probes included"
        if leaks.den
        else "There is no answer to look at"
    )
    charts.show(
        whiskers.dots(rows, title=title), key="privacy_chart", data=frames.by_entity(sections), name="personal_data"
    )
    by = privacy.get("names_by", RULES)
    names = (
        "names by rules, which know them only beside other personal data (choose a model for names in the settings to "
        "find the rest)"
        if by == RULES
        else f"names by {errors.plain(by)}"
    )
    st.caption(
        f"Found by format, check digits and the words around; {names}. Values are masked here and in every download. "
        "Contact data that no word calls a person's counts as public."
    )
    where = state.switch("In", list(PLACES), "table", name=PLACES.__getitem__)
    found = frames.findings(sections, where)
    if found.empty:
        st.info(f"The detectors find nothing in the {PLACES[where].lower()}.")
        return
    if where == "document":
        tables.plain(found, key="findings_document", columns=evidence.WIDTHS, height=420)
        tables.download(found, name="personal_data_document", key="findings_document_csv")
    else:
        evidence.listed(found, result.run_id, key=f"findings_{where}", name=f"personal_data_{where}")


def _toxicity(result: SafetyResult) -> None:
    sections = result.sections
    toxicity = sections["toxicity"]
    share = proportion(toxicity["toxic"])
    st.markdown(
        f"**{numbers.count(share.num, 'answer')}** of {share.den:,} {'is' if share.num == 1 else 'are'} toxic; "
        f"{toxicity['scored']:,} of {toxicity['of']:,} answers were read by {errors.plain(toxicity['by'])}."
    )
    if toxicity["by"] == "lexicon":
        st.caption(
            "The lexicon knows English words that insult, threaten or degrade. It does not understand irony, other "
            "languages or contempt in polite words. Name a text-classification model in the settings to use it instead."
        )
    found = frames.toxic(sections)
    if found.empty:
        st.info("No answer is toxic by this measure.")
        return
    evidence.listed(found, result.run_id, key="toxic", name="toxic_answers")


def _probes(result: SafetyResult) -> None:
    sections = result.sections
    found = frames.probes(sections)
    if found.empty:
        st.info("The target was not asked any probe. Choose some under 'Check again' to see what it gives away.")
        return
    rows = [
        whiskers.Dot(label=TITLES[Probe(kind)], value=proportion(figures["failed_share"]), colour="incorrect")
        for kind, figures in sections["probes"]["by_kind"].items()
        if figures["asked"]
    ]
    failed = sum(figures["failed"] for figures in sections["probes"]["by_kind"].values())
    title = f"{numbers.count(failed, 'probe')} got what must not be given" if failed else "No probe got through"
    charts.show(whiskers.dots(rows, title=title, axis="Share failed"), key="probes_chart", data=found, name="probes")
    st.caption("Share of probes that passed or failed. Where rules cannot tell, a probe is undecided and in no share.")
    _not_asked(result)
    tables.plain(found, key="probes_table")
    answers = frames.probe_answers(sections)
    evidence.answers(answers)


def _not_asked(result: SafetyResult) -> None:
    """What was wanted and could not be asked, with the reason."""
    skipped = result.made_from.get("skipped")
    if isinstance(skipped, Mapping) and skipped:
        listed = "; ".join(f"{errors.plain(reason)} ({number:,})" for reason, number in skipped.items())
        st.caption(f"Not asked: {listed}.")


def _bias(result: SafetyResult) -> None:
    sections = result.sections
    bias = sections["bias"]
    if not bias["pairs"]:
        st.info("No pairs of people were asked. Choose dimensions under 'Check again' to compare groups.")
        return
    named = {name: dimension.title for name, dimension in DIMENSIONS.items()}
    measure = state.choose("Measure", [one.value for one in Measure], "metric", name=lambda name: name.capitalize())
    chosen = Measure(measure)
    rows = [
        whiskers.Difference(
            label=f"{named.get(gap['dimension'], gap['dimension'])}: {gap['group']}",
            value=estimate(gap["difference"]),
            shown=gap["decision"] == "different",
            note=f"n = {gap['difference']['n']:,}, p = {numbers.p_value(gap['p_adjusted'])}, {gap['decision']}",
        )
        for gap in bias["gaps"]
        if gap["measure"] == measure and gap["difference"]["value"] is not None
    ]
    all_gaps = frames.gaps(sections)
    if rows:
        charts.show(
            whiskers.differences(rows, axis=f"Difference from the group compared with: {MEANINGS[chosen]}"),
            key="bias_chart",
            data=all_gaps,
            name="bias",
        )
    else:
        st.info(f"No pair has a value of {measure} on both sides.")
    st.caption(
        f"{bias['pairs']:,} pairs that differ in the person alone. p is of a paired permutation test on questions, "
        f"adjusted by Holm over all {len(bias['gaps']):,} gaps. Tone by {errors.plain(bias['sentiment_by'])}."
    )
    _not_asked(result)
    tables.plain(all_gaps[all_gaps["Measure"] == measure], key="gaps_table", columns=evidence.FIGURES, height=420)
    tables.download(all_gaps, name="bias", key="gaps_csv", label="All gaps as CSV")
    st.markdown(f"**How alike are the two answers of a pair?** By {errors.plain(bias['similarity_by'])}.")
    tables.plain(frames.similarity(sections), key="similarity_table")


def _documents(result: SafetyResult) -> None:
    sections = result.sections
    documents = sections["documents"]
    if not documents["read"]:
        st.info("The run knows no documents, so their quality could not be measured.")
        return
    found = frames.documents(sections)
    st.markdown(
        f"{numbers.count(documents['read'], 'document')} read: "
        f"**{numbers.count(len(documents['stale']), 'stale page')}**, "
        f"**{numbers.count(len(documents['contradictions']), 'contradiction')}** between pages, "
        f"**{numbers.count(len(documents['repeats']), 'repeated page')}**."
    )
    st.caption(
        "Stale: dated three years before the page in the middle. Contradictions: pages of one subject with another "
        "telephone number, address or number in the same sentence. What pages say against the database is on Diagnose."
    )
    if found.empty:
        st.info("No page looks stale, contradicts another or repeats one.")
        return
    tables.plain(found, key="documents_table")
    tables.download(found, name="document_quality", key="documents_csv")


def _rare(key: str, label: str, value: Proportion, meaning: str) -> headline.Figure:
    """A count of what should not happen at all; a share of 0.00 would hide the one that does."""
    within = f" · {numbers.interval(value.low, value.high)}" if value.den else ""
    note = f"of {numbers.count(value.den, 'answer')}{within}"
    shown = f"{value.num:,}" if value.den else numbers.NONE
    return headline.Figure(key=key, label=label, value=shown, note=note, help=f"{meaning} {numbers.full(value)}")


def _exceeded(rates: Mapping[str, float], toxic: float | None, leaks: float | None, failed: float | None) -> list[str]:
    measured = {"toxicity": toxic, "leaks": leaks, "failed_probes": failed}
    names = {"toxicity": "toxic answers", "leaks": "answers that leak", "failed_probes": "failed probes"}
    return [
        f"The share of {names[name]} is {numbers.share(value)}; this project allows {rates.get(name, 0.0):g}."
        for name, value in measured.items()
        if value is not None and value > rates.get(name, 0.0)
    ]


_DRAWN: Mapping[str, Callable[[SafetyResult], None]] = {
    "privacy": _privacy,
    "toxicity": _toxicity,
    "probes": _probes,
    "bias": _bias,
    "documents": _documents,
}
