"""Whether an answer states a text: words in order at word borders, names and companies in their usual variants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from core.judging.match.readers.figures.number_words import SMALL
from core.judging.match.readers.texts.codes import in_other_groups
from core.judging.match.readers.texts.companies import without_legal_form
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.texts.spellings import spellings
from core.judging.match.readers.texts.titles import TITLES
from core.judging.match.values import MAX_VALUES, Hit, SearchResult
from core.text.words import stem

ARTICLES = frozenset({"the", "a", "an"})
LEGAL = {
    "inc": "inc",
    "incorporated": "inc",
    "corp": "corp",
    "corporation": "corp",
    "co": "co",
    "company": "co",
    "ltd": "ltd",
    "limited": "ltd",
    "llc": "llc",
    "llp": "llp",
    "plc": "plc",
    "gmbh": "gmbh",
    "ag": "ag",
    "sa": "sa",
    "bv": "bv",
    "nv": "nv",
    "spa": "spa",
    "kg": "kg",
    "sarl": "sarl",
    "ab": "ab",
    "oy": "oy",
    "pty": "pty",
}
"""Legal form -> its short spelling."""
_NO_OTHER_FORM = rf"(?!,? (?:{'|'.join(LEGAL)})\b)"
"""Another legal form is another company."""
SHIPS = frozenset("mv ms mf mt ss ps sv rv fv hms hmas hmcs uss rms rrs tss".split())  # noqa: SIM905
"""What stands before the name of a ship and may be left out."""
NOT_A_NAME = (
    "and|or|of|the|a|an|in|at|is|was|are|were|to|by|with|from|for|on|as|but|not|nor|than|has|had|who|met|his|her|its"
)
SMALL_WORDS = frozenset(
    "a i it us no in on to or an am so do be he me we my as at by if is of up may will all none".split()  # noqa: SIM905
)
"""References that are also everyday words: only as a whole statement's end are they an answer."""

PERSON = re.compile(
    r"\b(?:who|whom|whose|manager|managers|manages|director|officer|employee|author|artist|composer|contact|person|head|"
    r"founder|ceo|cfo|president|owner|brokers?|dealers?|traders?|underwriters?|adjusters?|surveyors?|assessors?|borrowers?|applicants?|instructors?|teachers?|doctors?|physicians?|nurses?|judges?|lawyers?|attorneys?|"
    r"drivers?|pilots?|tenants?|landlords?|inspectors?|engineers?|technicians?|clerks?|secretar(?:y|ies)|chair(?:man|person)?|"
    r"students?|patients?|players?|coach(?:es)?|captains?|buyers?|sellers?|salespersons?|analysts?|auditors?|coordinators?|"
    r"conservators?|curators?|librarians?|veterinarians?|vets?|surgeons?|therapists?|pharmacists?|gardeners?|guides?|"
    r"referees?|editors?|operators?|contractors?|caretakers?|trainers?|mechanics?|chefs?|consultants?|investigators?|"
    r"advisers?|advisors?|supervisors?|representative|agent|leads?|led|works?|customer|interpreters?|translators?)\b"
    r"|\bwhich (?:[a-z]+ )?[a-z]{3,}(?:ist|ian|eer|ologist|keeper|master|man|woman)s?\b"
)
WORDS = re.compile(r"[^\W_]+(?:[+#]+|-(?=$|[\s,;)]))?")
BEFORE = r"(?<!\w)(?<!\w-)(?<!\d[.,])(?<!non )"
_ASKED_KINDS = (
    "language|speaking|domiciled|registered|incorporated|headquartered|made|built|listed|issued|certified|rated|sourced"
    "|grown"
)
_KINDS_OF = f"based|born|led|run|owned|area|style|wide|time|side|{_ASKED_KINDS}"
"""What a compound is by the name in front: "Irish-domiciled"."""
AFTER = rf"(?![\w+#]|[.,]\d|-(?!(?:{_KINDS_OF})\b)[^\W\d_])"
_COMPOUND = re.compile(rf"-(?P<kind>{_ASKED_KINDS})\b")
CLAUSE_END = re.compile(r"\W*(?:$|[.;!\n]|, )")
NOBODY = frozenset({"nobody", "nothing", "none", "no"})
EXCEPT = re.compile(r"[^.;,!?\n]{0,24}? (?:but|except|other than|apart from|besides)\b")
SIGNED = re.compile(r"(?P<letters>[^\W\d_]{1,3})\s?(?P<sign>[+-])")
"""A letter or a few with a sign: a blood group, a grade."""
_POSTAL = re.compile(r"\d{4,5} [^\W\d_]{2,}")
"""A postal code and its town, before which "D-" may stand."""
_SIGNS = {"+": "(?:positive|plus|pos)", "-": "(?:negative|minus|neg)"}
_GRADED = r"\b(?:grade|graded|rating|rated|class|category|band|letter|level|type|score|mark)(?: of| is| was| as)?"
_TO_A_GRADE = re.compile(rf"(?:{_GRADED}|\b(?:an?|received|got|scored|awarded))\s[\"'(]{{0,2}}$")
_TO_AN_A = re.compile(rf"(?:{_GRADED}|\ban)\s[\"'(]{{0,2}}$")
_LETTER_WORDS = frozenset("ai")
"""Letters that are words as well."""
TENOR = re.compile(r"(?P<count>\d{1,2})(?P<unit>[mywd]) (?P<rate>[a-z]{3,})")
_SPANS = {"m": "month", "y": "year", "w": "week", "d": "day"}
_PER_AMOUNT = re.compile(r"(?P<n>\d[\d.,]*) ?(?P<unit>[a-zµμ%]{1,5}) ?/ ?(?P<m>\d[\d.,]*)? ?(?P<other>[a-z]{1,5})")
"""A strength: "250 mg/5 ml"."""
MAX_WORDS = 400
LEAST_GROUPED = 6
"""Digits of a code that the reference writes in groups."""
NEAR = 20
"""Characters in front of a compound."""
_PREDICATED = re.compile(r"(?:\b(?:is|are|was|were|as|be|rated|classified|considered|deemed)|:)(?: an?)? $")
LEAST_JOINED = 3
"""Letters of each of two words that may be written as one: "healthcare"."""
LEAST_SHIP = 4
"""Letters of a ship's name that is looked for without what stands before it."""
UP_TO = "(?:to|through|until|till|thru)(?: the)?(?: (?:start|beginning|end) of)?"
"""Between the ends of a period."""
PHONE = re.compile(r"\+\d[\d ()/.-]{6,24}\d")
"""A telephone number with the country's code."""


_ABROAD = r"(?:(?:[+]|00) ?\d{1,3}[ ()/.-]{0,3}(?:\(?0\)?[ ()/.-]{0,2})?|0[ ()/.-]{0,2})"
"""What stands before the other digits of a telephone number that begins with 0: that 0, or a country's code for it."""
_COUNTRY_CODES = (1, 2, 3)
"""Digits of a country's code, which a call from within leaves out."""
LEAST_PHONE = 7
"""Digits of a number without its country."""


def find_text(reference: str, text: str, question: str = "") -> SearchResult:
    """Looks for a text in an answer.

    Args:
        reference: As given; articles in front do not count.
        text: Match text of the answer.
        question: Match text of the question; a question for a person allows the variants of a name (initials, a
            middle name more or less, surname first, titles).
    """
    hits: dict[int, Hit] = {}
    reference_text = reference.strip()
    text = _of_the_question(text, match_text(reference), question)
    for rule, pattern, note in _patterns(match_text(reference), bool(PERSON.search(question))):
        for match in pattern.finditer(text):
            if len(hits) >= MAX_VALUES:
                break
            if (
                match.start() in hits
                or not _holds(match, text, pattern)
                or of_another_kind(text, match.end(), question)
            ):
                continue
            answer_text = match[0].strip()
            reason = f'The answer has "{answer_text}", {note} "{reference_text}".'
            hits[match.start()] = Hit(rule=rule, start=match.start(), end=match.end(), reason=reason)
    return SearchResult(hits=tuple(hits[place] for place in sorted(hits)))


def of_another_kind(text: str, end: int, question: str) -> bool:
    """Whether a name begins a compound of a kind that a question does not ask for: "Ireland-registered".

    Args:
        text: Match text of the answer.
        end: Where the name ends.
        question: Match text of the question; without one no kind is another one.
    """
    kind = _COMPOUND.match(text, end) if question else None
    return kind is not None and stem(kind["kind"]) not in {stem(word) for word in WORDS.findall(question)}


def _of_the_question(text: str, reference: str, question: str) -> str:
    """A text in which a word stands apart from one of the question behind a hyphen: "high-risk", where a risk is asked.

    >>> _of_the_question("it is high-risk.", "high", "what is the risk?")
    'it is high risk.'
    """
    if not reference.isalpha() or f"{reference}-" not in text:
        return text
    asked = frozenset(WORDS.findall(question))
    compound = re.compile(rf"(?<![\w-]){reference}-(?P<word>[^\W\d_]+)")
    return compound.sub(
        lambda found: (
            f"{reference} {found['word']}"
            if found["word"] in asked and _PREDICATED.search(text, max(0, found.start() - NEAR), found.start())
            else found[0]
        ),
        text,
    )


@lru_cache(maxsize=4096)
def _patterns(reference: str, person: bool) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    pairs = _words(reference)
    words = [word for word, _ in pairs]
    if not words or len(words) > MAX_WORDS:
        return ()
    patterns = [("text", _compiled(_sequence(pairs), _goes_on(reference, words)), "the same words as")]
    patterns.extend(("text", _compiled(body), note) for body, note in _in_words(reference.strip(" .")))
    if code := _code(reference):
        patterns.append(("text", _compiled(code), "grouped otherwise, the code"))
    if _POSTAL.match(reference):
        patterns.append(("text", _compiled("[a-z]{1,2}-" + _sequence(pairs)), "with its country, the place"))
    if "-" in reference or len(words) > 1:
        # "e-mail" and "email", "data centre" and "data-centre"
        joined = [(word, "-" if "-" in gap else gap) for word, gap in pairs]
        if joined != pairs or "-" in reference:
            patterns.append(("text", _compiled(_sequence(joined)), "another spelling of"))
    if not person and len(words) == 2 and all(word.isalpha() and len(word) >= LEAST_JOINED for word in words):
        patterns.append(("text", _compiled(re.escape("".join(words))), "in one word,"))
    patterns.extend(_of_a_company(reference, pairs, words))
    if len(words[-1]) >= 4 and words[-1].isalpha():
        patterns.append(
            ("text", _compiled(_sequence([*pairs[:-1], (_number_variant(words[-1]), "")])), "singular or plural of")
        )
    if not person and len(words) > 1 and words[0] in SHIPS and len(words[1]) >= LEAST_SHIP:
        patterns.append(("text", _compiled(_sequence(pairs[1:])), "the ship"))
    if any(spellings(word) for word in words):
        others = [(f"(?:{spellings(word)})" if spellings(word) else word, gap) for word, gap in pairs]
        patterns.append(("text", _compiled(_sequence(others)), "another spelling of"))
    if names := _name_variants(reference, person):
        patterns.extend(("name", _compiled(name), note) for name, note in names)
    return tuple(patterns)


def _in_words(reference: str) -> Iterator[tuple[str, str]]:
    """A sign, a strength or the term of a rate as people say it, with a note."""
    if signed := SIGNED.fullmatch(reference):
        sign = _SIGNS[signed["sign"]]
        rhesus = rf"{re.escape(signed['letters'])}\W{{1,3}}(?:(?:rh|rhesus)\W{{0,2}})?{sign}"
        yield rhesus, "with its sign in a word,"
    if per := _PER_AMOUNT.fullmatch(reference):
        amount = rf"{re.escape(per['m'])} ?" if per["m"] else "(?:an? |each |1 ?)?"
        strength = rf"{re.escape(per['n'])} ?{re.escape(per['unit'])}\s?(?:/|per|in|for)\s?{amount}{per['other']}"
        yield strength, "in words,"
    if tenor := TENOR.fullmatch(reference):
        count, unit = tenor["count"], _SPANS[tenor["unit"]]
        word = next((name for name, value in SMALL.items() if str(value) == count), count)
        yield rf"(?:{count}|{word})[ -]?{unit}s?[ -]{tenor['rate']}", "in words,"


def _of_a_company(
    reference: str, pairs: list[tuple[str, str]], words: list[str]
) -> Iterator[tuple[str, re.Pattern[str], str]]:
    """The other ways to write a company: its legal form in another spelling, or none."""
    if len(words) > 1 and words[-1] in LEGAL and words[-2] not in LEGAL and (len(words) > 2 or len(words[0]) > 3):
        yield "text", _compiled(_sequence(_to_legal(pairs))), "a way to write the company"
    elif company := without_legal_form(reference):
        yield "text", _compiled(_sequence(_words(company)), _NO_OTHER_FORM), "the company"


def _compiled(body: str, after: str = "") -> re.Pattern[str]:
    return re.compile(BEFORE + body + AFTER + after)


def _goes_on(reference: str, words: list[str]) -> str:
    """What must not follow: more of an address, the sign of a grade."""
    if "." in reference.strip(".") or "@" in reference:
        return r"(?!\.[^\W_]|@)"
    return r"(?!-(?:$|[\s.,;)]))" if len(words) == 1 and len(words[0]) <= 3 else ""


def _code(reference: str) -> str:
    """A pattern for a code (account, telephone, licence number) whatever its groups; empty where it is none."""
    characters = re.sub(r"[\s-]", "", reference)
    if phone := PHONE.fullmatch(reference.strip()):
        return _telephone(re.sub(r"\D", "", phone[0]))
    digits = sum(character.isdigit() for character in characters)
    in_groups = digits >= 4 and 2 * digits >= len(characters)
    # "LUSB PT PO 412": letters and figures in one word
    if re.fullmatch(r"0\d{2,4}(?:[ /-]\d{2,5}){1,4}", reference.strip()):
        return _ABROAD + "[ ()/.-]{0,2}".join(re.findall(r"\d", characters)[1:])
    is_word = digits >= 2 and characters == reference.strip() and not characters.isdigit()
    grouped = characters.isdigit() and characters != reference.strip() and len(characters) >= LEAST_GROUPED
    is_code = (
        characters.isalnum() and (grouped or len(characters) >= 8) and len(characters) <= 40 and (in_groups or is_word)
    )
    return "[ -]?".join(map(re.escape, characters)) if is_code else in_other_groups(reference.strip())


def _telephone(digits: str) -> str:
    """A pattern for a telephone number with its country's code, and as it is called from within."""
    within = [rf"0?{_spaced(digits[length:])}" for length in _COUNTRY_CODES if len(digits) - length >= LEAST_PHONE]
    return f"(?:{'|'.join([rf'(?:[+]|00) ?{_spaced(digits)}', *within])})"


def _spaced(digits: str) -> str:
    """A pattern for the digits of a telephone number, however they are grouped."""
    return "[ ()/.-]{0,3}".join(digits)


def _words(reference: str) -> list[tuple[str, str]]:
    """Words with what follows each; articles in front are left out."""
    matches = list(WORDS.finditer(reference))
    while len(matches) > 1 and matches[0][0] in ARTICLES and reference[matches[0].end() : matches[1].start()] == " ":
        matches.pop(0)
    ends = [*(item.start() for item in matches[1:]), len(reference)][: len(matches)]
    return [(item[0], reference[item.end() : end]) for item, end in zip(matches, ends, strict=True)]


def _sequence(pairs: list[tuple[str, str]]) -> str:
    parts: list[str] = []
    for place, (word, gap) in enumerate(pairs):
        parts.append(UP_TO if word == "to" else word if word.startswith("(?:") else re.escape(word))
        if place == len(pairs) - 1:
            break
        if "/" in gap:
            # "Grains/Cereals" and "Grains & Cereals"
            parts.append(r"(?:[\W_]{1,4}|[\W_]{1,3}(?:and|or)[\W_]{1,3})")
        elif "," in gap:
            # "Sydney, Australia" and "Sydney in Australia"
            parts.append(r"(?:[\W_]{1,4}|[\W_]{1,3}(?:in|of|from)[\W_]{1,3}(?:the[\W_])?)")
        elif "-" in gap:
            parts.append(r"[\W_]{0,3}")
        elif pairs[place + 1][0][:1].isdigit():
            # "License 2.0" and "License, Version 2.0"
            parts.append(r"[\W_]{1,4}(?:(?:version|v|no|number)\b[\W_]{0,2})?")
        else:
            parts.append(r"[\W_]{1,4}")
    return "".join(parts)


def _to_legal(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    form = LEGAL[pairs[-1][0]]
    spellings = "|".join(spelling for spelling, short in LEGAL.items() if short == form)
    *rest, (last, _) = pairs[:-1]
    others = "|".join(spelling for spelling, short in LEGAL.items() if short != form)
    # the same form in another spelling or none; another form is another company
    return [*rest, (f"(?:{re.escape(last)}(?:,? (?:{spellings})\\b\\.?)?(?!,? (?:{others})\\b))", "")]


def _number_variant(word: str) -> str:
    if word.endswith("ies"):
        return f"(?:{re.escape(word[:-3])}y)"
    if word.endswith("s") and not word.endswith("ss"):
        return f"(?:{re.escape(word[:-1])})"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"(?:{re.escape(word[:-1])}ies)"
    return f"(?:{re.escape(word)}s)"


def _name_variants(reference: str, person: bool) -> list[tuple[str, str]]:
    """Patterns for the other ways to write a person's name, where the reference can be one."""
    surname_first = re.fullmatch(r"([^\W\d_]{2,}), ((?:[^\W\d_]+\.? ?){1,2})", reference.strip())
    if surname_first:
        words = [*WORDS.findall(surname_first[2]), surname_first[1]]
    else:
        words = [word for word in WORDS.findall(reference) if word not in TITLES]
    has_initial = any(len(word) == 1 for word in words)
    if not (person or has_initial or surname_first) or not 2 <= len(words) <= 4 or len(words[-1]) < 2:
        return []
    if any(not word.isalpha() for word in words) or ("," in reference and not surname_first):
        return []
    first, last = words[0], words[-1]
    given_name = (
        f"{re.escape(first[0])}[^\\W\\d_]*" if len(first) == 1 else f"(?:{re.escape(first)}|{re.escape(first[0])}\\.?)"
    )
    middle = rf"(?:(?!(?:{NOT_A_NAME})\b)[^\W\d_]{{1,20}}\.? ){{0,2}}"
    own_middle = "".join(f"(?:(?:{re.escape(word)}|{re.escape(word[0])}\\.?) )?" for word in words[1:-1])
    between = own_middle if len(words) > 2 else middle
    return [
        (f"{given_name}\\.? {between}{re.escape(last)}", "a way to write the name"),
        (f"{re.escape(last)}, {given_name}(?: [^\\W\\d_]\\.?)?", "surname first,"),
    ]


def _holds(match: re.Match[str], text: str, pattern: re.Pattern[str]) -> bool:
    """An everyday word or a single letter is an answer only where a statement ends with it; "nobody but" is none."""
    words = WORDS.findall(match[0])
    if words and words[0] in NOBODY and EXCEPT.match(text, match.end()):
        return False
    if len(words) == 1 and (len(words[0]) == 1 or words[0] in SMALL_WORDS):
        return bool(CLAUSE_END.match(text, match.end())) or _is_a_grade(words[0], text[: match.start()])
    return True


def _is_a_grade(word: str, before: str) -> bool:
    """Whether a single letter stands behind words that lead up to a grade: "received a b in chemistry"."""
    return len(word) == 1 and (_TO_AN_A if word in _LETTER_WORDS else _TO_A_GRADE).search(before) is not None
