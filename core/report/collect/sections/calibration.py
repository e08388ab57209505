"""Labels of people, how far they agree, and what a score promises."""

from __future__ import annotations

from core.report.collect.gather import CalibrationEvidence, Gathered
from core.report.collect.sections.saying import facts, missing, note, warning
from core.report.content import Block, Cell, Chart, Heading, Kind, Number, Series, Shape, Table, bare, number, share
from core.report.words import cell_text
from core.text.display.numbers import count, when
from core.weakness.service.scores import label_of_score

FIGURES = {"ece": "Calibration error", "brier": "Brier score", "log_loss": "Log loss"}


def calibration(g: Gathered) -> tuple[Block, ...]:
    """Who labelled, how far they agree, the calibration and its cautions."""
    return (Heading(text="Labels"), *_labels(g), Heading(text="What a score promises"), *_evidence(g))


def _labels(g: Gathered) -> list[Block]:
    if not g.records.raters:
        return [
            missing("Nobody labelled an answer of this run.", "The Label page draws cases and shows them to raters.")
        ]
    blocks: list[Block] = []
    if g.records.simulated_labels:
        blocks.append(
            warning(
                f"{count(g.records.simulated_labels, 'label')} come from simulated raters. They show how the method "
                "works and say nothing about what people think of the answers."
            )
        )
    blocks.append(
        Table(
            id="raters",
            title="Who labelled",
            columns=("Rater", "Labels", "Cases", "Kind"),
            rows=tuple(
                (g.masker.name(rater.name), rater.labels, rater.cases, "simulated" if rater.simulated else "person")
                for rater in g.records.raters
            ),
        )
    )
    if g.agreement:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (g.masker.safe(one.criterion), number(one.alpha), one.shared, g.masker.safe(one.reading))
            for one in g.agreement
        )
        blocks.append(
            Table(
                id="agreement",
                title="Agreement of raters: Krippendorff's alpha with 95% interval",
                columns=("Criterion", "Alpha", "Cases with two raters", "Reading"),
                rows=rows,
            )
        )
    return blocks


def _evidence(g: Gathered) -> list[Block]:
    evidence = g.calibration
    if evidence is None:
        return [
            missing("No score was calibrated against labels.", "The Calibrate page does it, once labels are there.")
        ]
    report, result = evidence.report, evidence.report.result
    promise = 1 - result.alpha
    blocks: list[Block] = [
        facts(
            ("Calibrated", ", ".join(label_of_score(name) for name in result.names)),
            ("Against", f"{g.masker.safe(report.criterion)}: {g.masker.safe(report.question)}"),
            ("Labels", f"{result.n.fit:,} to fit, {result.n.conformal:,} for the sets, {result.n.test:,} kept aside"),
            ("Model", f"{result.choice.model.value}: {result.choice.sentence.partition(': ')[2]}"),
            (
                "Promise",
                f"the set holds the label in {promise:.2f} of cases; method {result.conformal}, seed {result.seed}",
            ),
            ("Kept on labels aside", share(result.coverage)),
            (
                "Made",
                f"{when(evidence.stored.created_at)} by {g.masker.name(evidence.stored.created_by)}, "
                f"{evidence.stored.id}",
            ),
        )
    ]
    blocks += [warning(g.masker.safe(reason)) for reason in evidence.stale]
    if evidence.passing is not None:
        blocks.append(_passing(evidence))
    blocks += [_reliability(evidence), _quality(evidence), _decisions(evidence)]
    if result.cautions:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (g.masker.safe(caution.text), g.masker.safe(caution.remedy)) for caution in result.cautions
        )
        blocks.append(
            Table(id="cautions", title="Cautions", columns=("What to know", "What to do"), rows=rows, labels=False)
        )
    if evidence.others:
        blocks.append(note(f"{count(evidence.others, 'other calibration')} of this run is not shown."))
    return blocks


def _passing(evidence: CalibrationEvidence) -> Table:
    passing = evidence.passing
    assert passing is not None  # noqa: S101
    both = number(passing.found.estimate, Kind.SHARE)
    alone = number(passing.found.labels_only, Kind.SHARE)
    return Table(
        id="passing",
        title="Share of answers that people accept",
        columns=("From", "Estimate"),
        rows=(("labels and all scores (prediction-powered)", both), ("the labels alone", alone)),
        note=f"{count(passing.cases, 'answered case')}, {count(passing.labels, 'label')}.",
    )


def _reliability(evidence: CalibrationEvidence) -> Chart:
    result = evidence.report.result
    after = result.bins_after
    texts = tuple(f"{one.share.num:,}/{one.share.den:,}" for one in after)
    table = Table(
        id="reliability_table",
        title="Calibrated chance and what people accepted, on labels kept aside",
        columns=("Mean chance", "Accepted by people"),
        rows=tuple((bare(one.mean, Kind.SHARE), share(one.share)) for one in after),
    )
    return Chart(
        id="reliability",
        title="The calibrated chance beside what people accepted",
        alt="Reliability on labels kept aside: mean calibrated chance of each bin and the share that people accepted, "
        f"{count(len(after), 'bin')}, {count(result.n.test, 'label')}. On the diagonal both are equal.",
        shape=Shape.CURVES,
        categories="Calibrated chance of acceptance",
        values="Accepted by people",
        series=(
            Series(
                name="Labels kept aside",
                colour="accent",
                x=tuple(one.mean for one in after),
                y=tuple(one.share.value for one in after),
                low=tuple(one.share.low for one in after),
                high=tuple(one.share.high for one in after),
                texts=texts,
            ),
        ),
        table=table,
        diagonal=True,
        low=0.0,
        high=1.0,
    )


def _quality(evidence: CalibrationEvidence) -> Table:
    return Table(
        id="quality",
        title="Quality of the chance on labels kept aside; lower is better",
        columns=("Figure", "Before calibration", "After", "Change"),
        rows=tuple(
            (
                FIGURES.get(one.name, one.name),
                number(one.before),
                number(one.after),
                number(one.change, Kind.DIFFERENCE),
            )
            for one in evidence.report.result.figures
        ),
    )


def _decisions(evidence: CalibrationEvidence) -> Table:
    words = {"accept": "accepted by the machine", "reject": "rejected by the machine", "human": "sent to a person"}
    tested = {item.decision: item.wrong for item in evidence.report.result.decisions}
    rows: list[tuple[Cell, ...]] = []
    for item in evidence.report.result.decisions_all:
        wrong = tested.get(item.decision)
        rows.append((words[item.decision.value], item.n, None if wrong is None else share(wrong)))
    return Table(
        id="decisions",
        title="What the calibrated score decides for all scored answers",
        columns=("Decision", "Answers", "People decided otherwise, on labels kept aside"),
        rows=tuple(rows),
    )


def promise_line(evidence: CalibrationEvidence) -> str:
    """The promise in a sentence."""
    result = evidence.report.result
    coverage: Number = share(result.coverage)
    return f"A set holds the label in {1 - result.alpha:.2f} of cases; on labels kept aside: {cell_text(coverage)}."
