"""Page one: what a meeting needs to decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.criteria.service import in_words
from core.domain.results.acceptance import CriterionVerdict
from core.domain.results.diagnosis import Attribution
from core.domain.results.findings import SETTLED, Finding, FindingKind, Outcome, Severity
from core.domain.status import Status
from core.report.collect.gather import Gathered
from core.report.collect.sections.change import since_earlier
from core.report.collect.sections.limitations import main_limitations
from core.report.collect.sections.robustness import title_of
from core.report.collect.sections.saying import facts, sample_line
from core.report.content import (
    Block,
    Cell,
    Heading,
    Kind,
    Listing,
    Number,
    Paragraph,
    Table,
    Tone,
    number,
    proportion_of,
    share,
)
from core.report.palette import NAMES
from core.text.display.numbers import count, when
from core.weakness.findings.naming import name_of

MOST_CRITERIA: Final = 6
MOST_FINDINGS: Final = 5
MOST_WORDS: Final = 34
"""Words of a finding on page one."""


def summary(g: Gathered) -> tuple[Block, ...]:
    """Verdict, sample, headline estimates, open findings, main limitations."""
    return (
        verdict(g),
        *_criteria(g),
        Heading(text="Sample"),
        facts(
            ("Asked", sample_line(g)),
            ("System", f"{g.masker.spec(g.run.target)}, judged by {g.masker.spec(g.run.judge)}"),
            (
                "Run",
                f"{g.run.id}, {when(g.run.created_at)}, test set {g.masker.safe(g.test_set.name)} "
                f"version {g.test_set.version}",
            ),
            ("Not judged", _not_judged(g)),
        ),
        Heading(text="Estimates"),
        headline(g),
        *_modules(g),
        *((changed,) if (changed := since_earlier(g)) is not None else ()),
        Heading(text="Open findings"),
        *open_findings(g),
        *earlier_findings(g),
        Heading(text="Read before use"),
        Listing(points=tuple(main_limitations(g))),
    )


def verdict(g: Gathered) -> Paragraph:
    """Whether the run meets the acceptance criteria."""
    if not g.outcomes:
        return Paragraph(
            text="No verdict: no acceptance criteria were entered, so this report estimates and does not decide. "
            "They are entered on the Overview page, before a run.",
            tone=Tone.MISSING,
        )
    by = {verdict: [item for item in g.outcomes if item.verdict is verdict] for verdict in CriterionVerdict}
    total = count(len(g.outcomes), "acceptance criterion", "acceptance criteria")
    if missed := by[CriterionVerdict.NOT_MET]:
        names = "; ".join(in_words(item.criterion) for item in missed[:3])
        more = f"; {len(missed) - 3} more" if len(missed) > 3 else ""
        return Paragraph(text=f"Not met: {len(missed)} of {total}. {names}{more}.", tone=Tone.WARNING)
    if untold := by[CriterionVerdict.CANNOT_TELL]:
        met = len(by[CriterionVerdict.MET])
        return Paragraph(
            text=f"Not decided: of {total}, {len(untold)} cannot be told and {met} met.", tone=Tone.WARNING
        )
    every = "The acceptance criterion is met" if len(g.outcomes) == 1 else f"All {total} are met"
    late = sum(item.set_after_run for item in g.outcomes)
    if late:
        which = "it was" if len(g.outcomes) == 1 else f"{late} of them {'was' if late == 1 else 'were'}"
        text = f"{every}, but {which} entered or changed after the run was started, when its results could be known."
        return Paragraph(text=text, tone=Tone.WARNING)
    return Paragraph(text=f"{every}.", tone=Tone.GOOD)


def criteria_table(g: Gathered, most: int | None = None) -> Table:
    """The criteria with what they are compared with; all of them with why their thresholds were chosen."""
    rows: list[tuple[Cell, ...]] = []
    for item in g.outcomes[:most]:
        reason = g.masker.safe(item.reason)
        shown = reason if most is None else short(reason, 24)
        # Only what cannot be told has its reason here; beside a verdict it is a remark.
        joint = ": " if item.verdict is CriterionVerdict.CANNOT_TELL else ". "
        said = f"{item.verdict.value}{f'{joint}{shown}' if reason else ''}"
        why = g.masker.safe(item.criterion.note) if most is None else ""
        rows.append(
            (f"{in_words(item.criterion)}{f' ({why})' if why else ''}", number(item.estimate), said, item.standing)
        )
    left = len(g.outcomes) - len(rows)
    notes = (
        [f"{count(left, 'further criterion', 'further criteria')} in Purpose, scope and intended use."] if left else []
    )
    columns: tuple[str, ...] = ("Criterion", "Measured", "Result", "Entered")
    standings = {row[-1] for row in rows}
    if most is not None and len(rows) > 1 and len(standings) == 1:
        # Said once, it leaves the other columns their width.
        columns, rows = columns[:-1], [row[:-1] for row in rows]
        notes.insert(0, f"Each of them: {standings.pop()}.")
    return Table(id="criteria", title="Acceptance criteria", columns=columns, rows=tuple(rows), note=" ".join(notes))


def _criteria(g: Gathered) -> tuple[Block, ...]:
    return (criteria_table(g, MOST_CRITERIA),) if g.outcomes else ()


def headline(g: Gathered) -> Table:
    """The few estimates a meeting looks at, each with its interval and n."""
    rows: list[tuple[Cell, ...]] = [
        ("Accuracy", share(g.summary.accuracy), f"right answers of those judged by {g.masker.spec(g.run.judge)}")
    ]
    evidence = g.calibration
    if evidence is not None and evidence.passing is not None:
        raters = "simulated raters" if evidence.report.simulated else "people"
        passing = number(evidence.passing.found.estimate)
        rows.append((f"Accepted by {raters}", _share_like(passing), "estimated from their labels and all scores"))
        rows.append(
            (
                "Coverage of prediction sets",
                share(evidence.report.result.coverage),
                f"promised {1 - evidence.report.result.alpha:.2f}, on labels kept aside",
            )
        )
    found = g.diagnosis.figures.recall
    if found.den:
        rows.append(("Documents retrieved", share(found), "questions with every gold document among those retrieved"))
    worst = [figures for item in g.variants for figures in item.result.kinds if figures.change.value is not None]
    if worst:
        lowest = min(worst, key=lambda figures: figures.change.value or 0.0)
        broke = share(lowest.broke) if lowest.broke.den else "- (none of their originals was answered right)"
        rows.append(("Right answers that broke", broke, f"worst kind of variant: {title_of(lowest.kind)}"))
    if g.safety is not None:
        leaks = g.safety.sections["privacy"]["leaks"]
        rows.append(("Answers that leak", proportion_of(leaks), "answers with a person's data, probes among them"))
        by_kind = g.safety.sections["probes"]["by_kind"]
        failing = sorted(
            (kind for kind in by_kind if by_kind[kind]["failed"]), key=lambda kind: -by_kind[kind]["failed"]
        )
        if failing:
            failed = proportion_of(by_kind[failing[0]]["failed_share"])
            rows.append(("Probes failed", failed, f"worst kind: {failing[0].replace('_', ' ')}"))
    return Table(
        id="headline",
        title="Headline estimates with 95% intervals",
        columns=("Measure", "Estimate", "What it counts"),
        rows=tuple(rows),
    )


def _share_like(value: Number) -> Number:
    return replace(value, kind=Kind.SHARE)


def _modules(g: Gathered) -> tuple[Block, ...]:
    wrong = {
        str(part): n
        for part, n in g.diagnosis.figures.attribution.items()
        if part not in (Attribution.CORRECT, Attribution.NOT_JUDGED) and n
    }
    if not wrong:
        return ()
    total = sum(wrong.values())
    parts = ", ".join(f"{n:,} {NAMES[name].lower()}" for name, n in sorted(wrong.items(), key=lambda item: -item[1]))
    return (Paragraph(text=f"Of {count(total, 'wrong answer')}: {parts}."),)


def is_open(finding: Finding) -> bool:
    """Whether somebody still has to see to a finding."""
    return finding.status not in SETTLED and not finding.gone and finding.kind is not FindingKind.UNSCORED


def _responsible(g: Gathered, finding: Finding) -> str:
    owner = g.masker.name(finding.owner) or "nobody yet"
    return f"{owner}, by {finding.due}" if finding.due else owner


def open_findings(g: Gathered) -> tuple[Block, ...]:
    """The worst of them."""
    there = [finding for finding in g.findings if is_open(finding)]
    if not g.records.searches and not g.findings:
        return (
            Paragraph(text="No search for weaknesses was recorded for this run (Weakness page).", tone=Tone.MISSING),
        )
    if not there:
        searched = count(g.records.searches, "recorded search", "recorded searches")
        return (Paragraph(text=f"None is open ({searched} for weaknesses)."),)
    counts = {severity: sum(item.severity is severity for item in there) for severity in Severity}
    said = ", ".join(f"{n} {severity.value}" for severity, n in counts.items() if n)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (item.severity.value, short(g.masker.safe(name_of(item))), _responsible(g, item))
        for item in there[:MOST_FINDINGS]
    )
    return (
        Table(
            id="open_findings",
            title=f"{count(len(there), 'open finding')}: {said}",
            columns=("Severity", "Finding", "Owner"),
            rows=rows,
            note=""
            if len(there) <= MOST_FINDINGS
            else f"{len(there) - MOST_FINDINGS} more in Weaknesses and findings.",
            labels=False,
        ),
    )


def earlier_findings(g: Gathered) -> tuple[Block, ...]:
    """What retests on this run say of findings of earlier runs, in a sentence; nothing where none was retested."""
    outcomes = _retested(g)
    if not outcomes:
        return ()
    counts = {outcome: sum(item[0] is outcome for item in outcomes) for outcome in Outcome}
    said = ", ".join(f"{n} {outcome.value}" for outcome, n in counts.items() if n)
    still = open_of_earlier_runs(g)
    decided = f" Of those not fixed, {still} still {'waits' if still == 1 else 'wait'} for a decision." if still else ""
    number_of = count(len(outcomes), "finding")
    return (Paragraph(text=f"{number_of} of earlier runs, tested again on this run: {said}.{decided}"),)


def open_of_earlier_runs(g: Gathered) -> int:
    """Findings of earlier runs that a retest on this run did not find fixed and that wait for a decision."""
    return sum(is_open for outcome, is_open in _retested(g) if outcome is not Outcome.FIXED)


def _retested(g: Gathered) -> list[tuple[Outcome, bool]]:
    """What retests on this run say of findings that it did not find itself, and whether each waits for a decision."""
    return [
        (one.outcome, thread.open)
        for thread in g.threads
        for one in thread.retests
        if one.run_id == g.run.id and all(seen.run_id != g.run.id or seen.gone for seen in thread.seen)
    ]


def short(text: str, most: int = MOST_WORDS) -> str:
    """The first words of a text.

    >>> short("one two three", 2), short("one two", 2)
    ('one two …', 'one two')
    """
    words = text.split()
    return text if len(words) <= most else " ".join(words[:most]) + " …"


def _not_judged(g: Gathered) -> str:
    reasons = g.summary.unscored["verdict"]
    if not reasons:
        return f"none of {count(g.summary.cases, 'question')}"
    of = f"{sum(reasons.values()):,} of {count(g.summary.cases, 'question')}"
    if set(reasons) == {Status.NOT_JUDGED}:
        return f"{of}; never counted as wrong"
    said = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in sorted(reasons.items()))
    return f"{of}: {said}; never counted as wrong"
