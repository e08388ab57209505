"""Figures: scale, unit, precision, sign, period, the figure an answer concludes with, references in prose."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from core.domain.errors import InvalidInput
from core.judging.match import judge_match
from core.judging.match.figures.wanted.prose import wanted_figures
from core.judging.match.readers.figures.scales import stated_scales
from core.judging.match.readers.layout.figure_text import figure_reference, figure_text
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.periods import find_periods
from core.judging.match.settings import CoarseDates, MatchSettings
from core.stats.agreement.cohen import cohen_kappa
from tests.support.shared_data import shared

TABLES = Path(__file__).parent / "tables"
CASES = json.loads((TABLES / "figure_cases.json").read_text(encoding="utf-8"))
LONG = json.loads((TABLES / "long_answers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[f"{place:03d} {case['why']}" for place, case in enumerate(CASES)])
def test_case(case):
    judgement = judge_match(case["question"], case["references"], case["answer"])
    assert (judgement.verdict.value, judgement.rule) == (case["verdict"], case["rule"]), judgement.reason
    assert judgement.reason


def test_no_case_stands_twice():
    distinct = {json.dumps([case["question"], case["references"], case["answer"]]) for case in (*CASES, *LONG)}
    assert len(distinct) == len(CASES) + len(LONG)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("half", "table"),
    [
        # the figures of docs/match-judge.md; no rule was changed for the held-out answers
        ("tuned", {("correct", "correct"): 88, ("incorrect", "incorrect"): 85}),
        (
            "held out",
            {
                ("correct", "correct"): 58,
                ("correct", "not_judged"): 2,
                ("incorrect", "incorrect"): 56,
            },
        ),
    ],
)
def test_verdicts_on_long_answers_agree_with_a_persons(half, table):
    rows = [row for row in LONG if row["half"] == half]
    ours = [judge_match(row["question"], row["references"], row["answer"]).verdict.value for row in rows]
    assert Counter(zip((row["verdict"] for row in rows), ours, strict=True)) == table
    # held out: p_o = 114/116, p_e = (60 x 58 + 56 x 56) / 116^2 = 0.4917; kappa = 0.9661
    assert cohen_kappa([row["verdict"] for row in rows], ours).value >= 0.93


@pytest.mark.parametrize("formatting", [str.upper, lambda text: f"  {text}\n", lambda text: f"**{text}**"])
def test_how_a_figure_is_set_does_not_count(formatting):
    for case in CASES[:20]:
        if not any(letter in case["answer"] for letter in "*|\\"):
            judgement = judge_match(case["question"], case["references"], formatting(case["answer"]))
            assert judgement.verdict.value == case["verdict"], case["why"]


def test_a_tolerance_accepts_what_is_near_and_the_reason_names_it():
    question, references = "What was revenue?", ["$1,577 million"]
    near = "Revenue was $1,590 million."
    assert judge_match(question, references, near).rule == "other value"
    judgement = judge_match(question, references, near, MatchSettings(tolerance=Decimal("0.01")))
    assert judgement.verdict.value == "correct"
    assert judgement.reason == "number: $1,577 million = $1,590 million (within the tolerance of 1%)"
    # 1,577 x 1.005 = 1,584.9
    assert judge_match(question, references, near, MatchSettings(tolerance=Decimal("0.005"))).rule == "other value"


def test_a_tolerance_does_not_turn_a_sign_or_a_year():
    settings = MatchSettings(tolerance=Decimal("0.05"))
    assert judge_match("What was net income?", ["-95"], "95", settings).verdict.value == "incorrect"
    assert judge_match("When did it open?", ["2021"], "In 2022.", settings).verdict.value == "incorrect"


@pytest.mark.parametrize("tolerance", ["-0.1", "0.5", "nan", "x", "Infinity"])
def test_a_tolerance_out_of_range_is_refused(tolerance):
    with pytest.raises(InvalidInput, match="no tolerance for figures"):
        MatchSettings.of({"judge_tolerance": tolerance})


def test_settings_go_into_the_options_of_a_run_and_back():
    settings = MatchSettings(tolerance=Decimal("0.02"), coarse_dates=CoarseDates.PARTLY)
    assert settings.options() == {"judge_tolerance": 0.02, "judge_coarse_dates": "partly"}
    assert MatchSettings.of(settings.options()) == settings
    assert MatchSettings().options() == {}
    with pytest.raises(InvalidInput, match="no choice for coarser dates"):
        MatchSettings.of({"judge_coarse_dates": "perhaps"})


@pytest.mark.parametrize(
    ("choice", "verdict", "rule"),
    [
        (CoarseDates.NOT_ACCEPTED, "incorrect", "less precise"),
        (CoarseDates.PARTLY, "incorrect", "partly correct"),
        (CoarseDates.ACCEPTED, "correct", "coarser date"),
    ],
)
def test_a_coarser_date_counts_for_what_the_project_chose(choice, verdict, rule):
    judgement = judge_match("When?", ["2021-03-15"], "In March 2021.", MatchSettings(coarse_dates=choice))
    assert (judgement.verdict.value, judgement.rule) == (verdict, rule)
    assert "2021-03-15" in judgement.reason
    if choice is CoarseDates.PARTLY:
        assert judgement.detail["credit"] == 0.5


@pytest.mark.parametrize("answer", ["In April 2021.", "In March 2021, on 14 March 2021.", "Not in March 2021."])
def test_another_date_is_no_coarser_date(answer):
    judgement = judge_match("When?", ["2021-03-15"], answer, MatchSettings(coarse_dates=CoarseDates.ACCEPTED))
    assert judgement.verdict.value == "incorrect"


def test_an_answer_is_read_as_its_figures_are():
    table = "| ($ in millions) | FY21 | FY22 |\n|---|---|---|\n| Sales | 10 | (12) |\n| Assets, net | | 7 |"
    # the scale that the corner of a table states holds for its figures
    assert figure_text(table).split("\n") == [
        "($ in millions)",
        "sales (fy2021): 10",
        "sales (fy2022): -12",
        "assets, net (fy2022): 7",
    ]
    assert (
        figure_text(r"\[ \text{Margin} = \frac{1{,}200}{4{,}800} \approx 25\% \]") == "margin = (1,200) / (4,800) = 25%"
    )
    assert figure_reference("$(1,234) million") == "-$1,234 million"


def test_scales_and_periods_are_read():
    assert stated_scales("capex in usd millions") == (Decimal(10) ** 6,)
    assert stated_scales("capex ($ mm)") == (Decimal(10) ** 6,)
    assert stated_scales("$ in thousands, except per share") == (Decimal(1000),)
    assert stated_scales("$5 million in 2022") == ()
    assert [(item.year, item.quarter) for item in find_periods("first quarter of 2023, 3q 2022, 1,999 or 2021.5")] == [
        (2023, 1),
        (2022, 3),
    ]


@pytest.mark.slow
def test_the_figures_that_a_person_asked_for_in_the_10q_questions():
    """The references of 195 questions that people wrote: each is its own right answer, and none of another question."""
    import csv

    path = shared("kgrag-10q/qna_data.csv")
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        rows = [(row["Question"], row["Answer"].split("SOURCE")[0]) for row in csv.DictReader(file)]
    with_figures = [(q, a, wanted_figures(a, match_text(q))) for q, a in rows]
    wanted = [row for row in with_figures if row[2]]
    assert len(rows) == 195
    assert len(wanted) >= 20
    # the figure alone is a right answer where one is asked for
    single = [(q, a, figures[0]) for q, a, figures in wanted if len(figures) == 1]
    right = sum(
        judge_match(q, [a], f"It was {figure.number.text}.").verdict.value == "correct" for q, a, figure in single
    )
    assert right == len(single) >= 12
    # an answer to the next question is none to this one
    wrong = [
        judge_match(q, [a], others[1]).verdict.value == "correct"
        for (q, a, _), others in zip(wanted, wanted[1:] + wanted[:1], strict=True)
    ]
    assert sum(wrong) <= len(wrong) * 0.03
