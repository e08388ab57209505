"""Model calls, tokens and money of a run before it starts."""

import pytest

from core.domain.llm import CallState
from core.domain.sources.documents import Corpus, Document
from core.domain.testset.cases import TestCase
from core.llm import load_prompt
from core.llm.spending import prices
from core.llm.spending.estimates import CHARACTERS_A_TOKEN, MEASURED_LEAST, Between
from core.runs.planning.call_estimate import ANSWER_TOKENS, CONTEXT_EXTRA, RunGrounds, parts_of
from core.store.models.reads import Size

PLACE = "http://llm.example/v1"
PRICES = {"m": prices.price_of("m", "2", "10", "EUR")}


def cases(number, **more):
    return [
        TestCase(case_id=f"c{place}", question="Who is it?", reference_answers=("Ada",), **more)
        for place in range(number)
    ]


def size(sent, received, *, seconds=0.5, state=CallState.ANSWERED):
    return Size(prompt_tokens=sent, completion_tokens=received, latency_s=seconds, state=state)


def run_grounds(sizes=(), *, probed=True, corpus=None, table=PRICES):
    return RunGrounds(
        prompts=load_prompt,
        prices=table,
        sizes=lambda *what: list(sizes),
        ceiling=lambda url: 4,
        probed=lambda model, url: probed,
        corpus=corpus,
    )


def judged(number=10, *, options=None, **more):
    (part,) = parts_of(
        cases(number), target="bm25", judge=f"llm:m@{PLACE}", options=options or {}, grounds=run_grounds(**more)
    )
    return part


def test_without_a_model_there_is_no_call():
    for target, judge in (("bm25", "match"), ("http:file.yaml", "match"), ("recorded:a.csv", "recorded:b.csv")):
        assert parts_of(cases(3), target=target, judge=judge, options={}, grounds=run_grounds()) == ()
    assert parts_of([], target=f"openai:m@{PLACE}", judge=f"llm:m@{PLACE}", options={}, grounds=run_grounds()) == ()


def test_each_case_is_judged_as_often_as_asked():
    assert judged(10).calls == Between(low=10, high=10)
    assert judged(10, options={"judge_repeats": 3}).calls == Between(low=30, high=30)
    # Nobody knows how many answers the rules leave over.
    assert judged(10, options={"judge_repeats": 3, "judge_match_first": True}).calls == Between(low=0, high=30)
    # One call or two find out how the endpoint is held to a form, where that is not known.
    assert judged(10, probed=False).calls == Between(low=11, high=12)


def test_a_case_without_a_reference_is_not_judged():
    some = [*cases(2), TestCase(case_id="x", question="?", reference_answers=(" ",))]
    (part,) = parts_of(some, target="bm25", judge=f"llm:m@{PLACE}", options={}, grounds=run_grounds())
    assert part.calls.high == 2
    assert "1 of 3 cases have no reference" in " ".join(part.notes)


def test_measured_calls_give_tokens_and_money():
    part = judged(10, sizes=[size(100, 20)] * MEASURED_LEAST)
    # Twenty equal calls leave nothing open: 10 x 100 and 10 x 20 tokens, at 2 and 10 a million.
    assert (part.prompt_tokens, part.completion_tokens) == (Between(low=1000, high=1000), Between(low=200, high=200))
    assert part.money == Between(low=0.004, high=0.004)
    assert (part.measured, part.seconds, part.currency) == (20, 0.5, "EUR")


def test_a_measured_mean_has_a_range():
    past = [size(100, 10), size(140, 10)] * 10
    part = judged(100, sizes=past)
    # Standard deviation 20 x sqrt(20/19) = 20.52; 1.96 of it by sqrt(20) is 8.99 to either side of 120.
    assert part.prompt_tokens.low == pytest.approx(100 * (120 - 8.993), rel=1e-3)
    assert part.prompt_tokens.high == pytest.approx(100 * (120 + 8.993), rel=1e-3)


def test_few_past_calls_are_not_believed():
    part = judged(10, sizes=[size(5, 5)] * (MEASURED_LEAST - 1))
    assert part.measured == 0
    assert part.prompt_tokens.low > 10 * 5
    assert part.seconds == 0.5


def test_malformed_replies_of_the_past_are_asked_for_again():
    past = [size(100, 10, state=CallState.MALFORMED)] * 5 + [size(100, 10)] * 15
    assert judged(10, sizes=past).calls == Between(low=10, high=13)


def test_without_a_price_there_is_no_cost():
    assert judged(10, table={}).money is None
    free = {"m": prices.price_of("m", "0", "0", "")}
    assert judged(10, table=free).money == Between(low=0.0, high=0.0)


def test_a_target_sends_its_passages():
    corpus = Corpus(documents=tuple(Document(id=f"d{place}", title="", text="x" * 1000) for place in range(5)))
    seen = {}
    for mode, k in (("closed_book", 3), ("retrieval", 1), ("retrieval", 3), ("retrieval", 50)):
        (part,) = parts_of(
            cases(10),
            target=f"openai:m@{PLACE}",
            judge="match",
            options={"mode": mode, "k": k},
            grounds=run_grounds(corpus=corpus),
        )
        assert part.calls == Between(low=10, high=10)
        assert part.completion_tokens == Between(low=10 * ANSWER_TOKENS[0], high=10 * ANSWER_TOKENS[1])
        seen[mode, k] = part.prompt_tokens
    # Two passages more in each of ten questions, at 3 to 5 characters a token.
    more = 10 * 2 * (1000 + CONTEXT_EXTRA)
    assert seen["retrieval", 3].low - seen["retrieval", 1].low == pytest.approx(more / CHARACTERS_A_TOKEN[1])
    assert seen["retrieval", 3].high - seen["retrieval", 1].high == pytest.approx(more / CHARACTERS_A_TOKEN[0])
    assert seen["closed_book", 3].high < seen["retrieval", 1].high
    # There are only five documents.
    assert seen["retrieval", 50].low - seen["retrieval", 3].low == pytest.approx(more / CHARACTERS_A_TOKEN[1])


def test_gold_documents_are_known_to_the_letter():
    corpus = Corpus(documents=(Document(id="d0", title="", text="x" * 940), Document(id="d1", title="", text="x")))
    (bare,), (full,) = (
        parts_of(
            cases(10, gold_document_ids=gold),
            target=f"openai:m@{PLACE}",
            judge="match",
            options={"mode": "oracle"},
            grounds=run_grounds(corpus=corpus),
        )
        for gold in ((), ("d0", "gone"))
    )
    assert full.prompt_tokens.low - bare.prompt_tokens.low == pytest.approx(10 * 1000 / CHARACTERS_A_TOKEN[1])
