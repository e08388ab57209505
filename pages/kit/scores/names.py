"""How metrics and the reasons for a missing value are called on the screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.judging.stored import METRIC_PREFIX, RAGAS_FACT, SELF_CHECK, is_judge
from core.metrics import Family, MetricSpec, find_metric
from core.metrics.direction import lower_is_better
from core.metrics.titles import OF_SAFETY
from core.store.results.cases.score_order import NOT_REACHED, TARGET_FAILED
from pages.kit import errors
from pages.kit.look import numbers

FAMILIES: Final = {
    Family.RETRIEVAL: "Retrieval",
    Family.CONTEXT: "Context",
    Family.GROUNDEDNESS: "Groundedness",
    Family.COMPLETENESS: "Completeness",
    Family.RELEVANCY: "Relevancy",
    Family.REFERENCE: "Reference",
    Family.BEHAVIOUR: "Behaviour",
}

JUDGES: Final = {RAGAS_FACT: "RAGAS-Fact", SELF_CHECK: "SelfCheck-QA"}
"""Judges that do not see the true answer; the others are called by what they were asked with."""

STATUS: Final[Mapping[str, str]] = {
    **{status.value: status.value.replace("_", " ") for status in Status},
    Status.NO_MODEL.value: "no model",
    TARGET_FAILED: "target failed",
    NOT_REACHED: "not scored yet",
}
"""Why there is no value, in two or three words."""

NEEDS: Final = {
    "question": "the question",
    "answer": "the answer",
    "contexts": "the retrieved passages",
    "reference": "a reference answer",
    "document_ids": "the ids of the retrieved documents",
    "gold_documents": "the documents that should be found",
    "chunk_ids": "the ids of the retrieved chunks",
    "gold_chunks": "the chunks that should be found",
    "answerable": "whether the documents hold an answer",
    "encoder": "a sentence encoder",
    "nli": "an NLI model",
    "judge": "a judging model",
}


def spec_of(name: str) -> MetricSpec | None:
    """The spec of a stored metric; None for the verdict and for metrics this version does not know."""
    try:
        return find_metric(name).spec
    except InvalidInput:
        return None


def title(name: str) -> str:
    """A metric for people: its title, with the cut-off where it has one.

    >>> title("verdict"), title("something_old"), title("ragas_fact"), title("judge_llm_m")
    ('Verdict', 'something_old', 'RAGAS-Fact', 'Judge llm_m')
    """
    if name == VERDICT_METRIC:
        return "Verdict"
    spec = spec_of(name)
    if spec is None:
        known = {**OF_SAFETY, **JUDGES}
        return known.get(name, f"Judge {name.removeprefix(METRIC_PREFIX)}" if is_judge(name) else name)
    _, at, k = name.partition("@")
    return f"{spec.title} at {k}" if at else spec.title


def needs(spec: MetricSpec) -> str:
    """What a metric cannot do without, as one phrase."""
    return ", ".join(NEEDS[need.value] for need in spec.needs)


def cell(score: Score | None, *, failed: bool = False) -> str:
    """A score in a table: two decimals, a mark where a person changed it, the reason where there is none.

    Args:
        score: The score, None where there is neither a value nor a reason.
        failed: Whether the target failed on the case.

    >>> cell(None), cell(Score(case_id="c", metric="mrr", value=0.834))
    ('- not scored yet', '0.83')
    >>> cell(None, failed=True)
    '- target failed'
    >>> cell(Score(case_id="c", metric="mrr", value=1.0, edited=True))
    '1.00 edited'
    >>> cell(Score(case_id="c", metric="mrr", value=None, status=Status.NO_MODEL))
    '- no model'
    """
    if score is None:
        return f"{numbers.NONE} {STATUS[TARGET_FAILED if failed else NOT_REACHED]}"
    edited = " edited" if score.edited else ""
    if score.value is None:
        return f"{numbers.NONE} {STATUS[score.status.value]}{edited}"
    return f"{numbers.share(score.value)}{edited}"


def meaning(name: str, *, with_unit: bool = True) -> str:
    """What a metric answers, in one sentence, with its unit and which way is good; safe as Markdown."""
    spec = spec_of(name)
    if spec is None:
        return ""
    if not with_unit:
        return errors.plain(spec.question)
    good = "Higher is better." if spec.better == "higher" else "Lower is better."
    return errors.plain(f"{spec.question} {spec.unit.capitalize()}. {good}")


def worst_is_greatest(name: str) -> bool:
    """Whether the greatest value is the worst one."""
    return lower_is_better(name)


def order(name: str) -> tuple[int, str, int]:
    """Metrics by family, then by name, then by cut-off; unknown ones last."""
    spec = spec_of(name)
    base, _, k = name.partition("@")
    return (list(FAMILIES).index(spec.family) if spec else len(FAMILIES), base, int(k) if k.isdecimal() else 0)
