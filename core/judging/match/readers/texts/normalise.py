"""One spelling for texts that say the same: case, accents, quotes, dashes, blanks, invisible characters."""

from __future__ import annotations

import re
import unicodedata

QUOTES = "‘’‚‛′´`ʼ"
DOUBLE_QUOTES = "“”„‟″«»"
DASHES = "‐‑‒–—―−﹣－"
FRACTIONS = {"¼": ".25", "½": ".5", "¾": ".75", "⅓": ".333", "⅔": ".667", "⅛": ".125"}
SUPERSCRIPTS = {"²": "^2", "³": "^3", "¹": "^1"}

_ONE_FOR_ONE = str.maketrans(
    {
        **dict.fromkeys(QUOTES, "'"),
        **dict.fromkeys(DOUBLE_QUOTES, '"'),
        **dict.fromkeys(DASHES, "-"),
        **SUPERSCRIPTS,
        "⁄": "/",
        "×": "x",
        "ı": "i",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
    }
)
"""What Unicode's own decomposition does not reach."""

FRACTION = re.compile(f"(\\d?)[ \u2009]?([{''.join(FRACTIONS)}])")
_EAST_ASIAN = re.compile(r"((?:19|20)\d\d)\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_DECIMALS = {"1/4": ".25", "1/2": ".5", "3/4": ".75", "1/8": ".125", "3/8": ".375", "5/8": ".625", "7/8": ".875"}
_MIXED = re.compile(r"(?<![\d/.,-])(\d{1,4})[ -](1/4|1/2|3/4|[1357]/8)(?![\d/])")
"""A whole number with a fraction in digits: 3 3/4."""
ACCENTS = re.compile("[\u0300-\u036f]")
INVISIBLE = re.compile(
    "[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\\x00]"
)
BLANKS = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
"""What is no single blank already."""
LINES = re.compile(r" ?\n[ \n]*")
BULLET = re.compile(r"^([ \t]*)\*(?=[ \t])", re.MULTILINE)
"""A star before an entry of a list, which is no emphasis."""
EMPHASIS = re.compile(r"\*+")
CODE_SPAN = re.compile(r"`([^`\n]{1,200})`")
POSSESSIVE = re.compile(r"(?<=\w)'s?(?!\w)")
NO_WORD = re.compile(r"[\W_]+")


def clean_text(text: str) -> str:
    """The text without accents, typographic variants, emphasis marks and surplus blanks; letter case and lines stay.

    >>> clean_text("**Champs‑Élysées**   opened  on “1 April”")
    'Champs-Elysees opened on "1 April"'
    """
    plain = text.replace("\x00", "") if text.isascii() else INVISIBLE.sub("", text)
    if "`" in plain:
        plain = CODE_SPAN.sub(r"\1", plain)
    if not plain.isascii():
        plain = _EAST_ASIAN.sub(r"\1-\2-\3", plain)
    if "/" in plain:
        plain = _MIXED.sub(lambda match: f"{match[1]}{_DECIMALS[match[2]]}", plain)
    plain = plain.replace("`", "'") if plain.isascii() else _in_usual_characters(plain)
    if "*" in plain:
        plain = EMPHASIS.sub("", BULLET.sub(r"\1-", plain))
    plain = BLANKS.sub(" ", plain)
    if "\n" in plain:
        plain = LINES.sub("\n", plain)
    return plain.strip()


def _in_usual_characters(plain: str) -> str:
    """A text without accents, with one spelling of each sign: nothing but the backtick has another one in ASCII."""
    plain = FRACTION.sub(lambda match: (match[1] or "0") + FRACTIONS[match[2]], plain)
    plain = unicodedata.normalize("NFKC", plain.translate(_ONE_FOR_ONE)).translate(_ONE_FOR_ONE)
    if plain.isascii():
        return plain
    return unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", plain)))


def normalise_text(text: str) -> str:
    """:func:`clean_text` in one letter case; punctuation and lines stay.

    >>> normalise_text("  O’Brien – ZÜRICH, 1 250 000 ")
    "o'brien - zurich, 1 250 000"
    """
    plain = clean_text(text)
    # a second pass is for what case-folding writes anew, and for blanks that emphasis marks leave
    return plain.casefold() if plain.isascii() and "*" not in text else clean_text(plain.casefold())


def key(text: str) -> str:
    """What two spellings of the same words share: lower-case words parted by single blanks, no punctuation.

    Possessive endings and apostrophes go, ``&`` reads as "and", hyphens part words.

    >>> key("Ann Lee's"), key("O'Brien & Sons"), key("e-mail")
    ('ann lee', 'obrien and sons', 'e mail')
    """
    return key_of_normalised(normalise_text(text))


def key_of_normalised(text: str) -> str:
    """:func:`key` of a text that is normalised already."""
    plain = POSSESSIVE.sub("", text.replace("&", " and ")).replace("'", "")
    return NO_WORD.sub(" ", plain).strip()


LETTER_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")


def match_text(text: str) -> str:
    """:func:`normalise_text` without possessive endings and apostrophes inside words, ``&`` read as "and".

    >>> match_text("Ann Lee's isn't O'Brien & Sons, CHF 1'250.")
    "ann lee isnt obrien and sons, chf 1'250."
    """
    plain = re.sub(r" ?& ?", " and ", normalise_text(text))
    return LETTER_APOSTROPHE.sub("", POSSESSIVE.sub("", plain))
