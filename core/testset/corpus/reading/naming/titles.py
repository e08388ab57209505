"""The title by which people call each document: its own, else its first line, else the name of its file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.reading.naming.called import is_bare_sort, names_something

MOST_WORDS = 12
MOST_SITES = 12
"""Different ends of titles up to which other documents are searched for them; more are no sites."""
FEWEST_WORDS, FEWEST_COMMON = 3, 2
_SMALL = frozenset({"and", "of", "the", "for", "in", "at", "to", "on", "a", "an", "or", "by", "with"})
_KEPT = frozenset({"FAQ", "FAQS", "VAT", "PDF", "HR", "IT", "UK", "EU", "US", "API", "GDPR", "KPI", "KPIS"})
_WORDS_OF_TWO = frozenset(
    {"we", "us", "my", "me", "he", "it", "is", "be", "am", "do", "go", "no", "so", "up", "as", "if"}
)
_SITE = re.compile(r"(?P<page>.{3,}?) [|·–—-] (?P<site>[^|]{3,60})")
_SHEETS = (".xlsx", ".xls", ".ods", ".fods", ".csv", ".tsv", ".xml", ".json", ".jsonl", ".yaml", ".yml")
"""Files whose first heading is the name of a sheet, or of the kind of record that they hold."""
_CODE = re.compile(r"(?=\S*\d)[A-Z\d]+(?:[-/.][A-Z\d]+)+")
"""A title that is the number of its document only."""
_SHEET = re.compile(r"(?:sheet|tabelle|feuil|page|slide) ?\d*", re.IGNORECASE)
LONGEST_SHORT_FORM = 2
_PART = re.compile(r"(?:[A-Z]|[IVX]+)[.)] ")
"""The number of a section, which is no title."""
_ISSUER = re.compile(r"\b(?:inc|ltd|limited|llc|plc|ag|gmbh|s\.?a|n\.?v|b\.?v|oy|a/s)\.?$", re.IGNORECASE)
"""The end of a company's name, which heads all of its letters."""
_BODY = re.compile(
    r"(?:\b(?:trust|society|club|association|council|university|hospital|fund|foundation|charity|company|museum|institute|"
    r"authority|agency|ministry|mutual|department|school|college|rescue|railway|bank|group|union|federation|committee))$",
    re.IGNORECASE,
)
"""The end of the name of a body, which may only head its papers."""
FEWEST_SAYING, FEWEST_SAYING_ANY = 2, 3
"""Other documents that have the name of a body, or any name, from which it is who issues papers."""
_DATED_LINE = re.compile(
    r"(?:In force|Valid|Effective|Dated|Last (?:updated|edited)|Page|As (?:of|at)|Displayed|Issued)\b"
)
_CAPITALS = re.compile(r"\s*(?P<line>[^\na-z|.]{6,80})\n")
_BELOW_CAPITALS = re.compile(r"\s*(?:[^\na-z|]{4,80}\n){1,2}(?:[ \t]*\n)?(?P<line>[^\n|]{8,100})\n")
_WORK = re.compile(
    r"\b(?:minutes|notes|report|protocol|guideline|procedure|policy|memo|circular|notice)\b", re.IGNORECASE
)
"""What a document calls itself."""
_FIRST_LINE = re.compile(r"\s*(?P<line>[^\n|]{3,100})\n[ \t]*(?:\n|[=~*-]{3,}[ \t]*\n)")


def own_titles(chunks: Sequence[Chunk], titles: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """The titles of documents, and which documents only their file names.

    Where a title is no more than the name of the file, or none that people say, the first heading takes its place, or
    a first line with a blank or a rule below it, if no other document begins with the same.

    Args:
        chunks: Every chunk of the collection.
        titles: As the documents were loaded, by id.
    """
    first: dict[str, Chunk] = {}
    tops: dict[str, set[str]] = defaultdict(set)
    for chunk in chunks:
        tops[chunk.document_id].update(chunk.section[:1])
        if chunk.document_id not in first or chunk.start < first[chunk.document_id].start:
            first[chunk.document_id] = chunk
    shown = {document: _first_line(chunk) for document, chunk in first.items()}
    heads = Counter(key(words) for words in shown.values())
    for document, chunk in first.items():
        second = _second_line(chunk)
        if second and (not shown[document] or heads[key(shown[document])] > 1 or _phrase(second)):
            shown[document] = second
    counts = Counter(key(words) for words in shown.values())
    by_file = {document for document in first if _of_file(titles.get(document, ""), document)}
    titles = {
        document: PurePath(document).stem.replace("-", " ").replace("_", " ")
        if _PART.match(title)
        or (_ISSUER.search(title) and not _SITE.fullmatch(title))
        or (_BODY.search(title) and _is_issuer(title, document, chunks))
        else _small(title)
        for document, title in titles.items()
    }
    by_file = {document for document in first if _of_file(titles.get(document, ""), document)}
    own: dict[str, str] = {}
    titles = _without_site(titles, chunks)
    for document, chunk in first.items():
        words = shown[document]
        whole = not chunk.section or len(tops[document]) == 1  # and not the first sheet or chapter of several
        title = titles.get(document, "")
        # "Key figures Q1 2025" is no name that people say; a code of one word is for others to read.
        poor = document in by_file or (" " in title.strip() and not names_something(title))
        issued = poor and bool(words) and _is_issuer(words, document, chunks)
        better = poor and whole and counts[key(words)] == 1 and names_something(words) and not issued
        heading = chunk.section[0] if chunk.section else ""
        own[document] = words if better else titles.get(document, "") or heading
        own[document] = _fuller(own[document], sorted(tops[document])) or own[document]
    return own, frozenset(document for document in by_file if own[document] == titles.get(document))


def _without_site(titles: Mapping[str, str], chunks: Sequence[Chunk]) -> dict[str, str]:
    """Titles without the name of their site: what those of several pages end with, or what other documents say, too."""
    parted = {document: _SITE.fullmatch(title) for document, title in titles.items()}
    sites = Counter(match["site"] for match in parted.values() if match)
    for site in sites if len(sites) <= MOST_SITES else ():
        sites[site] = max(
            sites[site], len({chunk.document_id for chunk in chunks if site.casefold() in chunk.text.casefold()})
        )
    return {
        document: match["page"]
        if (match := parted[document]) and (sites[match["site"]] > 1 or f" | {match['site']}" in title)
        else title
        for document, title in titles.items()
    }


def _fuller(title: str, headings: Sequence[str]) -> str:
    """The heading that goes on where a title stops: "Risk presentation: Elm Café"; empty where a title says enough."""
    if not (is_bare_sort(title) or _CODE.fullmatch(title)):
        return ""
    longer = [
        heading
        for heading in headings
        if heading.casefold().startswith(title.casefold())
        and re.match(r"[:,]? \S|:? ?[–—-] \S", heading[len(title) :])
        and len(heading.split()) <= MOST_WORDS
    ]
    return longer[0] if len(longer) == 1 else ""


def _first_line(chunk: Chunk) -> str:
    """The heading or the line that a document begins with; empty where it begins with something else."""
    if chunk.document_id.casefold().endswith(_SHEETS):
        return ""
    if chunk.section:
        heading = chunk.section[0]
        return "" if _SHEET.fullmatch(heading) or _PART.match(heading) or _ISSUER.search(heading) else heading
    match = (_FIRST_LINE.match(chunk.text) or _CAPITALS.match(chunk.text)) if not chunk.position else None
    line = " ".join(re.split(r" {3,}|\t", match["line"].strip())[0].split()) if match else ""
    headline = line.isupper()
    if line.isupper() and " " in line:
        line = " ".join(map(_said_small, line.split()))
        line = line[:1].upper() + line[1:]
    sentence = line.endswith((".", ":", ";", ",", "!", "?")) or ". " in line or len(line.split()) > MOST_WORDS
    return (
        "" if sentence or _DATED_LINE.match(line) or (": " in line and not headline) or _ISSUER.search(line) else line
    )


def _small(title: str) -> str:
    """A title in capitals as others write it."""
    loud = title.isupper() and " " in title and not re.search(r"\d", title)
    if not loud:
        return title
    said = " ".join(map(_said_small, title.split()))
    return f"{said[:1].upper()}{said[1:]}"


def _is_issuer(name: str, document: str, chunks: Sequence[Chunk]) -> bool:
    """Whether a name is that of who issues papers: other documents have it, too, and the file's name has none of it."""
    words = name.casefold()
    if set(words.split()) & set(re.split(r"[\W_]+", PurePath(document).stem.casefold())):
        return False
    if _BODY.search(name) and _WORK.search(re.sub(r"[\W_]+", " ", PurePath(document).stem)):
        return True  # "ARVC minutes.docx" of the Asset Committee
    others = {chunk.document_id for chunk in chunks if chunk.document_id != document and words in chunk.text.casefold()}
    return len(others) >= (FEWEST_SAYING if _BODY.search(name) else FEWEST_SAYING_ANY)


def names_an_issuer(title: str) -> bool:
    """Whether a title is the name of a body or a company, which issues papers.

    >>> names_an_issuer("Arden County Council"), names_an_issuer("Harbin & Lowe Ltd"), names_an_issuer("Loan rules")
    (True, True, False)
    """
    return _BODY.search(title) is not None or _ISSUER.search(title) is not None


def _said_small(word: str) -> str:
    """A word of a line in capitals as a title has it: "Report", "of", and "AG", which may be short for something."""
    if word.lower() in _SMALL:
        return word.lower()
    if word in _KEPT:
        return word
    if word.startswith("("):
        return word  # a short form: "(PKV)"
    short = len(word) <= LONGEST_SHORT_FORM and word.lower() not in _WORDS_OF_TWO
    return word if short else word.capitalize()


def _second_line(chunk: Chunk) -> str:
    """The line below the name of who issues a document, in capitals; empty where there is none."""
    match = _BELOW_CAPITALS.match(chunk.text) if not chunk.position and not chunk.section else None
    line = " ".join(match["line"].split()) if match else ""
    label = line.partition(": ")[0]
    field = ": " in line and not re.search(r"\d", label)
    long = len(line.split()) > MOST_WORDS or len(line.split()) < FEWEST_WORDS
    return (
        ""
        if field or long or ". " in line or _DATED_LINE.match(line) or line.endswith((".", ":", ";", ",", "!", "?"))
        else line
    )


def _phrase(line: str) -> bool:
    """Whether a line says what its document is, and is no name or place: "Airside code of practice"."""
    common = sum(word.isalpha() and word.islower() and word not in _SMALL for word in line.split())
    return bool(_WORK.search(line)) or (common >= FEWEST_COMMON and not re.search(r", ", line))


def _of_file(title: str, document: str) -> bool:
    """Whether a title says no more than the name of its document's file."""
    return bool(title) and key(title) == key(re.sub(r"[-_]", " ", PurePath(document).stem))
