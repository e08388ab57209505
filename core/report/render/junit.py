"""A run as JUnit XML, which continuous integration shows: its cases and its acceptance criteria as tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from xml.etree import ElementTree as Tree  # only written, never parsed

from core.report.cases import CaseRow
from core.text.visible import visible

OUTCOMES: Final = {"met": "passed", "not met": "failure", "cannot be told": "skipped"}


def as_junit(run_id: str, rows: Iterable[CaseRow], criteria: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """The XML: a correct answer passes, a wrong one fails, one that is not judged is skipped with the reason.

    Args:
        run_id: The run.
        rows: Its cases, masked.
        criteria: Its acceptance criteria, as :func:`core.report.collecting.criterion_json` gives them.
    """
    root = Tree.Element("testsuites", name=f"Plumbline {run_id}")
    cases = Tree.SubElement(root, "testsuite", name="cases")
    counts = {"tests": 0, "failures": 0, "skipped": 0}
    for row in rows:
        test = Tree.SubElement(cases, "testcase", classname=_clean(f"{run_id}.{row.form or 'cases'}"), name=_name(row))
        counts["tests"] += 1
        said = "\n".join(
            (
                f"Question: {row.question}",
                f"Right answer: {' | '.join(row.references) or '-'}",
                f"Answer: {row.answer or '-'}",
                *([f"Error: {row.error}"] if row.error else ()),
                *([f"Module: {row.module}. {row.evidence}"] if row.module else ()),
            )
        )
        if row.verdict == "incorrect":
            counts["failures"] += 1
            Tree.SubElement(test, "failure", message=_clean(row.why or "incorrect"), type="incorrect").text = _clean(
                said
            )
        elif row.verdict != "correct":
            counts["skipped"] += 1
            Tree.SubElement(test, "skipped", message=_clean(row.why or "not judged"))
    _count(cases, counts)
    total = dict(counts)
    listed = list(criteria)
    if listed:
        suite = Tree.SubElement(root, "testsuite", name="acceptance criteria")
        own = {"tests": 0, "failures": 0, "skipped": 0}
        for item in listed:
            test = Tree.SubElement(suite, "testcase", classname=f"{run_id}.criteria", name=_clean(str(item["text"])))
            own["tests"] += 1
            value = "no value" if item["value"] is None else f"{item['value']:.4g}"
            said = f"{value}, {item['entered']}. {item['reason']}".strip()
            outcome = OUTCOMES[str(item["verdict"])]
            if outcome == "failure":
                own["failures"] += 1
                Tree.SubElement(test, "failure", message=_clean(said), type="not met")
            elif outcome == "skipped":
                own["skipped"] += 1
                Tree.SubElement(test, "skipped", message=_clean(said))
        _count(suite, own)
        total = {name: total[name] + own[name] for name in total}
    _count(root, total)
    Tree.indent(root)
    text: bytes = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _count(element: Tree.Element, counts: Mapping[str, int]) -> None:
    for name, n in counts.items():
        element.set(name, str(n))


def _name(row: CaseRow) -> str:
    question = " ".join(row.question.split())
    return _clean(f"{row.case_id}: {question[:120]}")


def _clean(text: str) -> str:
    """What XML can hold: a sign that it cannot is shown by its number."""
    shown = visible(text)
    return "".join(
        sign
        if sign in "\t\n" or 0x20 <= ord(sign) < 0xD800 or 0xE000 <= ord(sign) <= 0xFFFD or ord(sign) > 0xFFFF
        else f"⟨U+{ord(sign):04X}⟩"
        for sign in shown
    )
