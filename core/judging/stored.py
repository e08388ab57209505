"""The names under which judges' scores are stored beside the metrics of a run."""

from __future__ import annotations

from core.domain.results.runs import VERDICT_METRIC

METRIC_PREFIX = "judge_"
"""Of the verdicts of judges that see the true answer, besides the run's own."""
RAGAS_FACT, SELF_CHECK = "ragas_fact", "self_check_qa"
REFERENCE_FREE = (RAGAS_FACT, SELF_CHECK)
"""Judges that do not see the true answer."""


def is_judge(name: str) -> bool:
    """Whether a stored score is a judge's; each is a verdict or a share, from 0 to 1, and higher is better.

    >>> [is_judge(name) for name in ("verdict", "judge_llm_m", "ragas_fact", "recall")]
    [True, True, True, False]
    """
    return name == VERDICT_METRIC or name in REFERENCE_FREE or name.startswith(METRIC_PREFIX)
