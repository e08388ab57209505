"""Direct questions as clauses of another sentence: "When does the term start?" as "when the term starts".

Only where it is certain which words are the subject; everywhere else there is no clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from core.testset.corpus.reading.vocabulary.verbs import (
    auxiliary_of,
    infinitive,
    participle,
    past_tense,
    third_person,
)
from core.testset.variants.spans import lowered

LONGEST: Final = 28
"""Words of a question that people would still put inside another sentence."""
LONGEST_SUBJECT: Final = 8
_BE: Final = frozenset({"is", "are", "was", "were"})
_DO: Final = frozenset({"do", "does", "did"})
_HAVE: Final = frozenset({"has", "have", "had"})
_MODAL: Final = frozenset({"can", "could", "will", "would", "should", "must", "may", "might", "shall"})
_AUXILIARY: Final = _BE | _DO | _HAVE | _MODAL
_ASKS: Final = frozenset({"what", "who", "whom", "whose", "which", "when", "where", "why", "how"})
_PRONOUN: Final = frozenset(
    {"i", "you", "he", "she", "it", "we", "they", "there", "someone", "anyone", "somebody", "anybody", "everyone"}
)
_DETERMINER_WORDS: Final = """
the a an my your his her its our their this that these those all any some no each every another both most more many much
few fewer less one two three
"""
_DETERMINER: Final = frozenset(_DETERMINER_WORDS.split())
_PREPOSITION_WORDS: Final = """
of in on at for from to by with within after before until since under via during through upon against into over between
among around per without across towards about above below behind abroad as than up out off
"""
_PREPOSITION: Final = frozenset(_PREPOSITION_WORDS.split())
_LINKS: Final = frozenset({"that", "which", "who", "if", "when", "because", "while", "whether", "where", "and", "or"})
_ADVERB: Final = re.compile(
    r"(?:(?!(?:app|supp|rep|re|f|comp|multip|imp|fami|assemb|anoma|da|week|month|year)ly$)\w+ly|not|also|now|still|already|then|currently|last|first|ever|never|"
    r"always|often|usually|typically|both|only|so|too|just|yet)"
)
_NO_PARTICIPLE_WORDS: Final = """
cost filing building meeting rating training parking opening hearing wedding painting funding housing heating ceiling
listing briefing recording drawing spring morning evening string thing nothing anything something everything holding
lending banking pricing spending shipping cooking finding king ring wing
"""
_NO_PARTICIPLE: Final = frozenset(_NO_PARTICIPLE_WORDS.split())
"""Nouns that look like the form of a verb behind "is"."""
_PREDICATE: Final = re.compile(
    r"(?:due|open|closed|valid|available|responsible|liable|entitled|eligible|free|effective|necessary|"
    r"safe|legal|ready|active|possible|allowed|\w{3,}(?:able|ible|ory|ous|ful|ary))"
)
_MORE_VERBS_WORDS: Final = """
act adapt affect afford agree analyse analyze answer arise assume attach attack attend attract audit bake beat behave
believe benefit bite bleed block blow boil breathe breed burn calibrate call care carry catch cause celebrate chair
change charge cheat clean climb consider consume cook count crash cross damage dance define detect die differ dispense
dissolve drink eat elect empty encourage enjoy escape exist expand experience explode expose express extract face fight
fire float fly focus force freeze gain govern grab happen harm hate hire impact influence inherit inject injure inspect
insure interact invent jump kick kill kiss lack laugh learn lease like love measure melt migrate mine need occur own
pack paint park pick play point practice practise prefer prescribe press print protect prove pull push rain raise rank
react realise recognise recycle reflect relate rely remember rent repair replace reproduce respond rest resume roll
rule sail score search share shoot shrink sign sleep smell smoke sound spin staff stock study suffer suggest survive
swap switch taste tend touch tow translate turn understand unlock view visit vote wake wash work worry write
"""
_MORE_VERBS: Final = frozenset({*_MORE_VERBS_WORDS.split(), "have", "do", "be"})
_MORE_FORMS: Final = frozenset(form for verb in _MORE_VERBS for form in (third_person(verb), past_tense(verb)))
_TWO: Final = re.compile(
    r"(?:,| and|;) (?:and )?(?:how|what|why|who|which|when|where|did|do|does|is|are|was|were|can|has|have)\b"
    r"|.\b(?:what|who|where|when|why|how) (?:do|does|did|is|are|was|were|can|many|much|long)\b|\b(?:why|how|where)$",
    re.I,
)
_ASIDE: Final = re.compile(r"[.?!;:()]\s|[()]|n['’]t\b")
_SHORTENED: Final = re.compile(r"^(what|who|where|when|how)['’]s\b", re.IGNORECASE)


def asks_twice(text: str) -> bool:
    """Whether a text goes on to ask a second thing.

    >>> asks_twice("where was it invented and where is it used"), asks_twice("where was it invented")
    (True, False)
    """
    return bool(_TWO.search(text))


def indirect(question: str) -> str:
    """A question as a clause in the order of a statement, without the mark at its end; empty where that is uncertain.

    >>> indirect("When does the spring term start?"), indirect("Are students allowed to record lectures?")
    ('when the spring term starts', 'whether students are allowed to record lectures')
    >>> indirect("Does the pay rise start?")
    ''
    """
    text = _SHORTENED.sub(r"\1 is", question.strip()).rstrip("?. ")
    words = lowered(text).split()
    if words and words[0].casefold() in _AUXILIARY | _ASKS:
        words[0] = words[0].casefold()
    if not 2 < len(words) <= LONGEST or _ASIDE.search(text) or _TWO.search(text):
        return ""
    asks = 1 if words[0] in _PREPOSITION and words[1] in _ASKS else 0
    if words[0] in _AUXILIARY:
        rest = words[1:]
        return "" if rest[0].casefold() == "you" else _told(["whether"], words[0], rest, named=False)
    if words[asks] not in _ASKS:
        return ""
    if words[0] == "which" and words[1] in _BE:
        # "which is the largest river in Chile" is in order as it stands; where its subject ends is uncertain.
        return " ".join(words)
    place = _auxiliary(words, asks)
    if place is None:
        return " ".join(words) if _subject_asked(words, asks) else ""
    if words[asks] in ("when", "where", "why") and place != asks + 1:
        return ""
    named = words[asks] in ("who", "what", "which", "whose") or words[asks : asks + 2] in (
        ["how", "many"],
        ["how", "much"],
    )
    return _told(words[:place], words[place], words[place + 1 :], named=named and not asks)


def _auxiliary(words: Sequence[str], asks: int) -> int | None:
    """Where the auxiliary stands that belongs to the word that asks; None where a verb stands before any."""
    for place in range(asks + 1, min(len(words), asks + 10)):
        word = words[place]
        if word in _AUXILIARY:
            return place
        asked = place + 1 < len(words) and words[place + 1] in _AUXILIARY
        if word in _LINKS - {"and", "or"} or (place > asks + 1 and _finite(word) and not asked) or words[asks] == "who":
            return None
    return None


def _finite(word: str) -> bool:
    """Whether a word is a verb in its past or third person."""
    form = auxiliary_of(word)
    return (word in _MORE_FORMS or (form is not None and form[0] != "do")) and not participle(word)


def _subject_asked(words: Sequence[str], asks: int) -> bool:
    """Whether what asks is itself the subject: "who chairs the board", "which analyser measures it"."""
    if asks or words[asks] not in ("who", "what", "which", "how"):
        return False
    if words[asks] == "how" and words[asks + 1] not in ("many", "much"):
        return False
    if words[asks] == "who":
        return words[asks + 1].islower()
    start = asks + 1 if words[asks] == "what" else asks + 2
    return any(
        word in _MORE_FORMS
        or ((form := auxiliary_of(word)) is not None and (form[0] != "do" or words[place - 1].endswith("s")))
        for place, word in enumerate(words[start:], start)
    )


def _told(opening: list[str], auxiliary: str, rest: list[str], *, named: bool) -> str:
    """The clause from its parts: the words that ask, the auxiliary, and what stands behind it."""
    if not rest:
        return ""
    if rest[0].casefold() in _PRONOUN:
        if auxiliary in _DO:
            return _with_verb(opening, auxiliary, rest[:1], rest[1:])
        return " ".join([*opening, rest[0], auxiliary, *rest[1:]])
    if named and _is_subject(auxiliary, rest):
        return " ".join([*opening, auxiliary, *rest])
    if any(word in _LINKS for word in rest[:2]):
        return ""
    if auxiliary in _DO:
        place = _verb(rest, _plain)
        return _with_verb(opening, auxiliary, rest[:place], rest[place:]) if place else ""
    place = _verb(rest, {"b": _complement, "h": _perfect, "m": _plain}[_family(auxiliary)])
    if place and auxiliary in _BE and opening in (["what"], ["who"]) and len(rest) - place > 2:
        # "what is the rate charged by the bank": what follows is said of the rate.
        return ""
    if not place and auxiliary in _BE:
        return _at_the_end(opening, auxiliary, rest)
    if not place or place > LONGEST_SUBJECT or any(word in _LINKS - {"and", "or"} for word in rest[:place]):
        return ""
    return " ".join([*opening, *rest[:place], auxiliary, *rest[place:]])


def _family(auxiliary: str) -> str:
    return "b" if auxiliary in _BE else "h" if auxiliary in _HAVE else "m"


def _is_subject(auxiliary: str, rest: Sequence[str]) -> bool:
    """Whether the words that ask are the subject, so that they and the auxiliary keep their places."""
    first = rest[0]
    place = next((at for at, word in enumerate(rest) if not _ADVERB.fullmatch(word)), len(rest) - 1)
    real, behind = rest[place], rest[place + 1] if place + 1 < len(rest) else ""
    if auxiliary in _BE:
        ends = not behind or behind in _PREPOSITION or behind in _DETERMINER or _ADVERB.fullmatch(behind) is not None
        return real in _PREPOSITION or (
            ends and (participle(real) or real.endswith("ing") or _PREDICATE.fullmatch(real) is not None)
        )
    if auxiliary in _HAVE:
        perfect = any(participle(word) or word == "been" for word in rest[1:])
        return real == "been" or participle(real) or (first in _DETERMINER and not perfect)
    return auxiliary in _MODAL and (real == "be" or _plain(real))


def _plain(word: str) -> bool:
    return infinitive(word) or word in _MORE_VERBS


def _perfect(word: str) -> bool:
    return word == "been" or participle(word)


def _complement(word: str) -> bool:
    if word in _PREPOSITION or word in _NO_PARTICIPLE:
        return False
    return participle(word) or _PREDICATE.fullmatch(word) is not None or (word.endswith("ing") and len(word) > 5)


def _verb(rest: Sequence[str], fits: Callable[[str], bool]) -> int:
    """Where the verb stands behind its subject, with the adverbs before it; 0 where that is not certain."""
    end = next((at for at, word in enumerate(rest) if at and word in _LINKS - {"and", "or"}), len(rest))
    places = [at for at in range(1, end) if fits(rest[at]) and _free(rest, at, fits)]
    if not places:
        return 0
    place, later = places[0], places[1:]
    if later and rest[later[0]] in ("be", "been") and later[0] > place + 1:
        # "the doors to the deck must be": what is surely a verb counts.
        place, later = later[0], []
    sure = rest[place] in ("be", "been")
    if later and not sure:
        # Two verbs: one of them belongs to the subject or is a noun, and nothing says which.
        return 0
    if any(word in ("after", "before", "until", "since", "than") for word in rest[:place]):
        return 0
    while place > 1 and _ADVERB.fullmatch(rest[place - 1]):
        place -= 1
    return place


def _free(rest: Sequence[str], at: int, fits: Callable[[str], bool]) -> bool:
    """Whether a word may be a verb by what stands around it."""
    before, behind = rest[at - 1], rest[at + 1] if at + 1 < len(rest) else ""
    if before in _DETERMINER or before in _PREPOSITION or before.endswith(("'s", "’s", "s'")):
        return False
    ends = not behind or behind in _PREPOSITION or behind in _DETERMINER or _ADVERB.fullmatch(behind) is not None
    if fits is _complement and rest[at].endswith("ing") and not behind:
        return False
    return fits is not _complement or (ends and behind != "of")


def _with_verb(opening: list[str], auxiliary: str, subject: list[str], behind: list[str]) -> str:
    """The clause of a question with "do", whose verb takes over the tense; empty where its form is not known."""
    place = next((at for at, word in enumerate(behind) if not _ADVERB.fullmatch(word)), None)
    if place is None or len(subject) > LONGEST_SUBJECT or any(word in _LINKS - {"and", "or"} for word in subject):
        return ""
    verb = behind[place]
    if "not" in behind[:place] or (auxiliary != "do" and not _plain(verb)):
        return ""
    form = {"do": verb, "does": third_person(verb), "did": past_tense(verb)}[auxiliary]
    return " ".join([*opening, *subject, *behind[:place], form, *behind[place + 1 :]])


def _at_the_end(opening: list[str], auxiliary: str, rest: list[str]) -> str:
    """The clause of a question whose verb is "is" alone: "where the spare keys are"."""
    if (
        opening[-1] not in _ASKS | {"long", "old", "far", "big", "high"}
        or len(rest) > LONGEST_SUBJECT
        or any(word in _LINKS for word in rest)
    ):
        return ""
    if opening == ["who"] and rest[0] not in _DETERMINER and rest[0].islower():
        return " ".join([*opening, auxiliary, *rest])
    if any(_complement(word) for word in rest) or (opening == ["where"] and _PREPOSITION.intersection(rest) - {"of"}):
        return ""
    single = all(at == 0 or word not in _DETERMINER or rest[at - 1] in _PREPOSITION for at, word in enumerate(rest))
    if not single or "not" in rest or rest[-1] in _PREPOSITION or (rest[0] == "the" and opening == ["what"]):
        return ""
    place = next((at for at in range(len(rest) - 1, 1, -1) if rest[at] in ("in", "on", "at", "during")), len(rest))
    if opening == ["where"] or "of" in rest[place:] or place < 2:
        place = len(rest)
    return " ".join([*opening, *rest[:place], auxiliary, *rest[place:]])
