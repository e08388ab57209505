"""How the words around a value change its meaning: denied, hedged, retracted, asked, echoed, one of several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.abstention import find_gap
from core.judging.match.surroundings.choices import ENDS, rival_value
from core.judging.match.surroundings.denial import ALL_BUT, EXCLUDED, FORMER, WINDOW, asks_what_is_not, negation
from core.judging.match.surroundings.language import (
    CLAUSE_BORDER,
    DENYING_NO,
    FUNCTION_WORDS,
    SENTENCE_BORDER,
    SUPERLATIVE,
    WORD,
    after_last,
)
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection, undecided
from core.judging.match.surroundings.outdated import outdated
from core.judging.match.surroundings.sentences import telling_stems
from core.judging.match.values import Hit

REACH = 200
"""Characters before and after a value that are read."""
TURN = re.compile(r"\b(?:but|however|although|though|nevertheless|still)\b")
_CONCLUDED_AS = re.compile(
    r"\b(?:(?:answer|result|figure|value|amount) (?:is|would be|should be|must be)(?: therefore| thus| then)?"
    r"|(?:we|i) (?:state|report|answer)|(?:so|therefore|thus|hence),? (?:it|this|that) is)\W*(?:[a-z]{3} )?[€$£]?\W*$"
)
"""Right before a value that an answer concludes from a gap: "as none is listed, the answer is 0"."""
_AT_FIRST = re.compile(r"\b(?:originally|initially|at first)\b[^,.;:\n]{0,60}$")
_FIRST_THOUGHT = re.compile(
    r"\b(?:i|we) (?:initially|at first|first|originally|almost|nearly|mistakenly|wrongly|had (?:first|initially))"
    r"(?: (?!but\b)\w+){1,3} (?:(?:prof|dr|mr|mrs|ms)\.? )?$"
)
"""In front of a value that an answer thought of before it looked again: "I initially read this as"."""
_NO_LONGER = re.compile(
    r"\b(?:but|however|later|since|subsequently|before|then) [^.;\n]{0,20}?\b\w+(?:ed|ged|wn|nt|lt)\b"
    r"|\bbut [^.;\n]{0,60}?\b(?:is|are|now|today|currently)\b"
)
"""Behind a value that was changed: "but has been re-assigned to"."""
_CONCESSION = re.compile(r"\W*(?P<what>(?:while|whilst|although|though|even though|even if) [^,.;:\n]{3,160}),(?=\s)")
"""A clause in front of a statement: "while I can't verify the complete catalogue, "."""
_OF_IT = re.compile(
    r"\b(?:who|whom|whose|which|what|whether|when|where|why|how|if)\b|\b(?:it|this|that|these|those|answer)\W*$"
)
_RUNS_UNTIL = re.compile(r"\b(?:runs?|goes|extends?) (?:up to|as far as|until)$")
"""How long a contract lasts, which is no gap where its end is asked for."""
FAMILY = 5
"""First letters that words of one family share: absent, absences."""
DOUBT = re.compile(
    r"\b(?:"
    r"not (?:entirely |completely |totally |really |quite |100% |absolutely |so )?(?:sure|certain)|unsure|uncertain"
    r"|(?:just|only|merely) (?:a guess|guessing)|my (?:best )?guess|i (?:would |will |d )?(?:guess|guessing)"
    r"|im guessing|i am guessing|(?:might|may|could) be (?:wrong|mistaken|incorrect)"
    r"|(?:cannot|cant) (?:confirm|verify|guarantee|be certain)"
    r"|(?:its|it is|must be|should be) (?:either )?one of (?:those|these|them|the two)"
    r"|i (?:see|find|have) (?:two|three)"
    r" (?:different |conflicting |possible )?(?:figures|values|numbers|dates|names|amounts)"
    r"|(?:figures|values|numbers) (?:differ(?! from)|conflict|contradict)\b(?!:)"
    r"|if i had to guess|take (?:this|it) with a grain of salt|unclear (?:whether|if)"
    r")\b"
)
MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might be|(?<!what )may be(?! expected\b)"
    r"|could be(?! (?:derived|computed|calculated|measured|determined|assessed|drawn|made)\b)"
    r"|might have|may have|could have|conceivably"
    r"|either(?! (?:year|case|way|side|party|quarter|period|month|approach|method|basis|measure|definition|view|metric"
    r"|of (?:the|these|those|them))\b|\W*[.;\n]))\b"
)
PERMISSION = re.compile(
    r"\b(?:allow\w*|permit\w*|permission|may|can|must|require[ds]?|who (?:is|are) (?:entitled|eligible))\b"
)
"""Questions to which "may be kept" is an answer, not a guess."""
ALLOWED = re.compile(
    r"\bmay be (?:only |also )?(?:sold|served|bought|purchased|kept|brought|taken|hired|lent|borrowed|consumed|drunk"
    r"|driven|operated|carried|parked|returned|exchanged|cancell?ed|refunded|claimed|submitted|admitted|employed|stored"
    r"|transferred|deducted|paid|worn|flown|ridden|sent|requested|asked|charged|required|checked)\b"
)
"""What is allowed, whatever is asked: "may be sold to persons from sixteen"."""
MAYBE_AFTER = re.compile(r"[\"')]*,? ?\(?(?:maybe|perhaps|possibly|i guess|or not)\b")
TAKEN_BACK = re.compile(
    rf"[-,.;(\s]\s?(?:(?:(?<=\w-)no|{DENYING_NO})(?=\s?[,:-]| [\d$€£\"'])|wait|sorry"
    r"|(?:(?<![a-z] )|(?<= a )|(?<=later ))correction|oops|scratch that"
    r"|actually|i mean|or rather|rather|my mistake|i misspoke|"
    r"let me correct that|on second thought)\b[,:]?\s?(?!(?:for|about|than|to|if|that|because|he|she|they|this|one|"
    r"other|longer|doubt|further|more|later)\b)(?=[\w$€£\"'(-])"
    r"|[.;!]\s(?:no|wait|sorry|correction)\s?[,:-]\s?(?=[\w$€£\"'(-])"
)
_WAS_DONE = re.compile(
    r"^[^,.;:\n]*\b(?:is|are|was|were|has|have|had|been) (?:actually|rather) [a-z]+(?:ed|en|wn|ught|ld|nt|de|ne|pt)\b"
)
"""What takes nothing back: "were actually issued"."""
MOST_OF_A_WORD = 20
CONFIRMED = re.compile(r"\s*(?:yes|indeed|correct|right|exactly|that is (?:right|correct))\b")


def objection(
    hit: Hit, text: str, question: str, hits: Sequence[Hit], others: Sequence[tuple[int, int]], *, many: bool
) -> Objection | None:
    """Why a hit does not count, or None where it does.

    Args:
        hit: The value in question.
        text: Match text of the answer.
        question: Match text of the question.
        hits: Every hit of every acceptable answer; two spellings of one value beside each other are no choice.
        others: Spans of other values of its kind.
        many: Whether several values are wanted, so that an enumeration is no choice.
    """
    value = text[hit.start : hit.end]
    before = text[max(0, hit.start - REACH) : hit.start]
    after = text[hit.end : hit.end + REACH]
    sentence_before = after_last(SENTENCE_BORDER, before)
    ends = SENTENCE_BORDER.search(after)
    sentence_after = after[: ends.start()] if ends else after
    if ends and ends[0] == "?" and not CONFIRMED.match(after, ends.end()):
        return Objection(rule="question", reason=f'"{value}" stands in a question, which states nothing.')
    if is_echo(hit, text, question):
        return Objection(rule="echo", reason=f'"{value}" only repeats words of the question.')
    clause_before = _in_its_bracket(after_last(CLAUSE_BORDER, sentence_before))
    if (word := negation(clause_before, value, sentence_after, question)) and not (
        asks_what_is_not(question) and not EXCLUDED.search(clause_before + value + sentence_after)
    ):
        return Objection(rule="negated", reason=f'"{value}" is denied: "{word}".')
    if _AT_FIRST.search(sentence_before) and _NO_LONGER.search(sentence_after) and not FORMER.search(question):
        return Objection(rule="other value", reason=f'"{value}" is what it was at first.')
    if held := outdated(sentence_before, sentence_after, question):
        rule = "other value" if others else NEEDS_A_JUDGE
        return Objection(rule=rule, reason=f'"{value}" is what it was before: "{held}".')
    if hit.rule in {"text", "name"} and (thought := _FIRST_THOUGHT.search(before)):
        return Objection(rule="retracted", reason=f'"{value}" is taken back: "{thought[0].strip()}".')
    if all_but := ALL_BUT.search(sentence_before):
        return Objection(rule="negated", reason=f'"{value}" is denied: "{all_but[0].strip()}".')
    if declined := _declined(sentence_before, value, question):
        return declined
    # a long answer with figures may doubt one thing and state another
    nearby = (
        text[: 20 * REACH]
        if hit.rule != "number" or len(text) < 2 * REACH
        else sentence_before + value + sentence_after
    )
    if word := _doubt(clause_before, sentence_after, nearby, permitted=bool(PERMISSION.search(question))):
        return Objection(rule="hedged", reason=f'"{value}" is only a guess: "{word}".')
    if not many and (
        rival := rival_value(hit, text, question, clause_before, sentence_before, sentence_after, hits, others)
    ):
        return Objection(rule=rival[0], reason=rival[1])
    if retraction := _taken_back(after, hit, hits):
        return Objection(rule="retracted", reason=f'"{value}" is taken back: "{retraction}".')
    return None


def _in_its_bracket(clause: str) -> str:
    """A clause in front of a value, from the bracket on that is open there."""
    return clause.rpartition("(")[2] if clause.rfind("(") > clause.rfind(")") else clause


def _declined(sentence_before: str, value: str, question: str) -> Objection | None:
    """What a gap in front of a value in its sentence means: the answer declines, or concedes something else."""
    turned = after_last(TURN, sentence_before)
    gap = None if _CONCLUDED_AS.search(turned) else find_gap(turned)
    runs_until = gap is not None and _RUNS_UNTIL.search(gap[0]) and ENDS.search(question)
    if gap is None or runs_until or _is_asked_about(gap[0], question) or ":" in turned[gap.end() :]:
        return None
    if conceded := _conceded(sentence_before, question):
        return undecided(f'The answer concedes something before it names "{value}": "{conceded}".')
    return Objection(rule="abstained", reason=f'The answer says "{gap[0]}" before it names "{value}".')


def _conceded(sentence_before: str, question: str) -> str:
    """The clause with "although" in front of a statement that doubts something else than what is asked; or empty.

    >>> _conceded("while i cant verify the whole catalogue, it suggests that ", "which publisher has the most titles?")
    'while i cant verify the whole catalogue'
    >>> _conceded("although i cannot say which one has the most titles, ", "which publisher has the most titles?")
    ''
    """
    clause = _CONCESSION.match(sentence_before)
    if clause is None or find_gap(sentence_before[clause.end() :]) or _OF_IT.search(clause["what"]):
        return ""
    asked, doubted = telling_stems(question), telling_stems(clause["what"])
    of_it = 2 * len(asked & doubted) > len(asked) or SUPERLATIVE.search(clause["what"])
    return "" if of_it else clause["what"]


def _is_asked_about(gap: str, question: str) -> bool:
    """Whether the last word of a gap is of the family of a word of the question: "was absent" for absences."""
    word = WORD.findall(gap)[-1]
    return len(word) >= FAMILY and any(asked.startswith(word[:FAMILY]) for asked in WORD.findall(question))


def is_echo(hit: Hit, text: str, question: str) -> bool:
    """Whether a value stands in the answer only as the same piece of the question does.

    The question names "Paris Branch", the reference is "Paris": "Paris Branch" in the answer is the question's name
    again. It is an echo where a neighbouring word that carries meaning is the same on the same side; for figures any
    neighbour counts. Where the question offers a choice ("A or B") only figures and quoted names count.
    """
    value = text[hit.start : hit.end]
    if value not in question:
        return False
    figures = hit.rule in {"number", "date", "range"}
    choice = " or " in question
    left, right = _neighbours(text, hit.start, hit.end)
    place = question.find(value)
    tries = 0
    while place != -1 and tries < 50:
        tries += 1
        asked_left, asked_right = _neighbours(question, place, place + len(value))
        for own, other in ((left, asked_left), (right, asked_right)):
            telling = figures or own not in FUNCTION_WORDS
            if own and own == other and telling and not choice:
                return True
        place = question.find(value, place + 1)
    return False


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The words directly beside a span, empty across a sentence border or a comma."""
    before = re.search(r"([^\W_]+)[ \"'-]{0,3}$", text[max(0, start - 40) : start])
    after = re.match(r"[ \"'-]{0,3}([^\W_]+)", text[end : end + 40])
    return (before[1] if before else ""), (after[1] if after else "")


def _doubt(clause_before: str, sentence_after: str, text: str, *, permitted: bool) -> str:
    match = DOUBT.search(text)
    if match is None:
        window = " ".join(clause_before.split()[-WINDOW:])
        window = ALLOWED.sub(" ", window)
        if permitted:
            window = window.replace("may be", "").replace("may have", "")
        match = MAYBE.search(window) or MAYBE_AFTER.match(sentence_after)
    return match[0].strip(" ,(\"')") if match else ""


def _taken_back(after: str, hit: Hit, hits: Sequence[Hit]) -> str:
    if any(other.start > hit.end for other in hits):
        return ""
    for match in TAKEN_BACK.finditer(after):
        if not _WAS_DONE.search(after[: match.end() + MOST_OF_A_WORD]):
            return after[match.start() : match.end() + 30].strip(" ,.;-(")
    return ""
