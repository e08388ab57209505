"""Claims as metrics: the figures of Cohere's tutorial by its own assessments, and where each claim stands."""

import pytest

from core.domain.results.responses import Context
from core.domain.status import Status
from core.llm import load_prompt, open_chat
from core.metrics import Models, Sample, find_metrics, score_samples
from core.metrics.evidence import words_at
from core.metrics.judges import Panel
from core.metrics.prepared import Part
from core.store.database import Store
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url

NAMES = ("claim_faithfulness", "claim_correctness", "claim_coverage")
QUESTION = "How has Apple's total net sales changed over time?"
ANSWER = (
    "Apple's total net sales experienced a decline over the last year. The three-month period ended July 1, 2023, saw "
    "a total net sale of $81,797 million, which was a 1% decrease from the same period in 2022. The nine-month period "
    "ended July 1, 2023, fared slightly better, with a 3% decrease in net sales compared to the first nine months of "
    "2022.\nThis downward trend continued into the three and six-month periods ending April 1, 2023. Apple's total "
    "net sales decreased by 3% and 4% respectively, compared to the same periods in 2022."
)
CLAIMS = (
    "Apple's total net sales experienced a decline over the last year.",
    "The three-month period ended July 1, 2023, saw a total net sale of $81,797 million.",
    "This was a 1% decrease from the same period in 2022.",
    "The nine-month period ended July 1, 2023, had a 3% decrease in net sales compared to the first nine months of "
    "2022.",
    "The downward trend continued into the three and six-month periods ending April 1, 2023.",
    "Apple's total net sales decreased by 3% and 4% respectively, compared to the same periods in 2022.",
)
GOLD = (
    "In the quarter ended July 1, 2023, the total net sales were $81,797 million, after $82,959 million a year before."
)
GOLD_CLAIMS = (
    "For the quarterly period ended June 25, 2022, the total net sales were $82,959 million.",
    "For the quarterly period ended December 31, 2022, the total net sales were $117,154 million.",
    "For the quarterly period ended April 1, 2023, the total net sales were $94,836 million.",
    "For the quarterly period ended July 1, 2023, the total net sales were $81,797 million.",
    "There was an increase in total net sales from the quarter ended June 25, 2022, to the quarter ended December 31, "
    "2022.",
    "There was a decrease in total net sales in the quarters ended April 1, 2023, and July 1, 2023.",
)
PASSAGES = (
    "Total net sales $ 94,836 $ 97,278 (3)% $ 211,990 $ 221,223 (4)%. iPhone net sales were relatively flat.",
    "Net sales by category follow. Total net sales for the three months ended July 1, 2023 were $ 81,797 million.",
)
SUPPORTED = {  # the tutorial's own assessments, claim by claim
    (CLAIMS, PASSAGES): "111111",
    (tuple(claim.replace("2022", "1922") for claim in CLAIMS), PASSAGES): "110010",
    (CLAIMS, (GOLD,)): "110010",
    (GOLD_CLAIMS, (ANSWER,)): "000101",
}


def tutorial(body):
    """Extracts and assesses as the tutorial shows its model to."""
    read = fenced(body)
    if "claim" not in read:
        (text,) = read["answer"]
        claims = GOLD_CLAIMS if text == GOLD else CLAIMS
        return {"claims": [claim.replace("2022", "1922") if "1922" in text else claim for claim in claims]}
    tags = SUPPORTED[tuple(read["claim"]), tuple(read["passage"])]
    return {
        "verdicts": [
            {"claim": n, "reason": "So.", "passage": len(read["passage"]) if tag == "1" else None, "verdict": verdict}
            for n, (tag, verdict) in enumerate(((tag, "Yes" if tag == "1" else "No") for tag in tags), start=1)
        ]
    }


def sample(**changes):
    return Sample(
        **{
            "case_id": "aapl",
            "question": QUESTION,
            "answer": ANSWER,
            "contexts": tuple(Context(document_id=f"d{n}", text=text) for n, text in enumerate(PASSAGES)),
            "references": (GOLD,),
            **changes,
        }
    )


@pytest.fixture
def scored(tmp_path):
    """Scores a sample by the metrics of claims, with what a script replies; also how many calls it took."""

    def score(script, *names, **changes):
        with Store.open(blank_url(tmp_path)) as store, LlmServer(script) as server:
            panel = Panel(judges=(open_chat(store, "", server.spec()),), prompts=load_prompt)
            (batch,) = score_samples([sample(**changes)], find_metrics(names or NAMES), Models(panel=panel))
            return {item.metric: item for item in batch}, len(server.bodies)

    return score


def test_the_tutorials_figures_by_its_own_assessments(scored):
    scores, calls = scored(tutorial)
    assert [scores[name].value for name in NAMES] == [1.0, 0.5, pytest.approx(1 / 3)]
    assert calls == 5, "two extractions, three assessments: the answer's claims are extracted once"


def test_with_the_century_changed_half_the_claims_are_supported(scored):
    scores, _ = scored(tutorial, "claim_faithfulness", answer=ANSWER.replace("2022", "1922"))
    assert scores["claim_faithfulness"].value == 0.5
    verdicts = [claim["verdict"] for claim in scores["claim_faithfulness"].detail["claims"]]
    assert verdicts == ["Yes", "Yes", "No", "No", "Yes", "No"]


def test_each_claim_stands_with_its_sentence_and_the_one_that_decides(scored):
    scores, _ = scored(tutorial, "claim_faithfulness")
    claims = scores["claim_faithfulness"].detail["claims"]
    second = claims[1]
    assert second["passage"] == 2
    assert words_at(sample(), Part(second["of"]), tuple(second["at"])).startswith("The three-month period ended July 1")
    decides = words_at(sample(), Part(second["best_of"]), tuple(second["best"]))
    assert decides == "Total net sales for the three months ended July 1, 2023 were $ 81,797 million."
    assert scores["claim_faithfulness"].detail["reason"] == "6 of 6 claims of the answer are supported."
    assert len(scores["claim_faithfulness"].detail["call_ids"]) == 2


@pytest.mark.parametrize(
    ("changes", "statuses"),
    [
        ({"answer": ""}, {"claim_faithfulness": "null_judgement", "claim_correctness": "null_judgement"}),
        ({"answer": "", "contexts": None}, {"claim_faithfulness": "missing_input", "claim_coverage": "scored"}),
        ({"answer": None}, dict.fromkeys(NAMES, "missing_input")),
        ({"references": ()}, {"claim_correctness": "missing_input", "claim_coverage": "missing_input"}),
        ({"contexts": ()}, {"claim_faithfulness": "scored"}),
    ],
)
def test_what_is_missing_has_a_reason(scored, changes, statuses):
    scores, _ = scored(tutorial, *statuses, **changes)
    assert {name: scores[name].status.value for name in statuses} == statuses
    for score in scores.values():
        if score.status is Status.SCORED:
            assert score.value == 0.0, "nothing was retrieved or nothing was said, so nothing is supported"


def test_a_claim_that_cannot_be_checked_is_left_out_and_counted(scored):
    def script(body):
        if "claim" not in fenced(body):
            return {"claims": ["One.", "Two.", "Three."]}
        return {"verdicts": [{"claim": n, "reason": "", "verdict": v} for n, v in ((1, "Yes"), (2, None), (3, "No"))]}

    scores, _ = scored(script, "claim_faithfulness")
    assert scores["claim_faithfulness"].value == 0.5
    assert scores["claim_faithfulness"].detail["counts"] == {"Yes": 1, "Null": 1, "No": 1}


@pytest.mark.parametrize(
    ("script", "status"),
    [
        (lambda body: {"claims": []}, Status.NULL_JUDGEMENT),
        (lambda body: "- One claim.", Status.PARSE_FAILED),
        (lambda body: Fault(status=400), Status.API_ERROR),
        (lambda body: {"verdicts": []} if "claim" in fenced(body) else {"claims": ["One."]}, Status.PARSE_FAILED),
        (
            lambda body: (
                {"verdicts": [{"claim": 1, "reason": "", "verdict": "Null"}]}
                if "claim" in fenced(body)
                else {"claims": ["One."]}
            ),
            Status.NULL_JUDGEMENT,
        ),
    ],
)
def test_a_failure_is_a_reason_and_never_a_zero(scored, script, status):
    scores, _ = scored(script, "claim_faithfulness")
    score = scores["claim_faithfulness"]
    assert (score.value, score.status) == (None, status)
    assert score.detail["reason"]


def test_a_passage_that_does_not_exist_is_none(scored):
    def script(body):
        if "claim" not in fenced(body):
            return {"claims": ["Total net sales were $ 81,797 million."]}
        return {"verdicts": [{"claim": 1, "reason": "", "passage": "[9]", "verdict": "Yes"}]}

    scores, _ = scored(script, "claim_faithfulness")
    (claim,) = scores["claim_faithfulness"].detail["claims"]
    assert "passage" not in claim
    assert claim["best"][0] == 1, "a supported claim is looked for in all passages"
