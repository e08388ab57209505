"""134 replies of judges in odd shapes, two sets, each written before it was tried: read as meant or refused.

Of the first 80 seven gave a wrong score at first, of the 54 after them six: a scale of its own beside the grade, a
second grade or verdict under another name, a justification that arrives at another one, a list that names its answers
out of order, words behind the object that take it back. None does now.
"""

import json
from pathlib import Path

import pytest

from core.domain.llm import Message
from core.judging.claims.checks import verdicts_of
from core.judging.grouse import GrouseMetric
from core.judging.grouse.replies import form_of, grade_of
from core.judging.models.votes import ReferenceVerdict
from core.llm.replies.reading import Malformed, read_form

REPLIES = json.loads((Path(__file__).parents[2] / "golden" / "judge_replies.json").read_text("utf-8"))
FORMS = {
    "relevancy": form_of(GrouseMetric.ANSWER_RELEVANCY, 1),
    "relevancy of two": form_of(GrouseMetric.ANSWER_RELEVANCY, 2),
    "faithfulness": form_of(GrouseMetric.FAITHFULNESS, 1),
    "verdict": ReferenceVerdict,
    "two claims": verdicts_of(2),
}


def judged(form, read):
    if form == "verdict":
        return read.verdict
    if form == "two claims":
        return [item.verdict for item in sorted(read.verdicts, key=lambda item: item.claim)]
    metric = GrouseMetric.FAITHFULNESS if form == "faithfulness" else GrouseMetric.ANSWER_RELEVANCY
    grades = [grade_of(metric, getattr(read, name))[0] for name in sorted(type(read).model_fields)]
    return grades if len(grades) > 1 else grades[0]


@pytest.mark.parametrize("reply", REPLIES, ids=[f"{reply['form']}, {reply['name']}" for reply in REPLIES])
def test_an_odd_judgement_is_read_as_meant_or_refused(reply):
    asked = [Message(role="user", content="Judge it.")]
    if reply["read"]:
        assert judged(reply["form"], read_form(FORMS[reply["form"]], reply["reply"], asked)) == reply["meant"]
    else:
        with pytest.raises(Malformed):
            read_form(FORMS[reply["form"]], reply["reply"], asked)
