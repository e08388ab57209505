"""Which topics and kinds of a batch got fewer questions than requested, and why."""

from core.domain.testset.question_drafts import QuestionBatch
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.questions.shortfall import short_kinds, short_topics


def row(stratum, kind, requested, delivered, **turned_down):
    return {
        "stratum": stratum,
        "kind": kind,
        "requested": requested,
        "delivered": delivered,
        "turned_down": turned_down,
        "reason": "",
    }


ROWS = (
    row("donors", "simple", 4, 0),
    row("donors", "trend", 3, 0),
    row("staff", "simple", 2, 0, reading=3),
    row("staff", "yes_no", 1, 1),
    row("sites", "simple", 4, 4),
    row("sites", "trend", 3, 0),
    row("sites", "simple", 0, 3),  # makes up for others
)
PLAN = QuestionPlan(
    kinds={QuestionKind.SIMPLE: 1, QuestionKind.TREND: 1, QuestionKind.YES_NO: 1, QuestionKind.MULTI_HOP: 1}
)
BATCH = QuestionBatch(
    id="b", project_id="p", source_id="s", topics_id="t", created_at="", plan=PLAN.as_params(), delivered=ROWS
)


def test_topics_that_lack_most_come_first_with_the_reason():
    assert [item.sentence for item in short_topics(BATCH)] == [
        "donors: 0 of 7 (the passages gave none)",
        "staff: 1 of 3 (turned down: second reading)",
    ]


def test_kinds_with_a_weight_are_named_also_where_only_a_model_writes_them():
    # simple: 0 + 0 + 4 + 3 of 4 + 2 + 4 = 7 of 10; of the missing ones 4 were not made and 2 turned down
    assert [item.sentence for item in short_kinds(BATCH)] == [
        "Trend: 0 of 6 (the passages gave none)",
        "Simple: 7 of 10 (the passages gave no more)",
        "Multi-hop: none (needs a model)",
    ]
