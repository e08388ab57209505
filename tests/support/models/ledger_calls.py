"""Calls and uses as the ledger keeps them, for tests."""

from __future__ import annotations

from typing import Any

from core.domain.llm import Call, CallState, Message, Use

QUESTIONS = [(Message("user", f"Question {number}?"),) for number in range(50)]


def plain_call(number: int, project: str = "", **more: Any) -> Call:
    """A call that was answered, unless it is said otherwise."""
    given: dict[str, Any] = {
        "id": f"call_{number}",
        "project_id": project,
        "key": f"key_{number}",
        "endpoint": "http://llm.example/v1",
        "model": "m",
        "parameters": {"temperature": 0.0},
        "messages": QUESTIONS[number % len(QUESTIONS)],
        "sample": 0,
        "purpose": "judge",
        "state": CallState.ANSWERED,
        "reply": f"Reply {number}",
        "at": "2026-01-01T00:00:00+00:00",
    }
    return Call(**{**given, **more})


def plain_use(number: int, project: str = "", **more: Any) -> Use:
    """A use of the call of that number."""
    return Use(**{"project_id": project, "call_id": f"call_{number}", "purpose": "judge", **more})
