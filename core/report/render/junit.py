"""JUnit XML, which continuous integration shows: cases, acceptance criteria and thresholds as tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from xml.etree import ElementTree as Tree  # only written, never parsed

from core.report.cases import CaseRow
from core.text.display.visible import visible

PASSED, FAILURE, SKIPPED = "passed", "failure", "skipped"
OUTCOMES: Final = {"met": PASSED, "not met": FAILURE, "cannot be told": SKIPPED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One test.

    Attributes:
        of: What it belongs to; the class name in JUnit.
        outcome: ``passed``, ``failure`` or ``skipped``.
        message: Why it is not passed, one line.
        type: The kind of failure.
        text: What a reader of a failure needs.
    """

    name: str
    of: str
    outcome: str = PASSED
    message: str = ""
    type: str = ""
    text: str = ""


def as_junit(run_id: str, rows: Iterable[CaseRow], criteria: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """A run: a correct answer passes, a wrong one fails, one that is not judged is skipped with the reason.

    Args:
        run_id: The run.
        rows: Its cases, masked.
        criteria: Its acceptance criteria, as :func:`core.report.collecting.criterion_json` gives them.
    """
    suites = {"cases": [_of_case(run_id, row) for row in rows]}
    if listed := [_of_criterion(run_id, item) for item in criteria]:
        suites["acceptance criteria"] = listed
    return written(run_id, suites)


def changes_as_junit(
    run_a: str, run_b: str, before: Iterable[CaseRow], after: Iterable[CaseRow], thresholds: Iterable[Check] = ()
) -> bytes:
    """Two runs: a case that became wrong fails, one that was wrong before is skipped, one that is right passes.

    Cases that only one of the runs has, or with another question or reference, are not listed.
    """
    earlier = {row.case_id: row for row in before}
    pairs = ((earlier[row.case_id], row) for row in after if row.case_id in earlier)
    checks = [
        _of_pair(run_b, old, new)
        for old, new in pairs
        if (old.question, old.references) == (new.question, new.references)
    ]
    return written(f"{run_b} after {run_a}", {"cases": checks, "thresholds": list(thresholds)})


def written(name: str, suites: Mapping[str, Iterable[Check]]) -> bytes:
    """The XML of some suites; an empty one after the first is left out."""
    root = Tree.Element("testsuites", name=_clean(f"Plumbline {name}"))
    total = {"tests": 0, "failures": 0, "skipped": 0}
    for place, (title, checks) in enumerate(suites.items()):
        listed = list(checks)
        if not listed and place:
            continue
        suite = Tree.SubElement(root, "testsuite", name=title)
        for check in listed:
            _add(suite, check)
        outcomes = [check.outcome for check in listed]
        counts = {"tests": len(listed), "failures": outcomes.count(FAILURE), "skipped": outcomes.count(SKIPPED)}
        _count(suite, counts)
        total = {key: total[key] + counts[key] for key in total}
    _count(root, total)
    Tree.indent(root)
    text: bytes = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def case_name(case_id: str, question: str) -> str:
    """How a case is called in a list of tests."""
    return f"{case_id}: {' '.join(question.split())[:120]}"


def _of_case(run_id: str, row: CaseRow) -> Check:
    of, name = f"{run_id}.{row.form or 'cases'}", case_name(row.case_id, row.question)
    if row.verdict == "incorrect":
        text = "\n".join((*_asked(row), *_answered(row)))
        return Check(name=name, of=of, outcome=FAILURE, message=row.why or "incorrect", type="incorrect", text=text)
    if row.verdict == "correct":
        return Check(name=name, of=of)
    return Check(name=name, of=of, outcome=SKIPPED, message=row.why or "not judged")


def _of_pair(run_id: str, old: CaseRow, new: CaseRow) -> Check:
    of, name = f"{run_id}.{new.form or 'cases'}", case_name(new.case_id, new.question)
    unjudged = [which for which, row in (("before", old), ("after", new)) if row.verdict == "not judged"]
    if unjudged:
        return Check(name=name, of=of, outcome=SKIPPED, message=f"not judged {' and '.join(unjudged)}")
    if new.verdict == "correct":
        return Check(name=name, of=of)
    if old.verdict == "incorrect":
        return Check(name=name, of=of, outcome=SKIPPED, message="wrong before and after")
    text = "\n".join((*_asked(new), f"Answer before: {old.answer or '-'}", *_answered(new)))
    return Check(name=name, of=of, outcome=FAILURE, message=new.why or "incorrect", type="became wrong", text=text)


def _of_criterion(run_id: str, item: Mapping[str, Any]) -> Check:
    value = "no value" if item["value"] is None else f"{item['value']:.4g}"
    return Check(
        name=str(item["text"]),
        of=f"{run_id}.criteria",
        outcome=OUTCOMES[str(item["verdict"])],
        message=f"{value}, {item['entered']}. {item['reason']}".strip(),
        type="not met",
    )


def _asked(row: CaseRow) -> tuple[str, ...]:
    return f"Question: {row.question}", f"Right answer: {' | '.join(row.references) or '-'}"


def _answered(row: CaseRow) -> tuple[str, ...]:
    return (
        f"Answer: {row.answer or '-'}",
        *([f"Error: {row.error}"] if row.error else ()),
        *([f"Module: {row.module}. {row.evidence}"] if row.module else ()),
    )


def _add(suite: Tree.Element, check: Check) -> None:
    test = Tree.SubElement(suite, "testcase", classname=_clean(check.of), name=_clean(check.name))
    if check.outcome == FAILURE:
        failure = Tree.SubElement(test, FAILURE, message=_clean(check.message), type=check.type)
        failure.text = _clean(check.text) if check.text else None
    elif check.outcome == SKIPPED:
        Tree.SubElement(test, SKIPPED, message=_clean(check.message))


def _count(element: Tree.Element, counts: Mapping[str, int]) -> None:
    for name, n in counts.items():
        element.set(name, str(n))


def _clean(text: str) -> str:
    """What XML can hold: a sign that it cannot is shown by its number."""
    shown = visible(text)
    return "".join(
        sign
        if sign in "\t\n" or 0x20 <= ord(sign) < 0xD800 or 0xE000 <= ord(sign) <= 0xFFFD or ord(sign) > 0xFFFF
        else f"⟨U+{ord(sign):04X}⟩"
        for sign in shown
    )
