"""A suite of unit tests: our own, or a file in GroUSE's format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import content_hash
from core.domain.results.judge_tests import Part, UnitTest
from core.installation import SAMPLE_DATA
from core.io.tables.cells import object_of, read_list
from core.io.tables.rows import Row, read_rows
from core.judges.unit_tests import conditions

OWN: Final = SAMPLE_DATA / "judge_tests" / "suite.jsonl"
"""Our own suite: 100 tests about a harbour that does not exist."""

OWN_NAME: Final = "Harbour"
SUFFIX: Final = "_condition"
NO_FAILURE: Final = frozenset({"", "none", "control", "perfect", "perfect answer"})
FAILURE_MODES: Final = (
    "irrelevant information",
    "failing to refrain",
    "missing information",
    "wrongly refraining",
    "unrelated additional information",
    "missing or wrong citation",
    "distorted claim",
)
"""The seven of GroUSE, as our own suite and the screens name them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Unit tests by the name of their file."""

    name: str
    tests: tuple[UnitTest, ...]

    @property
    def hash(self) -> str:
        """Of what the tests are; the same for the same tests under another name."""
        return content_hash(list(self.tests))

    def of(self, part: Part) -> tuple[UnitTest, ...]:
        """The tests of a part.

        Raises:
            InvalidInput: It has none.
        """
        tests = tuple(test for test in self.tests if part in (Part.ALL, test.part))
        if not tests:
            raise InvalidInput(f"The suite {self.name} has no {part.value} part.", "Run all of it.")
        return tests


def own_suite() -> Suite:
    """The suite that comes with Plumbline."""
    return Suite(name=OWN_NAME, tests=read_suite(OWN).tests)


def read_suite(path: Path) -> Suite:
    """Reads a suite from a file in GroUSE's format.

    A row has ``input``, ``actual_output``, ``expected_output``, ``references``, ``conditions`` (an object, or columns
    of their own) with one entry for each metric, such as ``answer_relevancy_condition``, and ``metadata``, of which the
    failure mode (``failure_mode``, ``test_type`` or ``test_case``), the situation and the part (``train`` or ``test``)
    are read. An ``id`` is optional. Where conditions on relevancy and completeness say which of both is null, what
    follows for positive acceptance and negative rejection is added, as `reference` defines them.

    Args:
        path: JSONL, JSON, CSV or Parquet.

    Raises:
        UnreadableFile: It cannot be read.
        InvalidInput: A row is no unit test; the message names the row.
    """
    tests: list[UnitTest] = []
    seen: dict[str, int] = {}
    for number, row in read_rows(path):
        where = f"Row {number} of {path}"
        test = _unit_test(row, where, number, path)
        if (first := seen.setdefault(test.id, number)) != number:
            raise InvalidInput(f"Rows {first} and {number} of {path} have the id {test.id}.", "Give each its own.")
        tests.append(test)
    return Suite(name=path.stem, tests=tuple(tests))


def implied(stated: Mapping[str, str]) -> dict[str, str]:
    """Conditions on positive acceptance and negative rejection that follow from those on relevancy and completeness.

    >>> implied({"answer_relevancy": "==None", "completeness": "==1"})
    {'positive_acceptance': '==0', 'negative_rejection': '==None'}
    >>> implied({"answer_relevancy": "<=4"})
    {}
    """
    nulls = [_null(stated.get(name, "")) for name in ("answer_relevancy", "completeness")]
    if None in nulls:
        return {}
    declines, unanswerable = nulls
    if unanswerable:
        return {"positive_acceptance": "==None", "negative_rejection": f"=={int(bool(declines))}"}
    return {"positive_acceptance": f"=={int(not declines)}", "negative_rejection": "==None"}


def _null(text: str) -> bool | None:
    """Whether a condition asks for null, or for a value; None where it leaves that open."""
    if not text:
        return None
    condition = conditions.parse(text)
    values = any(condition.accepts(value) for value in conditions.GRADES)
    return None if values and condition.accepts(None) else not values


def _unit_test(row: Row, where: str, number: int, path: Path) -> UnitTest:
    cells = dict(_laid_open(row, where))
    metadata = cells.pop("metadata", {})
    metadata = metadata if isinstance(metadata, dict) else {}
    texts = {name: _text(cells.get(name)) for name in ("input", "actual_output", "expected_output")}
    if missing := [name for name in ("input", "actual_output") if not texts[name]]:
        raise InvalidInput(f"{where} has no {missing[0]}.", "A unit test has input, actual_output and conditions.")
    stated = {}
    for name, value in cells.items():
        if name.endswith(SUFFIX) and _text(value):
            metric = name.removesuffix(SUFFIX)
            try:
                stated[metric] = str(conditions.checked(metric, _text(value)))
            except InvalidInput as error:
                raise InvalidInput(f"{where}: {error.message}", error.hint) from None
    if not stated:
        raise InvalidInput(f"{where} has no condition.", f"Give one such as answer_relevancy{SUFFIX}: ==5.")
    return UnitTest(
        id=_text(cells.get("id")) or str(number),
        question=texts["input"],
        references=tuple(_text(item) for item in read_list(cells.get("references"), where, "references")[0]),
        expected=texts["expected_output"],
        actual=texts["actual_output"],
        conditions=stated | {name: text for name, text in implied(stated).items() if name not in stated},
        failure_mode=_failure_mode(metadata, cells),
        situation=_text(metadata.get("situation") or cells.get("situation")) or texts["input"],
        part=_part(_text(metadata.get("part") or cells.get("part")), where, path),
    )


def _laid_open(row: Row, where: str) -> Iterator[tuple[str, object]]:
    for name, value in row.items():
        if name in ("evaluation_sample", "conditions", "expected_evaluation"):
            yield from _laid_open(object_of(value, where, name), where)
        elif name == "metadata":
            yield name, dict(object_of(value, where, name)) if value else {}
        else:
            yield name, value


def _failure_mode(metadata: Mapping[str, object], cells: Mapping[str, object]) -> str:
    for name in ("failure_mode", "test_type", "test_case"):
        text = " ".join(_text(metadata.get(name) or cells.get(name)).replace("_", " ").split())
        if text:
            return "" if text.casefold() in NO_FAILURE else text
    return ""


def _part(text: str, where: str, path: Path) -> Part:
    if text:
        if text not in (Part.TRAIN, Part.TEST):
            raise InvalidInput(f"{where} is of the part {text!r}.", "Write train or test.")
        return Part(text)
    return Part.TRAIN if path.stem.casefold() == Part.TRAIN else Part.TEST


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()
