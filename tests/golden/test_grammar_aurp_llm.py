"""The recorded Aurp runs judged through the whole model path give the numbers of the replay.

The scripted server knows the verdicts of SemanticsMatch by (question, true answer, response), which it reads between
the markers of the prompt, and knows nothing else: what nobody judged is a failed call there and not judged here.
"""

import ast
import json
from collections import Counter

import pytest

from core.diagnosis import Tag, diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.project.service import create_project
from core.runs.exchange.recordings import import_recording
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.database import Store
from core.store.results import runs, scores
from tests.golden.test_grammar_aurp import REFINED, WHOLE, replay
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.shared_data import shared
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def verdicts(form):
    """What the authors' judge said, by question, true answer and response; those without a response left out."""
    recorded = json.loads(shared(f"grammar-aurp/SemanticsMatch/{form}.json").read_text(encoding="utf-8"))
    parsed = {ast.literal_eval(key): said for key, (said,) in recorded.items()}
    return {tuple(str(part) for part in key): said for key, said in parsed.items() if key[2] is not None}


def authors(form):
    known = verdicts(form)

    def script(body):
        read = fenced(body)
        key = (read["question"][0], read["true_answer"][0], read["response"][0])
        if key not in known:
            return Fault(status=404)
        return {"reason": "As the authors recorded.", "verdict": known[key]}

    return script


def judged(store, name, server, folder):
    """The recording's cases and answers as a test set and a file of answers, run and judged by the server's model."""
    project = create_project(store, "Aurp", ACTOR)
    path = shared("grammar-aurp/eval_results") / f"{name}.json"
    imported = import_recording(store, project.id, [path], actor=ACTOR, name=name)
    with store.read() as connection:
        answers = runs.responses(connection, imported.id)
    rows = [
        {"case_id": one.case_id, "answer": one.answer, "document_ids": list(one.document_ids), "error": one.error}
        for one in answers.values()
    ]
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run = create_run(
        store,
        imported.test_set_id,
        actor=ACTOR,
        target=f"recorded:{file}",
        judge=f"llm:{server.spec('judge')}",
        options={"known_ids": imported.options["known_ids"]},
    )
    assert execute_run(store, run.id, actor=ACTOR)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", WHOLE)
def test_the_model_path_gives_the_numbers_of_the_replay(store, tmp_path, name):
    form = name.split("_")[1]
    with LlmServer(authors(form)) as server:
        run = judged(store, name, server, tmp_path)
        asked = {tuple(part[0] for part in fenced(body).values()) for body in server.bodies}
        assert len(asked) == len(server.bodies), "one question about one answer is asked once"
    read = diagnosis_rows(store, run.id)
    found = diagnose(read.rows, unjudged="incorrect", known_ids=read.known_ids).figures
    recorded = replay(name).figures
    correct, matched, compared, n, gap, robust, non_robust = WHOLE[name]
    assert (found.accuracy.num, found.accuracy.den) == (correct, n)
    assert (found.id_match.num, found.context_comparison.num) == (matched, compared)
    assert [found.tags[tag].groups for tag in (Tag.GAP, Tag.ROBUST, Tag.NON_ROBUST)] == [gap, robust, non_robust]
    refined = found.refined
    assert (refined.accuracy.num, refined.id_match.num, refined.context_comparison.num, refined.accuracy.den) == (
        REFINED[name]
    )
    assert found == recorded, "every figure, interval and attribution"


def test_what_nobody_judged_has_its_reason(store, tmp_path):
    with LlmServer(authors("short")) as server:
        run = judged(store, "results_short", server, tmp_path)
    with store.read() as connection:
        kept = scores.of_metric(connection, run.id, VERDICT_METRIC)
    # 84 correct and 6 incorrect of 314 are recorded (tests/golden/test_grammar_aurp.py).
    assert Counter(score.value for score in kept.values()) == {1.0: 84, 0.0: 6, None: 224}
    reasons = Counter(score.status for score in kept.values() if score.value is None)
    assert set(reasons) <= {Status.API_ERROR, Status.NOT_JUDGED}
    assert sum(reasons.values()) == 224
    judged_ones = [score for score in kept.values() if score.value is not None]
    assert all(score.detail["reason"] == "As the authors recorded." for score in judged_ones)
    assert all(score.detail["call_ids"] for score in judged_ones)
