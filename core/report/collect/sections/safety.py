"""Personal data, toxicity, probes, equal treatment, the documents; everything masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import facts, missing, note, plain
from core.report.content import Block, Cell, Heading, Kind, Number, Table, bare, proportion_of
from core.text.display.numbers import count, when

MOST: Final = 12
PARTS: Final = {"answer": "answers", "context": "retrieved passages", "document": "documents"}


def safety(g: Gathered) -> tuple[Block, ...]:
    """What was measured of safety, and by what."""
    result = g.safety
    if result is None:
        return (missing("The safety of the answers was not checked.", "The Safety page checks them and asks probes."),)
    made, sections = result.made_from, result.sections
    probes = ", ".join(str(kind).replace("_", " ") for kind in made.get("probes", ())) or "none"
    blocks: list[Block] = [
        facts(
            ("Checked", f"{when(result.created_at)} by {g.masker.name(result.created_by)}"),
            ("Answers of the run", int(made.get("run_answers", 0))),
            ("Asked besides", int(made.get("asked", 0))),
            ("Probes", probes),
            ("Seed", str(made.get("seed", ""))),
        )
    ]
    skipped = {str(reason): n for reason, n in dict(made.get("skipped", {})).items()}
    if skipped:
        blocks.append(
            note("Not asked: " + "; ".join(f"{g.masker.safe(why)} ({n:,})" for why, n in skipped.items()) + ".")
        )
    blocks += _privacy(sections["privacy"])
    blocks += _toxicity(sections["toxicity"])
    blocks += _probes(g, sections["probes"])
    blocks += _bias(sections["bias"])
    blocks += _documents(g, sections["documents"])
    return tuple(blocks)


def _privacy(privacy: Mapping[str, Any]) -> list[Block]:
    named = {
        "leaks": "Answers that leak a person's data",
        "leaks_unprompted": "Of answers to questions that were no probe",
        "passages": "Retrieved passages with a person's data",
        "documents": "Documents with a person's data",
    }
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (title, proportion_of(privacy[name])) for name, title in named.items() if privacy.get(name)
    )
    by_standing = [
        (PARTS.get(where, where), standing, n)
        for where, standings in privacy.get("by_standing", {}).items()
        for standing, n in standings.items()
    ]
    blocks: list[Block] = [
        Heading(text="Personal data"),
        Table(
            id="privacy",
            title="Personal data in answers, passages and documents",
            columns=("Where", "Share"),
            rows=rows,
        ),
    ]
    if by_standing:
        blocks.append(
            Table(
                id="privacy_findings",
                title="What was seen, by place and standing",
                columns=("Where", "Standing", "Findings"),
                rows=tuple(by_standing),
                note="A public contact is a number or address of the organisation; personal is that of a person.",
            )
        )
    return blocks


def _toxicity(toxicity: Mapping[str, Any]) -> list[Block]:
    return [
        Heading(text="Toxicity"),
        Table(
            id="toxicity",
            title=f"Toxic answers, rated by {toxicity['by']} from {toxicity['threshold']:g} up",
            columns=("What", "Share"),
            rows=(("Toxic answers", proportion_of(toxicity["toxic"])),),
            note=f"{toxicity['scored']:,} of {toxicity['of']:,} answers were rated.",
        ),
    ]


def _probes(g: Gathered, probes: Mapping[str, Any]) -> list[Block]:
    by_kind: Mapping[str, Any] = probes["by_kind"]
    asked = {kind: one for kind, one in by_kind.items() if one["asked"]}
    if not asked:
        return [Heading(text="Probes"), missing("No probe was asked.", "The Safety page asks them.")]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            kind.replace("_", " "),
            one["asked"],
            one["passed"],
            one["failed"],
            one["undecided"],
            one["not_tested"],
            proportion_of(one["failed_share"]),
        )
        for kind, one in asked.items()
    )
    blocks: list[Block] = [
        Heading(text="Probes"),
        Table(
            id="probes",
            title="Attempts to make the system misbehave",
            columns=("Kind", "Asked", "Passed", "Failed", "Undecided", "Not tested", "Failed, of decided"),
            rows=rows,
        ),
    ]
    failed = [one for one in probes["results"] if one["outcome"] == "failed"]
    if failed:
        shown: tuple[tuple[Cell, ...], ...] = tuple(
            (
                one["kind"].replace("_", " "),
                g.masker.safe(one["question"]),
                g.masker.safe(one["answer"]),
                g.masker.safe(one["rule"]),
            )
            for one in failed[:MOST]
        )
        more = f" {len(failed) - MOST:,} more on the Safety page." if len(failed) > MOST else ""
        blocks.append(
            Table(
                id="failed_probes",
                title=f"{count(len(failed), 'failed probe')}",
                columns=("Kind", "Probe", "Answer", "Rule"),
                rows=shown,
                note=f"Masked.{more}",
            )
        )
    return blocks


def _bias(bias: Mapping[str, Any]) -> list[Block]:
    if not bias["pairs"]:
        return [
            Heading(text="Equal treatment"),
            missing("No pairs of questions that differ in a group of people were asked.", "The Safety page asks them."),
        ]
    rows: list[tuple[Cell, ...]] = []
    for gap in bias["gaps"]:
        figures = gap["difference"]
        difference = Number(
            value=figures["value"],
            low=figures["low"],
            high=figures["high"],
            n=figures["n"],
            method=figures["method"],
            kind=Kind.DIFFERENCE,
        )
        adjusted = bare(gap["p_adjusted"], Kind.P_VALUE)
        rows.append(
            (
                f"{gap['dimension']}: {gap['group']} against {gap['reference']}",
                gap["measure"],
                difference,
                adjusted,
                gap["decision"],
            )
        )
    return [
        Heading(text="Equal treatment"),
        Table(
            id="bias",
            title=f"Answers to questions that differ in a group of people only, {count(bias['pairs'], 'pair')}",
            columns=("Groups", "Measure", "Difference", "Adjusted p", "Decision"),
            rows=tuple(rows),
        ),
    ]


def _documents(g: Gathered, documents: Mapping[str, Any]) -> list[Block]:
    rows: list[tuple[Cell, ...]] = [
        ("out of date", g.masker.safe(one["document_id"]), g.masker.safe(" ".join(one["reasons"])))
        for one in documents["stale"][:MOST]
    ]
    rows += [
        (
            "contradiction",
            g.masker.safe(f"{one['first']} and {one['second']}"),
            g.masker.safe(f"{one['what']} of {one['subject']}: {one['first_value']} and {one['second_value']}"),
        )
        for one in documents["contradictions"][:MOST]
    ]
    rows += [
        (
            "repetition",
            g.masker.safe(f"{one['first']} and {one['second']}"),
            f"{one['share']:.2f} of the words are the same",
        )
        for one in documents["repeats"][:MOST]
    ]
    total = sum(len(documents[name]) for name in ("stale", "contradictions", "repeats"))
    blocks: list[Block] = [Heading(text="The documents")]
    if not total:
        return [
            *blocks,
            plain(f"{count(documents['read'], 'document')} read: none out of date, contradicting or repeated."),
        ]
    more = f"{total - len(rows):,} more on the Safety page." if total > len(rows) else ""
    return [
        *blocks,
        Table(
            id="documents",
            title=f"{count(total, 'doubtful page')} of {count(documents['read'], 'document')}",
            columns=("What", "Document", "Why"),
            rows=tuple(rows),
            note=more,
            labels=False,
        ),
    ]
