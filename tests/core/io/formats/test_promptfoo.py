"""The JSON of promptfoo: its tests as cases, and nothing guessed where several answers, prompts or questions stand."""

import json

import pytest

from core.domain.errors import InvalidInput
from core.runs.exchange.reading import read_exchange


def result(place, provider="openai:m", **changes):
    return {
        "testIdx": place,
        "promptIdx": 0,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": "Answer {{question}}", "label": "plain"},
        "vars": {"question": f"What is fee {place}?", "region": "north"},
        "testCase": {"description": "Fees", "assert": [{"type": "contains", "value": "EUR"}]},
        "response": {"output": f"It is {place} EUR.", "tokenUsage": {"total": 20}},
        "success": place != 1,
        "score": 0.5,
        "namedScores": {"tone": 0.25},
        "gradingResult": {"pass": place != 1, "score": 0.5, "reason": "It names the fee."},
        "latencyMs": 1500,
        **changes,
    }


def written(tmp_path, *results, summary=True):
    content = {"version": 3, "results": list(results), "stats": {"successes": 1}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"evalId": "e1", "results": content, "config": {"tests": []}} if summary else content))
    return path


@pytest.mark.parametrize("summary", [True, False])
def test_each_result_is_a_case_with_its_scores_reason_seconds_and_tokens(tmp_path, summary):
    found = read_exchange(written(tmp_path, result(0), result(1), summary=summary))
    assert found.spec.name == "promptfoo"
    first, second = found.records
    assert (first.case.case_id, first.case.question) == ("test-0", "What is fee 0?")
    assert (first.response.answer, first.response.latency_s, first.response.tokens) == ("It is 0 EUR.", 1.5, 20)
    assert first.case.attributes["vars.region"] == "north"
    assert first.case.reference_answers == (), "that it holds EUR is no answer to the question"
    scores = {score.metric: score.value for score in second.scores}
    assert scores == {"promptfoo.success": 0.0, "promptfoo.score": 0.5, "promptfoo.namedscores_tone": 0.25}
    (success,) = [score for score in second.scores if score.metric == "promptfoo.success"]
    assert success.detail["reason"] == "It names the fee."


def test_lines_of_results_are_read_like_the_whole(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(json.dumps(result(place)) for place in range(2)))
    assert [one.response.answer for one in read_exchange(path).records] == ["It is 0 EUR.", "It is 1 EUR."]


def test_an_assertion_that_names_the_answer_is_the_reference_where_there_is_one(tmp_path):
    one = {"assert": [{"type": "equals", "value": "0 EUR"}, {"type": "contains", "value": "EUR"}]}
    two = {"assert": [{"type": "equals", "value": "1 EUR"}, {"type": "similar", "value": "one euro"}]}
    found = read_exchange(written(tmp_path, result(0, testCase=one), result(1, testCase=two)))
    assert [record.case.reference_answers for record in found.records] == [("0 EUR",), ()]


def test_what_a_provider_of_ones_own_returns_is_read_as_a_reply_with_its_passages(tmp_path):
    output = {"answer": "12 EUR.", "context": [{"page_content": "It is 12.", "metadata": {"source": "fees.md"}}]}
    (record,) = read_exchange(written(tmp_path, result(0, response={"output": output}))).records
    assert record.response.answer == "12 EUR."
    assert [(one.document_id, one.text) for one in record.response.contexts] == [("fees.md", "It is 12.")]


def test_a_provider_that_failed_has_its_error_and_no_answer(tmp_path):
    failed = result(1, response={"error": "rate limited"}, error="rate limited", success=False)
    found = read_exchange(written(tmp_path, result(0), failed))
    assert (found.records[1].response.answer, found.records[1].response.error) == (None, "rate limited")


def test_of_several_providers_one_is_named_and_the_others_are_counted(tmp_path):
    path = written(tmp_path, result(0), result(0, provider="openai:n"), result(1))
    with pytest.raises(InvalidInput, match="answers of 2 providers or prompts"):
        read_exchange(path)
    found = read_exchange(path, model="openai:m")
    assert [record.case.case_id for record in found.records] == ["test-0", "test-1"]
    assert "1 are not of openai:m" in found.ignored["results of others"]


def test_of_several_variables_without_a_usual_name_none_is_taken_for_the_question(tmp_path):
    path = written(tmp_path, result(0, vars={"topic": "Fees and terms", "language": "German, formal"}))
    with pytest.raises(InvalidInput, match="no column holds the question"):
        read_exchange(path)
    (record,) = read_exchange(path, overrules={"vars.topic": "question"}).records
    assert record.case.question == "Fees and terms"
