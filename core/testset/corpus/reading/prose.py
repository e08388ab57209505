"""Facts from sentences of a few plain shapes; everything else is left alone, so that precision comes before number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.facts import FactRule
from core.testset.corpus.reading.labels import Labels, is_plural, usable
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.periods import DATE, Period, read_period
from core.text.words import stems

MOST_SUBJECT_WORDS = 9
MOST_CAUSE_WORDS = 45
_SUBJECT = r"(?P<subject>(?:(?:The|An?) )?[\w\"“][^,;:()]{1,80}?)"
_ADVERB = r"(?:(?:first|originally|officially|formally|initially|finally|eventually|\w+ly) )?"
_WHEN = rf"(?P<value>(?:{DATE}|(?:[A-Z][a-z]{{2,8}} )?(?:1[0-9]|20)\d\d))"
_NOT_ON = (
    r"(?! ?(?:and|or|to|until|through|[-–—]+) ?(?:\d|[A-Z][a-z]+ (?:\d|in )|in \d|on \d|again|re-?))(?=$|[,.;(]| )"
)
_NAME = r"[A-Z][\w.'’&-]*(?:,? (?:[A-Z][\w.'’&-]*|of|and|the|de|von|van|da|del|&))*(?<! of)(?<! and)(?<! the)(?<!,)"
_NUMBER = (
    r"(?P<about>(?:about|approximately|around|over|nearly|more than|almost|some|up to|at least) )?"
    r"(?P<value>[$€£]?\d[\d,]*(?:\.\d+)?(?: (?:hundred|thousand|million|billion|trillion))?%?)"
)
_MONEY = (
    r"(?P<value>[$€£]\d[\d,]*(?:\.\d+)?(?: (?:thousand|million|billion|trillion))?|\d[\d,]*(?:\.\d+)?(?: ?%| percent))"
)
_MADE = (
    "written|directed|produced|composed|designed|invented|discovered|founded|recorded|published|developed|created|"
    "built|painted|performed|sung|played|portrayed|established|owned|operated|introduced|led|headed|managed|chaired|"
    "issued|manufactured|hosted|narrated|voiced|edited|coined|proposed|commissioned|approved|released"
)
HAPPENED = {
    "opened": "open",
    "premiered": "premiere",
    "began": "begin",
    "started": "start",
    "ended": "end",
    "died": "die",
    "closed": "close",
    "launched": "launch",
    "aired": "air",
    "debuted": "debut",
    "occurred": "occur",
    "took place": "take place",
    "came into force": "come into force",
    "took effect": "take effect",
    "expired": "expire",
    "expires": "expire",
}
"""Verbs of what happens by itself, with their form after "did"."""
SHAPES: tuple[tuple[FactRule, re.Pattern[str]], ...] = (
    (
        FactRule.CAUSE,
        re.compile(
            rf"{_SUBJECT} (?P<verb>increased|decreased|declined|fell|rose|grew)(?P<rest> [^;]{{4,140}}?)? "
            r"(?:due|attributable|owing)(?: (?:primarily|mainly|largely|principally))? to (?P<value>.+)"
        ),
    ),
    (
        FactRule.PROPERTY,
        re.compile(
            rf"(?P<when>(?:As of|At|On) {DATE}|(?:During|For|In) [^,]{{4,60}}(?:19|20)\d\d), (?P<owner>[^,;]{{2,60}}?) "
            rf"(?:had|reported|recorded) (?:an? )?(?P<attribute>[a-z][\w '’-]{{3,80}}?) of (?P<about>approximately |about )?"  # noqa: E501
            rf"{_MONEY}(?=$|[,.;]| (?:and|which|that|with) )"
        ),
    ),
    (
        FactRule.PROPERTY,
        re.compile(
            rf"(?P<when>(?:As of|At|On) {DATE}|(?:During|For|In) [^,]{{4,60}}(?:19|20)\d\d), (?:the |(?P<owner>[A-Z]\w+)['’]s? )"  # noqa: E501
            rf"(?P<attribute>[a-z][\w '’-]{{3,90}}?) (?:was|were|totaled|amounted to) (?P<about>approximately |about )?{_MONEY}"  # noqa: E501
            r"(?=$|[,.;]| (?:and|which|that|with) )"
        ),
    ),
    (
        FactRule.PROPERTY,
        re.compile(
            r"(?:(?P<condition>(?:On|For|In|At|From|Under|With|If|Within|Above|Below) [^,.:;]{2,60}), )?[Tt]he "
            r"(?P<attribute>[a-z][\w'’ -]{1,60}?) (?:of|for) (?P<subject>.{2,90}?) (?:is|are|was|were) "
            r"(?P<value>[^;:]{1,120})"
        ),
    ),
    (
        FactRule.EVENT,
        re.compile(
            rf"{_SUBJECT} (?P<verb>was|were) {_ADVERB}(?P<attribute>born|[a-z]+(?:ed|en|ilt|old|un|orn|ught|und))"
            rf"(?P<rest> (?:by|at|into|from|as|to|under) [^,;:()]{{2,50}}?| in (?!(?:the )?(?:early|late|mid))[A-Z][^,;:()]{{2,40}}?)? "  # noqa: E501
            rf"(?:in|on) {_WHEN}{_NOT_ON}"
        ),
    ),
    (
        FactRule.EVENT,
        re.compile(
            rf"{_SUBJECT} (?P<attribute>{'|'.join(HAPPENED)})(?P<rest> (?:at|as) [^,;:()]{{2,40}}?)? (?:in|on) {_WHEN}{_NOT_ON}"  # noqa: E501
        ),
    ),
    (
        FactRule.AGENT,
        re.compile(
            rf"{_SUBJECT} (?P<verb>is|was) (?:an?|the) [^,;:()]{{3,70}}? (?P<attribute>{_MADE}) by "
            rf"(?P<value>(?:(?:the|an?) )?(?:[A-Z][\w-]+ )?(?:[a-z][\w-]+ ){{0,3}}?{_NAME})"
            r"(?=$|[.;(]|, (?:which|who|and was|and is|in|on|a|an|the) | (?:in|on|for|at|with|as|from|during|who|based)\b)"  # noqa: E501
        ),
    ),
    (
        FactRule.AGENT,
        re.compile(
            rf"{_SUBJECT} (?P<verb>is|are|was|were) {_ADVERB}(?P<attribute>{_MADE}) by "
            rf"(?P<value>(?:(?:the|an?) )?(?:[A-Z][\w-]+ )?(?:[a-z][\w-]+ ){{0,3}}?{_NAME})"
            r"(?=$|[.;(]|, (?:which|who|and was|and is|in|on|a|an|the) | (?:in|on|for|at|with|as|from|during|who|and (?:was|is|released|published))\b)"  # noqa: E501
        ),
    ),
    (
        FactRule.PLACE,
        re.compile(
            rf"{_SUBJECT} (?P<verb>is|are|was|were) (?P<attribute>located|situated|headquartered|based) "
            r"(?P<rest>in|on|at|near|between|along|within) (?P<value>[^;:()]{2,80}?)(?=$|[.;]|, (?:which|and|with|where|about|less|more|some|just|\d)\b)"  # noqa: E501
        ),
    ),
    (
        FactRule.COUNT,
        re.compile(
            rf"(?:(?P<condition>(?:As of|In|At|On) [^,;:]{{4,30}}), )?{_SUBJECT} "
            rf"(?P<verb>has|have|had|contains?|comprises?|includes?|employs?|consists? of|seats|offers?) {_NUMBER} "
            r"(?P<attribute>[a-z][a-z'’-]+(?: (?!and |or |with |which |that |in |on |of |for |from |to |at |are |were )[a-z][a-z'’-]+){0,3})"  # noqa: E501
            r"(?=$|[,.;(]| (?:and|with|in|on|at|for|from|across|as)\b)"
        ),
    ),
    (
        FactRule.DEFINITION,
        re.compile(
            r"(?P<subject>(?:(?:The|An?) )?[^\W\d_][\w'’ -]{1,60}?) (?P<verb>is|are|means) (?P<value>(?:an?|the) .+)"
        ),
    ),
)
FINDING = re.compile(
    r".*\b(?:determines?|determined|finds?|found|concludes?|concluded)(?: that)? the (?P<attribute>[a-z][\w ]{3,40}?)(?:\(s\))? "  # noqa: E501
    r"of this (?P<thing>[a-z]+) (?:to be|is|was|as follows)\s?:?\s*(?P<value>.*)",
    re.IGNORECASE,
)
"""Announces what the next sentence states."""
_BRACKETS = re.compile(r" ?\([^()]*\)")
_ALSO = re.compile(
    r"^(?P<subject>[^,]{2,60}), (?:also|formerly|officially|commonly|previously|sometimes|or|known)\b[^.;]{0,80}?, "
    r"(?P<verb>is|was|are|were) "
)
_POINTS_BACK = re.compile(
    r"(?:the )?(?:it|this|that|these|those|they|he|she|we|you|i|there|here|which|who|what|such|both|each|all|some|one|"
    r"following|former|latter|above|below|same|other|others|his|her|its|their|our|your|my|any|many|most|several|few|"
    r"also|although|though|when|while|where|as|in|at|on|after|before|during|since|because|for|from|by|with|under|however|"
    r"today|now|only|even|if|according|due|like|unlike|another|either|neither|no|nothing|everything|two|three|four|five)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?:the )?(?:rival|new|old|original|first|second|third|former|famous|popular|modern|early|late|next|last|previous|"
    r"current|final|resulting)\b",
    re.IGNORECASE,
)
_MORE_IS_SAID = re.compile(
    r",|;| (?:and|but|or|which|who|while|whereas|because|unless|if|when|where|that) ", re.IGNORECASE
)
_SECOND_VERB = re.compile(
    r" (?:is|are|was|were|has|have|had|will|can|may|must|shall|would|could|should|became|made|said|did|does|do) ",
    re.IGNORECASE,
)
_PROPER = re.compile(r"(?<!^)\b(?:[A-ZÀ-ÖØ-Þ][\w'’&-]*|\d[\w.-]*)")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:respectively|believed|alleged|reportedly|probably|perhaps|possibly|said to|claimed|might|would have|"
    r"supposed|thought to|if|unless|expected|estimated to|hypothetical|according to legend|not)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a sentence states, before its subject is tied to the document."""

    rule: FactRule
    subject: str
    attribute: str
    value: str
    verb: str = ""
    rest: str = ""
    condition: str = ""
    period: Period | None = None


def read_sentence(sentence: str) -> Reading | None:
    """What a tidy sentence states in one of the shapes, or None.

    A sentence that is hedged, asks, or has no end states nothing.
    """
    clause = _without_asides(sentence.removesuffix(".").rstrip())
    if (
        sentence.removesuffix(".").rstrip() == sentence.rstrip()
        or "?" in sentence
        or "!" in sentence
        or _HEDGED.search(sentence)
    ):
        return None
    for rule, shape in SHAPES:
        match = shape.match(clause)
        if match is None:
            continue
        whole = match.end() == len(clause)
        parts = {name: value.strip() for name, value in match.groupdict(default="").items()}
        reading = _checked(rule, parts, whole=whole)
        if reading is not None:
            return reading
    return None


def _without_asides(clause: str) -> str:
    """A sentence without what stands in brackets, and without other names between its subject and its verb."""
    plain = " ".join(_BRACKETS.sub("", clause).split()).replace(" ,", ",") if len(clause) < 2_000 else clause
    return _ALSO.sub(r"\g<subject> \g<verb> ", plain, count=1)


def _checked(rule: FactRule, parts: dict[str, str], *, whole: bool) -> Reading | None:
    value = f"{parts.get('about', '')} {parts['value']}".strip()
    subject = parts.get("subject") or parts.get("owner", "")
    period, condition = None, parts.get("condition", "")
    if parts.get("when"):
        period, rest = read_period(parts["when"])
        if period is None or rest.strip(" ,").casefold() not in ("", "during", "for", "in", "as of", "at", "on", "the"):
            return None
    if rule is FactRule.CAUSE:
        if not _is_cause(parts):
            return None
    elif rule is FactRule.DEFINITION:
        if not whole or not _defines(subject, value):
            return None
    elif not tells(value) or not _states(rule, parts, whole=whole):
        return None
    if subject and not _usable_subject(subject):
        return None
    return Reading(
        rule=rule,
        subject=subject,
        attribute=parts.get("attribute", ""),
        value=value,
        verb=parts.get("verb", ""),
        rest=parts.get("rest", ""),
        condition=condition,
        period=period,
    )


def _is_cause(parts: dict[str, str]) -> bool:
    words = len(parts["value"].split())
    timed = re.search(r"(?:19|20)\d\d", parts["rest"])
    plain = not re.search(r"[$€£,]", parts["rest"])
    return plain and bool(timed) and 2 <= words <= MOST_CAUSE_WORDS and " due " not in parts["value"]


def _defines(subject: str, value: str) -> bool:
    """Whether a sentence defines its subject in few enough words, and not by the words of its name: a loan is a loan."""  # noqa: E501
    head = re.split(r",| (?:that|which|who|of|for|in|on|by|from|to|with|used|located|based) ", value)[0]
    return (
        4 <= len(value.split()) <= 28
        and value.count("(") == value.count(")")
        and not re.search(r"[\[\]|]| (?:and|but) (?:is|are|was|were|has|had|can|will|does|did|it|they|he|she) ", value)
        and not stems(head) & stems(subject)
        and 2 * len(stems(value) & stems(subject)) <= len(stems(subject))
    )


def _states(rule: FactRule, parts: dict[str, str], *, whole: bool) -> bool:
    """Whether the shape's parts are complete: a value in words must end its sentence."""
    value = parts["value"]
    kind = read_reference(value).kind
    if rule is FactRule.EVENT:
        return kind == "date" and not _POINTS_BACK.match(parts["rest"].strip() or "x")
    if rule is FactRule.PLACE:
        return parts["rest"] == "in"
    if rule is FactRule.COUNT:
        counted = kind == "number" and usable(parts["attribute"]) and not re.fullmatch(r"(?:19|20)\d\d", value)
        return counted and not re.search(r"[$€£%]", value) and is_plural(parts["attribute"])
    if rule is FactRule.PROPERTY:
        if not usable(parts["attribute"]) or _POINTS_BACK.match(parts["attribute"]):
            return False
        if " of " in parts["attribute"] and " and " in parts["attribute"]:
            return False
        named = re.match(r"(?:the |an? )?[A-Z\d\"£$€]", value)
        return bool(parts.get("when")) or (
            whole and (kind in ("date", "number", "range") or (bool(named) and not _MORE_IS_SAID.search(value)))
        )
    return True


def _usable_subject(subject: str) -> bool:
    return (
        len(subject.split()) <= MOST_SUBJECT_WORDS
        and not re.match(r"\d+[.)] ", subject)
        and not _MORE_IS_SAID.search(subject)
        and not _SECOND_VERB.search(f" {subject} ")
        and subject.count('"') % 2 == 0
    )


def resolved(reading: Reading, about: Subject | None, labels: Labels, *, follows: bool) -> Subject | None:
    """What a reading is about: its own subject where that names itself, else the document where the words say so.

    Args:
        reading: The reading.
        about: What the document is about.
        labels: Letter case of the collection.
        follows: Whether the sentence before it was about the document, so that "It" is the document.
    """
    words = reading.subject
    if not words:
        return about if about is not None and (reading.period is not None or about.sort == "company") else None
    if about is not None:
        bare = _ARTICLE.sub("", words)
        if key(bare) in about.keys:
            return about
        if words.casefold() == "it" and follows:
            return about
        if about.sort and re.fullmatch(rf"the {re.escape(about.sort)}", words, re.IGNORECASE):
            return about
        if about.sort == "company" and reading.rule is FactRule.CAUSE:
            low = re.sub(r"^(?:The|Year-over-year) ", "", words)
            low = re.sub(r"^(?P<head>\w+(?: \w+){0,3}) (?P=head)\b", r"\g<head>", low, flags=re.IGNORECASE)
            words = low
            named = about.words.casefold() in words.casefold()
            return Subject(words=words if named else f"{about.words}’s {low}", link="of", past=True)
    if _POINTS_BACK.match(words) or _RELATIVE.match(words) or not names_itself(words, labels):
        return None
    return Subject(words=re.sub(r"^(?:The|An?) ", lambda match: match[0].lower(), words))


def names_itself(subject: str, labels: Labels) -> bool:
    """Whether a proper name or a number names the subject: "the fee" needs its document, "the Juniper card" not.

    The capital letter that begins a sentence is no sign of a name.
    """
    without_article = _ARTICLE.sub("", subject)
    if without_article != subject or subject.startswith('"'):
        return bool(_PROPER.search(f" {without_article}"))
    return bool(_PROPER.search(subject)) or labels.is_name(subject.split()[0])
