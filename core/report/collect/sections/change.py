"""What changed since an earlier run of the same questions: accuracy, modules, scores, kinds of questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.comparison.pairs import Change
from core.comparison.result import LEVEL, Comparison
from core.report.collect.earlier import Earlier
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import facts, missing, note, plain
from core.report.content import (
    Block,
    Cell,
    Chart,
    Heading,
    Kind,
    Number,
    Paragraph,
    Series,
    Shape,
    Table,
    bare,
    number,
    share,
)
from core.report.palette import NAMES
from core.report.words import interval_text, listed, value_text
from core.text.display.numbers import count, p_value, when
from core.weakness.service.scores import label_of_score
from core.weakness.service.spoken import label_of


def change(g: Gathered) -> tuple[Block, ...]:
    """The earlier run, the change of the accuracy, where it lies, and what else differs between the runs."""
    if g.earlier is None:
        return (
            missing(
                "There is no earlier finished run of these questions with the same judge.",
                "After a change of the system, run the same test set again; this section then says what it changed.",
            ),
        )
    found = g.earlier.comparison
    if found.accuracy.difference.value is None:
        return (
            plain(_against(g, g.earlier)),
            missing("No question has a verdict in both runs.", "Judge both runs."),
        )
    blocks: list[Block] = [
        plain(f"{_against(g, g.earlier)} {outcome(found)}"),
        facts(
            ("Questions compared", f"{found.cases:,}{f', {found.left_out:,} left out' if found.left_out else ''}"),
            ("Became right", share(found.fixed_share), "of the answers that were wrong before"),
            ("Became wrong", share(found.broken_share), "of the answers that were right before"),
            ("Verdicts that change in repeated runs", _noise(found)),
            ("Settings that differ", _settings(g, found)),
        ),
        _picture(found),
    ]
    if found.without_module:
        blocks.append(
            note(
                f"{count(found.without_module, 'question')} without a module in one of the runs do not count for them."
            )
        )
    if found.metrics:
        blocks.append(_table("changed_scores", "Change of each score", "Score", found.metrics, label_of_score))
    return (*blocks, *_slices(g, found), note(_HOW))


_HOW = (
    "Each question is compared with itself; intervals count facts. p is adjusted within each table (Holm). The change "
    "may come from anything that differs between the two runs, and this section does not say which of it."
)


def since_earlier(g: Gathered) -> Paragraph | None:
    """One sentence for page one; None where there is nothing to compare with."""
    if g.earlier is None or g.earlier.comparison.accuracy.difference.value is None:
        return None
    return plain(f"{_against(g, g.earlier)} {outcome(g.earlier.comparison)}")


def outcome(found: Comparison) -> str:
    """The change of the accuracy in a sentence or two."""
    accuracy = found.accuracy
    shown = value_text(number(accuracy.difference, Kind.DIFFERENCE))
    became = f"{len(found.fixed):,} became right, {len(found.broken):,} became wrong"
    if accuracy.p_value is None:
        return f"{became}; too few facts to tell whether the accuracy changed."
    if accuracy.p_value <= LEVEL:
        way = "higher" if (accuracy.difference.value or 0.0) > 0 else "lower"
        p = p_value(accuracy.p_value)
        return f"The accuracy is {way}: {shown}, p {_is(p)}; {became}."
    least = "" if accuracy.detectable is None else f"; a change below {accuracy.detectable:.3f} would rarely be found"
    return f"No change of the accuracy is shown ({shown}{least}): {became}."


def _is(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _against(g: Gathered, earlier: Earlier) -> str:
    return f"Compared with {earlier.run.id} of {when(earlier.run.created_at)} ({g.masker.spec(earlier.run.target)})."


def _noise(found: Comparison) -> Cell:
    if found.noise is not None:
        return share(found.noise)
    return "not known: " + re.sub(r"\bA\b", "the earlier run", found.no_noise)


def _settings(g: Gathered, found: Comparison) -> str:
    said = [
        f"{one.name}: {g.masker.option(one.name, one.before)} to {g.masker.option(one.name, one.after)}"
        for one in found.settings
    ]
    return "; ".join(said) or "nothing in the settings of the two runs"


def _cells(changed: Change) -> tuple[Cell, ...]:
    p = Number(value=changed.p_adjusted, kind=Kind.P_VALUE) if changed.p_adjusted is not None else None
    return (
        None if changed.before is None else bare(changed.before),
        None if changed.after is None else bare(changed.after),
        number(changed.difference, Kind.DIFFERENCE),
        p,
    )


_COLUMNS = ("Before", "This run", "Change", "Adjusted p")


def _table(table_id: str, title: str, first: str, changes: Sequence[Change], name: Callable[[str], str]) -> Table:
    return Table(
        id=table_id,
        title=title,
        columns=(first, *_COLUMNS),
        rows=tuple((name(one.name), *_cells(one)) for one in changes),
    )


def _module(name: str) -> str:
    return "Right answers" if name == "verdict" else f"Wrong: {NAMES[name].lower()}"


def _picture(found: Comparison) -> Chart:
    rows = (found.accuracy, *found.modules)
    names = tuple(_module(one.name) for one in rows)
    moved = [one for one in found.modules if one.p_adjusted is not None and one.p_adjusted <= LEVEL]
    where = listed([NAMES[one.name].lower() for one in moved])
    title = f"The change lies in: {where}" if moved else "No module is shown to have changed"
    cells = [number(one.difference, Kind.DIFFERENCE) for one in rows]
    return Chart(
        id="change",
        title=title,
        alt=f"{title}. Share of questions now less before, with 95% intervals: "
        + "; ".join(f"{name} {value_text(cell)}" for name, cell in zip(names, cells, strict=True))
        + ".",
        shape=Shape.INTERVALS,
        values="Share of questions, this run less the earlier one",
        series=(
            Series(
                name="Change",
                colour="accent",
                x=names,
                y=tuple(one.value for one in cells),
                low=tuple(one.low for one in cells),
                high=tuple(one.high for one in cells),
                texts=tuple(f"{one.value:+.3f} {interval_text(one)}" if one.value is not None else "" for one in cells),
            ),
        ),
        table=_table("change_table", "Change of the share of questions", "Answers", rows, _module),
        reference=0.0,
    )


def _slices(g: Gathered, found: Comparison) -> list[Block]:
    if not found.slices:
        return []
    moved = [one for one in found.slices if one.change.p_adjusted is not None and one.change.p_adjusted <= LEVEL]
    looked = count(len(found.slices), "kind of question", "kinds of questions")
    heading = Heading(text="Kinds of questions that changed")
    if not moved:
        return [heading, plain(f"None of {looked} is shown to have changed.")]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{label_of(one.attribute)}: {g.masker.safe(one.level)}", *_cells(one.change)) for one in moved
    )
    return [
        heading,
        Table(
            id="changed_slices",
            title=f"Change of the accuracy, {len(moved):,} of {looked}",
            columns=("Questions", *_COLUMNS),
            rows=rows,
            note="The others are not shown to have changed.",
        ),
    ]
