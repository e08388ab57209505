"""Tells words that people say from shortened ones, and writes out those that the library does not list."""

from __future__ import annotations

import re
from functools import lru_cache

from core.sources.database.semantics.abbreviations import KEPT_SHORT, WORDS
from core.sources.database.semantics.short_words import SHORT_WORDS

SHORTEST_LONG = 5
"""Letters from which a word is judged by how it sounds; shorter ones are looked up."""
LEAST_WRITTEN_OUT = 4
"""Letters from which a shortened word says enough to be written out: "blt" is built, bolt and ballot."""
VOWELS = "aeiouy"
_ENDS = """
b bb bs c ch ck cks cs ct cts d dd ds dge f ff ffs fs ft fts g gg gh ght ghts gs h hs k ks l lb lbs ld lds lf lfs lk
lks ll lls lm lms lp lps ls lt lts m mb mbs mp mps mpt ms n nc nch nd nds ng ngs ngth ngths nk nks nn ns nt nts p ph phs
ps pt pts q r rb rbs rc rch rd rds rf rg rk rks rl rld rlds rls rm rms rn rns rp rps rr rs rsh rst rt rts rth rths rve s
sh sk sks sm sms sp ss st sts t tch th ths ts tt v w wl wls wn wns ws x xt xts z zz lth ltz tz mn lch nct pth dth fth gn
gns lsh lst mph mpts nst nth nths rf rfs rpt sht wd wds wk wks
"""
ENDS = frozenset(_ENDS.split())
"""Consonants that English words end in."""
CROWD = re.compile(rf"[^{VOWELS}\W\d_]{{5,}}")
"""More consonants in a row than any word of a name has."""


@lru_cache(maxsize=8192)
def understood(word: str, *, last: bool = True) -> bool:
    """Whether a word can be said: a short one is known, a long one sounds like a word.

    Args:
        word: In small letters.
        last: Whether nothing stands behind it: single letters tell things apart there ("surgery b").

    >>> [understood(word) for word in ("order", "kyc", "wdl", "opn", "acft", "branch", "alrt", "dispense", "2024")]
    [True, True, False, False, False, True, False, True, True]
    """
    if word in WORDS or word in KEPT_SHORT or word.isdigit():
        return True
    if not word.isascii() or not word.isalpha():
        return not any(sign.isdigit() for sign in word)
    if len(word) == 1:
        return last
    if len(word) < SHORTEST_LONG:
        return word in SHORT_WORDS or (word.endswith("s") and (word[:-1] in SHORT_WORDS or word[:-1] in KEPT_SHORT))
    end = re.search(rf"[^{VOWELS}]*$", word)
    return bool(end and (not end[0] or end[0] in ENDS)) and not CROWD.search(word) and any(v in word for v in VOWELS)


@lru_cache(maxsize=8192)
def written_in_full(short: str, vocabulary: frozenset[str] = frozenset()) -> str:
    """The one word that a shortened word stands for; empty where none does, or several could.

    A word that keeps its first letter and drops all vowels after it comes before one that is cut off.

    Args:
        short: In small letters.
        vocabulary: Further words of the database, which come before those of the library.

    >>> written_in_full("invntry"), written_in_full("cmpgn"), written_in_full("recrui"), written_in_full("zq")
    ('inventory', 'campaign', 'recruit', '')
    """
    if len(short) < LEAST_WRITTEN_OUT:
        return ""
    for words in (vocabulary, WORDS):
        for fits in (_drops_vowels, _is_cut_off):
            found = {word for word in words if len(word) > len(short) and fits(short, word)}
            found -= {word for word in found if word.endswith("s") and word[:-1] in found}
            if len(found) == 1:
                return found.pop()
            if found:
                break
    return ""


def _drops_vowels(short: str, word: str) -> bool:
    return _skeleton(word) == _single(short)


def _is_cut_off(short: str, word: str) -> bool:
    return len(short) > LEAST_WRITTEN_OUT and word.startswith(short)


@lru_cache(maxsize=8192)
def _skeleton(word: str) -> str:
    return _single(word[0] + "".join(letter for letter in word[1:] if letter not in "aeiou"))


@lru_cache(maxsize=8192)
def _single(word: str) -> str:
    """A word with doubled letters once."""
    return re.sub(r"(.)\1+", r"\1", word)
