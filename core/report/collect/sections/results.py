"""Every estimate with its interval, and why some cases have none."""

from __future__ import annotations

from core.report.collect.cases import Division
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import missing, note
from core.report.content import Block, Cell, Chart, Heading, Series, Shape, Table, number, share
from core.report.words import interval_text
from core.text.display.numbers import count
from core.weakness.service.scores import label_of_score


def results(g: Gathered) -> tuple[Block, ...]:
    """Accuracy, accuracy by attribute, every score, what has no score."""
    verdicts = g.summary.unscored["verdict"]
    blocks: list[Block] = [
        Table(
            id="accuracy",
            title="Accuracy",
            columns=("What", "Estimate", "Facts"),
            rows=(("Right answers, of those judged", share(g.summary.accuracy), g.coverage.judged_facts),),
            note=f"{count(sum(verdicts.values()), 'answer was', 'answers were')} not judged."
            if verdicts
            else "Every answer was judged.",
        )
    ]
    if g.coverage.divisions:
        blocks.append(Heading(text="Accuracy by kind of question"))
        blocks += [_division(g, division) for division in g.coverage.divisions]
        blocks.append(
            note(
                "These intervals are one by one and support no comparison of levels: see Weaknesses and findings for "
                "levels that are weak after adjustment for all that were looked at."
            )
        )
    blocks.append(Heading(text="Scores"))
    blocks += _scores(g)
    return tuple(blocks)


def _division(g: Gathered, division: Division) -> Chart:
    names = tuple(g.masker.safe(level.name) for level in division.levels)
    accuracies = [level.accuracy for level in division.levels]
    measured = [(name, one) for name, one in zip(names, accuracies, strict=True) if one.value is not None]
    worst = min(measured, key=lambda item: item[1].value or 0.0, default=None)
    best = max(measured, key=lambda item: item[1].value or 0.0, default=None)
    title = f"Accuracy by {division.label.lower()}"
    if worst and best and worst[1].value is not None and best[1].value is not None and worst[0] != best[0]:
        title += f": {worst[1].value:.2f} ({worst[0]}) to {best[1].value:.2f} ({best[0]})"
    outside = f" {count(division.outside, 'question has', 'questions have')} none." if division.outside else ""
    table = Table(
        id=f"by_{division.name}_table",
        title=f"Accuracy by {division.label.lower()}",
        columns=(division.label, "Questions", "Facts", "Accuracy"),
        rows=tuple(
            (name, level.n, level.facts, level.accuracy) for name, level in zip(names, division.levels, strict=True)
        ),
        note=outside.strip(),
    )
    return Chart(
        id=f"by_{division.name}",
        title=title,
        alt=f"{title}. Right answers of judged ones with 95% intervals, {count(len(names), 'level')}; the line is the "
        "accuracy of all.",
        shape=Shape.INTERVALS,
        values="Accuracy",
        series=(
            Series(
                name="Accuracy",
                colour="accent",
                x=names,
                y=tuple(one.value for one in accuracies),
                low=tuple(one.low for one in accuracies),
                high=tuple(one.high for one in accuracies),
                texts=tuple(f"{one.num:,}/{one.n:,} {interval_text(one)}".strip() for one in accuracies),
            ),
        ),
        table=table,
        reference=g.summary.accuracy.value,
        low=0.0,
        high=1.0,
    )


def _scores(g: Gathered) -> list[Block]:
    if not g.metrics:
        return [missing("No score besides the verdict was measured.", "The Results page measures them.")]
    rows: list[tuple[Cell, ...]] = []
    for metric in g.metrics:
        title = label_of_score(metric.name)
        better = "-" if metric.spec is None else metric.spec.better
        rows.append((title, number(metric.mean), f"{metric.scored:,} of {metric.of:,}", better))
    blocks: list[Block] = [
        Table(
            id="scores",
            title="Means of the scores with 95% intervals",
            columns=("Score", "Mean", "Scored", "Better"),
            rows=tuple(rows),
            note="No score stands for the truth by itself; Calibration against people says what one is worth.",
        )
    ]
    reasons: list[tuple[Cell, ...]] = [
        (label_of_score(metric.name), reason.replace("_", " "), n)
        for metric in g.metrics
        for reason, n in sorted(metric.unscored.items())
    ]
    if reasons:
        blocks.append(
            Table(
                id="unscored",
                title="Cases without a score, by reason",
                columns=("Score", "Reason", "Cases"),
                rows=tuple(reasons),
            )
        )
    else:
        blocks.append(note("Every case has every score."))
    return blocks
