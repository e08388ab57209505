"""Which module is broken, with the evidence behind it."""

from __future__ import annotations

from core.diagnosis import Diagnosis
from core.domain.results.diagnosis import Attribution, Tag
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import missing, note, plain, warning
from core.report.content import Block, Cell, Chart, Heading, Series, Shape, Table, share
from core.report.palette import MEANINGS, NAMES
from core.text.display.numbers import count

ORDER = (
    Attribution.CORRECT,
    Attribution.KNOWLEDGE_GAP,
    Attribution.RETRIEVAL,
    Attribution.LANGUAGE_MODEL,
    Attribution.UNDECIDED,
    Attribution.UNRESOLVED_GAP,
    Attribution.NOT_JUDGED,
)
TAGS = {Tag.GAP: "never right", Tag.ROBUST: "always right", Tag.NON_ROBUST: "right for some wordings"}


def diagnosis(g: Gathered) -> tuple[Block, ...]:
    """Modules, groups, figures of GRAMMAR, examples."""
    found = g.diagnosis
    if not found.n or found.n == found.not_judged:
        return (missing("No answer is judged, so that nothing can be diagnosed.", "Judge the run on the Run page."),)
    blocks: list[Block] = [
        plain(
            "Each wrong answer is put down to one module by evidence: whether a document states the fact, whether it "
            "was retrieved, whether the passages state it. What the evidence cannot decide stays undecided."
        ),
        _attribution(g),
    ]
    if found.pending:
        blocks.append(
            warning(
                f"For {count(found.pending, 'wrong answer')} the documents are still to be searched; their module may "
                "change. The Diagnose page searches them."
            )
        )
    blocks += [_meanings(found), _groups(found), _figures(found)]
    blocks += [note(g.masker.safe(text)) for text in found.notes]
    blocks += _examples(g)
    return tuple(blocks)


def _by_form(found: Diagnosis) -> dict[str, Diagnosis]:
    return {"all questions": found, **{form: found.by_form[form] for form in found.by_form}}


def _attribution(g: Gathered) -> Chart:
    forms = _by_form(g.diagnosis)
    present = [part for part in ORDER if any(one.figures.attribution.get(part) for one in forms.values())]
    counts = {form: one.figures.attribution for form, one in forms.items()}
    wrong = {part: n for part, n in g.diagnosis.figures.attribution.items() if part in ORDER[1:6] and n}
    total = sum(wrong.values())
    if wrong:
        worst = max(wrong, key=lambda part: wrong[part])
        title = f"{NAMES[worst.value]}: {wrong[worst]:,} of {count(total, 'wrong answer')}"
    else:
        title = "No wrong answer"
    names = tuple(g.masker.safe(form) for form in forms)
    said = ", ".join(
        f"{NAMES[part.value].lower()} {g.diagnosis.figures.attribution.get(part, 0):,}" for part in present
    )
    table = Table(
        id="attribution_table",
        title="Answers by module",
        columns=("Questions", *(NAMES[part.value] for part in present)),
        rows=tuple(
            (name, *(counts[form].get(part, 0) for part in present)) for name, form in zip(names, forms, strict=True)
        ),
    )
    return Chart(
        id="attribution",
        title=title,
        alt=f"Answers by module, of all questions: {said}.",
        shape=Shape.STACKED,
        values="Share of questions",
        series=tuple(
            Series(
                name=NAMES[part.value],
                colour=part.value,
                x=names,
                y=tuple(counts[form].get(part, 0) / forms[form].n if forms[form].n else None for form in forms),
                texts=tuple(f"{counts[form].get(part, 0):,}" for form in forms),
            )
            for part in present
        ),
        table=table,
        low=0.0,
        high=1.0,
    )


def _meanings(found: Diagnosis) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (NAMES[part.value], found.figures.attribution.get(part, 0), MEANINGS[part.value])
        for part in ORDER
        if found.figures.attribution.get(part, 0)
    )
    return Table(id="modules", title="What each module means", columns=("Module", "Answers", "Meaning"), rows=rows)


def _groups(found: Diagnosis) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for tag, words in TAGS.items():
        tagged = found.figures.tags[tag]
        rows.append((words, tagged.groups, tagged.rows))
    return Table(
        id="groups",
        title="Facts by how their wordings are answered, within a form",
        columns=("Wordings of one fact", "Groups", "Answers"),
        rows=tuple(rows),
    )


def _figures(found: Diagnosis) -> Table:
    figures = found.figures
    rows: tuple[tuple[Cell, ...], ...] = (
        ("Right answers", share(figures.accuracy)),
        ("Retrieved documents equal the gold documents", share(figures.id_match)),
        ("All gold documents retrieved", share(figures.recall)),
        ("Right, or with the context of a right answer (context comparison)", share(figures.context_comparison)),
        ("Right answers in groups with at least one right answer (refined)", share(figures.refined.accuracy)),
        ("Groups with at least one right answer (retrieval database)", share(figures.retrieval_db)),
    )
    return Table(
        id="grammar",
        title="Figures of the GRAMMAR method",
        columns=("Figure", "Share"),
        rows=tuple(row for row in rows if getattr(row[1], "n", 0)),
        note="GRAMMAR, section 4.3; intervals count filled queries.",
    )


def _examples(g: Gathered) -> list[Block]:
    if not g.examples:
        return []
    blocks: list[Block] = [Heading(text="Examples of wrong answers")]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (NAMES[one.module], one.question, one.reference, one.answer or "(no answer)", one.reason) for one in g.examples
    )
    blocks.append(
        Table(
            id="examples",
            title=f"{count(len(rows), 'wrong answer')}, at most two of each module, the first of the test set",
            columns=("Module", "Question", "Right answer", "Answer", "Evidence"),
            rows=rows,
            note="Chosen by place, not by how telling they are; personal data is masked.",
        )
    )
    return blocks
