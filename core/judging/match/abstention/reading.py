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

from core.judging.match.abstention.blanks import says_nothing
from core.judging.match.abstention.by_rules import (
    KNOWER,
    MAX_WORDS,
    MEANING,
    NEGATIVE,
    QUOTES_A_REPLY,
    asked_again,
    read_by_rules,
    telling_families,
)
from core.judging.match.abstention.clauses import MAX_CLAUSE, Clause, Move, clauses_of, speaks_of_source
from core.judging.match.abstention.empty_handed import answer_of_form
from core.judging.match.abstention.model.learned import LINK, chances
from core.judging.match.abstention.model.weighing import POLAR, YES_OR_NO, is_refusal, stands
from core.judging.match.abstention.outcome import ANSWERED, Outcome, Reading
from core.judging.match.abstention.telling import leads_with_a_figure, tells_from_its_source, tells_what_is_asked
from core.judging.match.abstention.two_asked import tells_one_of_two
from core.judging.match.readers.texts.normalise import match_text
from core.text.citations import cited_sentences, without_marks
from core.text.sentences import split_sentences

MAX_READ = 20_000
"""Characters of an answer that are looked at."""
_BUT_THERE = re.compile(r"\bnot\b[^.;]{0,60}\bbut (?:in|on|under|by)\b")
"""Not here but there: says where it is told."""
_NONE = re.compile(r"\W*(?:none|nil|nobody|no one|zero)(?: of them)?\W*")
_FOR_SOME = re.compile(r"^\W*(?:which|who|whom|how many|how much|are there|were there|is there)\b|\bany\b")
"""Questions to which "None." is an answer, not a blank."""
_MEANS = re.compile(r"\b(?:means?|stands? for|refers? to|indicates?|signals?)\b")
_DOUBTS = re.compile(r"\b(?:not (?:sure|certain|clear)|unsure|unclear|no idea|my info)\b")
_UNSURE_OF_ITS_FIGURE = re.compile(
    r"(?P<figure>\d[\d.,]*)\b[^.;\n]{0,80}, (?:but )?whether (?:this|that|it|they|these) (?:is|are|was|were)\b"
    r"[^.;\n]{0,80}\bor\b"
)
"""A figure that is told, and a doubt of which two things it is the figure."""
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
    only_claims = reading.outcome is Outcome.ANSWERED and len(claims) == len(said)
    if not said or _is_plain(question, clauses, reading, claims):
        return reading
    if only_claims and (tells_from_its_source(question, answer) or tells_what_is_asked(question, answer)):
        return reading
    unsure = _UNSURE_OF_ITS_FIGURE.search(answer) if reading.outcome is Outcome.DECLINED else None
    if unsure and unsure["figure"] not in question:
        return replace(reading, outcome=Outcome.PARTLY)
    if leads_with_a_figure(question, answer):
        return replace(reading, outcome=Outcome.PARTLY) if reading.outcome is Outcome.DECLINED else reading
    if POLAR.search(question) and (
        YES_OR_NO.match(said[0]) or (only_claims and _denies_what_is_asked(claims[0], question))
    ):
        return reading
    found = None if stands(reading, said, answer) else chances(question, said)
    if found is None:
        return reading
    if is_refusal(question, clauses, reading, found, answer):
        likeliest = max(found.clauses, key=lambda clause: clause[1])[0]
        words = reading.words or likeliest[:MAX_WORDS]
        return Reading(outcome=Outcome.DECLINED, words=words, says_so=reading.says_so, learned=not reading.says_so)
    return replace(ANSWERED, learned=True) if reading.outcome is Outcome.DECLINED else reading


def _is_plain(question: str, clauses: Sequence[Clause], reading: Reading, claims: Sequence[str]) -> bool:
    """Whether an answer says so plainly what it does that the model has no say."""
    if reading.outcome is Outcome.ASKS_BACK or (reading.outcome is Outcome.ANSWERED and not claims):
        return True
    if reading.outcome is Outcome.DECLINED and asked_again(question, clauses):
        return True
    if any(_BUT_THERE.search(text) or QUOTES_A_REPLY.search(text) for text in claims):
        return True
    if MEANING.search(question) and any(_MEANS.search(text) for text in claims):
        return True
    if reading.outcome is not Outcome.PARTLY:
        return False
    lacking = next((clause.text for clause in clauses if reading.words in clause.text), "")
    return tells_one_of_two(question, [text for text in claims if text != lacking], lacking)


def _denies_what_is_asked(claim: str, question: str) -> bool:
    """Whether a claim is a fact that denies what a question asks about: "Such cards aren't accepted"."""
    if not NEGATIVE.search(claim) or _DOUBTS.search(claim) or speaks_of_source(claim) or KNOWER.search(claim):
        return False
    return len(telling_families(claim) & telling_families(question)) >= LEAST_DENIED
