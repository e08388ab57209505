"""How answers hold under altered input."""

from __future__ import annotations

from core.report.collect.gather import Gathered, VariantResult
from core.report.collect.sections.saying import missing, note
from core.report.content import Block, Cell, Chart, Kind, Series, Shape, Table, bare, number, share
from core.report.words import bare_text
from core.testset.variants.registry import spec_of_kind
from core.text.display.numbers import count


def robustness(g: Gathered) -> tuple[Block, ...]:
    """The change under each kind of variant, with the noise beside it."""
    if not g.variants:
        return (
            missing(
                "No variants of the questions were run.",
                "The Robustness page makes and runs them: misspelt, reworded, misleading, unclear, outside the "
                "collection.",
            ),
        )
    blocks: list[Block] = []
    for item in g.variants:
        blocks += [_changes(g, item), _behaviour(item), _noise(item)]
        blocks += [note(g.masker.safe(text)) for text in item.result.not_measured]
    return tuple(blocks)


def title_of(kind: str) -> str:
    """The title of a kind of variant."""
    spec = spec_of_kind(kind)
    return spec.title if spec else kind.replace("_", " ")


def _changes(g: Gathered, item: VariantResult) -> Chart:
    shown = [figures for figures in item.result.kinds if figures.change.value is not None]
    names = tuple(title_of(figures.kind) for figures in shown)
    weak = [title_of(figures.kind) for figures in shown if figures.weak]
    title = (
        f"Worse under: {', '.join(weak)}"
        if weak
        else "No kind of variant is shown to make answers worse"
        if any(figures.broke.den for figures in shown)
        else "No original question was answered right, so that no answer could become worse"
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            figures.variants,
            number(figures.change, Kind.DIFFERENCE),
            share(figures.broke),
            bare(figures.p_adjusted, Kind.P_VALUE),
            "none" if figures.detectable is None else bare_text(figures.detectable, Kind.MEAN),
        )
        for name, figures in zip(names, shown, strict=True)
    )
    table = Table(
        id="variants_table",
        title=f"Change of accuracy under variants (run {item.run.id})",
        columns=("Kind", "Variants", "Change", "Right answers that broke", "Adjusted p", "Detectable change"),
        rows=rows,
        note="p-values by permutation of facts, adjusted over the kinds (Holm). A change smaller than the "
        "detectable one "
        "would rarely be shown: no difference shown is not no difference.",
    )
    return Chart(
        id="variants",
        title=title,
        alt=f"{title}. Change of the share of right answers from each question to its variant, 95% intervals, "
        f"{count(len(names), 'kind')}.",
        shape=Shape.INTERVALS,
        values="Change of accuracy",
        series=(
            Series(
                name="Change",
                colour="accent",
                x=names,
                y=tuple(figures.change.value for figures in shown),
                low=tuple(figures.change.low for figures in shown),
                high=tuple(figures.change.high for figures in shown),
                texts=tuple(f"n = {figures.change.n:,}" for figures in shown),
            ),
        ),
        table=table,
        reference=0.0,
    )


def _behaviour(item: VariantResult) -> Table:
    return Table(
        id="behaviour",
        title="Right behaviour under each kind of variant",
        columns=("Kind", "Right behaviour", "Rules cannot say"),
        rows=tuple((title_of(one.kind), share(one.right), one.undecided) for one in item.result.kinds),
        note="Right behaviour of an unanswerable or misleading question is to decline or to correct it.",
    )


def _noise(item: VariantResult) -> Table:
    noise = item.result.noise
    return Table(
        id="noise",
        title="What changes by itself when a question is asked again",
        columns=("What", "Share"),
        rows=(
            ("Verdicts that change", share(noise.flipped)),
            ("Right answers that become wrong", share(noise.broke)),
            ("Answers in other words", share(noise.reworded)),
        ),
    )
