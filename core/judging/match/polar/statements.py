"""What one sentence says to a question for yes or no, by its words and its negations."""

from __future__ import annotations

import re
from collections.abc import Set

from core.judging.match.figures.conditions import denied_by_prefix
from core.judging.match.figures.direction import direction_words
from core.judging.match.polar.compared import named_as_more
from core.judging.match.polar.figures import other_figure
from core.judging.match.polar.opposites import left_out, opposite_of
from core.judging.match.surroundings.language import DENYING_NO, FUNCTION_WORDS, PRESENT
from core.text.words import stem

_THEN = re.compile(r", (?:so|therefore|thus|hence|which means)(?: that)? (?!far\b|much\b|many\b)(?P<then>[^;\n]{8,})$")
"""What a sentence comes to: "It is no longer protected, so it is in the public domain"."""
PRONOUN = re.compile(r"^\W*(?:it|they|this|these|both) ")
ASIDE = re.compile(
    r",? (?:which|who|whose)\b[^,.;]*(?:,|$)|,? \b(?:although|though|because|but|while|whereas|unless|since"
    r"|even if|reflecting|driven by|due to|owing to|thanks to|helped by|as a result of|on account of)\b.*$"
    r"|, provided\b.*$"
)
"""What is said besides the core of a statement."""
COVERED = 0.5
"""The least share of the question's telling words that a statement must have to answer it."""
PREDICATE = 2
"""Telling words at the end of a question that say what is asked of its subject: "certified organic"."""
FEW_WORDS = 6
"""A statement about "it" of so few words can only be about what is asked: "it is not heated"."""
SHORT = 200
"""Characters of an answer whose every word of doubt is about the answer."""
ASKS_WITHIN = re.compile(
    r"(?<=[,.?!:;] )(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b"
)
BESIDES = re.compile(
    r"[,?;.] (?:and |please )?(?:what|which|how|why|when|who|where|if)\b|,? and (?:what|which|how|why|when|who|where)\b"
    r"|\b(?:as (?:reported|stated|disclosed|mentioned|described|per|of)|according to|based on)\b"
    r"|\bin (?:the|its|their|these|those) (?:[\w-]+ ){0,3}?(?:10-[qk]s?|filings?|reports?|documents?|handbook|manual"
    r"|policy|agreement|contract)\b"
)
"""Where a question for yes or no goes on to something else."""
LEAST_TELLING = 2
DENIES = re.compile(
    rf"\b(?:not|never|{DENYING_NO}|isnt|wasnt|arent|werent|doesnt|didnt|dont|hasnt|havent|hadnt|cant|cannot|wont"
    r"|neither|nor|none|nothing|nobody)\b"
)
FAMILY = 4
"""First letters that words of one family share: fail, failure."""
WITHOUT = re.compile(r"\bwithout (?:an? |any |the |further )?(?P<what>[a-z]+)")
_NEEDS = re.compile(
    r"\b(?:need(?:s|ed)?|requires?|required|necessary|must|ha(?:s|ve) to|mandatory|compulsory|obligatory)\b"
)
"""Where a question is whether something goes without it, what is needed is a no."""
ALL_BUT = re.compile(
    r"\b(?:everyone|everybody|everything|all|anyone|anybody|anything|any|each|every)\b[^,.;]{0,40}?"
    r"\b(?:but|except(?:ing)?(?: for)?|excluding|other than|apart from|save for)\b(?P<what>[^,.;]{2,60})"
)
"""What is left out: "everything except batteries"."""
NOT_A_DENIAL = re.compile(
    r"\bnot only\b|\bno doubt\b|\bno\.? \d|\b(?:at|for) no (?:extra |additional |further )?(?:charge|cost|fee)\b"
    r"|\bwith no (?:[a-z]+ )?(?:variations?|changes?|fluctuations?|deviations?|movements?|differences?)\b"
)
_NONE_OF = re.compile(r"no (?!longer\b|more\b|one\b)[a-z]{3,}")
_DONE = re.compile(r"\b(?:[a-z]{2,}ed|is|are|was|were|has|have)\b")
_IN_FORCE = re.compile(
    r"\b(?:still|valid|in force|in effect|active|ongoing|current(?:ly)?|under (?:warranty|contract|guarantee))\b"
)
_OVER = re.compile(
    r"\b(?:(?:has |have )?(?:expired|lapsed|ended|ceased)|(?:ran|has run|have run) out|(?:was|were|has been|have been)"
    r" (?:terminated|closed|revoked|cancelled|withdrawn)|no longer|out of (?:warranty|date|force))\b"
)
"""What was in force and is so no more."""
UNCHANGED = re.compile(
    r"\b(?:unchanged|(?:the|at the) same(?: level)?|constant|stable|flat|steady|as before|kept|keeps|left as)\b"
)
"""Where a question asks whether something rose or fell, that it stayed is a no."""
WORD = re.compile(r"[^\W_]+")
_WHOSE = re.compile(r" (?:of|at|for|in|during|over|from|between|by)\b")
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b")


def asked_core(question: str) -> str:
    """What is asked for yes or no: without where it is to be looked up, and without what is asked besides."""
    start = ASKS_WITHIN.search(question)
    core = question[start.start() :] if start else question
    besides = BESIDES.search(core)
    if besides and len(telling_stems(core[: besides.start()])) >= LEAST_TELLING:
        core = core[: besides.start()]
    return core.strip(" ,;")


def stated_in_sentence(sentence: str, question: str) -> tuple[bool | None, str]:
    """What one sentence says to the question by what it comes to, where that says something, else as a whole."""
    then = _THEN.search(sentence)
    concluded = _told(then["then"], question) if then else (None, "")
    if (
        then
        and concluded[0] is None
        and _NONE_OF.match(then["then"])
        and not telling_stems(then["then"]) & telling_stems(question)
    ):
        concluded = _told(sentence[: then.start()], question)
    return concluded if concluded[0] is not None else _told(sentence, question)


def _told(sentence: str, question: str) -> tuple[bool | None, str]:
    """What one sentence says to the question: yes with its words, no with a negation, else nothing."""
    told, words = _outright(sentence, question)
    if told is not None:
        return told, words
    sentence = ASIDE.sub(" ", sentence)
    turn = direction_words(question) * direction_words(sentence)
    of_it = PRONOUN.match(sentence) or _is_its_subject(sentence, question)
    if turn and of_it and not DENIES.search(sentence):
        return turn > 0, sentence.strip()
    asked = _to_be_named(sentence, question, turn=bool(turn), of_it=bool(of_it))
    if PRONOUN.match(sentence) and len(sentence) < SHORT // 4 and not DENIES.search(sentence):
        prefixed = denied_by_prefix(sentence, question)
        if prefixed:
            return False, prefixed
    if other := other_figure(sentence, question):
        return False, other
    shared = telling_stems(sentence) & asked
    if len(shared) < COVERED * len(asked) or not shared:
        return None, ""
    sentence = _without_detail(sentence, asked)
    if prefixed := denied_by_prefix(sentence, question):
        return (None, "") if DENIES.search(NOT_A_DENIAL.sub(" ", sentence)) else (False, prefixed)
    same = UNCHANGED.search(sentence) if direction_words(question) else None
    if other_word := same[0] if same else left_out(sentence, question) or opposite_of(question, sentence):
        return (None, "") if DENIES.search(sentence) else (False, other_word)
    denial = DENIES.search(NOT_A_DENIAL.sub(" ", sentence)) or _goes_without(sentence, asked)
    question_denial = DENIES.search(NOT_A_DENIAL.sub(" ", question))
    if denial:
        return (None, "") if question_denial else (False, denial[0])
    if turn:
        return turn > 0, sentence.strip()
    if _ONLY.search(sentence) and not _ONLY.search(question) and asked - shared:
        return None, ""
    # yes only where the statement keeps what was asked about: its last telling word
    last_word = [word for word in WORD.findall(question) if word not in FUNCTION_WORDS][-1:]
    return (True, sentence.strip()) if last_word and stem(last_word[0]) in shared else (None, "")


def _without_detail(sentence: str, asked: Set[str]) -> str:
    """A statement without what explains it behind a colon: "it passed: no rust"."""
    core, _, detail = sentence.partition(": ")
    covers = len(telling_stems(core) & asked) >= COVERED * len(asked)
    return core if covers and _NONE_OF.match(detail) and _DONE.search(core) else sentence


def _outright(sentence: str, question: str) -> tuple[bool | None, str]:
    """What a sentence says that leaves out, names as more or calls over what a question asks about; else nothing."""
    if (out := ALL_BUT.search(sentence)) and telling_stems(out["what"]) & telling_stems(question):
        return False, out[0].strip()
    without = WITHOUT.search(question)
    if without and _NEEDS.search(sentence) and stem(without["what"]) in telling_stems(sentence):
        return DENIES.search(sentence) is not None, sentence.strip()
    over = _OVER.search(sentence) if _IN_FORCE.search(question) else None
    if over and len(telling_stems(sentence) & telling_stems(question)) > 1:
        return DENIES.search(sentence[: over.start()]) is not None, over[0]
    return named_as_more(sentence, question)


def _to_be_named(sentence: str, question: str, *, turn: bool, of_it: bool) -> set[str]:
    """The words of a question of which a statement has to have enough to answer it.

    Of what rises or falls that is what does so, not that it does, nor when. A statement about "it" has to name what is
    asked of its subject: the last words of the question, where it has them.
    """
    asked = telling_stems(question)
    if turn:
        asked = {stem(word) for word in WORD.findall(question) if _is_matter(word)} or asked
    if of_it:
        words = [stem(word) for word in WORD.findall(question) if stem(word) in asked and word not in PRESENT]
        is_short = len(WORD.findall(sentence)) <= FEW_WORDS
        predicate = set(words[-1:] if is_short else words[-PREDICATE:])
        return predicate if predicate <= telling_stems(sentence) else asked
    return asked


def _goes_without(sentence: str, asked: set[str]) -> re.Match[str] | None:
    """Where what is asked about is what there is none of: "it ran without failure" denies that it failed."""
    without = WITHOUT.search(sentence)
    if without is None or "without" in asked:
        return None
    return without if any(word[:FAMILY] == without["what"][:FAMILY] for word in asked) else None


def _is_its_subject(sentence: str, question: str) -> bool:
    """Whether what a sentence says rose or fell is what the question says, in front of whose it is, and no more."""
    words = WORD.findall(sentence)
    turn = next((place for place, word in enumerate(words) if direction_words(word)), 0)
    asked = {stem(word) for word in WORD.findall(_WHOSE.split(question, maxsplit=1)[0]) if _is_matter(word)}
    return bool(asked) and asked == {stem(word) for word in words[:turn] if _is_matter(word)}


def _is_matter(word: str) -> bool:
    return word not in FUNCTION_WORDS and not word[0].isdigit() and not direction_words(word)


def telling_stems(text: str) -> set[str]:
    """The stems of the words of a text that mean something by themselves."""
    return {stem(word) for word in WORD.findall(text) if word not in FUNCTION_WORDS}
