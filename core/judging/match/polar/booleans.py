"""Yes and no."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from core.judging.match.figures.conditions import denied_by_prefix
from core.judging.match.figures.direction import direction_words
from core.judging.match.polar.compared import named_as_more
from core.judging.match.polar.figures import other_figure
from core.judging.match.polar.opposites import left_out, opposite_of
from core.judging.match.polar.support import in_the_words_asked
from core.judging.match.surroundings.context import ALLOWED, DOUBT, MAYBE
from core.judging.match.surroundings.language import DENYING_NO, FUNCTION_WORDS, PRESENT
from core.text.words import stem

_YES = "yes yeah yep true y correct right affirmative indeed absolutely certainly definitely ja oui si"
YES = frozenset(_YES.split())
NO = frozenset({"no", "none", "nope", "false", "n", "incorrect", "negative", "nein", "non"})
ASKS = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b"
    r"|\b(?:whether|if it is|true or false|yes or no|true that)\b"
)
_BARE = re.compile(
    r"(?!.*\b(?:what|which|who|whom|whose|when|where|how|why|number|count|total|many|much|average|sum|list|names?|id"
    r"|level|grade|position|rank)\b)(?:[^?]+\?|.+ yes ?/ ?no\W*)"
)
"""A question in a few words that asks for no thing: "berth 7 dangerous goods allowed?"."""
ANY_AT_ALL = re.compile(r"^\W*(?:is|are|was|were|does|do|did|has|have|had)\b[^?]*\bany(?:thing|one|body)?\b")
"""A question whether there is any, of which "none" is a no."""
LEADS = re.compile(
    r"^\W*(?:(?:well|answer|the answer is|(?:the )?short answer(?: is)?|final answer|it is|thats|that is|this is"
    r"|so|thus|therefore|hence"
    r"|in (?:short|summary|brief|a word|conclusion|this case)|overall|yes or no"
    r"|(?:based on|according to|from|given|as per|per)(?: [\w'-]+){1,8}?(?=[,:]))\W{1,3})*"
    rf"({DENYING_NO}|(?!no\b)\w+)\b(?! (?:one|longer)\b)"
)
BOTH = re.compile(r"^\W*(?:yes|no)\W{0,3}(?:and|or) (?:yes|no)\b")
FLATLY_NOT = re.compile(
    r"^\W*(?:(?:unfortunately|sadly|regrettably|i am afraid|im afraid|afraid|certainly|probably"
    r"|apparently) not|not (?:at all|really|so|quite|exactly|that)|(?:absolutely|certainly|definitely|of course"
    r"|indeed) not|far from it|by no means)\b"
    r"|^\W*(?:not (?:yet|currently|as yet|so far|any ?more|any longer|for now|at (?:present|the moment))"
    r"|no longer)\s*[.,;:(]"
)
FLATLY = re.compile(
    r"^\W*(?:of course|sure|by all means|very much so|without (?:a )?doubt)\b(?=\s*[.,!;:-]|$)(?!,? not)"
)
CONCLUDES = re.compile(
    r"\b(?:so|therefore|thus|hence|in (?:short|summary|conclusion)|overall),? (?:the answer is |it is )?"
    r"(yes|no)\b(?P<what>(?: [a-z]+){0,3})"
)
ELLIPTIC = re.compile(
    r"^\W*(?:it|they|he|she|there|this|that|we|you|i|the(?: [\w-]+){1,4}?)"
    r" (?:does|do|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must)(?P<not>nt"
    r"| not)?(?: indeed| so)?\s*(?:[.,;!]|$)"
    r"|^\W*(?:it|they|he|she|there|this|that|we|you|i) (?P<cannot>cannot|cant|wont)\s*(?:[.,;!]|$)"
)
"""A statement that leaves out what was asked: "It does not."."""
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
_PROPERTY = re.compile(
    r"^\W*(?:is|are|was|were) (?:[\w'-]+ ){1,8}?(?P<what>free|available|open|closed|included|covered|allowed|permitted"
    r"|required|mandatory|optional|insured|registered|valid|eligible|exempt|taxable|refundable|transferable|accessible|possible)\b"
)
"""What is asked whether something is."""
PREDICATE = 2
"""Telling words at the end of a question that say what is asked of its subject: "certified organic"."""
FEW_WORDS = 6
"""A statement about "it" of so few words can only be about what is asked: "it is not heated"."""
MOST_SENTENCES = 6
MOST_READ = 40
"""Sentences in which a conclusion is looked for."""
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
CONCLUSION = re.compile(
    r"^\W*(?:therefore|thus|hence|so|overall|in (?:short|summary|conclusion)|to (?:conclude|summari[sz]e|sum up)"
    r"|consequently|accordingly|as a result|based on (?:this|these|the above)|given (?:this|these)|conclusion"
    r"|finally)\b"
)
SAID = re.compile(
    r"(?:\b(?:the answer is|answer:|it is|that is|this is|statement is|claim is)|[a-z_] ?=)"
    r"\s(yes|no|true|false|correct|incorrect)\b(?! longer\b)"
)
_LETTER = re.compile(r"(?:\b(?:is|was|as|to|says|shows|value|flag|entry)|[:=]) ?['\"(]?([yn])\b['\")]?(?! ?[/|])")
"""A flag, given as its letter."""
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
_SO_THEN = re.compile(r", (?:so|therefore|thus|hence|which means)\b")
"""Behind a yes or no, what follows from it."""
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
_ROW = re.compile(r"\s*(?:\||$)")
"""A line of a table, or an empty one."""
_SENTENCE_END = re.compile(r"(?<!\.[a-z])[.!;](?:\s|$)|\n")


_OPEN = re.compile(
    r"^.*?\b(?:what(?: is|s| was)|tell me|look up|know(?: exactly)?(?: what)?|give me)(?: the)? (?P<what>.{2,60}?)"
    r" (?:of|for|at|in) (?:the )?[^?]*['\"][^?]*",
    re.DOTALL | re.IGNORECASE,
)
_LETTER_ASKED = re.compile(
    r"\b(?:codes?|grades?|class(?:es)?|categor\w+|letters?|types?|status|zones?|ratings?|sizes?|directions?|genders?|sex"
    r"|series|blocks?|groups?|symbols?|initials?|keys?|names?|abbreviations?|how many|who|where|when|which)\b",
    re.IGNORECASE,
)
"""Questions to which Y or N may be a letter."""


def as_polar(question: str, references: Sequence[str]) -> str:
    """A question for a flag, as one for yes or no: "what is the part time of inspector 'Lee'" asks whether he is.

    Args:
        question: As asked.
        references: Every acceptable answer; only Y and N are flags whatever is asked.

    >>> as_polar("What is the part time of inspector 'Lee'?", ["Y"]), as_polar("What is the grade of 'Lee'?", ["N"])
    ('Is it part time?', "What is the grade of 'Lee'?")
    """
    if any(reference.strip().upper() not in {"Y", "N"} for reference in references) or ASKS.search(question.casefold()):
        return question
    if _LETTER_ASKED.search(question) or not (asked := _OPEN.match(question)):
        return question
    return f"Is it {asked['what']}?"


def truth(reference: str, question: str) -> bool | None:
    """The truth value a reference is, or None; 1 and 0 only where the question asks for yes or no.

    Args:
        reference: Match text of the reference.
        question: Match text of the question.

    >>> truth("true", ""), truth("1", "is it open?"), truth("1", "how many?")
    (True, True, None)
    """
    word = reference.strip(" .!\"'")
    if word in {"yes", "true"}:
        return True
    if word in {"no", "false"}:
        return False
    if word == "none" and ANY_AT_ALL.search(question):
        return False
    if word in {"1", "0", "y", "n", "t", "f"} and (ASKS.search(question) or _BARE.fullmatch(question)):
        return word in {"1", "y", "t"}
    return None


def said_truth(text: str, question: str) -> tuple[bool | None, str]:
    """What an answer says to a yes-or-no question, and the words that say it.

    A leading yes or no decides; else a conclusion, else a statement with the question's words says yes, with a negation
    no. "Declined" says no where the question asks whether something improved.

    Args:
        text: Match text of the answer.
        question: Match text of the question.

    >>> said_truth("no, it is closed.", "is it open?"), said_truth("the branch is open.", "is the branch open?")
    ((False, 'no'), (True, 'the branch is open'))
    """
    question = _core(question)
    text = in_the_words_asked(text, question)
    lead = LEADS.match(text)
    word = lead[1] if lead else ""
    led = word in YES | NO and not re.match(r"\W{0,3}(?:or|and)\b", text[lead.end() if lead else 0 :])
    first = _SO_THEN.split(_SENTENCE_END.split(text, maxsplit=1)[0], maxsplit=1)[0] if led else text
    if doubt := DOUBT.search(text if len(text) <= SHORT else first) or _maybe(first, question):
        return None, doubt[0]
    if led:
        return word in YES, word
    if letter := _LETTER.search(text):
        return letter[1] == "y", letter[0]
    if text.strip(" .") in {"1", "0"}:
        return text.strip(" .") == "1", text.strip()
    if flat := FLATLY.match(text):
        return True, flat[0].strip()
    if flat := FLATLY_NOT.match(text):
        return False, flat[0].strip()
    statement = SAID.search(text) or _concluding(text, question)
    if statement:
        return statement[1] in YES, statement[0]
    if text.rstrip().endswith("?"):
        return None, ""
    if elliptic := ELLIPTIC.match(text):
        return not (elliptic["not"] or elliptic["cannot"]), elliptic[0].strip()
    sentences = [one for one in _SENTENCE_END.split(text, maxsplit=MOST_READ) if not _ROW.match(one)][:MOST_READ]
    concluding = [_stated(sentence[:400], question) for sentence in sentences if CONCLUSION.match(sentence)]
    if told := [found for found in concluding if found[0] is not None]:
        return told[-1]
    stated = [_stated(sentence[:400], question) for sentence in sentences[:MOST_SENTENCES]]
    told = [found for found in stated if found[0] is not None]
    return told[0] if told and len({truth for truth, _ in told}) == 1 else (None, "")


def _concluding(text: str, question: str) -> re.Match[str] | None:
    """Where a text concludes with yes or no, and not with "so no payments are possible", which asks of nothing."""
    for found in CONCLUDES.finditer(text):
        what = frozenset(WORD.findall(found["what"])) - FUNCTION_WORDS
        if not what or _telling(" ".join(what)) & _telling(question):
            return found
    return None


def _maybe(text: str, question: str) -> re.Match[str] | None:
    """A hedge, but for what is allowed besides: "a form may be requested" where a visa is asked about."""
    asked = set(WORD.findall(question))

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[0].split()[-1] in asked else " "

    return MAYBE.search(ALLOWED.sub(kept, text))


def unsaid(text: str, question: str) -> str:
    """The property that a question asks about where an answer has no word of it; or empty.

    >>> unsaid("donors pay the standard tariff", "is parking free for donors?")
    'free'
    >>> unsaid("parking is not free for donors", "is parking free for donors?")
    ''
    """
    asked = _PROPERTY.search(_core(question))
    return asked["what"] if asked and stem(asked["what"]) not in _telling(text) else ""


def _core(question: str) -> str:
    """What is asked for yes or no: without where it is to be looked up, and without what is asked besides."""
    start = ASKS_WITHIN.search(question)
    core = question[start.start() :] if start else question
    besides = BESIDES.search(core)
    if besides and len(_telling(core[: besides.start()])) >= LEAST_TELLING:
        core = core[: besides.start()]
    return core.strip(" ,;")


def _stated(sentence: str, question: str) -> tuple[bool | None, str]:
    """What one sentence says to the question by what it comes to, where that says something, else as a whole."""
    then = _THEN.search(sentence)
    concluded = _told(then["then"], question) if then else (None, "")
    if (
        then
        and concluded[0] is None
        and _NONE_OF.match(then["then"])
        and not _telling(then["then"]) & _telling(question)
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
    shared = _telling(sentence) & asked
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
    covers = len(_telling(core) & asked) >= COVERED * len(asked)
    return core if covers and _NONE_OF.match(detail) and _DONE.search(core) else sentence


def _outright(sentence: str, question: str) -> tuple[bool | None, str]:
    """What a sentence says that leaves out, names as more or calls over what a question asks about; else nothing."""
    if (out := ALL_BUT.search(sentence)) and _telling(out["what"]) & _telling(question):
        return False, out[0].strip()
    without = WITHOUT.search(question)
    if without and _NEEDS.search(sentence) and stem(without["what"]) in _telling(sentence):
        return DENIES.search(sentence) is not None, sentence.strip()
    over = _OVER.search(sentence) if _IN_FORCE.search(question) else None
    if over and len(_telling(sentence) & _telling(question)) > 1:
        return DENIES.search(sentence[: over.start()]) is not None, over[0]
    return named_as_more(sentence, question)


def _to_be_named(sentence: str, question: str, *, turn: bool, of_it: bool) -> set[str]:
    """The words of a question of which a statement has to have enough to answer it.

    Of what rises or falls that is what does so, not that it does, nor when. A statement about "it" has to name what is
    asked of its subject: the last words of the question, where it has them.
    """
    asked = _telling(question)
    if turn:
        asked = {stem(word) for word in WORD.findall(question) if _is_matter(word)} or asked
    if of_it:
        words = [stem(word) for word in WORD.findall(question) if stem(word) in asked and word not in PRESENT]
        is_short = len(WORD.findall(sentence)) <= FEW_WORDS
        predicate = set(words[-1:] if is_short else words[-PREDICATE:])
        return predicate if predicate <= _telling(sentence) else asked
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


def _telling(text: str) -> set[str]:
    return {stem(word) for word in WORD.findall(text) if word not in FUNCTION_WORDS}
