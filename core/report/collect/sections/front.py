"""Purpose, risks, and the system under test: what was decided before a question was asked."""

from __future__ import annotations

from core.criteria.service import in_words
from core.domain.results.runs import Run
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import facts, missing, note, plain, warning
from core.report.collect.sections.summary import criteria_table
from core.report.content import Block, Cell, Heading, Table
from core.targets.registry import list_targets
from core.text.display.numbers import count, when


def purpose(g: Gathered) -> tuple[Block, ...]:
    """Why the system is there and what it must reach."""
    blocks: list[Block] = []
    if g.project.description:
        blocks.append(plain(g.masker.safe(g.project.description)))
    profile = g.profile
    parts = (
        ("Purpose of the validation", profile.purpose),
        ("Scope", profile.scope),
        ("Intended use", profile.intended_use),
        ("Users", profile.users),
    )
    for heading, text in parts:
        if text.strip():
            blocks += [Heading(text=heading), plain(g.masker.safe(text))]
    absent = [name for name in profile.missing if name not in ("system under test", "risks")]
    if absent:
        blocks.append(missing(f"Not written down: {', '.join(absent)}.", "This is entered on the Overview page."))
    if profile.changed_at:
        blocks.append(note(f"Written by {g.masker.name(profile.changed_by)}, {when(profile.changed_at)}."))
    blocks.append(Heading(text="Acceptance criteria"))
    if not g.outcomes:
        blocks.append(missing("None were entered.", "They are entered and locked on the Overview page, before a run."))
    else:
        blocks.append(criteria_table(g))
        late = [in_words(item.criterion) for item in g.outcomes if not item.locked_before_run]
        if not late:
            blocks.append(note("Every criterion was locked before the run began."))
        else:
            were = count(len(late), "criterion was", "criteria were")
            blocks.append(
                warning(
                    f"{were} not locked before the run began, so that the results may have been known when the "
                    f"threshold was set: {'; '.join(late)}."
                )
            )
    if g.removed:
        names = "; ".join(in_words(item) for item in g.removed)
        blocks.append(warning(f"Removed after the run began: {names}."))
    return tuple(blocks)


def risks(g: Gathered) -> tuple[Block, ...]:
    """What may go wrong, and where this report looks at it."""
    if not g.profile.risks:
        return (
            missing(
                "No risks were named before the tests.",
                "They are entered on the Overview page, each with its materiality (HCAT 1.2, steps 1 and 2).",
            ),
        )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (g.masker.safe(risk.name), risk.materiality.value, g.masker.safe(risk.description) or "-")
        for risk in g.profile.risks
    )
    return (
        Table(
            id="risks",
            title="Risks named before the tests",
            columns=("Risk", "Materiality", "How it comes about"),
            rows=rows,
        ),
    )


def system(g: Gathered) -> tuple[Block, ...]:
    """What was asked, over which documents."""
    kind = g.run.target.partition(":")[0]
    known = next((spec for spec in list_targets() if spec.name == kind), None)
    options: tuple[tuple[Cell, ...], ...] = tuple(
        (name.replace("_", " "), g.masker.option(name, value))
        for name, value in sorted(g.run.options.items())
        if value not in ("", None)
    )
    seconds, timed = g.records.latency
    told = g.profile.system
    blocks: list[Block] = [
        facts(
            ("Name", g.masker.safe(" ".join(filter(None, (told.name, told.version))))),
            ("Owner", g.masker.name(told.owner)),
            ("Language model", g.masker.safe(told.model)),
            ("How it works", g.masker.safe(told.description)),
            ("Asked as", f"{known.title} ({g.masker.spec(g.run.target)})" if known else g.masker.spec(g.run.target)),
            ("Run", f"{g.run.id}, begun {when(g.run.created_at)}, finished {when(g.run.finished_at)}"),
            ("Seed", str(g.run.seed)),
            ("Documents", _corpus(g)),
            ("Answered", f"{g.summary.answered - g.summary.failed:,} of {count(g.summary.cases, 'question')}"),
            ("Failed", f"{g.summary.failed:,}" if g.summary.failed else "none"),
            ("Median time of an answer", _seconds(seconds, timed)),
        )
    ]
    if options:
        blocks.append(Table(id="options", title="Options of the run", columns=("Option", "Value"), rows=options))
    else:
        blocks.append(note("The run has no options beside these."))
    if not g.corpus:
        blocks.append(
            missing(
                "The documents that the system reads are not known to Plumbline.",
                "Load them on the Connect page, so that the diagnosis can search them.",
            )
        )
    others = tuple(run for run in g.other_runs if g.earlier is None or run.id != g.earlier.run.id)
    if others:
        blocks.append(note(f"Other finished runs of the project, not in this report: {_others(others)}."))
    return tuple(blocks)


def _corpus(g: Gathered) -> str:
    if g.corpus is None:
        return ""
    chunking = g.corpus.chunking
    cut = f", cut into passages of at most {chunking.tokens} tokens for the analysis" if chunking else ""
    loaded = f", loaded {when(g.corpus.loaded_at)}"
    return f"{g.masker.name(g.corpus.name)}: {count(g.documents, 'document')}{loaded}{cut}"


def _others(runs: tuple[Run, ...]) -> str:
    named = ", ".join(run.id for run in runs[:6])
    return named if len(runs) <= 6 else f"{named} and {len(runs) - 6} more"


def _seconds(seconds: float | None, timed: int) -> str:
    if seconds is None:
        return ""
    said = f"{seconds:.3g} s" if seconds >= 0.1 else f"{seconds * 1000:.2g} ms"
    return f"{said} (n = {timed:,})"
