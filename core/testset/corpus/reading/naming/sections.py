"""Sections that are about one thing each, called by their headings: stations, instruments, firms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from core.testset.corpus.reading.labels import is_plural
from core.testset.corpus.reading.naming.subjects import Subject

UNDERLINED = re.compile(r"^(?P<words>[^\n|]{2,80})\n[=~-]{3,}[ \t]*$", re.MULTILINE)
"""A heading in plain text, with a rule below it."""
FEWEST_SECTIONS = 2
FEWEST_FIELDS = 3
MOST_WORDS = 7
_TOPICS = frozenset(
    [
        "information",
        "report",
        "data",
        "details",
        "performance",
        "requirements",
        "instructions",
        "operation",
        "maintenance",
        "procedure",
        "policy",
        "questions",
        "actions",
        "analysis",
        "arrangements",
        "assessment",
        "background",
        "conclusion",
        "conclusions",
        "description",
        "events",
        "findings",
        "guidance",
        "history",
        "notes",
        "observations",
        "outlook",
        "overview",
        "recommendations",
        "remarks",
        "results",
        "review",
        "scope",
        "steps",
        "summary",
    ]
)
"""Last words of headings that say what a section does and name no thing."""
_NUMBERED = re.compile(
    r"(?:§ ?)?\d{1,3}(?:\.\d+)*[.):]? +\S|(?:[A-Z]|[IVX]{1,4})[.)] +\S|(?:Part|Section|Annex|Appendix) [\dA-Z]"
)
"""The number of a section, whose heading divides its document and names no other."""
_JOINED = re.compile(r" (?:and|&|/) | / |, ")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_THE = re.compile(r"\b[Tt]he (?P<noun>[a-z]{3,})\b(?! (?:of|for|in|on|at)\b)")


def subjects_of_sections(
    lines: Iterable[tuple[str, str, str, bool]], titles: Mapping[str, str]
) -> dict[tuple[str, str], Subject]:
    """The things that sections are about, by document and heading.

    A heading names a thing where its own section says it in a sentence, or has fields only. At least two sections of
    the document must do so, and at least half of those with text. What most of them call "the station" is its kind.

    A title that joins names, "Ashford branch and Carlow branch", says itself what its sections are about.

    Args:
        titles: Of documents by id.
        lines: Sentences and fields as (document, heading above, words, whether it is a field).
    """
    texts: dict[str, dict[str, list[tuple[str, bool]]]] = defaultdict(lambda: defaultdict(list))
    for document, heading, words, is_entry in lines:
        texts[document][heading].append((words, is_entry))
    subjects: dict[tuple[str, str], Subject] = {}
    shared = Counter(heading for sections in texts.values() for heading in sections)
    for document, sections in texts.items():
        # what two forms have in small letters divides both, and names nothing: "Condition of pump"
        divides = {heading for heading in sections if shared[heading] > 1 and heading and heading.split()[-1].islower()}
        names = {heading: _name(heading) for heading in sections if heading and heading not in divides}
        things = {heading: name for heading, name in names.items() if name and _is_about(name, sections[heading])}
        title = titles.get(document, "")
        listed = {heading: name for heading, name in names.items() if name and name in title and name != title}
        if listed and _JOINED.search(title):
            things |= listed
        elif len(things) < FEWEST_SECTIONS or 2 * len(things) < sum(map(bool, names.values())):
            continue
        nouns = Counter(
            noun
            for heading in things
            for noun in {match["noun"] for words, _ in sections[heading] for match in _THE.finditer(words)}
        )
        kinds = [noun for noun, count in nouns.most_common(1) if count >= FEWEST_SECTIONS and 2 * count >= len(things)]
        for heading, name in things.items():
            article = "the " if _with_article(name, sections[heading]) else ""
            subjects[document, heading] = Subject(words=f"{article}{name}", sort=kinds[0] if kinds else "")
    return subjects


def is_numbered(heading: str) -> bool:
    """Whether a heading has the number of a section before it: "3 Motor excess of loss", "I. Close-out"."""
    return _NUMBERED.match(heading) is not None


def called_heading(heading: str) -> str:
    """A heading that names a thing, as a sentence has it: "the Shepton office", and "Mill Meadow"."""
    last = heading.split()[-1]
    common = " " in heading and last.islower() and not is_plural(last)
    return f"the {heading}" if common and not heading.casefold().startswith(("the ", "a ", "an ")) else heading


def _name(heading: str) -> str:
    """A heading as a name, without what stands in brackets behind it; empty where it reads as a topic."""
    if is_numbered(heading):
        return ""
    name = _BRACKETS.sub("", heading.split(" – ")[0]).strip().rstrip(":")
    words = name.split()
    capitals = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
    named = len(words) >= 2 and capitals >= 1 and not name.isupper() and words[-1].casefold() not in _TOPICS
    return name if named and len(words) <= MOST_WORDS and not re.search(r"[?!;:/]|^\d+[.)]", name) else ""


def _is_about(name: str, lines: list[tuple[str, bool]]) -> bool:
    said = any(name in words for words, is_entry in lines if not is_entry)
    return said or sum(is_entry for _, is_entry in lines) >= FEWEST_FIELDS


def _with_article(name: str, lines: list[tuple[str, bool]]) -> bool:
    return called_heading(name) != name or any(re.search(rf"\b[Tt]he {re.escape(name)}\b", words) for words, _ in lines)
