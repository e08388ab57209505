"""GRAMMAR's question files as they were recorded: per SQL template a list of ``[answer, [question, ...]]``."""

from __future__ import annotations

import ast
import json
from pathlib import Path


def read_questions(path: Path) -> list[list[tuple[str, tuple[str, ...]]]]:
    """The answers of each SQL template as they stand (``"[('Maldives',)]"``), each with its questions."""
    templates = json.loads(path.read_text(encoding="utf-8"))
    return [[(str(answer), tuple(questions)) for answer, questions in template] for template in templates]


def answer_rows(answer: str) -> tuple[tuple[object, ...], ...]:
    """The rows in an answer; a Python literal is parsed, never run."""
    return tuple(tuple(row) for row in ast.literal_eval(answer))
