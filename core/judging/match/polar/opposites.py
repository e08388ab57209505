"""Words of a statement that say the opposite of what a question asks about."""

from __future__ import annotations

import re

from core.judging.match.surroundings.denial import EXCLUDED

_TURNED_DOWN = re.compile(
    r"\b(?:vot|turn|shot|shoot|knock|str[iu])\w* (?:[\w-]+ ){0,4}?down\b"
    r"|\b(?:thrown|threw|throws) (?:[\w-]+ ){0,3}?out\b"
    r"|\b(?:reject|refus|dismiss|defeat|veto|repeal|cancel|abandon|scrap|overturn|revok)\w*|\bwithdr[ae]w\w*"
)
_TAKEN_UP = re.compile(
    r"\b(?:adopt|approv|accept|pass|agre|grant|ratif|confirm|admit|authori[sz]|enact|carri|appoint|elect)\w*"
)
"""What is asked of a proposal, of which being turned down is a no."""
_OPPOSITES = (
    ("positive", "negative"),
    ("above", "below"),
    ("taller", "shorter"),
    ("older", "younger"),
    ("in stock", "(?:out of stock|sold out|back-?ordered)"),
    ("available", "(?:out of stock|sold out|unavailable|withdrawn)"),
    ("open", "closed"),
    ("enabled", "(?:disabled|switched off|turned off)"),
    ("on time", "(?:late|delayed|overdue)"),
    ("full[ -]?tim(?:e|er)", "part[ -]?tim(?:e|er)"),
    ("permanent", "temporary"),
    ("online", "offline"),
    ("indoors?", "outdoors?"),
)


def left_out(sentence: str, question: str) -> str:
    """The word with which a statement leaves out, or turns down, what a question asks about; or empty."""
    out = None if EXCLUDED.search(question) else EXCLUDED.search(sentence)
    if out is None and _TAKEN_UP.search(question) and not _TURNED_DOWN.search(question):
        out = _TURNED_DOWN.search(sentence)
    return out[0] if out else ""


def opposite_of(question: str, sentence: str) -> str:
    """The word of a statement that is the opposite of a question's, which it does not have; or empty."""
    for pair in _OPPOSITES:
        for asked, other in (pair, pair[::-1]):
            if re.search(rf"\b{asked}\b", question) and not re.search(rf"\b{other}\b", question):
                found = re.search(rf"\b{other}\b", sentence)
                if found and not re.search(rf"\b{asked}\b", sentence):
                    return found[0]
    return ""
