"""Whether an answer as a whole answers, declines, does both, or asks back.

A reader of question and reply (`core.encoders.classifiers.refusal_reader`) says whether the asked is left open. Rules
a person can check find who asks back, what is told in part, the words that say so, and refusals in other languages:
every clause of an answer is one of six moves (`core.judging.match.abstention.clauses`). A gap counts where it is about
what was asked: "The contract names no deadline, so the default of 30 days applies" answers, and so does "14 days. The
clause does not say whether these are business days"; "I cannot disclose this. Please contact your branch." declines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.encoders.classifiers.refusal_reader import (
    reads_as_english,
    refusal_odds,
    refusal_odds_of,
    refusal_reader_there,
)
from core.judging.match.abstention.blanks import says_nothing
from core.judging.match.abstention.by_rules import KNOWER, MAX_WORDS, MEANING, asked_again, read_by_rules
from core.judging.match.abstention.clauses import MAX_CLAUSE, Clause, Move, clauses_of, speaks_of_source
from core.judging.match.abstention.courtesy import PRECISE
from core.judging.match.abstention.empty_handed import answer_of_form
from core.judging.match.abstention.outcome import ANSWERED, Outcome, Reading
from core.judging.match.abstention.vocabulary import POLAR
from core.judging.match.readers.texts.normalise import match_text
from core.text.citations import cited_sentences, without_marks
from core.text.sentences import split_sentences
from core.text.words import content_words

MAX_READ = 20_000
"""Characters of an answer that are looked at."""
_NONE = re.compile(r"\W*(?:none|nil|nobody|no one|zero)(?: of them)?\W*")
_FOR_SOME = re.compile(r"^\W*(?:which|who|whom|how many|how much|are there|were there|is there)\b|\bany\b")
"""Questions to which "None." is an answer, not a blank."""
_THANKS = re.compile(r"\W*(?:thanks?|thank you)\b", re.IGNORECASE)
"""With which one asks nothing."""
MARGIN, MARGIN_OF_AN_EXPLANATION = 0.5, 2.2
"""Log odds above which an answer declines that is no refusal by the rules; a yes or no is often explained at length,
and what a question of a word or two is after only its conversation shows."""
LONG = 250
"""Characters of an explanation to a question for yes or no."""
VAGUE, SENTENCE = 2, 100
"""Telling words of a question that shows little of what is asked, and characters of an answer in a sentence or more."""
NO_HITS = re.compile(
    r"\W*(?:0|no|zero) (?:results?|rows?|records?|matches|hits|entries|documents?)"
    r"(?: (?:were |was )?(?:found|returned|matched|match))?(?: (?:for )?(?:your|the|this) \w+)?\W*"
)
"""What a search says that found nothing; it answers a question for how many."""
UNTOLD = re.compile(
    r"\b(?:not|never|isnt|wasnt|arent|werent|hasnt|havent) (?:been )?"
    r"(?:specified|stated|given|mentioned|disclosed|known)\W*$"
)
"""How a sentence ends that says of what was asked that nobody tells it."""
MOST_PLAIN = 90
"""Characters of a reply that does nothing but say that it has no answer."""
RULES_ALONE = (
    "Whether an answer declines is read by rules alone, since the packaged sentence encoder MiniLM is not installed: "
    "refusals in unusual words are missed."
)


def read_answer(
    question: str, answer: str, sentences: Sequence[str] | None = None, *, by_rules: bool = False
) -> Reading:
    """What an answer as a whole does, with the words that show it.

    An empty answer, or one without a letter or digit, declines. Bare politeness ("You're welcome.") answers.

    Args:
        question: What was asked; "Please contact your branch." answers a question that asks for a way.
        answer: What the target said.
        sentences: The sentences of the answer without marks of citation, where they are known.
        by_rules: Leave out the reader that knows refusals in words that the rules do not.

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
    if by_rules or without_model():
        return reading
    return _by_the_reader(question, answer, clauses, reading)


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


def abstains(question: str, answer: str) -> bool:
    """Whether the answer as a whole declines: it has no answer, must not give it, or only asks back.

    >>> abstains("Who manages it?", "I could not find this in the documents.")
    True
    >>> abstains("What is the fee?", "The documents do not say when it was set, but the fee is 5%.")
    False
    """
    return read_answer(question, answer).outcome.declines


def read_ahead(replies: Iterable[tuple[str, str]]) -> None:
    """Lets the reader see many answers together, which takes half the time; `read_answer` finds what it said of each.

    Args:
        replies: The question and the answer of each.
    """
    if not without_model():
        told = [(question, answer_of_form(answer)) for question, answer in replies]
        refusal_odds_of([pair for pair in told if pair[1].strip() and reads_as_english(pair[1])])


def without_model() -> str:
    """What to say of readings where the encoder is not installed; empty where it is."""
    return "" if refusal_reader_there() else RULES_ALONE


def _by_the_reader(question: str, answer: str, clauses: Sequence[Clause], reading: Reading) -> Reading:
    """Declined where the reader says so, answered where the rules saw a refusal and it does not.

    Args:
        question: As asked.
        answer: As given.
        clauses: What the answer says.
        reading: By the rules.
    """
    said = [clause.text for clause in clauses if clause.move is not Move.IS_POLITE]
    asks_back = reading.outcome is Outcome.ASKS_BACK
    if asks_back or not said or _THANKS.match(question) or not reads_as_english(answer):
        return reading
    if reading.outcome is Outcome.DECLINED and _says_no_more(match_text(question), clauses, reading):
        return reading
    if refusal_odds(question, answer) > _margin(question, answer, reading):
        words = reading.words or _plainest(question, said)[:MAX_WORDS]
        return Reading(outcome=Outcome.DECLINED, words=words, says_so=reading.says_so, learned=not reading.says_so)
    if reading.outcome is not Outcome.DECLINED or asked_again(match_text(question), clauses):
        return reading
    return replace(ANSWERED, learned=True)


def _plainest(question: str, clauses: Sequence[str]) -> str:
    """The clause that declines most by itself."""
    if len(clauses) == 1:
        return clauses[0]
    odds = refusal_odds_of([(question, clause) for clause in clauses])
    return clauses[max(range(len(clauses)), key=odds.__getitem__)]


def _margin(question: str, answer: str, reading: Reading) -> float:
    """Log odds above which a reply declines, by what the rules saw in it."""
    if reading.outcome is Outcome.DECLINED:
        return 0.0
    if reading.outcome is Outcome.PARTLY:
        return MARGIN
    explains = len(answer) > LONG and POLAR.search(match_text(question))
    vague = len(answer) > SENTENCE and len(content_words(question)) <= VAGUE
    return MARGIN_OF_AN_EXPLANATION if explains or vague else MARGIN


def _says_no_more(question: str, clauses: Sequence[Clause], reading: Reading) -> bool:
    """Whether a reply that declines by the rules only sends elsewhere, or only says that it has no answer."""
    if any(clause.move is Move.CLAIMS for clause in clauses):
        return False
    if not reading.says_so:
        return True
    text = " ".join(clause.text for clause in clauses)
    if NO_HITS.fullmatch(text):
        return "how many" not in question
    short = len(text) <= MOST_PLAIN and not PRECISE.search(text)
    plain = short and not POLAR.search(question) and not MEANING.search(question)
    gaps = [clause.text for clause in clauses if clause.move is Move.DECLINES]
    return plain and any(KNOWER.search(gap) or UNTOLD.search(gap) for gap in gaps)
