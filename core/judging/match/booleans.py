"""Yes and no."""

from __future__ import annotations

import re

from core.judging.match.context import DOUBT, FUNCTION_WORDS, MAYBE

YES = frozenset({"yes", "true", "y", "correct", "right", "affirmative", "ja", "oui", "si"})
NO = frozenset({"no", "false", "n", "incorrect", "negative", "nein", "non"})
ASKS = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b"
    r"|\b(?:whether|if it is|true or false|yes or no|true that)\b"
)
LEADS = re.compile(
    r"^\W*(?:(?:well|answer|the answer is|short answer|it is|thats|that is|this is)\W{1,3})*(\w+)\b(?! one\b)"
)
SAID = re.compile(
    r"\b(?:the answer is|answer:|it is|that is|this is|statement is|claim is)\s(yes|no|true|false|correct|incorrect)\b"
)
DENIES = re.compile(
    r"\b(?:not|never|no|isnt|wasnt|arent|werent|doesnt|didnt|dont|hasnt|havent|hadnt|cant|cannot|wont|neither|nor|without|none)\b"
)
NOT_A_DENIAL = re.compile(r"\bnot only\b|\bno doubt\b|\bno\.? \d")
WORD = re.compile(r"[^\W_]+")


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
    if word in {"1", "0", "y", "n", "t", "f"} and ASKS.search(question):
        return word in {"1", "y", "t"}
    return None


def said_truth(text: str, question: str) -> tuple[bool | None, str]:
    """What an answer says to a yes-or-no question, and the words that say it.

    A leading yes or no decides; else a statement with the question's words says yes, with a negation no.

    Args:
        text: Match text of the answer.
        question: Match text of the question.

    >>> said_truth("no, it is closed.", "is it open?"), said_truth("the branch is open.", "is the branch open?")
    ((False, 'no'), (True, 'the branch is open'))
    """
    if doubt := DOUBT.search(text) or MAYBE.search(text):
        return None, doubt[0]
    lead = LEADS.match(text)
    word = lead[1] if lead else ""
    if word in YES | NO and not re.match(r"\W{0,3}(?:or|and)\b", text[lead.end() if lead else 0 :]):
        return word in YES, word
    if text.strip(" .") in {"1", "0"}:
        return text.strip(" .") == "1", text.strip()
    statement = SAID.search(text)
    if statement:
        return statement[1] in YES, statement[0]
    sentence = re.split(r"[.!;\n](?:\s|$)", text, maxsplit=1)[0][:400]
    shared = _telling(sentence) & _telling(question)
    if not shared or text.rstrip().endswith("?"):
        return None, ""
    denial = DENIES.search(NOT_A_DENIAL.sub(" ", sentence))
    question_denial = DENIES.search(NOT_A_DENIAL.sub(" ", question))
    if denial:
        return (None, "") if question_denial else (False, denial[0])
    # yes only where the statement keeps what was asked about: its last telling word
    last_word = [word for word in WORD.findall(question) if word not in FUNCTION_WORDS][-1:]
    return (True, sentence.strip()) if last_word and last_word[0] in shared else (None, "")


def _telling(text: str) -> set[str]:
    return {word for word in WORD.findall(text) if word not in FUNCTION_WORDS}
