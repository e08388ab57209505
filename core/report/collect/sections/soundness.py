"""What each score means, where it comes from, and whether its judge was tested."""

from __future__ import annotations

from core.domain.results.runs import VERDICT_METRIC
from core.judging.registry import list_judges
from core.metrics.titles import SAFETY
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import missing, note, plain, warning
from core.report.content import Block, Cell, Heading, Table, share
from core.text.display.numbers import count
from core.weakness.service.scores import label_of_score

"""In front of the scores that the check of safety leaves, which Safety explains."""


def soundness(g: Gathered) -> tuple[Block, ...]:
    """The verdict, every score, and the judges."""
    kind = g.run.judge.partition(":")[0]
    judge = next((spec for spec in list_judges() if spec.name == kind), None)
    about = f" ({judge.title}): {judge.question}" if judge else "."
    blocks: list[Block] = [
        plain(
            "The verdict on each answer, correct or incorrect, is that of the judge "
            f"{g.masker.spec(g.run.judge)}{about} "
            "An answer that it cannot judge has no verdict and is never counted as wrong. Intervals are 95% and count "
            "facts, not wordings: questions about one fact are one cluster."
        )
    ]
    blocks += _specs(g)
    blocks.append(Heading(text="Judges"))
    blocks += _judges(g)
    return tuple(blocks)


def _specs(g: Gathered) -> list[Block]:
    known = [metric for metric in g.metrics if metric.spec is not None]
    if not known:
        return [missing("No score besides the verdict was measured.", "The Results page measures them.")]
    rows: list[tuple[Cell, ...]] = []
    for metric in known:
        spec = metric.spec
        assert spec is not None  # noqa: S101
        name = f"{label_of_score(metric.name)} (version {metric.version or spec.version})"
        # On paper a name in code quotes is a name.
        rows.append((name, f"{spec.question} {spec.equation}".replace("`", ""), spec.source.replace("`", "")))
    blocks: list[Block] = [
        Table(
            id="specs",
            title="Scores: what each asks, its definition, its source",
            columns=("Score", "Question and definition", "Source"),
            rows=tuple(rows),
        )
    ]
    foreign = [metric.name for metric in g.metrics if metric.spec is None and not metric.name.startswith(SAFETY)]
    if foreign:
        blocks.append(note(f"Measured elsewhere, without a definition here: {', '.join(foreign)}."))
    models = sorted(
        {
            f"{name} {g.masker.option(name, metric.options[name])}"
            for metric in known
            for name in ("encoder", "nli", "precision", "language")
            if metric.options.get(name)
        }
    )
    if models:
        blocks.append(note(f"Models of the scores: {'; '.join(models)}."))
    return blocks


def _judges(g: Gathered) -> list[Block]:
    asked = {metric: trust for metric, trust in g.trusts.items() if trust.trusted is not None}
    if not asked:
        return [
            plain(
                "No language model judged: verdicts follow fixed rules, which give the same verdict each time. "
                "How often "
                "they agree with people is measured by labels (Calibration against people)."
            )
        ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            "Verdict" if metric == VERDICT_METRIC else metric,
            g.masker.spec(trust.judge),
            "trusted" if trust.trusted else "not trusted",
            g.masker.safe(trust.reason),
        )
        for metric, trust in asked.items()
    )
    blocks: list[Block] = [
        Table(
            id="judges",
            title="Whether the judges' scores count",
            columns=("Score", "Judge", "Gate", "Why"),
            rows=rows,
        )
    ]
    untrusted = [metric for metric, trust in asked.items() if not trust.trusted]
    if untrusted:
        blocks.append(
            warning(
                f"{count(len(untrusted), 'score comes', 'scores come')} from a judge that the project's bar for judge "
                "tests does not let through. Its figures are shown and support no decision. Judge tests are run on the "
                "Judges page."
            )
        )
    for judge, (run, figures) in sorted(g.judge_runs.items()):
        parts: list[tuple[Cell, ...]] = [
            ("all tests", share(figures.pass_rate)),
            *((f"metric: {name.replace('_', ' ')}", share(value)) for name, value in figures.by_metric.items()),
            *((f"failure: {name.replace('_', ' ')}", share(value)) for name, value in figures.by_failure_mode.items()),
        ]
        blocks.append(
            Table(
                id=f"judge_test_{run.id}",
                title=f"Judge test of {g.masker.spec(judge)}: {run.suite}, {run.part.value} part, {run.id}",
                columns=("Part", "Right judgements"),
                rows=tuple(parts),
            )
        )
    return blocks
