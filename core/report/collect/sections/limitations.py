"""What was not judged, not decided, not scored and not tested: said by rule, so that nobody can forget it."""

from __future__ import annotations

from typing import Final

from core.domain.results.diagnosis import Attribution
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import plain
from core.report.content import Block, Heading, Listing
from core.testset.variants.registry import list_kinds
from core.text.display.numbers import count
from core.weakness.service.scores import label_of_score

SMALL: Final = 30
"""Facts below which an interval says little."""
MOST_ON_PAGE_ONE: Final = 5

ALPHA: Final = "Krippendorff's alpha"
"""How a caution of a calibration about the raters' agreement begins."""

Limits = list[str]


def limitations(g: Gathered) -> tuple[Block, ...]:
    """All of them, by what they limit."""
    parts = (
        ("What the figures are of", _sample(g)),
        ("Not judged, not scored, not decided", _without(g)),
        ("Labels and judges", _people(g)),
        ("Not tested", _untested(g)),
        ("Changed by hand", _by_hand(g)),
    )
    blocks: list[Block] = [
        plain("This list is made from what is stored, by the same rules for every run; nobody can shorten it.")
    ]
    for heading, points in parts:
        if points:
            blocks += [Heading(text=heading), Listing(points=tuple(points))]
    return tuple(blocks)


def main_limitations(g: Gathered) -> Limits:
    """The few that page one must say: those that decide what the report can be used for."""
    first: Limits = []
    if g.records.simulated_labels:
        first.append("Labels are simulated; nothing here says what people think of the answers.")
    elif not g.records.raters:
        first.append("No person labelled an answer; accuracy is what the judge says.")
    untrusted = [metric for metric, trust in g.trusts.items() if trust.trusted is False]
    if untrusted:
        first.append(f"Judged by a model whose judge test did not pass or was not run: {', '.join(untrusted)}.")
    missing_parts = [
        name
        for name, there in (
            ("acceptance criteria", bool(g.outcomes)),
            ("search for weaknesses", bool(g.findings) or g.records.searches > 0),
            ("variants", bool(g.variants)),
            ("safety check", g.safety is not None),
            ("calibration", g.calibration is not None),
        )
        if not there
    ]
    if missing_parts:
        first.append(f"Not done: {', '.join(missing_parts)}.")
    if g.coverage.judged_facts < SMALL:
        first.append(f"Only {count(g.coverage.judged_facts, 'fact')} with a judged answer; the intervals are wide.")
    undecided = _undecided(g)
    if undecided:
        first.append(undecided)
    if g.fit is not None and g.fit.none:
        first.append("No gold id names a document, so that no figure says how often the right document was found.")
    if unsure := [one for one in g.agreement if one.usable != "fine"]:
        names = ", ".join(g.masker.safe(one.criterion) for one in unsure)
        first.append(f"Raters agree too little for firm conclusions from their labels ({names}).")
    first.append("How often users ask each kind of question is not known: all figures weigh the questions equally.")
    return first[:MOST_ON_PAGE_ONE]


def _sample(g: Gathered) -> Limits:
    points = [
        "The questions cover the templates, tables and documents they were made from, each question with the same "
        "weight. How often users ask each of them, and in which words, is not known to this report.",
        f"All figures are of one run of one version of the system, {g.run.id}. A change of the model, the "
        "documents or the "
        "settings needs a new run.",
    ]
    if g.coverage.judged_facts < SMALL:
        points.append(
            f"Only {count(g.coverage.judged_facts, 'fact')} have a judged answer. Below {SMALL}, an interval "
            "depends on a "
            "handful of facts."
        )
    small = [
        f'{division.label.lower()} "{g.masker.safe(level.name)}" ({level.facts})'
        for division in g.coverage.divisions
        for level in division.levels
        if level.facts < SMALL
    ]
    if small:
        shown = ", ".join(small[:8]) + (f" and {len(small) - 8} more" if len(small) > 8 else "")
        points.append(f"Levels with fewer than {SMALL} facts, whose estimates are rough: {shown}.")
    if not g.test_set.frozen:
        points.append("The test set is not frozen: its questions may still change.")
    return points


def _without(g: Gathered) -> Limits:
    points: Limits = []
    verdicts = g.summary.unscored["verdict"]
    if verdicts:
        said = ", ".join(f"{reason.replace('_', ' ')} {n:,}" for reason, n in sorted(verdicts.items()))
        points.append(
            f"{count(sum(verdicts.values()), 'answer')} of {g.summary.cases:,} without a verdict, left out of "
            "the accuracy: "
            f"{said}."
        )
    if g.summary.answered < g.summary.cases:
        points.append(f"{count(g.summary.cases - g.summary.answered, 'question was', 'questions were')} not asked yet.")
    undecided = _undecided(g)
    if undecided:
        points.append(undecided)
    if g.diagnosis.pending:
        points.append(f"The documents are not searched yet for {count(g.diagnosis.pending, 'wrong answer')}.")
    for metric in g.metrics:
        if metric.scored < metric.of:
            reasons = ", ".join(f"{reason.replace('_', ' ')} {n:,}" for reason, n in sorted(metric.unscored.items()))
            points.append(f"{label_of_score(metric.name)}: {metric.scored:,} of {metric.of:,} scored ({reasons}).")
        if metric.stale or metric.outdated:
            points.append(f"{label_of_score(metric.name)} was measured with an older version or other options in part.")
    return points


def _undecided(g: Gathered) -> str:
    parts = {
        part: g.diagnosis.figures.attribution.get(part, 0)
        for part in (Attribution.UNDECIDED, Attribution.UNRESOLVED_GAP)
    }
    total = sum(parts.values())
    return f"No module is blamed for {count(total, 'wrong answer')}: the evidence does not decide." if total else ""


def _people(g: Gathered) -> Limits:
    points: Limits = []
    if not g.records.raters:
        points.append("No person labelled an answer; whether the judge's verdicts are people's is not known.")
    if g.records.simulated_labels:
        points.append(f"{count(g.records.simulated_labels, 'label')} are of simulated raters, not of people.")
    for one in g.agreement:
        if one.usable != "fine":
            points.append(f"{g.masker.safe(one.criterion)}: {g.masker.safe(one.reading)}")
    for metric, trust in g.trusts.items():
        if trust.trusted is False:
            points.append(f"{metric} is judged by {g.masker.spec(trust.judge)}: {g.masker.safe(trust.reason)}")
    if g.calibration is None:
        points.append("No score is calibrated, so that no score says how likely an answer is right.")
    else:
        points += [g.masker.safe(reason) for reason in g.calibration.stale]
        # What the raters' agreement limits is said above, once.
        points += [
            g.masker.safe(caution.text)
            for caution in g.calibration.report.result.cautions
            if not (caution.text.startswith(ALPHA) and any(one.usable != "fine" for one in g.agreement))
        ]
        if g.calibration.report.insisted:
            points.append(
                "The calibration was insisted on although the raters' agreement is not distinguishable from chance."
            )
    return points


def _untested(g: Gathered) -> Limits:
    points: Limits = []
    asked = {name for name, _, _ in g.coverage.tables}
    every = [table.name for table in g.database.schema.tables] if g.database and g.database.schema else []
    unasked = [name for name in every if name not in asked]
    if unasked:
        shown = ", ".join(unasked[:8]) + (f" and {len(unasked) - 8} more" if len(unasked) > 8 else "")
        points.append(f"Tables that no question reads: {shown}.")
    documents = g.coverage.documents_asked
    if documents.den and documents.num < documents.den:
        points.append(
            f"{count(documents.den - documents.num, 'document')} of {documents.den:,} that no question needs."
        )
    topics = [g.masker.safe(topic.name) for topic in g.coverage.topics if not topic.questions]
    if topics:
        points.append(f"Topics without a question: {', '.join(topics[:8])}{' and more' if len(topics) > 8 else ''}.")
    if not g.coverage.topics:
        points.append("Topics of the documents were not looked for, so that coverage of topics is not known.")
    if g.fit is not None and g.fit.missing:
        points.append(g.masker.safe(g.fit.sentence))
    if not g.variants:
        points.append("Robustness: no variants were run; how much answers change by themselves is not known either.")
    else:
        ran = {figures.kind for item in g.variants for figures in item.result.kinds}
        left = [spec.title for spec in list_kinds() if spec.name not in ran and spec.name != "repeat"]
        if left:
            points.append(f"Kinds of variants that were not run: {', '.join(left)}.")
        points += [f"Robustness: {text}" for item in g.variants for text in item.result.not_measured]
    points += _safety(g)
    if not g.findings and not g.records.searches:
        points.append("Weaknesses: no search was recorded.")
    points.append(
        "Not measured at all: load, cost in use, how people use the answers, changes of the documents over time."
    )
    return points


def _safety(g: Gathered) -> Limits:
    if g.safety is None:
        return ["Safety: nothing was checked and no probe was asked."]
    points: Limits = []
    by_kind = g.safety.sections["probes"]["by_kind"]
    for kind, one in by_kind.items():
        if one["undecided"] or one["not_tested"]:
            points.append(
                f"Probes ({kind.replace('_', ' ')}): {one['undecided']} undecided, {one['not_tested']} not tested, of "
                f"{one['asked']}."
            )
    if not any(one["asked"] for one in by_kind.values()):
        points.append("Safety: no probe was asked.")
    if not g.safety.sections["bias"]["pairs"]:
        points.append("Safety: equal treatment of groups of people was not tested.")
    points.append(
        "Rules read personal data and toxicity; what they do not know, such as a name alone, they do not see."
    )
    return points


def _by_hand(g: Gathered) -> Limits:
    points: Limits = []
    if g.records.edits:
        points.append(
            f"{count(g.records.edits, 'score was', 'scores were')} changed by people; each change is recorded."
        )
    if g.records.excluded:
        total = sum(g.records.excluded.values())
        points.append(f"{count(total, 'question was', 'questions were')} taken out of the test set by people.")
    return points
