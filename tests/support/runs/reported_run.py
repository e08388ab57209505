"""A finished run whose texts are hostile and hold personal data and secrets, for whatever shows or exports them."""

from __future__ import annotations

from core.domain.results.findings import Finding, FindingKind, finding_id
from core.domain.results.responses import Context, Response, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.project.service import create_project
from core.store.database import Store
from core.store.people import findings
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.small_bank import ACTOR

AT = "2026-11-21T05:00:00+00:00"

HOSTILE = (
    "<script>alert('x')</script>",
    "<img src=https://evil.example/a.png onerror=alert(1)>",
    "![picture](https://evil.example/b.png)",
    "</script><b>bold</b>",
    '=HYPERLINK("https://evil.example";"click")',
    "paid \u202e0001 EUR",
    "{{ 7 * 7 }} {% raw %}",
    "<a href='javascript:alert(2)'>link</a> & <!-- comment",
)
"""Texts that would do something where they are not taken as text."""

PRIVATE = {
    "email": "ann.sharp@example.org",
    "iban": "GB29NWBK60161331926819",
    "card": "4111 1111 1111 1111",
    "key": "sk-proj-a8Fk29dLq0Zx81mNv72pQw34",
    "password": "Tr0ub4dor-and-3",
}
"""What no report may show, by kind."""

SENTENCES = {
    "email": f"You can reach her at {PRIVATE['email']} at home.",
    "iban": f"Pay to the account {PRIVATE['iban']} of Ann Sharp.",
    "card": f"Her card number is {PRIVATE['card']}.",
    "key": f"Use the key {PRIVATE['key']} for it.",
    "password": f"The password is {PRIVATE['password']}.",
}


def reported_run(store: Store) -> Run:
    """A project with such a run: half of the answers wrong, one not judged, one failed, a finding, hostile levels."""
    project = create_project(store, "Bank <b>of</b> Ann", ACTOR, description=f"Ask {PRIVATE['email']} about it.")
    texts = [*HOSTILE, *SENTENCES.values()]
    cases = [
        TestCase(
            case_id=f"c{number:02}",
            question=f"What of {text}",
            reference_answers=(f"Reference {text}",),
            form=("short", "<i>long</i>")[number % 2],
            group_id=f"g{number // 2}",
            gold_document_ids=(f"doc:{number}",),
            attributes={"topic": HOSTILE[number % 4]},
        )
        for number, text in enumerate(texts)
    ]
    test_set = TestSet(id="ts_report", project_id=project.id, name="Set <u>one</u>")
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
    run = Run(
        id="run_report",
        project_id=project.id,
        test_set_id=test_set.id,
        target=f"openai:bank-model@https://user:{PRIVATE['password']}@llm.example/v1?api_key={PRIVATE['key']}",
        judge="match",
        state=RunState.FINISHED,
        options={"k": 3, "api_key": PRIVATE["key"], "note": HOSTILE[0]},
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    finding = Finding(
        id=finding_id(run.id, VERDICT_METRIC, FindingKind.LEVEL, [("topic", HOSTILE[0])]),
        project_id=project.id,
        run_id=run.id,
        kind=FindingKind.LEVEL,
        score=VERDICT_METRIC,
        conditions=(("topic", HOSTILE[0]),),
        text=f"Questions about {HOSTILE[0]} are wrong; {SENTENCES['email']}",
        figures={"effect": 0.3, "scored": 4},
        case_ids=("c00",),
        owner="=cmd|' /C calc'!A0",
        comment=SENTENCES["iban"],
        created_at=AT,
        created_by=ACTOR,
    )
    with store.write(ACTOR, "test.run", project_id=project.id) as connection:
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [_response(case, number) for number, case in enumerate(cases)])
        scores.put(connection, run.id, [score for number, case in enumerate(cases) if (score := _score(case, number))])
        findings.put(connection, [finding])
    return run


def _response(case: TestCase, number: int) -> Response:
    if number == 3:
        return Response(case_id=case.case_id, answer=None, error=f"refused: {HOSTILE[0]} {SENTENCES['key']}")
    text = case.reference_answers[0].removeprefix("Reference ")
    return Response(
        case_id=case.case_id,
        answer=f"Answer {text}",
        contexts=(Context(document_id=f"doc:{number}", text=f"Passage {text}"),),
        latency_s=0.25,
    )


def _score(case: TestCase, number: int) -> Score | None:
    if number == 3:
        return None
    if number == 4:
        return Score(case_id=case.case_id, metric=VERDICT_METRIC, value=None, status=Status.NOT_JUDGED)
    detail = {"reason": f"because {case.question}", "verdict": (Verdict.CORRECT if number % 2 else Verdict.INCORRECT)}
    return Score(case_id=case.case_id, metric=VERDICT_METRIC, value=float(number % 2), detail=detail)
