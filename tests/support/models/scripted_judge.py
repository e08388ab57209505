"""A judging model that knows our suite: it judges every test rightly, but for the failure modes it is blind to."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import cache

from core.domain.results.judge_tests import UnitTest
from core.judges.unit_tests.conditions import VALUES, parse
from core.judges.unit_tests.suite import own_suite
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import Body, LlmServer

BY_RELATED = "unrelated additional information"
"""The failure that differs from the control with related information; all others differ from the first control."""

ASKED = ("answer_relevancy", "completeness", "faithfulness", "usefulness")


@cache
def by_text() -> dict[tuple[str, str], UnitTest]:
    """The suite by question and answer."""
    return {(test.question, test.actual): test for test in own_suite().tests}


def right(test: UnitTest, metric: str) -> int | None:
    """A value that fulfils the test's condition, null before any grade and high ones before low ones."""
    condition = parse(test.conditions[metric])
    return next(
        None if value is None else int(value) for value in (None, *reversed(VALUES[metric])) if condition.accepts(value)
    )


def as_judged(test: UnitTest, blind: Collection[str]) -> UnitTest:
    """The test whose judgement is given: its own, or that of the control where the failure is not seen."""
    if test.failure_mode not in blind:
        return test
    controls = [item for item in by_text().values() if item.situation == test.situation and not item.failure_mode]
    return controls[-1] if test.failure_mode == BY_RELATED else controls[0]


FILLER = "nothing else was decided on this day"
"""In a request that only finds out how long a prompt the endpoint takes."""


def asked(server: LlmServer) -> list[Body]:
    """The requests that were judgements."""
    return [body for body in server.bodies if FILLER not in body["messages"][-1]["content"]]


def judging(blind: Collection[str] = ()) -> Callable[[Body], Body | str]:
    """The script of a judge that does not see some failure modes."""

    def answer(body: Body) -> Body | str:
        texts = fenced(body)
        question = texts["question"][0]
        if "response" in texts:
            test = as_judged(by_text()[question, texts["response"][0]], blind)
            value = right(test, "verdict") if "verdict" in test.conditions else 1
            return {"reason": "As the suite says.", "verdict": "Correct" if value else "Incorrect"}
        first, second = texts["first_answer"][0], texts.get("second_answer", [""])[0]
        metric = next(name for name in ASKED if f'"{name}"' in json.dumps(body["response_format"]))
        judged = [as_judged(by_text()[question, text], blind) for text in (first, second) if text]
        return {
            f"answer_{place}": {f"{metric}_justification": "As the suite says.", metric: right(test, metric)}
            for place, test in enumerate(judged, start=1)
        }

    return answer
