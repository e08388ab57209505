"""Spelling mistakes as fingers make them: a neighbouring key, two letters swapped, one dropped, one doubled."""

from __future__ import annotations

import random
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import EVERYDAY, Word, plain_words, spliced, values_of
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec

LEAST_LETTERS: Final = 4
"""A shorter word may become another word."""
MOST: Final = 4
"""Mistakes in one question."""
TRIES: Final = 8

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _neighbours() -> dict[str, str]:
    near: dict[str, str] = {}
    for row, letters in enumerate(_ROWS):
        for place, letter in enumerate(letters):
            beside = letters[max(0, place - 1) : place] + letters[place + 1 : place + 2]
            above = _ROWS[row - 1][place : place + 2] if row else ""
            below = _ROWS[row + 1][max(0, place - 1) : place + 1] if row + 1 < len(_ROWS) else ""
            near[letter] = beside + above + below
    return near


NEIGHBOURS: Final = _neighbours()
"""The keys that touch a key of an English keyboard."""


@variant(
    VariantSpec(
        name="spelling",
        title="Spelling mistakes",
        question="Does the answer stay right when words are misspelt?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1, input variations. Keyboard neighbours, swaps, drops and doubled letters at a set rate.",
        version=4,
    )
)
def misspell(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Misspells a share of the words of four letters or more, one at least and four at most, one mistake a word."""
    fitting = [
        word for word in plain_words(case.question, values_of(case.sql_params)) if len(word.text) >= LEAST_LETTERS
    ]
    if not fitting:
        return Skip("no word of four letters that is surely no name, number, date, negation or comparison")
    wanted = min(MOST, max(1, round(ground.rate * len(case.question.split()))), len(fitting))
    changes, told = [], []
    for word in sorted(draw.sample(fitting, wanted), key=lambda word: word.start):
        wrong = _mistaken(word, draw, ground)
        if wrong:
            changes.append((word.start, word.end, wrong))
            told.append(f"'{word.text}' became '{wrong}'")
    if not changes:
        return Skip("every mistake would make another word")
    return Draft(question=spliced(case.question, changes), change="; ".join(told))


def _mistaken(word: Word, draw: random.Random, ground: Ground) -> str:
    """The word with one mistake behind its first letter, which people seldom get wrong; empty where none is found."""
    text = word.text
    for _ in range(TRIES):
        place = draw.randrange(1, len(text))
        letter = text[place]
        if not letter.isalpha():
            continue
        kind = draw.choice(("neighbour", "swap", "drop", "double"))
        if kind == "neighbour" and letter in NEIGHBOURS:
            wrong = text[:place] + draw.choice(NEIGHBOURS[letter]) + text[place + 1 :]
        elif kind == "swap" and place + 1 < len(text):
            wrong = text[:place] + text[place + 1] + letter + text[place + 2 :]
        elif kind == "drop":
            wrong = text[:place] + text[place + 1 :]
        elif kind == "double":
            wrong = text[: place + 1] + letter + text[place + 1 :]
        else:
            continue
        if wrong != text and wrong.casefold() not in ground.known and not _another_word(text, wrong):
            return wrong
    return ""


_PLAUSIBLE_WORDS: Final = """
form from manger manages manage managed mange county counter bran ranch branches lat later late dare rate rated note
noted notes hat when then them there where were want went won wont tires titles tile tiles file fill fills mane game
came same cast cost coast case ward award start star state stat hoe how hot shop ship chip tack rack trick truck
rice prices pice tale table tables able sable ably prince price pride prize date data gate mate fate dated dates
rates order older odder boarder border corder product produce stare stares many any may mary man men mean name named
names lame tame genre gender lease please peas plays pay pays play player layer payer
hear heat heart hart teat treat beat bear dear fear near gear ear tear rear tread thread sow sown snow slow show shoe
shore sore score sort short shot soot boot root coat boat goat float flat fat fast vast lost lust rust rest nest bets
beast east eat seat meat meta met set sat sit site sire fire fore four fur hour our out tour pour poor pool spool tool
took book look cook hook noon moon mood food good goods god gold old hold told bold bolt cold cord word words sword
pork park part party tart dart sell cell sells bell belt felt let led lead load loan loads road read red reed need seed
weed week weak wake wade wage wages sage page pages pace place palace lace race trace track stack sack lack black block
lock clock click lick sick stick still sill silly bill bills ball balls tall hall hail rail trail train rain gain grain
brain bran brand band hand sand stand staid paid said maid mail main man pan plan plane plain plant pant past paste
waste taste test text next exit edit credit visit visor bust bus but cut cute cue due sue use used sued fused
loo son fin tat fro toll ten tin tan wit dies doses dose goes toes lit lists list
"""
PLAUSIBLE: Final = frozenset(_PLAUSIBLE_WORDS.split()) | EVERYDAY
"""English words that mistakes in common words lead to; a mistake that is a word may change the meaning."""


def _another_word(text: str, wrong: str) -> bool:
    plural = wrong.endswith("s") != text.endswith("s")
    return wrong.casefold() in PLAUSIBLE or plural
