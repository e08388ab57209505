"""Whether words with a verb are a whole clause, with a subject of its own, and no order, point of a list or heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.testset.corpus.reading.clauses.splitting import FINITE
from core.testset.corpus.reading.labels import is_plural
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of, infinitive, participle

_WORDS = {
    "orders": (
        "add answer apply ask attach avoid bring check choose clean close complete confirm consult contact decide "
        "define describe determine disconnect discuss drain dry empty ensure enter explain fill find fit follow give "
        "grease hand identify include inform insert inspect install keep leave let log maintain make mark move note "
        "notify obtain open pay place please prepare press provide pull push put read record refer remember remove "
        "replace report return rinse save see select send set show sign speak state stop store submit switch take "
        "tell test tighten treat turn use wait warn wash wear weigh wipe write"
    ),
    "things": (
        "answer bill block book call cause change charge check claim comment contact control cost cover credit deal "
        "debit delay demand deposit design discharge display document drink drive feed file finance fund grant "
        "guarantee help house increase insert interest invoice issue label lead limit list load match measure mount "
        "name note notice number object offer order pass pay permit place plan point post press process produce "
        "purchase range rate record reduce rent repair reply report request reward sample schedule seat set share "
        "ship show sign stamp start state station stay stop store supply support tax test total track transfer "
        "transport travel trial trigger turn update upgrade use value vote wait walk watch work yield"
    ),
    "determiner": (
        "the a an your our its their his her my this that these those all any each every both no only at least more "
        "up whether if when how what where who it them us me him"
    ),
    "by_itself": (
        "arrived became began belonged changed climbed closed cost declined decreased departed died doubled dropped "
        "ended expired fell finished gained grew halved happened improved increased joined landed lasted left lost "
        "moved occurred opened paid passed peaked ran remained resigned retired returned rose sailed started stayed "
        "stood stopped totalled travelled won worked"
    ),
}
_ORDERS = frozenset(_WORDS["orders"].split())
"""Verbs that a point of a list begins with, where it tells its reader to do something."""
_THINGS = frozenset(_WORDS["things"].split())
"""Words of these forms that are nouns as often: "Claims are settled", "Work costs 40 EUR"."""
_DETERMINER = frozenset(_WORDS["determiner"].split())
_BY_ITSELF = frozenset(_WORDS["by_itself"].split())
"""Verbs of the past whose subject does it itself, so that no "was" is missing."""
_LEADS_ON = frozenset(
    ["by", "at", "in", "on", "for", "from", "to", "with", "under", "every", "within", "since", "until"]
)
_MONTH = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*$")
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "its", "their", "this", "that", "each", "every", "no", "all"})


def is_whole(tokens: Sequence[str], place: int) -> bool:
    """Whether the words before a verb are its subject.

    Args:
        tokens: The words of the clause.
        place: That of the verb among them.

    >>> is_whole("Includes boarding costs up to £90".split(), 2), is_whole("Keep visitor records for a year".split(), 2)
    (False, False)
    >>> is_whole("Claims are settled within a week".split(), 1), is_whole("The fee covers two guests".split(), 2)
    (True, True)
    """
    first, verb = tokens[0].casefold(), tokens[place]
    lexical = verb not in FINITE
    if _orders(first, tokens, place, lexical=lexical):
        return False
    if lexical and _headline(tokens, place):
        return False
    return not (place == 1 and lexical and infinitive(first) and first not in _THINGS)


def _orders(first: str, tokens: Sequence[str], place: int, *, lexical: bool) -> bool:
    """Whether a clause begins with a verb: "Includes ...", "Keep complaint records for six years"."""
    if place < 2:
        return False
    second = tokens[1].casefold()
    asks = auxiliary_of(first)
    if first in _ORDERS | {"includes", "excludes", "covers", "requires", "applies", "means", "allows"} and (
        second in _DETERMINER or first.removesuffix("s") not in _THINGS
    ):
        return True
    if asks is None or second in FINITE:
        return False
    base = asks[1]
    noun = base in _THINGS
    if second in _DETERMINER and second not in ("at", "this", "that", "it"):
        return True
    return lexical and not (noun and _agrees_as_noun(tokens, place))


def _agrees_as_noun(tokens: Sequence[str], place: int) -> bool:
    """Whether the word before the verb is its noun, in number: "Claim forms cost", and not "Keep complaint records"."""
    before, verb = tokens[place - 1], tokens[place]
    asks = auxiliary_of(verb)
    if asks is None or asks[0] == "did":
        return asks is not None
    if is_plural(verb) and asks[1] in _THINGS and not is_plural(before):
        return False  # "Record visitor claims": the verb may be the noun
    return (asks[0] == "do") == is_plural(before)


def _headline(tokens: Sequence[str], place: int) -> bool:
    """Whether "is" or "was" was left out: "Record held by the office", "Gutters cleaned every six months"."""
    verb, behind = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else ""
    if not participle(verb) or verb in _BY_ITSELF:
        return False
    if behind == "by":
        return not re.match(r"[\d$€£]", tokens[place + 2] if place + 2 < len(tokens) else "")
    named = any(token[:1].isupper() or token[:1].isdigit() for token in tokens[1:place])
    bare = tokens[0].casefold() not in _ARTICLES and not named
    return bare and (behind.casefold() in _LEADS_ON or _MONTH.match(behind) is not None)
