"""GroUSE: six scores of a grounded answer by a judging model, with null as a judgement of its own."""

from core.judging.grouse.acceptance import acceptance, compatible_acceptance
from core.judging.grouse.citing import cites
from core.judging.grouse.judge import GrouseJudging, judge_sample
from core.judging.grouse.replies import PROMPT_IDS
from core.judging.grouse.sample import GrouseSample
from core.judging.grouse.scores import JUDGED, SIX, GrouseMetric, GrouseScore, GrouseScores

__all__ = [
    "JUDGED",
    "PROMPT_IDS",
    "SIX",
    "GrouseJudging",
    "GrouseMetric",
    "GrouseSample",
    "GrouseScore",
    "GrouseScores",
    "acceptance",
    "cites",
    "compatible_acceptance",
    "judge_sample",
]
