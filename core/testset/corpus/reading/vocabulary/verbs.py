"""Forms of English verbs: which word is one, and what stands after "did", "does" or "must"."""

from __future__ import annotations

from functools import cache

_REGULAR = """
accept accrue achieve acquire add address admit adopt advance agree allow amount announce answer appear apply appoint
approve archive arrive assess assign assist attend audit authorise authorize award base belong bill block book borrow
call cancel carry cause change charge check claim close collect combine comment compare complain complete comprise
compute confirm connect consume contain contact continue contribute control convert cover create credit debit decide
decline decrease defer define delay deliver demand deny depend deposit describe deserve design destroy detect determine
develop discharge disclose discover dismiss display document donate double drop earn elect employ enable end enforce
enter escalate establish estimate evaluate examine exceed exchange execute expect expire explain explore export extend
fail file fill finance finish fix follow form forward found function fund govern grant guarantee handle happen help
host house identify impose improve include incorporate increase indicate inform inspect install insure introduce invest
investigate invite invoice involve issue join keep label last launch limit list live load locate log lower maintain
manage manufacture mark match measure merge monitor mount move name notify number object observe obtain occupy occur
offer open operate order organise organize originate own pass perform permit place plan point possess prepare present
preserve prevent process procure produce progress promote propose protect provide publish purchase qualify raise range
rate reach receive recommend record recover reduce refer refund refuse register reimburse reject relate release remain
remove renew rent repair repay replace reply report represent request require resign resolve respond restore restrict
result retain retire return review revise reward sample save schedule seat secure select serve settle share ship sign
stamp start state station stay stop store submit succeed supervise supply support suspend tax terminate test total
track train transfer transport travel treat trigger turn update upgrade use validate value vary verify visit vote wait
waive walk want warn watch weigh welcome withhold work yield
"""
_IRREGULAR = """
be was been|become became become|begin began begun|bind bound bound|break broke broken|bring brought brought|build built built|
buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|cut cut cut|deal dealt dealt|
do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|
find found found|fly flew flown|forbid forbade forbidden|get got got|give gave given|go went gone|grow grew grown|
have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|keep kept kept|know knew known|lay laid laid|
lead led led|leave left left|lend lent lent|let let let|lie lay lain|lose lost lost|make made made|mean meant meant|
meet met met|oversee oversaw overseen|pay paid paid|put put put|read read read|ride rode ridden|rise rose risen|
run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|show showed shown|
shut shut shut|sing sang sung|sink sank sunk|sit sat sat|speak spoke spoken|spend spent spent|split split split|
spread spread spread|stand stood stood|steal stole stolen|swim swam swum|take took taken|teach taught taught|
tell told told|think thought thought|throw threw thrown|undertake undertook undertaken|wear wore worn|win won won|
withdraw withdrew withdrawn|write wrote written|bear bore born|bear bore borne
"""  # noqa: E501
_DOUBLED = frozenset({"admit", "drop", "permit", "refer", "ship", "stop", "submit", "transfer", "defer", "log", "plan"})


def _past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ied"
    return f"{base}{base[-1] if base in _DOUBLED else ''}ed"


def _third(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{base}s"


_TRIPLES = [tuple(entry.split()) for entry in _IRREGULAR.replace("\n", "").split("|")]
_BASES = frozenset([*_REGULAR.split(), *(base for base, _, _ in _TRIPLES)]) - {"be", "have", "do"}
_THIRDS = {_third(base): base for base in _BASES}
_PASTS = {_past(base): base for base in _REGULAR.split()} | {
    past: base for base, past, _ in _TRIPLES if base not in ("be", "have", "do")
}
_PAST_FORMS = {base: past for base, past, _ in _TRIPLES}
_PARTICIPLES = frozenset(participle for _, _, participle in _TRIPLES) - {"been", "had"}
_NO_PARTICIPLE = frozenset(
    {"need", "indeed", "speed", "feed", "seed", "hundred", "red", "bed", "shed", "embed", "exceed"}
)


@cache
def participle(word: str) -> bool:
    """Whether a word may stand behind "was" or "has": "bought", "reviewed".

    >>> participle("bought"), participle("re-issued"), participle("hundred"), participle("green")
    (True, True, False, False)
    """
    return word in _PARTICIPLES or (
        word.islower() and len(word) > 4 and word.endswith("ed") and word not in _NO_PARTICIPLE
    )


def infinitive(word: str) -> bool:
    """Whether a word is the plain form of a verb that is listed here."""
    return word in _BASES


def auxiliary_of(word: str) -> tuple[str, str] | None:
    """The auxiliary and the plain form that ask with a finite verb; None where the word is no such verb.

    >>> auxiliary_of("costs"), auxiliary_of("fell"), auxiliary_of("earn"), auxiliary_of("green")
    (('does', 'cost'), ('did', 'fall'), ('do', 'earn'), None)
    """
    if word in _THIRDS:
        return "does", _THIRDS[word]
    if word in _PASTS and word not in _BASES:
        return "did", _PASTS[word]
    return ("do", word) if word in _BASES else None


def third_person(base: str) -> str:
    """What a plain form becomes behind one person or thing.

    >>> third_person("have"), third_person("apply"), third_person("reach")
    ('has', 'applies', 'reaches')
    """
    return "has" if base == "have" else _third(base)


def past_tense(base: str) -> str:
    """What a plain form becomes in the past.

    >>> past_tense("take"), past_tense("apply"), past_tense("stop")
    ('took', 'applied', 'stopped')
    """
    return _PAST_FORMS.get(base) or _past(base)
