"""The words around a number: what calls it an identifier, what calls it something else, and whose it is."""

from __future__ import annotations

import re
from typing import Final

REACH: Final = 64
"""Characters before a number in which a word can say what it is."""

OTHER: Final = re.compile(
    r"(?:\b(?:order|invoice|part|article|item|isbn|issn|ean|upc|gtin|doi|serial|tracking|shipment|ticket|sku|model|"
    r"version|batch|lot|meter|parcel|docket|catalogue|catalog|product|purchase|case|claim|policy|contract|accession|"
    r"commission file|file(?= ?(?:no|number|nr|#))|form|job|"
    r"build|transaction|confirmation|booking|voucher|warranty|asset|vin|page|figure|"
    r"table|section|fiscal|(?:\w*(?:bestell|artikel|rechnung|auftrag|liefer|teil|serie|sendung|vertrag|police)\w*)|"
    r"commande|facture|"
    r"référence|pedido|factura|artículo|ordine|fattura|articolo|codice prodotto|bestelling|factuur|onderdeel|"
    r"trace|log|session|checksum|hash|request|event|message|correlation|pallet|grant|waybill|specimen|mandate|record|"
    r"ref|reference)\b(?:\s*(?:no|nos|number|nummer|nr|n|num|numero|número|id|code|ref|reference|key|line)\b\.?)?"
    r"|#)[\s.:°º#=-]*$",
    re.IGNORECASE,
)
"""Something that is numbered and no person: directly before the number."""

PERSON: Final = re.compile(
    r"\b(?:she|he|her|his|him|hers|customer|client|patient|holder|cardholder|policyholder|borrower|applicant|"
    r"employee|tenant|resident|passenger|complainant|witness|mr|mrs|ms|miss|private|personal|home|mobile|kundin|kunde|"
    r"patientin|herr|frau|madame|monsieur|señor|señora|signor|signora|mevrouw|meneer|cliente|client[e]?|klant|"
    r"my|mon|mein\w*|mi|mio|mijn|privat\w*|handy\w*|m[óo]vil|cellulare|natel|cell|mob)\b",
    re.IGNORECASE,
)
ORGANISATION: Final = re.compile(
    r"\b(?:branch|branches|office|offices|hotline|helpline|helpdesk|service desk|switchboard|reception|press|media|"
    r"investor relations|headquarters|head office|company|registrant|department|support|call cent(?:re|er)|"
    r"customer service|customer care|desk|counter|our|us|we|agency|ministry|university|hospital|emergency|bureau|"
    r"toll[- ]free|fax|website|commission|institute|supplier|shop|store|filiale|zentrale|agence|oficina|sede|"
    r"kantoor)\b",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(
    r"(?:[!?]|(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSr)(?<!\bSra)(?<!\bSig)(?<!\bSt)(?<!\bDhr)(?<!\bHr)\.)"
    r"\s+(?=[A-ZÄÖÜÉ])|\n\s*\n|\n(?=[-*|#])"
)
"""Ends of sentences; the full stop of a title is none."""


def before(text: str, start: int, reach: int = REACH) -> str:
    """What stands before a place, in the same line."""
    return text[max(0, start - reach) : start].rsplit("\n", 1)[-1]


def numbered_otherwise(text: str, start: int) -> bool:
    """Whether the words directly before call the number that of an order, a part, a book or the like."""
    return bool(OTHER.search(before(text, start)))


def cued(cue: re.Pattern[str], text: str, start: int, end: int, *, after: int = 0) -> bool:
    """Whether a word before the number, or within `after` characters behind it, names it."""
    return bool(cue.search(before(text, start)) or (after and cue.search(text[end : end + after].split("\n", 1)[0])))


def sentence_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends; at most 300 characters to either side."""
    low, high = max(0, start - 300), min(len(text), end + 300)
    breaks = [match.end() for match in _BREAK.finditer(text, low, start)]
    follow = _BREAK.search(text, end, high)
    return (breaks[-1] if breaks else low), (follow.start() + 1 if follow else high)
