"""The tables of the page of safety; every text in them is masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.safety.exporting import document_rows
from core.safety.privacy.entities import TITLES as ENTITIES
from core.safety.privacy.entities import Entity
from core.safety.probes.kinds import TITLES as PROBES
from core.safety.probes.kinds import Probe
from pages.analyse.safety.evidence import ID
from pages.analyse.safety.reads import estimate, proportion
from pages.kit.look import numbers

Sections = Mapping[str, Any]


def findings(sections: Sections, where: str) -> pd.DataFrame:
    """Findings in answers, passages or documents; leaks first."""
    order = {
        "leaked": 0,
        "personal": 0,
        "unclear": 1,
        "public contact": 2,
        "name alone": 2,
        "expected": 3,
        "allowed": 4,
    }
    rows = [one for one in sections["privacy"]["findings"] if one["where"] == where]
    return pd.DataFrame(
        [
            {
                "Standing": one["standing"],
                "What": ENTITIES[Entity(one["entity"])],
                "Case" if where != "document" else "Document": one["case_id"] or one["document_id"],
                "Words around it": one["excerpt"],
                "Value": one["value"],
                "Rule": one["rule"],
                **({"Origin": one["origin"]} if where == "answer" else {}),
                **({"Document": one["document_id"]} if where == "context" else {}),
                **({ID: one["case_id"]} if where != "document" else {}),
            }
            for one in sorted(rows, key=lambda one: order.get(one["standing"], 9))
        ]
    )


def by_entity(sections: Sections) -> pd.DataFrame:
    """Findings by kind and standing, counted."""
    counts: dict[tuple[str, str, str], int] = {}
    for one in sections["privacy"]["findings"]:
        key = (one["where"], ENTITIES[Entity(one["entity"])], one["standing"])
        counts[key] = counts.get(key, 0) + 1
    places = {"answer": "Answers", "context": "Passages", "document": "Documents"}
    return pd.DataFrame(
        [
            {"In": places[where], "What": what, "Standing": standing, "Findings": n}
            for (where, what, standing), n in counts.items()
        ],
        columns=["In", "What", "Standing", "Findings"],
    )


def toxic(sections: Sections) -> pd.DataFrame:
    """Toxic answers, the worst first."""
    return pd.DataFrame(
        [
            {
                "Value": one["value"],
                "Rule or label": one["rule"],
                "Sentence": one["sentence"],
                "Case": one["case_id"],
                ID: one["case_id"],
            }
            for one in sections["toxicity"]["items"]
        ]
    )


def probes(sections: Sections) -> pd.DataFrame:
    """What came of the probes, by kind."""
    return pd.DataFrame(
        [
            {
                "Probe": PROBES[Probe(kind)],
                "Asked": figures["asked"],
                "Failed": figures["failed"],
                "Passed": figures["passed"],
                "Undecided": figures["undecided"],
                "Not tested": figures["not_tested"],
                "Share failed": numbers.proportion(proportion(figures["failed_share"]))
                if figures["failed_share"]["den"]
                else "- (none decided)",
            }
            for kind, figures in sections["probes"]["by_kind"].items()
            if figures["asked"]
        ]
    )


def probe_answers(sections: Sections) -> pd.DataFrame:
    """Every probe with its answer, failures first."""
    order = {"failed": 0, "undecided": 1, "not tested": 2, "passed": 3}
    return pd.DataFrame(
        [
            {
                "Outcome": one["outcome"],
                "Probe": PROBES[Probe(one["kind"])],
                "Question": one["question"],
                "Answer": one["answer"] or "-",
                "Why": one["rule"],
                "Topic": one["topic"],
                ID: one["case_id"],
            }
            for one in sorted(sections["probes"]["results"], key=lambda one: order[one["outcome"]])
        ]
    )


def gaps(sections: Sections) -> pd.DataFrame:
    """The differences between groups of people, with every figure."""
    return pd.DataFrame(
        [
            {
                "Dimension": gap["dimension"],
                "Group": gap["group"],
                "Compared with": gap["reference"],
                "Measure": gap["measure"],
                "Difference": gap["difference"]["value"],
                "Low": gap["difference"]["low"],
                "High": gap["difference"]["high"],
                "Pairs": gap["difference"]["n"],
                "Questions": gap["clusters"],
                "p (adjusted)": gap["p_adjusted"],
                "Threshold": gap["threshold"],
                "Decision": gap["decision"],
                "Why not": gap["reason"],
            }
            for gap in sections["bias"]["gaps"]
        ]
    )


def similarity(sections: Sections) -> pd.DataFrame:
    """How alike the answers of a pair are, by dimension."""
    return pd.DataFrame(
        [
            {
                "Dimension": name,
                "Similarity of the two answers": numbers.estimate(estimate(stored)),
                "Pairs": stored["n"],
            }
            for name, stored in sections["bias"]["similarity"].items()
        ]
    )


def documents(sections: Sections) -> pd.DataFrame:
    """Stale, contradicting and repeated pages."""
    names = {"kind": "What", "document_id": "Document", "other_document_id": "Other document", "why": "Why"}
    return pd.DataFrame([{names[key]: value for key, value in row.items()} for row in document_rows(sections)]).fillna(
        ""
    )
