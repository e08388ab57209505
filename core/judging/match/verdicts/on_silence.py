"""Verdicts on references that say that there is no answer, or none of what is asked."""

from __future__ import annotations

import re

from core.domain.results.responses import Judgement
from core.judging.match.abstention import Outcome, read_answer, says_nothing
from core.judging.match.figures.clauses import families
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.stated import AnswerText, shortened
from core.judging.match.verdicts.wording import correct, incorrect, undecided

_NONE = re.compile(
    r"(?:there (?:is|are|was|were) (?:none|no (?:such )?[a-z]+)|none(?: (?:of (?:them|these)|at all|found))?"
    r"|no (?:such )?(?:results?|rows?|entries|matches|[a-z]+ found)|nothing(?: found)?|nobody|no one"
    r"|empty(?: (?:results?|lists?|sets?))?)\.?"
)
"""A reference that says that there is none: of records, information and the like it says that there is no answer."""
_NO_ANSWER = re.compile(r"\b(?:information|data|mention|details?|answers?|documents?|records?)\b")
_SO_NONE = re.compile(r"\banswer(?: (?:is|would be|to this))?:? (?P<none>none|nobody|no one|nothing)\b(?! of)")
"""Where an answer says that none is its answer."""
_NOTHING_TO_TELL = re.compile(r"\b(?:so |therefore )?there (?:is|was) nothing to (?:list|report|show|name)\b")
_THERE_IS_NONE = re.compile(
    r"(?:(?:currently|at present|at the moment|right now),? )?"
    r"(?:there (?:is|are|was|were) (?:currently |at present )?(?:no|none)\b|(?:none|nothing|nobody|no one)\b)"
    r"(?! (?:information|records?|data|mention|entry|entries|documents?|details?)\b)"
    r"(?![^.;!?\n]*\b(?:but|except|other than|apart from|besides|only|however|although)\b)"
)
_NOT_ONE = re.compile(
    r"(?:(?:yes|no|none|there)\b[,.:]? )?(?:in [^,.;]{1,40}, )?no (?P<what>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?)"
    r" (?:was|were|is|are|has|have|had|did|does|do|will)\b"
    r"(?! (?:been )?(?:explicitly |specifically |ever )?"
    r"(?:found|available|listed|mentioned|given|specified|recorded|documented|provided|stated"
    r"|known|included|shown|there)\b)"
    r"(?![^.;!?\n]*\b(?:but|except|other than|apart from|besides|only|however|although)\b)"
)
"""A sentence that says that none of something did what is asked: "No lots were rejected"."""
_NO_EXCEPTION = r"(?![^.;!?\n]*\b(?:but|except|other than|apart from|besides|only|however|although)\b)"
_HAS_NO = re.compile(
    rf"[^.,;:\n]{{1,60}}? (?:has|have|had) (?:currently )?no "
    rf"(?P<what>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}){_NO_EXCEPTION}"
)
_NONE_RECORDED = re.compile(
    r"no (?P<what>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?) (?:was|were|is|are|has been|have been) "
    rf"(?:recorded|listed|registered|named|entered|assigned|set|given|on file)\b{_NO_EXCEPTION}"
)
_NOT_ANY = re.compile(
    r"[^.,;:\n]{1,60}? (?:(?:has|have|had|did|does|do|is|are|was|were)(?:nt| not)|never) (?:[a-z]+ ){0,2}?any "
    rf"(?P<what>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}){_NO_EXCEPTION}"
)
_LONG = re.compile(r"[a-z]{5,}")
FAMILY = 5
"""First letters that words of one family share: refer, referrer."""
_IS_EMPTY = re.compile(
    r"\b(?:field|column|cell|value|entry|box|line) (?:is|was|has been)(?: left)? (?:empty|blank|null|unset)\b"
)
"""What a reply says of a record where the reference is a blank."""
_NONE_OF_IT = re.compile(r"\b(?:no|not (?:a single|any)|zero) (?P<what>[a-z][\w-]*)")
_DENIES = re.compile(
    r"\b(?:(?:has|have|had|with|there (?:is|are)) no|none|empty|blank|null|unset|open-ended)\b[^.;\n]{0,40}"
)


def is_none(reference: str) -> bool:
    """Whether a reference (match text) says that there is none of what is asked.

    >>> is_none("there are none."), is_none("no results"), is_none("no information")
    (True, True, False)
    """
    return _NONE.fullmatch(reference) is not None and _NO_ANSWER.search(reference) is None


def judge_silence(reference_text: str, answer_text: AnswerText) -> Judgement:
    """The verdict where a reference says that there is no answer, or that there is none.

    Args:
        reference_text: As given.
        answer_text: The answer.
    """
    text, wanted = answer_text.plain, match_text(reference_text)
    if (is_none(wanted) or says_nothing(wanted)) and (none := _says_there_is_none(text, answer_text.question)):
        return correct(
            reference_text, "abstention expected", f'The reference says there is none, and so does "{none}".'
        )
    if says_nothing(wanted) and (blank := _IS_EMPTY.search(text)):
        return correct(reference_text, "abstention expected", f'The reference is a blank, and "{blank[0]}" says so.')
    # that there is none is an answer: only rules decide whether another one declines
    reading = read_answer(answer_text.question_as_written, answer_text.answer, by_rules=is_none(wanted))
    said = f'The reference says there is no answer ("{shortened(reference_text.strip())}")'
    if reading.outcome is Outcome.DECLINED:
        return correct(
            reference_text,
            "abstention expected",
            f'The reference says there is no answer, and so does "{reading.words}".',
        )
    if reading.outcome is Outcome.ASKS_BACK:
        return incorrect(reference_text, "abstained", f"{said} and the answer asks back.")
    if reading.outcome is Outcome.PARTLY:
        return undecided(
            reference_text, f'{said}; the answer declines ("{reading.words}") and tells something besides.'
        )
    none_of_it = is_none(wanted) and next(
        (one for one in _NONE_OF_IT.finditer(text) if families(one["what"]) & families(answer_text.question)), None
    )
    if denied := none_of_it or _DENIES.search(text):
        return undecided(reference_text, f'{said}; the answer denies something ("{denied[0].strip()}").')
    return incorrect(reference_text, "no match", f"{said} and the answer gives one.")


def _says_there_is_none(text: str, question: str) -> str:
    """The words with which an answer begins and says that there is none of what is asked; or empty."""
    if none := _THERE_IS_NONE.match(text) or _SO_NONE.search(text) or _NOTHING_TO_TELL.search(text):
        return none[0]
    denied = _NOT_ONE.match(text) or _HAS_NO.match(text) or _NONE_RECORDED.match(text) or _NOT_ANY.match(text)
    return denied[0] if denied and _is_asked(denied["what"], question) else ""


def _is_asked(what: str, question: str) -> bool:
    """Whether what is denied is what a question is about: a referrer, where it asks who referred somebody."""
    if families(what) & families(question):
        return True
    return bool({word[:FAMILY] for word in _LONG.findall(what)} & {word[:FAMILY] for word in _LONG.findall(question)})
