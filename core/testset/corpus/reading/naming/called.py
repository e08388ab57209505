"""Titles as names: whether people say one, and how a sentence holds it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.vocabulary.common_words import COMMON
from core.testset.corpus.reading.vocabulary.verbs import infinitive

WORKS = frozenset(
    [
        "policy",
        "guide",
        "manual",
        "handbook",
        "report",
        "terms",
        "conditions",
        "catalogue",
        "catalog",
        "list",
        "notice",
        "procedure",
        "statement",
        "schedule",
        "rules",
        "agreement",
        "contract",
        "plan",
        "overview",
        "faq",
        "faqs",
        "brochure",
        "leaflet",
        "minutes",
        "memo",
        "memorandum",
        "letter",
        "agenda",
        "newsletter",
        "bulletin",
        "directory",
        "tariff",
        "standard",
        "regulation",
        "code",
        "summary",
        "guideline",
        "guidelines",
        "review",
        "paper",
        "papers",
        "factsheet",
        "sheet",
        "slides",
        "presentation",
        "leaflet",
        "form",
        "checklist",
        "instructions",
        "reference",
        "notes",
        "charter",
        "formulary",
        "glossary",
        "protocol",
        "protocols",
        "regulations",
        "specification",
        "specifications",
        "timetable",
        "register",
        "log",
        "prices",
        "fees",
        "tariffs",
        "descriptions",
        "questions",
        "programme",
    ]
)
_ONE_OF_MANY = frozenset(
    [
        "agenda",
        "application",
        "assessment",
        "bulletin",
        "certificate",
        "form",
        "invoice",
        "letter",
        "log",
        "memo",
        "memorandum",
        "minutes",
        "newsletter",
        "offer",
        "presentation",
        "proposal",
        "quotation",
        "quote",
        "record",
        "referral",
        "report",
        "statement",
        "survey",
    ]
)
"""Papers of which a house may have one after the other."""
_SENT = frozenset(
    [
        "agenda",
        "bulletin",
        "letter",
        "memo",
        "memorandum",
        "minutes",
        "newsletter",
        "offer",
        "presentation",
        "proposal",
        "quotation",
        "quote",
        "referral",
    ]
)
"""Of these, those that always have another, so that their sort alone names none."""
_STAGES = frozenset(
    [
        "accident",
        "annual",
        "incident",
        "inspection",
        "interim",
        "monthly",
        "preliminary",
        "progress",
        "quarterly",
        "risk",
        "site",
        "status",
        "survey",
        "visit",
        "weekly",
    ]
)
"""What tells a paper of one matter from the other papers of it, and no matter from another."""
MOST_WORDS_OF_A_SORT = 2
MOST_WORDS_OF_A_TITLE, MOST_WORDS_OF_A_NAME = 14, 10
"""Words of a title that people say, and of one that names a thing; a longer one is quoted."""
_NUMBERED_TITLE = re.compile(r"(?=\S*\d)[A-Z][A-Z\d]*(?:[-/.]?[A-Z\d]+)*:? [A-Z]")
"""A title behind the number of a policy or procedure: "P-07 Lone working"."""
_LONG_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{4,}(?![A-Za-z])")
_FIELD = re.compile(r"^[A-Z][\w ]{2,30}: \S", re.MULTILINE)
FEWEST_OF_A_SHEET = 3
"""Fields of a page from which its title of one name is the thing that has them: the helmet Lanner."""
MOST_WORDS_CALLED = 4
"""Words of a title from whose last word its text may call it: "the procedure"; longer ones are quoted."""
_REMARKS = frozenset(
    [
        "extract",
        "excerpt",
        "version",
        "copy",
        "revised",
        "updated",
        "edition",
        "part",
        "theme",
        "summary",
    ]
)
"""What stands in brackets behind a title and is no kind of thing."""
MOST_WORDS_OF_A_THING = 3
"""Words of a title that may name a thing its text never names: "Juniper card"."""
_ACTION = re.compile(r"(?:[A-Z][a-z]+ing|How|What|Why|When|Where|Who) [a-z]")
"""Titles of what one does or asks, which no thing is called by: "Using themes"."""
_DETERMINERS = frozenset({"a", "an", "the", "your", "our", "my", "us", "this", "all"})
_DASHED = re.compile(r" [-–—|/&] |[:,] ")
"""What parts a title from its subtitle, so that it reads in quotes only."""
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_TORN = re.compile(r"(?:between|and|or|of|for|by|to|from|with|in|on|at|re)\b")
"""How a line begins that goes on with another: "between the Port of Skerva and ..."."""
_NO_TITLE = re.compile(
    r"(?:untitled|document|index|readme|page|report|home|introduction|contents?|summary|overview)\W*\d*$", re.IGNORECASE
)


def names_something(title: str) -> bool:
    """Whether a title is one that people say, and not the name of a file."""
    letters = sum(sign.isalpha() for sign in title)
    numbered = (
        re.fullmatch(r"[A-Z][a-z]+ (?:[a-z]+ )*(?:no\. ?)?\d[\d/-]*", title) is not None
    )  # "Incident report 2024-113"
    readable = (
        numbered
        or len(_LONG_WORD.findall(title)) > 1
        or (letters * 10 >= 7 * len(title.replace(" ", "")) and letters >= 3)
    )
    file_name = re.fullmatch(r"[^ ]+\.[A-Za-z0-9]{1,5}", title)  # procfs.5 names a file, not what it is about
    return (
        readable
        and not file_name
        and not _TORN.match(title)
        and len(title.split()) <= MOST_WORDS_OF_A_TITLE
        and not _NO_TITLE.match(title)
        and "_" not in title
    )


def is_bare_sort(title: str) -> bool:
    """Whether a title is only a sort of paper, which several may be: "Risk presentation", "Preliminary report".

    >>> is_bare_sort("Risk presentation"), is_bare_sort("Price list"), is_bare_sort("Report 2024")
    (True, False, False)
    """
    words = title.strip().split()
    return (
        0 < len(words) <= MOST_WORDS_OF_A_SORT
        and words[-1].casefold() in _ONE_OF_MANY
        and all(word.isalpha() for word in words)
        and all(word.islower() for word in words[1:])
    )


def is_one_of_many(title: str) -> bool:
    """Whether a title of a sort of paper names none: the collection, or the next one, has others of it.

    >>> is_one_of_many("Risk presentation"), is_one_of_many("Preliminary report"), is_one_of_many("Stock report")
    (True, True, False)
    """
    words = title.casefold().split()
    return is_bare_sort(title) and (words[-1] in _SENT or words[0] in _STAGES)


def is_code(title: str, text: str) -> bool:
    """Whether a title is a code that its document's sentences use, as the plate of a vehicle is: "L-846DL"."""
    code = re.fullmatch(r"(?=[^ ]*\d)(?=[^ ]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9/-]{2,20}", title.strip())
    body = text.split("\n", 1)[1] if "\n" in text else ""
    return code is not None and re.search(rf"(?<![\w/-]){re.escape(title.strip())}(?![\w/-])", body) is not None


def _is_order(words: Sequence[str]) -> bool:
    """Whether a title tells its reader to do something: "Find a branch"."""
    return len(words) > 1 and infinitive(words[0].casefold()) and words[1].casefold() in _DETERMINERS


def unnumbered(title: str) -> str:
    """A heading without the number of its chapter: "22 Vendor Onboarding" as "Vendor Onboarding"."""
    return re.sub(r"^(?:(?:Chapter|Section|Part) )?\d{1,3}(?:\.\d+)*[.:)]? (?=[A-Z][a-z])", "", title.strip())


def titled(title: str, text: str, *, filed: bool = False) -> Subject:
    """A title as its document writes it inside sentences: with or without "the", with small or capital letters.

    Works such as guides are named in quotes with "in"; "Grenade (song)" is 'the song "Grenade"'.
    A name that only the file has (`filed`) and that no sentence says is in quotes, too.
    """
    sorted_title = re.fullmatch(r"(?P<name>[^()]{2,60}) \((?:[^()]*? )?(?P<sort>[a-z]+)\)", title.strip())
    if sorted_title and sorted_title["sort"] in _REMARKS:
        title, sorted_title = sorted_title["name"].strip(), None
    if sorted_title and sorted_title["name"].split()[-1].casefold() not in WORKS:
        sort = sorted_title["sort"]
        return Subject(words=f'the {sort} "{sorted_title["name"]}"', sort=sort)
    words = title.strip().rstrip(".").split()
    last = re.sub(r"\W", "", words[-1].casefold())
    if not _DASHED.search(title) and re.match(
        r"(?:Department|Ministry|Office|Institute|Faculty|School|Board|Committee) (?:of|for) ", title
    ):
        return Subject(words=f"the {title.strip()}", sort=words[0].casefold())
    written = _written(title.strip().rstrip("."), text)
    parted = _DASHED.search(title) or _ACTION.match(title) or _is_order(words) or len(words) > MOST_WORDS_OF_A_NAME
    # "Isolation and lock-off" is what a page is about; things that end with a common noun are said with "the"
    parted = parted or (_NUMBERED_TITLE.match(title) is not None and len(words) > 2)
    parted = parted or (written is not None and words[-1].islower() and len(words) > 1 and "the " not in written.words)
    named = written is not None and not (filed and not re.search(r"[A-Z\d]", written.bare))
    if (
        written is not None
        and named
        and words[0] not in ("Our", "Your", "My", "Their")
        and last not in WORKS
        and not last.isdigit()
        and not parted
    ):
        return written
    batch = last.isdigit() and len(words) > 1 and words[-2].endswith("s")  # "Care customers 5"
    remark = bool(sorted_title)
    quoted = batch or remark or last in WORKS or words[0].casefold() in WORKS or parted
    ours = words[0] in ("Our", "Your", "My", "Their")
    if quoted or ours or title.isupper() or (filed and not named):
        return Subject(words=f'"{title.strip()}"', sort=last if last in WORKS else "", link="in")
    called = re.search(rf"\b(?:the|this) {re.escape(last)}\b", text, re.IGNORECASE)
    long = len(words) > MOST_WORDS_OF_A_THING
    page = not _FIELD.search(text)  # and not the form of a thing, such as a card's
    if written is None and (len(words) > MOST_WORDS_CALLED or (not called and (long or page or last.endswith("s")))):
        return Subject(words=" ".join(words), topic=True)
    if words[-1].islower() and len(words) > 1 and words[0].casefold() not in ("the", "a", "an"):
        return Subject(words=f"the {' '.join(words)}", sort=last, topic=written is None)
    if words[0] in ("The", "A", "An"):
        return Subject(words=" ".join([words[0].lower(), *words[1:]]), sort=last, topic=written is None)
    sheet = len(words) == 1 and words[0].casefold() not in COMMON and len(_FIELD.findall(text)) >= FEWEST_OF_A_SHEET
    return Subject(words=" ".join(words), sort="", topic=written is None and not sheet)


def _written(title: str, text: str) -> Subject | None:
    """A title as its text has it, with the kind of thing that its definition says it is; None where it has it never."""
    bare = _ARTICLE.sub("", title)
    body = (
        text.split("\n", 1)[1] if text.lstrip("# ").casefold().startswith(title.casefold()) and "\n" in text else text
    )
    body = re.sub(rf"^\W*{re.escape(title)}(?: [|–—-] .{{1,40}})?\W*$", "", body, flags=re.IGNORECASE | re.MULTILINE)
    uses = [
        (match[1] or "", match[2])
        for match in re.finditer(rf"(\b[Tt]he |\b[Aa]n? )?\b({re.escape(bare)})\b", body, re.IGNORECASE)
    ]
    if not uses or not bare[:1].isalnum():
        return None
    inside = [words for article, words in uses if article] or [words for _, words in uses[1:]]
    small = sum(words[:1].islower() for words in inside)
    name = next((words for words in inside if words[:1].islower()), bare) if small * 2 > len(inside) else bare
    the = sum(article.strip().casefold() == "the" for article, _ in uses) * 2 >= len(uses)
    definition = re.search(
        rf"\b{re.escape(bare)}\W[^.]{{0,40}}?\b(?:is|was) (?:an?|the) (?P<what>(?:[\w'’-]+ ){{0,5}}?[a-z]+)"
        r"(?=[,.;(]| (?:by|of|in|on|from|at|for|with|that|which|who|used|written|recorded|developed|between|located|to)\b)",  # noqa: E501
        body,
        re.IGNORECASE,
    )
    last = bare.split()[-1]
    named = last if " " in bare and last.islower() else ""
    sort = definition["what"].split()[-1].casefold() if definition else named
    own = re.match(r"An? ", title) is not None and not the  # "A Clockmaker's Ledger"
    return Subject(words=f"the {name}" if the else title if own else name, sort=sort)
