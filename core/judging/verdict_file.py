"""Files of recorded verdicts: JSONL, JSON or CSV rows, and GRAMMAR's SemanticsMatch."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.domain.errors import UnreadableFile
from core.domain.responses import Verdict

MAX_BYTES = 1_000_000_000

QUESTION = ("question", "query", "user_input")
ANSWER = ("response", "gpt_response", "answer", "output")
VERDICT = ("verdict", "judgement", "judgment", "label", "correct", "is_correct")

CORRECT = frozenset({"correct", "true", "yes", "1", "1.0", "right", "pass", "passed"})
INCORRECT = frozenset({"incorrect", "false", "no", "0", "0.0", "wrong", "fail", "failed", "not correct"})
NOT_JUDGED = frozenset({"not judged", "not_judged", "null", "none", "n/a", ""})
LABELLED = re.compile(r"^(?:verdict|judge?ment|answer|label)\s*[:=]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVerdict:
    """One recorded verdict.

    Attributes:
        row: Its number in the file, from 1.
        answer: The answer it was given for, or None where the row does not say or there was none.
        raw: The verdict as written.
    """

    row: int
    verdict: Verdict
    raw: str
    case_id: str = ""
    question: str = ""
    answer: str | None = None
    reason: str = ""


def read_verdict(value: object) -> Verdict | None:
    """A verdict however it is written; None where it is none.

    >>> read_verdict("Correct."), read_verdict(0), read_verdict(None), read_verdict("mostly")
    (<Verdict.CORRECT: 'correct'>, <Verdict.INCORRECT: 'incorrect'>, <Verdict.NOT_JUDGED: 'not_judged'>, None)
    """
    if isinstance(value, list):
        return read_verdict(value[0]) if len(value) == 1 else None
    word = "" if value is None else " ".join(str(value).casefold().split())
    word = LABELLED.sub("", word.strip(" .!'\"*`")).strip(" .!'\"*`")
    if word in CORRECT:
        return Verdict.CORRECT
    if word in INCORRECT:
        return Verdict.INCORRECT
    return Verdict.NOT_JUDGED if word in NOT_JUDGED else None


def read_verdicts(path: Path) -> tuple[RecordedVerdict, ...]:
    """Reads recorded verdicts.

    A row has `case_id`, or `question` and `answer` (`response`), and `verdict` (`judgement`, `correct`, `label`). Of
    several answer columns `response` is taken before `answer`. A JSON object whose keys are
    ``str((question, reference, response))`` is GRAMMAR's SemanticsMatch.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used; the message has the row's number.
    """
    text = _text(path)
    if path.suffix.casefold() == ".csv":
        rows: Iterator[tuple[int, object]] = _csv(text)
    elif path.suffix.casefold() == ".json":
        rows = _json(text, path)
    else:
        rows = _lines(text, path)
    verdicts = tuple(_row(row, number, path) for number, row in rows)
    if not verdicts:
        raise UnreadableFile(f"The file of verdicts {path} has no row.", "Give one row for each judged case.")
    return verdicts


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{path} has more than {MAX_BYTES:,} bytes.", "Split the file of verdicts.")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(
            f"The file of verdicts {path} cannot be opened ({error.strerror}).", "Check the path."
        ) from None
    except UnicodeDecodeError:
        raise UnreadableFile(f"The file of verdicts {path} is not UTF-8 text.", "Save it as UTF-8.") from None


def _csv(text: str) -> Iterator[tuple[int, object]]:
    for number, cells in enumerate(csv.DictReader(io.StringIO(text)), start=1):
        yield number, {str(name).strip(): value for name, value in cells.items()}


def _json(text: str, path: Path) -> Iterator[tuple[int, object]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"The file of verdicts {path} is no JSON: {error}.", "Give a list of rows.") from None
    if isinstance(content, dict):
        for number, (key, verdict) in enumerate(content.items(), start=1):
            yield number, _semantics_match(key, verdict, f"Entry {number} of {path}")
        return
    if not isinstance(content, list):
        raise UnreadableFile(f"The file of verdicts {path} is not a list of rows.", "Give a list of JSON objects.")
    yield from enumerate(content, start=1)


def _semantics_match(key: str, verdict: object, where: str) -> dict[str, object]:
    try:
        parts = ast.literal_eval(key)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        parts = None
    if not isinstance(parts, tuple) or len(parts) != 3:
        raise UnreadableFile(f"{where} is no (question, reference, response).", "Give a list of rows instead.")
    return {"question": parts[0], "response": parts[2], "verdict": verdict}


def _lines(text: str, path: Path) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UnreadableFile(
                    f"Row {number} of {path} is no JSON: {error}.", "Give one JSON object a line."
                ) from None


def _row(row: object, number: int, path: Path) -> RecordedVerdict:
    where = f"Row {number} of {path}"
    if not isinstance(row, dict):
        raise UnreadableFile(f"{where} is not an object but {type(row).__name__}.", "Give one JSON object a row.")
    name = next((name for name in VERDICT if name in row), None)
    if name is None:
        raise UnreadableFile(f"{where} has no verdict.", f"Name the column one of {', '.join(VERDICT)}.")
    verdict = read_verdict(row[name])
    if verdict is None:
        raise UnreadableFile(f"{where} has {name} = {row[name]!r}.", "Write correct or incorrect.")
    case_id = str(row.get("case_id") or "").strip()
    question = str(_first(row, QUESTION) or "").strip()
    has_answer = any(column in row for column in ANSWER)
    if not case_id and not (question and has_answer):
        raise UnreadableFile(
            f"{where} has neither case_id nor question and answer.", "One of them says what was judged."
        )
    answer = _first(row, ANSWER)
    if isinstance(answer, list):
        answer = answer[0] if answer else None
    return RecordedVerdict(
        row=number,
        verdict=verdict,
        raw=str(row[name]),
        case_id=case_id,
        question=question,
        answer=None if answer is None else str(answer),
        reason=str(row.get("reason") or ""),
    )


def _first(row: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((row[name] for name in names if name in row), None)
