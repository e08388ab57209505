"""Judged scores on the screens: claims and reasons of a case, the judges, raw replies, what needs a model."""

from __future__ import annotations

import pytest

from core.domain.jobs import JobState
from core.domain.results.responses import Score
from core.domain.status import Status
from core.llm.profile_settings import set_of
from core.runs.execute import execute_run
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.scoring import score_run
from core.store.results import scores
from tests.pages.clicks import captions, holding, keys, table
from tests.pages.evaluate.test_run import runs_of, wait
from tests.support.models.fenced import fenced
from tests.support.models.grouse_judge import judged, metric_of
from tests.support.runs import judged_run, scored_run
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said

HOSTILE = "<b>[Bold](http://evil.example)</b> $x$ **claim**"
CLAIMS = ["claim_faithfulness", "grouse_answer_relevancy", "grouse_completeness"]


def script(body):
    """Two claims of each answer, the first of them supported by the first passage; judge-b grades lower."""
    read = fenced(body)
    if metric := metric_of(body):
        grade = {"judge-a": 5, "judge-b": 2}.get(body["model"], 4)
        answers = [name for name in ("first_answer", "second_answer") if name in read]
        flag = {"answer_affirms_no_document_answers": True} if metric == "answer_relevancy" else {}
        return {f"answer_{place}": judged(metric, grade) | flag for place, _ in enumerate(answers, start=1)}
    if "claim" in read:
        verdicts = [
            {"claim": n, "reason": "Read it.", "passage": 1 if n == 1 else None, "verdict": "Yes" if n == 1 else "No"}
            for n, _ in enumerate(read["claim"], start=1)
        ]
        return {"verdicts": verdicts}
    return {"claims": [read["answer"][0], HOSTILE]}


@pytest.fixture
def run(store, project):
    """A run whose answers are scored by a judge, and by two."""
    made = scored_run.add_run(store, project.id, scored_run.rows())
    with LlmServer(script) as server:
        one = ScoringOptions(metric_judges=f"llm:{server.spec('judge')}")
        two = ScoringOptions(metric_judges=f"llm:{server.spec('judge-a')},llm:{server.spec('judge-b')}")
        assert score_run(store, made.id, CLAIMS[:2], actor=ACTOR, options=one)
        assert score_run(store, made.id, CLAIMS[2:], actor=ACTOR, options=two)
    return made


@pytest.mark.slow
def test_each_claim_has_its_verdict_and_the_text_that_decides(open_page, run, project):
    app = open_page("results", project=project.id, run=run.id, case="case-0", metric="claim_faithfulness")
    assert not app.exception
    texts = [item.value for item in app.text]
    assert HOSTILE in texts, "a claim is shown as text"
    assert not any("evil.example" in item.value for item in app.markdown)
    shown = said(app) + captions(app)
    assert "not supported" in shown
    assert "1 of 2 claims that can be checked are supported." in shown
    assert "Passage 1 as it was checked" in captions(app)
    assert any(box.key == "claim_shown" for box in app.selectbox)
    assert any('"verdicts"' in item.value for item in app.code), "the raw reply is there"
    assert "claim_support, version 2" in shown


def test_a_contradiction_is_told_beside_the_reason(open_page, run, project):
    app = open_page("results", project=project.id, run=run.id, case="case-0", metric="grouse_answer_relevancy")
    assert "Because of the answer_relevancy." in [item.value for item in app.text]
    assert any("gives a grade and says" in item.value for item in app.warning)


@pytest.mark.slow
def test_several_judges_stand_beside_each_other(open_page, run, project):
    app = open_page("results", project=project.id, run=run.id, case="case-0", metric="grouse_completeness")
    judges = holding(app, "What it says")
    assert list(judges["Value"]) == ["5.00", "2.00"]
    assert "3 apart" in said(app)
    apart = open_page("judges", project=project.id, run=run.id, view="scores", a="grouse_completeness")
    assert not apart.exception
    assert "they agree in 0 of" in said(apart)
    assert table(apart, "judges_apart")["Apart"].iloc[0] == 3.0


def test_the_judges_table_of_behaviour_stands_beside_ours(open_page, run, project):
    app = open_page("results", project=project.id, run=run.id)
    frame = holding(app, "Answered, by the judge")
    assert list(frame["Question"]) == ["Answerable", "Not answerable"]
    assert "agree on whether the target answered" in captions(app)


@pytest.mark.slow
def test_judged_scores_are_compared_with_metrics_that_explain_themselves(open_page, run, project):
    pair = {"a": "claim_faithfulness", "b": "groundedness"}
    app = open_page("judges", project=project.id, run=run.id, view="scores", **pair)
    assert not app.exception
    assert "rank correlation" in said(app)


def offered(app) -> list[str]:
    """The metrics that can be chosen."""
    return next(item.options for item in app.multiselect if (item.key or "").startswith("score_metrics_"))


def test_without_a_model_the_page_says_what_is_needed_and_scores_the_rest(open_page, bank):
    app = open_page("results", project=bank.id, view="metrics")
    assert not app.exception
    assert "ask a judging model, and this project knows none yet" in captions(app)
    assert "connect_judge" in keys(app)
    assert "Claim faithfulness" not in offered(app)
    assert "Answered" in offered(app)


@pytest.mark.slow
def test_a_chosen_judge_makes_its_metrics_ready(open_page, run, project, store):
    app = open_page("results", project=project.id, run=run.id, view="metrics")
    judges = app.multiselect(key="score_judges")
    assert any(option.startswith("judge at ") for option in judges.options)
    assert "Claim coverage" not in offered(app)
    with store.read() as connection:
        judge = scores.of_run(connection, run.id)["claim_faithfulness"].options["judge"]
    judges.set_value([judge]).run()
    assert not app.exception
    assert "Claim coverage" in offered(app)
    chosen = next(item for item in app.multiselect if (item.key or "").startswith("score_metrics_"))
    app = chosen.set_value(["claim_coverage", "grouse_usefulness"]).run()
    assert not app.exception
    assert "model calls" in said(app)
    assert set(holding(app, "Tokens sent")["Purpose"]) == {"Claims of an answer", "Support of claims", "GroUSE grades"}


@pytest.mark.slow
def test_several_judges_are_chosen_before_a_run(open_page, finished, bank):
    """Claims by two models, though rules give the verdict; where no model is known the page does not ask for one."""
    app = open_page("run", project=bank.id)
    assert not any(str(box.key).endswith("_judges") for box in app.multiselect)
    with LlmServer(script) as server:
        specs = [server.spec("judge-a"), server.spec("judge-b")]
        for spec in specs:
            set_of(finished, bank.id, spec, {"system": True}, actor=ACTOR)
        app = open_page("run", project=bank.id)
        app.selectbox(key="target").set_value("bm25").run()
        app.multiselect(key="run_match_judges").set_value(specs).run()
        app.segmented_control(key="run_match_ensemble").set_value("majority").run()
        (chosen,) = [box for box in app.multiselect if str(box.key).startswith("metrics_")]
        chosen.set_value(["claim_coverage"]).run()
        assert not app.exception
        app.button(key="start_run").click().run()
        started = runs_of(finished, bank.id)[0]
        wait(finished, started.id, JobState.FINISHED)
        asked = {body["model"] for body in server.bodies}
    assert started.options["metrics"] == ["claim_coverage"]
    assert started.options["metric_judges"] == ",".join(f"llm:{spec}" for spec in specs)
    assert started.options["ensemble"] == "majority"
    assert asked == {"judge-a", "judge-b"}


def test_a_verdict_by_a_model_shows_its_votes_the_rules_and_the_replies(open_page, store, tmp_path):
    with LlmServer(judged_run.verdict) as server:
        planned = judged_run.judged_run(store, tmp_path, server, 2, judge_repeats=3)
        assert execute_run(store, planned.id, actor=ACTOR)
    app = open_page("results", project=planned.project_id, run=planned.id, case="c1")
    assert not app.exception
    assert "Wrong** · judged by **m**" in said(app).replace("]", "")
    assert 'Votes: 3 Incorrect. The rules say: wrong (The answer does not state "Truth 1").' in captions(app)
    assert "reference_verdict, version 1" in said(app)
    assert sum('"verdict"' in item.value for item in app.code) == 3, "the raw replies"


def test_scores_without_a_value_do_not_stand_beside_the_cases(open_page, store, project):
    made = scored_run.add_run(store, project.id, scored_run.rows())
    nothing = Status.NOT_APPLICABLE
    with store.write(ACTOR, "test.scores") as connection:
        for metric in ("faithfulness", "grouse_faithfulness"):
            without = [
                Score(case_id=f"case-{place}", metric=metric, value=None, status=nothing, detail={"unfound": ["x"]})
                for place in range(12)
            ]
            scores.put(connection, made.id, without)
    app = open_page("results", project=project.id, run=made.id)
    assert not app.exception
    (shown,) = [box for box in app.selectbox if box.label == "Show the evidence of"]
    assert shown.value == "groundedness"
    (beside,) = [box for box in app.multiselect if box.label == "Scores beside each case"]
    assert beside.value == ["groundedness", "recall"]
