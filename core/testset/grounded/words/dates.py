"""What happened and when: participles in the names of columns, as dates and events that people ask for."""

from __future__ import annotations

from collections.abc import Sequence

from core.sources.database.words import split_words
from core.testset.grounded.words.inflection import article
from core.testset.grounded.words.people import is_person

_EVENTS = """
opened opening, opening opening, joined joining, installed installation, created creation, closed closing, launched
launch, hired hiring, issued issue, booked booking, updated update, started start, ended end, born birth, founded
founding, published publication, signed signing, approved approval, expires expiry, expired expiry, delivered
delivery, offered offer, ordered order, shipped shipping, paid payment, registered registration, valid validity,
purchased purchase, bought purchase, sold sale, received receipt, returned return, built construction, retired
retirement, departed departure, arrived arrival, cancelled cancellation, canceled cancellation, completed completion,
finished completion, resolved resolution, reported report, died death, married marriage, enrolled enrolment, graduated
graduation, appointed appointment, elected election, released release, recorded recording, invoiced invoicing,
submitted submission, accepted acceptance, rejected rejection, inspected inspection, repaired repair, serviced
service, tested test, calibrated calibration, admitted admission, discharged discharge, terminated termination,
dismissed dismissal, renewed renewal, activated activation, deactivated deactivation, verified verification, confirmed
confirmation, transferred transfer, withdrawn withdrawal, audited audit, reviewed review, posted posting, traded
trade, settled settlement, matured maturity, acquired acquisition, opens opening, closes closing, starts start, ends
end, begins start, arrives arrival, departs departure, leaves departure, returns return, occurred occurrence, raised
creation,
happened event, placed placement, disbursed disbursement, declined refusal, ordained ordination, observed observation,
harvested harvest, planted planting, collected collection, dispatched dispatch, discovered discovery, filed filing,
claimed claim, lost loss, died death, examined examination, measured measurement, vaccinated vaccination, scheduled
schedule, promoted promotion, commissioned commissioning, decommissioned decommissioning, erected erection, lent loan,
loaned loan, dispensed dispensing, prescribed prescription, counted count, requested request, assigned assignment,
adopted adoption, exhibited exhibition, lodged lodging, decided decision, imposed imposition, insured insurance,
renovated renovation, refurbished refurbishment, deployed deployment, detected detection, diagnosed diagnosis, sampled
sampling, charged charge, arrested arrest, convicted conviction, sentenced sentence, donated donation, borrowed
borrowing, checked check, cleaned cleaning, granted grant, awarded award, nominated nomination, loaded loading, landed
landing, docked docking, boarded boarding, trained training, certified certification, accredited accreditation,
validated validation, surveyed survey, valued valuation, listed listing, extended extension, suspended suspension,
revoked revocation, archived archiving, printed printing, translated translation, performed performance, treated
treatment, operated operation, referred referral, licensed licence, patented patent, demolished demolition, upgraded
upgrade, replaced replacement, maintained maintenance, washed wash, weighed weighing, played match, fought fight,
recruited recruitment, interviewed interview, contacted contact, notified notification, escalated escalation, drawn
drawing, drafted drafting, ratified ratification, enacted enactment, repealed repeal, onboarded start
"""
NOUN_OF = dict(pair.split() for pair in _EVENTS.split(","))
"""Participles as nouns, so that ``opened_on`` becomes "opening date"."""
PAST_ENDS = frozenset({"ed", "rn", "id", "ld", "ht", "lt"})
"""How participles end."""
PARTICIPLES = frozenset({"done", "held", "made", "sent", "taken", "given", "seen", "won", "written", "begun"})
"""Irregular ones that have no noun of their own in the name of a date."""
_IN_A_YEAR = """
built founded established opened closed constructed erected born died published released launched laid renovated hired
joined installed completed demolished discovered acquired planted restored converted listed commissioned retired created
started ended married elected appointed admitted graduated enrolled premiered abandoned rebuilt
"""
IN_A_YEAR = frozenset(_IN_A_YEAR.split())
"""What happens in a year, where figures such as 1,650 may be years: nothing is produced or raised there."""
BY_THEMSELVES = frozenset({"happened", "occurred", "expired", "arrived", "departed", "died"})
"""What nobody does to a thing: an incident that happened on a day, where an order is one placed on a day."""
_ACRONYMS = """
iban bic swift atm url isbn vat id ip gps hr ceo cfo vip pin kyc mfa mcc sku etf gdp sms api bmi usa uk eu aml sla poa
bp ead lgd gl esg ipo roi rma erp crm ean upc gtin vin iata icao lei mri ecg icd atc nhs gmc ssn dna pcr gpa usb cpu ram
gpu lcd faq ngo vp cto coo phd un atp wta fifa uefa nba nfl mlb nhl imdb dvd cd pdf tv pc hdl ldl qr
"""
ACRONYMS = frozenset(_ACRONYMS.split())


def says_again(participle: str, noun: str) -> bool:
    """Whether what happened only repeats what the thing is.

    >>> says_again("inspected", "lift inspection"), says_again("refunded", "refund"), says_again("sent", "sample")
    (True, True, False)
    """
    last = noun.split()[-1]
    return NOUN_OF.get(participle) == last or participle in {f"{last}ed", f"{last}d"}


def event_phrase(name: str) -> str:
    """The phrase by which a date column identifies a row; empty where the column has none.

    >>> event_phrase("happened_on")
    'that happened on'
    >>> event_phrase("opened_on"), event_phrase("registeredAt"), event_phrase("due_on"), event_phrase("done_on")
    ('opened on', 'registered at', '', 'done on')
    """
    words = split_words(name)
    if len(words) == 1 and words[0] in ("expires", "expiry"):
        return "expiring on"
    if len(words) == 1 and words[0] in NOUN_OF and words[0].endswith("ed"):
        return f"{words[0]} on"
    if len(words) != 2 or words[1] not in ("on", "at"):
        return ""
    event = words[0] in PARTICIPLES or words[0].endswith("ed") or (words[0] in NOUN_OF and words[0][-2:] in PAST_ENDS)
    return f"{'that ' if words[0] in BY_THEMSELVES else ''}{' '.join(words)}" if event else ""


STATES = frozenset({"open", "active", "closed", "vacant", "empty", "idle"})
STARTS = frozenset({"from", "since"})
ENDS = frozenset({"to", "until", "till", "through", "thru", "upto"})
LASTING = {
    "effective": "validity",
    "eff": "validity",
    "valid": "validity",
    "active": "activity",
    "employed": "employment",
}
"""Words that say that something holds, as what holds."""


def period_noun(words: Sequence[str]) -> str:
    """The first or the last day of a period, from a column's words; empty where they name none.

    >>> period_noun(["effective", "from"]), period_noun(["contract", "until"]), period_noun(["to"])
    ('start of validity', 'end of the contract', 'end date')
    >>> period_noun(["from", "time"])
    'start time'
    """
    last, before = words[-1], list(words[:-1])
    if len(words) == 2 and words[0] in STARTS | ENDS and last in ("date", "time", "day"):
        return f"{'start' if words[0] in STARTS else 'end'} {last}"
    if last not in ENDS and last != "from":
        return ""
    bound = "start" if last in STARTS else "end"
    if not before or before == ["date"]:
        return f"{bound} date"
    held = LASTING.get(before[-1]) or NOUN_OF.get(before[-1], "")
    if held:
        return f"{bound} of {shown_words([*before[:-1], held])}"
    return "" if before[-1].endswith("ed") else f"{bound} of the {shown_words(before)}"


def date_noun(words: Sequence[str], own: Sequence[str]) -> str:
    """What a date is called, from the words of its column and of its table; empty where they say no event.

    >>> date_noun(["opened", "on"], ["branch"]), date_noun(["last", "serviced"], ["vehicle"]), date_noun(["fax"], [])
    ('opening date', 'last service date', '')
    """
    last, before = words[-1], list(words[:-1])
    if list(words) in (["since", "date"], ["since"]):
        return "start date"
    if not before and last in NOUN_OF and last.endswith("s"):
        return f"{NOUN_OF[last]} date"  # when it opens
    if "year" in (words[0], last):
        return _year_noun(words)
    if last == "since" and before:
        return _since_noun(before, own)
    if last in ("on", "at") and before:
        event = NOUN_OF.get(before[-1])
        if event is None:
            named = before[-1] in NOUN_OF.values()  # the next test date, and the date due
            return f"{shown_words(before)} date" if named else f"date {shown_words(before)}"
        return f"{shown_words([*before[:-1], event])} {'time' if last == 'at' else 'date'}"
    if last in ("date", "time") and before and before[-1].endswith("ed") and before[-1] in NOUN_OF:
        return f"{shown_words([*before[:-1], NOUN_OF[before[-1]]])} {last}"
    if last[-2:] in PAST_ENDS and last not in ("need", "speed", "old", "height", "weight"):
        *before, last = [*before[1:], last] if before[:1] == ["date"] else words
        event = NOUN_OF.get(last)
        return f"{shown_words([*before, event])} date" if event else f"date {shown_words([*before, last])}"
    return ""


def _since_noun(before: Sequence[str], own: Sequence[str]) -> str:
    """What the day is called since when something holds."""
    if before == list(own):
        return "start date"
    if before[-1] in STATES:
        return f"start date as {shown_words(before)}"  # since when a hut has been open
    event = NOUN_OF.get(before[-1])
    if event is None and before[-1][-2:] not in PAST_ENDS and not is_person(before[-1]):
        return f"start of the {shown_words(before)}"  # since when there is an agreement
    if event is None and before[-1][-2:] not in PAST_ENDS:
        # Since when a holder has been a customer.
        return f"start date as {article(shown_words(before))} {shown_words(before)}"
    return f"date of first {event}" if event else f"date first {shown_words(before)}"


def _year_noun(words: Sequence[str]) -> str:
    """What a year is called: "year of foundation"; empty where its words say no event."""
    last, before = words[-1], list(words[:-1])
    before = before[:-1] if last == "year" and before[-1:] == ["in"] else before  # made in year
    if last == "year" and before and before[-1] in PARTICIPLES:
        return f"year {shown_words(before)}"
    if last == "year" and len(before) == 1 and before[0] in NOUN_OF and not before[0].endswith("ed"):
        return f"year of {NOUN_OF[before[0]]}"
    if last == "year" and before and before[-1].endswith("ed"):
        return f"year {shown_words(before)}"
    if words[0] == "year" and before and last in NOUN_OF:
        return f"year of {shown_words([*words[1:-1], NOUN_OF[last]])}"
    return "start year" if list(words) == ["since", "year"] else ""


def shown_words(words: Sequence[str]) -> str:
    """Words as a phrase, acronyms in capitals.

    >>> shown_words(["iban", "number"])
    'IBAN number'
    """
    return " ".join(word.upper() if word in ACRONYMS else word for word in words)
