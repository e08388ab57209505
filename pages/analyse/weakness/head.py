"""The figures under the title of the Weakness page: all cases, weak parts, the worst part, cases without a score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.domain.results.runs import Run
from core.weakness import CaseTable, Parts
from core.weakness.service.data import ScoreChoice
from pages.analyse.weakness import reads, words
from pages.analyse.weakness.controls import Shown
from pages.kit import errors
from pages.kit.frame import Page
from pages.kit.look import headline, numbers
from pages.kit.look.headline import Figure


def draw(page: Page, run: Run, shown: Shown, cases: CaseTable, view: str) -> None:
    """Draws the four figures of the map or of one attribute."""
    choice = reads.choice(page.store, run.id, shown.score)
    if view == "map" and shown.by:
        cells = reads.weakness_map(page.store, run.id, shown)
        outside = cells.outside
        weak = _weak(cells.cells, partial(words.cell_questions, cells), "cell", outside)
    else:
        levels = reads.marginal_levels(page.store, run.id, shown)
        attribute, outside = levels.attribute, levels.outside
        weak = _weak(
            levels.levels,
            lambda at: words.questions(((attribute.name, attribute.levels[at]),)),
            "level",
            outside,
        )
    headline.draw([_overall(cases, choice, shown.threshold, outside), *weak, _unscored(cases)])


def _overall(cases: CaseTable, choice: ScoreChoice, threshold: str, outside: int) -> Figure:
    grouped_means = reads.overall(cases)
    n, groups = int(grouped_means.n[0]), int(grouped_means.clusters[0])
    ends = words.interval(float(grouped_means.low[0]), float(grouped_means.high[0]))
    # The cells or levels beside it are of fewer cases where some lack an attribute: the label says what it is of.
    base = f" of all {len(cases):,} cases" if outside else ""
    pictured = f" The picture has {len(cases) - outside:,} of them: the others lack an attribute." if outside else ""
    return Figure(
        key="weakness_overall",
        label=f"{words.measure(choice, threshold)}{base}",
        value=words.value(float(grouped_means.mean[0])),
        note=f"{ends} · n = {n:,} of {len(cases):,}".removeprefix(" · ") if n else f"0 of {len(cases):,} cases scored",
        help=f"Over all cases in view; 95% interval over {numbers.count(groups, 'semantic group')}.{pictured}",
    )


def _weak(parts: Parts, name: Callable[[int], str], thing: str, outside: int) -> list[Figure]:
    tested = int((parts.p_value == parts.p_value).sum())
    untested = int((parts.n > 0).sum()) - tested
    weak = Figure(
        key="weakness_weak",
        label=f"Weak {thing}s",
        value=f"{int(parts.weak.sum()):,}" if tested else numbers.NONE,
        note=f"of {tested:,} tested"
        + (f", {untested:,} with too few groups" if untested else "")
        + (f" · {int(parts.n.sum()):,} cases" if outside else ""),
        help=f"A {thing} is tested when 5 semantic groups or more have a score in it, and as many outside it.",
    )
    at = words.worst(parts)
    if at is None:
        return [
            weak,
            Figure(key="weakness_worst", label=f"Worst {thing} tested", value=numbers.NONE, note="none was tested"),
        ]
    ends = words.interval(float(parts.low[at]), float(parts.high[at]))
    caveat = "" if parts.weak[at] else " No test shows that it is weak."
    worst = Figure(
        key="weakness_worst",
        label=f"Worst weak {thing}" if parts.weak[at] else f"Worst {thing} tested",
        value=words.value(float(parts.mean[at])),
        note=errors.plain(
            f"{words.cut(name(at).removeprefix('Questions '), 60)} · {ends} · n = {words.scored(parts, at)}"
        ),
        help=errors.plain(f"{name(at)}, against {words.value(float(parts.rest[at]))} elsewhere.{caveat}"),
    )
    return [weak, worst]


def _unscored(cases: CaseTable) -> Figure:
    missing = len(cases) - int(cases.scored.sum())
    return headline.count(
        "weakness_unscored",
        "Not scored",
        missing,
        len(cases),
        "cases",
        "Cases without this score. They make no part weak and none good.",
    )
