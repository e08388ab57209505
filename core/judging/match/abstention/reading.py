"""Whether an answer as a whole answers, declines, does both, or asks back.

Rules a person can check, for English, German and French. Every clause of an answer is one of six moves
(`core.judging.match.abstention.clauses`). A gap counts where it is about what was asked: "The contract names no
deadline, so the default of 30 days applies" answers, and so does "14 days. The clause does not say whether these are
business days"; "I cannot disclose this. Please contact your branch." declines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.judging.match.abstention import courtesy
from core.judging.match.abstention.absence import NOT_IN_A_WRITING, OF_A_WRITING, absent
from core.judging.match.abstention.besides import describes_instead, named_kinds, tells_only_besides
from core.judging.match.abstention.blanks import says_nothing
from core.judging.match.abstention.clauses import MAX_CLAUSE, Clause, Move, clauses_of, speaks_of_source
from core.judging.match.abstention.empty_handed import answer_of_form
from core.judging.match.abstention.gaps import CLOSING
from core.judging.match.abstention.model.learned import LINK, chances
from core.judging.match.abstention.model.weighing import POLAR, YES_OR_NO, is_refusal, stands
from core.judging.match.abstention.outcome import ANSWERED, Outcome, Reading
from core.judging.match.abstention.telling import leads_with_a_figure, tells_from_its_source
from core.judging.match.abstention.vocabulary import ADVERBS, FACT, IS_NOT, SOURCE, SPEAKS, SURE_SOURCE, TEXT, TOLD
from core.judging.match.readers.texts.normalise import match_text
from core.text.citations import cited_sentences, without_marks
from core.text.sentences import split_sentences
from core.text.words import STOP_WORDS, stem, stems

MAX_READ = 20_000
"""Characters of an answer that are looked at."""
_OF_TELLING = re.compile(rf"\b(?:{SOURCE}|{SPEAKS}|{TOLD}|{FACT}|question|answer|know|find|locate|fiscal)\b")
MOST_DENIALS = 3
"""More clauses than these explain something, whatever they deny."""
MOST_DENYING = 200
"""Characters of a clause that does no more than deny."""
_OWN_FACT = re.compile(r"\b(?:has|have|had) no\b|\b(?:if|unless|when)\b|\bto (?:other|third|any)\b")
"""A source as a thing of its own ("the document has no expiry date"), and conditions."""
MAX_WORDS = 120
"""Characters of a clause that are shown where no single words decide."""
_DEMONSTRATIVE = re.compile(r"\b(?:this|that) (?:information|question|detail|figure|data)\b|\b(?:this|that)\W*$")
_NEGATIVE = re.compile(
    r"\b(?:no|not|none|nothing|neither|nor|never|cannot|cant|without|lacks?|omits?"
    r"|arent|werent|havent|missing|absent|blank|empty|silent|unnamed|in vain|fails?|nowhere"
    r"|\w{2,}nt(?<!ment)(?<!ent)(?<!ant))\b"
)
_LISTS = re.compile(
    r"\b(?:lists?|names?|shows?|gives?|states?|says?|mentions?|contains?|includes?)"
    r" (?!(?:no|not|none|nothing|neither)\b)"
)
_KNOWER = re.compile(
    rf"\b(?:the|this|these|those|my|your|our|any|provided|given|supplied"
    rf"|retrieved) (?:[\w-]+ ){{0,2}}?(?:{SURE_SOURCE}|{TEXT})\b"
    r"|^(?:i|im|ive)\b|\byou (?:gave|sent|provided|shared|uploaded)\b"
)
NOT_THERE = re.compile(
    rf"{IS_NOT}{ADVERBS} (?P<told>covered|included|available|found|identified|present|noted|visible|answered)\W*$"
)
_CONCLUDES = re.compile(
    r"^\W*(?:so|therefore|thus|hence|consequently|accordingly|as a result|in (?:short|sum|summary|conclusion|brief)"
    r"|overall"
    r"|however|but|unfortunately|without|given (?:this|that|the)|for (?:this|these) reasons?|regrettably|all in all)\b"
)
_QUESTION = re.compile(r"\b(?:question|query|request|answer(?:ed)?|this|that|it)\b")
_WORD = re.compile(r"[^\W_]+")
_DIGIT_WORD = re.compile(r"(?<![\w.,])[^\W_]*\d[^\W_]*(?![\w%]|[.,]\d)")
_POINTER = re.compile(
    r"\b(?:clauses?|sections?|articles?|pages?|chapters?|rooms?|notes?|items?|tables?|figures?|paragraphs?|annex|appendix"
    r"|parts?|schedules?|versions?|releases?) \d[\d.]*"
)
_NEGATED = re.compile(r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would)nt|cannot|im|ive|id)\b")
_BUT_THERE = re.compile(r"\bnot\b[^.;]{0,60}\bbut (?:in|on|under|by)\b")
"""Not here but there: says where it is told."""
_LIMITING = re.compile(r"\b(?:alone|nothing (?:else|more)|only|solely|exclusively|merely|just)\b")
_OF_SOURCES = re.compile(rf"\b{SOURCE}\b")
_NOT_QUITE = re.compile(r"\b(?:directly|explicitly|exactly|specifically|as such|outright|in so many words)\b")
_TURNS = re.compile(r"^\W*(?:however|but|still|instead|nevertheless|that said|even so|rather)\b")
_OF_THE_CLAIM = re.compile(r"\b(?:those|these|they) (?:are|were)\b")
"""A gap that speaks of what was told: "does not state that those are its rivals"."""
_NONE = re.compile(r"\W*(?:none|nil|nobody|no one|zero)(?: of them)?\W*")
_FOR_SOME = re.compile(r"^\W*(?:which|who|whom|how many|how much|are there|were there|is there)\b|\bany\b")
"""Questions to which "None." is an answer, not a blank."""
_MEANING = re.compile(r"\bwhat (?:does|do|did)\b.*\b(?:mean|stand for|refer to)\b|\bmeaning of\b")
_MEANS = re.compile(r"\b(?:means?|stands? for|refers? to|indicates?|signals?)\b")
_DOUBTS = re.compile(r"\b(?:not (?:sure|certain|clear)|unsure|unclear|no idea|my info)\b")
_GIVES_UP = re.compile(
    r"\b(?:cannot|cant|(?:am|im) (?:not able|unable) to|unable to|not possible to)"
    r" (?:say|tell|confirm|compare|determine|answer|calculate|give|make)\b[^.]{0,40}"
    r"\b(?:differences?|comparisons?|compare[sd]?|(?:you|that was|what was) asked)\b"
    r"|\b(?:comparison|calculation|answer) (?:is not|isnt|cannot be|cant be) (?:possible|made|given)\b"
)
"""How an answer that told something ends in none: "so I can't tell you the difference"."""
LEAST_DENIED = 2
"""Words of a question that a sentence has which denies what it asks."""
PLAIN_WORD = 4
"""Letters of the words that tell a sentence from a name."""
FEWEST_PLAIN = 2


def read_answer(
    question: str, answer: str, sentences: Sequence[str] | None = None, *, by_rules: bool = False
) -> Reading:
    """What an answer as a whole does, with the words that show it.

    An empty answer, or one without a letter or digit, declines. Bare politeness ("You're welcome.") answers.

    Args:
        question: What was asked; "Please contact your branch." answers a question that asks for a way.
        answer: What the target said.
        sentences: The sentences of the answer without marks of citation, where they are known.
        by_rules: Leave out the model that knows refusals in words that the rules do not.

    >>> read_answer("Who manages it?", "I'm sorry, but I could not find this in the documents.")
    Reading(outcome=<Outcome.DECLINED: 'declined'>, words='i could not', says_so=True, learned=False)
    >>> read_answer("What is the fee?", "It is 5% for cards. The fee for loans is not stated.").outcome.value
    'partly'
    """
    answer = answer_of_form(answer)
    if says_nothing(plain := match_text(without_marks(answer[: 2 * MAX_CLAUSE]))):
        if counts_none(plain, match_text(question)):
            return ANSWERED
        return Reading(outcome=Outcome.DECLINED, words=plain.strip() or "(nothing)", says_so=True)
    clauses = clauses_in(answer, sentences)
    plain = match_text(question)
    reading = read_by_rules(plain, clauses)
    if by_rules or LINK.search(answer) or _may_be_a_name(answer):
        return reading
    return _by_the_model(plain, clauses, reading, match_text(answer[:MAX_READ]))


def counts_none(text: str, question: str) -> bool:
    """Whether "None." is an answer and no blank: there is none of what a question asks for.

    Args:
        text: Match text of the answer.
        question: Match text of the question.

    >>> counts_none("none.", "how many are open?"), counts_none("none.", "what is the colour?")
    (True, False)
    """
    return _NONE.fullmatch(text) is not None and _FOR_SOME.search(question) is not None


def clauses_in(answer: str, sentences: Sequence[str] | None = None) -> list[Clause]:
    """What an answer says, clause by clause.

    Args:
        answer: What the target said.
        sentences: Its sentences without marks of citation, where they are known.
    """
    if sentences is None:
        sentences = [words for words, _ in cited_sentences(split_sentences(answer[:MAX_READ]))]
    clauses: list[Clause] = []
    for place, sentence in enumerate(sentences):
        after_source = bool(clauses) and speaks_of_source(clauses[-1].text)
        clauses.extend(clauses_of(sentence, place, after_source=after_source))
    return clauses


def said_in(clauses: Sequence[Clause]) -> list[str]:
    """The clauses that the model reads: all but courtesies."""
    return [clause.text for clause in clauses if clause.move is not Move.IS_POLITE]


def abstains(question: str, answer: str) -> bool:
    """Whether the answer as a whole declines: it has no answer, must not give it, or only asks back.

    >>> abstains("Who manages it?", "I could not find this in the documents.")
    True
    >>> abstains("What is the fee?", "The documents do not say when it was set, but the fee is 5%.")
    False
    """
    return read_answer(question, answer).outcome.declines


def _may_be_a_name(answer: str) -> bool:
    """Whether an answer has hardly a plain word, as names and titles of songs have: the model knows sentences alone."""
    return sum(len(word) >= PLAIN_WORD and word[0].islower() for word in answer.split()) < FEWEST_PLAIN


def _by_the_model(question: str, clauses: Sequence[Clause], reading: Reading, answer: str) -> Reading:
    """Declined where an answer weighs as a refusal, answered where the rules saw one and it does not.

    Args:
        question: Match text.
        clauses: What the answer says.
        reading: By the rules.
        answer: Match text.
    """
    said = said_in(clauses)
    claims = [clause.text for clause in clauses if clause.move is Move.CLAIMS]
    if reading.outcome is Outcome.ASKS_BACK or not said or (reading.outcome is Outcome.ANSWERED and not claims):
        return reading
    if any(_BUT_THERE.search(text) for text in claims):
        return reading
    if _MEANING.search(question) and any(_MEANS.search(text) for text in claims):
        return reading
    only_claims = reading.outcome is Outcome.ANSWERED and len(claims) == len(said)
    if only_claims and tells_from_its_source(question, answer):
        return reading
    if leads_with_a_figure(question, answer):
        return replace(reading, outcome=Outcome.PARTLY) if reading.outcome is Outcome.DECLINED else reading
    if POLAR.search(question) and (
        YES_OR_NO.match(said[0]) or (only_claims and _denies_what_is_asked(claims[0], question))
    ):
        return reading
    found = None if stands(reading, said) else chances(question, said)
    if found is None:
        return reading
    if is_refusal(question, clauses, reading, found, answer):
        likeliest = max(found.clauses, key=lambda clause: clause[1])[0]
        words = reading.words or likeliest[:MAX_WORDS]
        return Reading(outcome=Outcome.DECLINED, words=words, says_so=reading.says_so, learned=not reading.says_so)
    return replace(ANSWERED, learned=True) if reading.outcome is Outcome.DECLINED else reading


def _denies_what_is_asked(claim: str, question: str) -> bool:
    """Whether a claim is a fact that denies what a question asks about: "Such cards aren't accepted"."""
    if not _NEGATIVE.search(claim) or _DOUBTS.search(claim) or speaks_of_source(claim) or _KNOWER.search(claim):
        return False
    return len(_stems(claim) & _stems(question)) >= LEAST_DENIED


def read_by_rules(question: str, clauses: Sequence[Clause]) -> Reading:
    """What an answer does, by rules alone.

    Args:
        question: Match text.
        clauses: What the answer says.
    """
    asked = _stems(question)
    clauses = [_read_again(clause, question, asked) for clause in clauses]
    gaps = [clause for clause in clauses if clause.move is Move.DECLINES]
    claims = [clause for clause in clauses if clause.move is Move.CLAIMS]
    asks = [clause for clause in clauses if clause.move is Move.ASKS]
    if gaps:
        concluded = {gap.sentence for gap in gaps if gap.concludes}
        claims = [clause for clause in claims if not _only_elaborates(clause, gaps[0].sentence, concluded)]
    if not gaps and not POLAR.search(question) and _only_denies(claims):
        return Reading(outcome=Outcome.DECLINED, words=claims[0].text[:MAX_WORDS], says_so=True)
    if not claims:
        return _without_a_claim(question, clauses, gaps, asks)
    if asks and not gaps and all(courtesy.CLARIFIES.search(clause.text) for clause in claims):
        return Reading(outcome=Outcome.ASKS_BACK, words=asks[0].words)
    final = _concluding_gap(clauses, asked)
    if final and (_GIVES_UP.search(final.text) or not any(courtesy.PRECISE.search(claim.text) for claim in claims)):
        return Reading(outcome=Outcome.DECLINED, words=final.words, says_so=True)
    claimed = {claim.sentence for claim in claims}
    for gap in gaps:
        if not _is_beside_the_point(gap, claimed, asked | named_kinds(question)):
            told, missing = [claim.text for claim in claims], _stems(gap.text)
            first = clauses.index(claims[0]) < clauses.index(gap) or _is_flat(gap, claims)
            families = [_stems(text) for text in told]
            of_them = _OF_THE_CLAIM.search(gap.text)
            if (_is_flat(gap, claims) and describes_instead(question, asked, missing, told, families[0])) or (
                not of_them and tells_only_besides(question, asked, missing, told, families, told_first=first)
            ):
                return Reading(outcome=Outcome.DECLINED, words=gap.words, says_so=True)
            return Reading(outcome=Outcome.PARTLY, words=gap.words, says_so=True)
    return ANSWERED


def _is_flat(gap: Clause, claims: Sequence[Clause]) -> bool:
    """Whether a gap is a sentence of its own before all that is told, which does not turn against it."""
    return (
        all(claim.sentence > gap.sentence for claim in claims)
        and not _NOT_QUITE.search(gap.text)
        and not _TURNS.match(claims[0].text)
    )


def _concluding_gap(clauses: Sequence[Clause], asked: set[str]) -> Clause | None:
    """The gap with which an answer ends after it has thought aloud: "So the question can't be answered."."""
    told = [clause for clause in clauses if clause.move in {Move.CLAIMS, Move.DECLINES}]
    if len(told) < 2 or told[-1].move is not Move.DECLINES:
        return None
    final = told[-1]
    begins = next(clause for clause in clauses if clause.sentence == final.sentence)
    concludes = final.concludes or _CONCLUDES.match(begins.text)
    about = _stems(final.text)
    is_about = about & asked or not about or _QUESTION.search(final.text) or _GIVES_UP.search(final.text)
    return final if concludes and is_about else None


def _only_denies(claims: Sequence[Clause]) -> bool:
    """Whether all that is said is negative and somebody who should know is named: no answer to an open question."""
    if not claims or len(claims) > MOST_DENIALS:
        return False
    texts = [claim.text for claim in claims]
    if any(len(text) > MOST_DENYING or courtesy.PRECISE.search(text) or _OWN_FACT.search(text) for text in texts):
        return False
    texts = [_told(text) for text in texts]
    return all(_NEGATIVE.search(text) for text in texts) and any(_KNOWER.search(text) for text in texts)


def _told(text: str) -> str:
    """A claim without what it denies behind a dash, where it tells something first: "it lists two - no others"."""
    first, dash, _ = text.partition(" - ")
    return first if dash and _LISTS.search(first) else text


def _read_again(clause: Clause, question: str, asked: set[str]) -> Clause:
    """What is asked and "is not covered" is a gap where the question is open; "Is it covered?" has its answer."""
    if clause.move is not Move.CLAIMS or _MEANING.search(question):
        return clause
    precise = courtesy.PRECISE.search(clause.text)
    if precise and _NEGATIVE.search(clause.text):
        precise = courtesy.PRECISE.search(_without_names(clause.text, question))
    if POLAR.search(question):
        gone = None if precise or OF_A_WRITING.search(question) else NOT_IN_A_WRITING.search(clause.text)
        return replace(clause, move=Move.DECLINES, words=gone[0]) if gone else clause
    if not precise and (words := absent(clause.text, asked)):
        return replace(clause, move=Move.DECLINES, words=words)
    match = NOT_THERE.search(clause.text)
    if match is None or not _stems(clause.text[: match.start()]) & asked or stem(match["told"]) in stems(question):
        return clause
    return replace(clause, move=Move.DECLINES, words=match[0].strip())


def _without_names(text: str, question: str) -> str:
    """A clause without digits that name something: those of the question's words, and of clauses and pages."""
    named = set(_DIGIT_WORD.findall(question.casefold()))
    plain = _POINTER.sub(" ", text)
    return _DIGIT_WORD.sub(lambda match: " " if match[0] in named else match[0], plain) if named else plain


def _without_a_claim(
    question: str, clauses: Sequence[Clause], gaps: Sequence[Clause], asks: Sequence[Clause]
) -> Reading:
    if gaps:
        return Reading(outcome=Outcome.DECLINED, words=gaps[0].words, says_so=True)
    if asks:
        return Reading(outcome=Outcome.ASKS_BACK, words=asks[0].words)
    limits = [clause for clause in clauses if clause.move is Move.LIMITS]
    referred = [clause for clause in clauses if clause.move is Move.REFERS]
    if limits and not (_LIMITING.search(limits[0].words) and not _OF_SOURCES.search(question)):
        return ANSWERED
    if referred and not limits and courtesy.ASKS_FOR_A_WAY.search(question):
        return ANSWERED
    if said := [*limits, *referred]:
        return Reading(outcome=Outcome.DECLINED, words=said[0].words)
    return ANSWERED


def _only_elaborates(clause: Clause, first_gap: int, concluded: set[int]) -> bool:
    """Whether a claim is why nothing is told ("We publish none, so I cannot say"), or where the answer may stand."""
    if clause.sentence in concluded:
        return True
    if clause.sentence < first_gap or courtesy.PRECISE.search(_POINTER.sub(" ", clause.text)):
        return False
    return bool(courtesy.ELSEWHERE.search(clause.text))


def _is_beside_the_point(gap: Clause, claimed: set[int], asked: set[str]) -> bool:
    """Whether a gap takes nothing from what else the answer says; `claimed` are the sentences that claim something."""
    if gap.aside or gap.concludes:
        return gap.aside
    about = _stems(gap.text)
    touches = bool(about & asked) or (not about and bool(_DEMONSTRATIVE.search(gap.text)))
    if gap.sentence in claimed and not touches:
        return True
    if min(claimed) < gap.sentence:
        return bool(CLOSING.search(gap.text)) or (bool(about) and not touches)
    return False


def _stems(text: str) -> set[str]:
    plain = _OF_TELLING.sub(" ", _NEGATED.sub(" ", text))
    return {stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS and len(word) > 1}
