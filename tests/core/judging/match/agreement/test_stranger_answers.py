"""Answers that other authors wrote and labelled without sight of the rules, in batches.

At first sight kappa among the judged was, of facts and of long financial answers: .47 and .44 (fourth), .52 and .70
(fifth, the classes of the fourth mended) and .28 and .77 (sixth, those of the fifth as well). The floors are what the
rules have since the classes of each batch were mended; how the next batch is read, the first figures tell. The
seventh to the ninth are of three authors: the eighth was measured before a case of it was read and with the classes
of the seventh mended, the ninth with those of both, and the tenth, of a fourth author, with all of them: .75 and .88
at first sight. The eleventh, of a fifth author, was measured with the classes of the tenth mended: .86 and .90 at
first sight (`docs/match-judge.md`). Three more authors wrote the last three: the twelfth and thirteenth were measured
with version 11 (.65 and .93, .86 and .83), the fourteenth with the classes of both mended (.79 and .80). The
fifteenth came after them: .73 and .82 with version 12, .65 and .78 with version 11. The sixteenth is of two authors who
wrote what systems usually write, with no trap on purpose: .92 and .76 at first sight, with version 12. The seventeenth
is of two more: .89 and .86 at first sight, with what the sixteenth showed mended; the eighteenth of two more: .93 and
.76, with what both showed mended. Version 12 had the same on the last two, but for one answer: who writes the answers
counts for more than the classes of those who wrote before. The nineteenth to the twenty-third are of five more authors
of recorded answers and two of long financial ones: .93, .94 and .97 at first sight with version 13, .85 and .84 of the
last two with either version, and .91 and .93 (finance). The twenty-fourth to the twenty-ninth are of six authors who
were told to put other names, figures and second thoughts beside the answer: .80, .90, .87, .82, .88 and .96 at first
sight with version 15; with what the first two showed mended .87 and .86 for the next two, and with that of all four
.88 and .96 for the last two. The thirtieth is of one more with the same task, the thirty-first of one who wrote what
is usual: .95 and .95 at first sight with version 16, .93 and .93 with version 15. The thirty-second to the
thirty-fourth are of three authors of each kind: recorded answers .81, .79 and .91 at first sight with version 16, long
financial ones .79, .73 and 1.00; with what the author before had shown mended .82 (second) and .93 (third), and .77
and 1.00. The thirty-fifth is of a fourth author, whose oldest system rambles: .76 at first sight;
the thirty-sixth of a fifth, whose references are rows as Python prints them: .79, and .80 with version 16. The
thirty-seventh to the thirty-ninth are of three more, of whom the last wrote what logs usually hold: .73, .78 and .87 at
first sight with version 17; with what those before had shown mended .79 (second) and .89 (third). The fortieth
is of a fourth who wrote that, .94 with either version; long financial answers had .86 and .96. The forty-first and
the forty-second are of two more who wrote what systems usually write: .90 and .93 at first sight with version 18. The
forty-third and forty-fourth are of another two: .99 and .94 at first sight with version 19. A further set of long
financial answers (forty-third) had .98. The forty-fifth to the forty-eighth are of four who call a coarser figure than
the reference wrong: .89, .91, .97 and .92 at first sight with version 19, the last two with version 20 as well; long
financial ones .94 and .87. The forty-ninth to the fifty-fifth are of eight authors who wrote what systems usually
write: .93, .81, .93 and .89 at first sight with version 22, long financial ones .95, and with what these five showed
mended .92, .88 and .85 for the last three (.92, .86 and .85 before): the classes of some help little with the next.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match import judge_match
from core.stats.agreement.cohen import cohen_kappa

ROWS = json.loads((Path(__file__).parents[1] / "tables" / "stranger_answers.json").read_text(encoding="utf-8"))


def test_each_answer_stands_once_and_both_verdicts_are_common():
    assert len({(row["question"], row["answer"]) for row in ROWS}) == len(ROWS) == 10236
    told = Counter(row["verdict"] for row in ROWS)
    assert min(told.values()) >= 0.4 * len(ROWS)


@pytest.mark.parametrize(
    ("batch", "kind", "least", "least_judged", "most_accepted"),
    [
        ("fourth", "facts", 0.87, 79, 1),
        ("fourth", "finance", 0.75, 48, 2),
        ("fifth", "facts", 0.83, 55, 2),
        ("fifth", "finance", 0.99, 36, 0),
        ("sixth", "facts", 0.42, 57, 5),
        ("sixth", "finance", 0.77, 44, 1),
        ("seventh", "facts", 0.90, 88, 2),
        ("seventh", "finance", 0.64, 50, 3),
        ("eighth", "facts", 0.64, 108, 6),
        ("eighth", "finance", 0.85, 57, 0),
        ("ninth", "facts", 0.74, 103, 2),
        ("ninth", "finance", 0.78, 76, 4),
        ("tenth", "facts", 0.97, 99, 1),
        ("tenth", "finance", 0.99, 49, 0),
        ("eleventh", "facts", 0.99, 86, 0),
        ("eleventh", "finance", 0.94, 41, 0),
        ("twelfth", "facts", 0.99, 87, 0),
        ("twelfth", "finance", 0.99, 55, 0),
        ("thirteenth", "facts", 0.97, 92, 1),
        ("thirteenth", "finance", 0.95, 45, 0),
        ("fourteenth", "facts", 0.91, 99, 1),
        ("fourteenth", "finance", 0.96, 55, 0),
        ("fifteenth", "facts", 0.85, 84, 2),
        ("fifteenth", "finance", 0.90, 43, 1),
        ("sixteenth", "facts", 0.99, 131, 0),
        ("sixteenth", "finance", 0.99, 70, 0),
        ("seventeenth", "facts", 0.99, 131, 0),
        ("seventeenth", "finance", 0.99, 88, 0),
        ("eighteenth", "facts", 0.99, 144, 0),
        ("eighteenth", "finance", 0.87, 79, 0),
        ("nineteenth", "facts", 0.99, 135, 0),
        ("nineteenth", "finance", 0.99, 87, 0),
        ("twentieth", "facts", 0.99, 133, 0),
        ("twentieth", "finance", 0.97, 85, 0),
        ("twenty-first", "facts", 0.99, 136, 0),
        ("twenty-second", "facts", 0.99, 126, 0),
        ("twenty-third", "facts", 0.97, 133, 0),
        ("twenty-fourth", "facts", 0.99, 107, 0),
        ("twenty-fifth", "facts", 0.99, 103, 0),
        ("twenty-sixth", "facts", 0.99, 111, 0),
        ("twenty-seventh", "facts", 0.99, 98, 0),
        ("twenty-eighth", "facts", 0.95, 99, 0),
        ("twenty-ninth", "facts", 0.98, 104, 1),
        ("thirtieth", "facts", 0.96, 109, 1),
        ("thirty-first", "facts", 0.99, 118, 0),
        ("thirty-second", "facts", 0.99, 146, 0),
        ("thirty-second", "finance", 0.97, 98, 0),
        ("thirty-third", "facts", 0.99, 137, 0),
        ("thirty-third", "finance", 0.93, 87, 1),
        ("thirty-fourth", "facts", 0.98, 149, 0),
        ("thirty-fourth", "finance", 0.99, 126, 0),
        ("thirty-fifth", "facts", 0.90, 130, 1),
        ("thirty-sixth", "facts", 0.97, 150, 0),
        ("thirty-seventh", "facts", 0.98, 143, 0),
        ("thirty-seventh", "finance", 0.91, 98, 1),
        ("thirty-eighth", "facts", 0.94, 139, 2),
        ("thirty-eighth", "finance", 0.97, 102, 0),
        ("thirty-ninth", "facts", 0.98, 166, 0),
        ("fortieth", "facts", 0.96, 171, 2),
        ("forty-first", "facts", 0.99, 142, 0),
        ("forty-second", "facts", 0.99, 143, 0),
        ("forty-third", "facts", 0.98, 143, 0),
        ("forty-third", "finance", 0.98, 115, 0),
        ("forty-fourth", "facts", 0.95, 143, 1),
        ("forty-fifth", "facts", 0.97, 160, 1),
        ("forty-fifth", "finance", 0.95, 99, 0),
        ("forty-sixth", "facts", 0.96, 159, 3),
        ("forty-sixth", "finance", 0.87, 86, 2),
        ("forty-seventh", "facts", 0.97, 173, 1),
        ("forty-eighth", "facts", 0.96, 170, 3),
        ("forty-ninth", "facts", 0.99, 137, 0),
        ("forty-ninth", "finance", 0.96, 117, 0),
        ("fiftieth", "facts", 0.99, 127, 0),
        ("fifty-first", "facts", 0.98, 150, 0),
        ("fifty-second", "facts", 0.95, 140, 3),
        ("fifty-third", "facts", 0.97, 142, 0),
        ("fifty-fourth", "facts", 0.94, 146, 1),
        ("fifty-fifth", "facts", 0.93, 147, 0),
    ],
)
def test_verdicts_agree_with_the_author(batch, kind, least, least_judged, most_accepted):
    told = Counter()
    for row in ROWS:
        if (row["batch"], row["kind"]) == (batch, kind):
            found = judge_match(row["question"], row["references"], row["answer"]).verdict.value
            told[row["verdict"], found] += 1
    judged = [pair for pair in told.elements() if "not_judged" not in pair]
    kappa = cohen_kappa([wanted for wanted, _ in judged], [found for _, found in judged]).value
    accepted = told["incorrect", "correct"]
    assert (kappa >= least, len(judged) >= least_judged, accepted <= most_accepted) == (True, True, True), (kappa, told)
