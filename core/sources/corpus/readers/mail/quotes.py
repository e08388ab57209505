"""The parts of a mail's text that are quoted from others: recognised, and the same quoted text told once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MARK = re.compile(r"[ \t]{0,3}>")
MARKS = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+")
ATTRIBUTION = re.compile(
    r"(?:On|Am|Le|El|Il|Op|Em)\b[^\n]{4,200}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)\b"
    r"[^\n]{0,80}:\s*"
)
BANNER = re.compile(
    r"[ \t]*-{3,}[ \t]*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|"
    r"Message d'origine|Message transféré|Mensaje original)[ \t]*-{3,}[ \t]*|[ \t]*Begin forwarded message:[ \t]*",
    re.IGNORECASE,
)
FROM = re.compile(r"[ \t]*\**(?:From|Von|De|Da|Van)\s*:\**[ \t]*\S", re.IGNORECASE)
HEAD = re.compile(
    r"[ \t]*\**(?:Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto)\s*:",
    re.IGNORECASE,
)
HEADS_WITHIN = 6
"""Lines below the sender in which the other heads of a quoted mail stand."""
LONG = 6
"""Words from which on a paragraph is told once; shorter ones go with the others."""
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Segment:
    """Lines that belong together: a person's own words, or those of one quoted mail with what introduces it."""

    text: str
    quoted: bool


def segments(text: str) -> list[Segment]:
    r"""A mail's text in order, cut where quoting begins and ends.

    >>> [(part.quoted, part.text) for part in segments("Yes.\n\nOn 3 May 2026 Ann wrote:\n> Open?\n> Ann")]
    [(False, 'Yes.\n'), (True, 'On 3 May 2026 Ann wrote:\n> Open?\n> Ann')]
    """
    lines = text.split("\n")
    marked = [bool(MARK.match(line)) for line in lines]
    cuts: list[tuple[int, bool]] = [(0, False)]
    to_end = False
    for place, line in enumerate(lines):
        following = next((other for other in range(place + 1, min(place + 4, len(lines))) if lines[other].strip()), -1)
        if _introduces(lines, place):
            held = following >= 0 and marked[following]
            to_end = to_end or not held
            cuts.append((place, True))
        elif not to_end and line.strip() and marked[place] != cuts[-1][1]:
            begins = cuts[-1][1] and not marked[place] and cuts[-1][0] == place - 1  # a wrapped introduction
            if not begins:
                cuts.append((place, marked[place]))
    ends = [place for place, _ in cuts[1:]] + [len(lines)]
    parts = [Segment("\n".join(lines[at:end]), quoted) for (at, quoted), end in zip(cuts, ends, strict=True)]
    return [part for part in parts if part.text.strip()]


def told_once_inside(text: str) -> tuple[str, int]:
    """A mail's text without the paragraphs that it quotes a second time, and how many words those have."""
    if len(segments(text)) < 2:
        return text, 0
    seen: set[str] = set()
    kept: list[str] = []
    left_out = 0
    for part in segments(text):
        if not part.quoted:
            seen.update(_words(paragraph) for paragraph in _paragraphs(part.text))
            kept.append(part.text)
            continue
        paragraphs = []
        for paragraph in _paragraphs(part.text):
            words = _words(paragraph)
            if words.count(" ") + 1 >= LONG and words in seen:
                left_out += words.count(" ") + 1
                continue
            seen.add(words)
            paragraphs.append(paragraph)
        kept.append("\n\n".join(paragraphs))
    return (_joined(kept), left_out) if left_out else (text, 0)


def told_once(texts: Mapping[str, str]) -> dict[str, tuple[str, dict[str, int]]]:
    """Mails without what they quote at their end and another mail of the corpus tells.

    A paragraph is left out where its words stand in the own text of another mail, or in what an earlier one quotes.
    Quotes between a person's own lines stay: an answer needs its question.

    Args:
        texts: The mails' texts by id, in the order of the corpus.

    Returns:
        For each mail that changes, its text, and the words left out by the id of the mail that tells them.
    """
    parted = {name: segments(text) for name, text in texts.items()}
    own = {name: _words("\n\n".join(part.text for part in parts if not part.quoted)) for name, parts in parted.items()}
    index = _Index()
    for name, words in own.items():
        index.add(name, words)
    changed: dict[str, tuple[str, dict[str, int]]] = {}
    for name, parts in parted.items():
        last = max((place for place, part in enumerate(parts) if not part.quoted), default=-1)
        tail = parts[last + 1 :]
        if not tail or last < 0:
            index.add(name, _words(texts[name]))
            continue
        kept, sources = _without_told(tail, index, name)
        index.add(name, " ".join(_words(part) for part in kept))
        if sources:
            changed[name] = (_joined([*(part.text for part in parts[: last + 1]), *kept]), sources)
    return changed


def _without_told(tail: Sequence[Segment], index: _Index, name: str) -> tuple[list[str], dict[str, int]]:
    """Quoted segments without the paragraphs that another mail tells, and the words left out by that mail."""
    kept: list[str] = []
    sources: dict[str, int] = {}
    for part in tail:
        paragraphs = _paragraphs(part.text)
        tellers = [index.teller(_words(_unintroduced(paragraph)), but=name) for paragraph in paragraphs]
        for paragraph, teller in zip(paragraphs, tellers, strict=True):
            if teller:
                sources[teller] = sources.get(teller, 0) + len(WORD.findall(paragraph))
        rest = [paragraph for paragraph, teller in zip(paragraphs, tellers, strict=True) if not teller]
        told = any(tellers) and all(len(WORD.findall(_unintroduced(paragraph))) < LONG for paragraph in rest)
        if not told and rest:
            kept.append("\n\n".join(rest))
    return kept, sources


class _Index:
    """Texts as rows of words, by the beginnings of what may stand in them."""

    def __init__(self) -> None:
        self._texts: list[tuple[str, str]] = []
        self._starts: dict[int, set[int]] = {}

    def add(self, name: str, words: str) -> None:
        if not words:
            return
        number = len(self._texts)
        self._texts.append((name, f" {words} "))
        listed = words.split()
        for at in range(len(listed) - LONG + 1):
            self._starts.setdefault(hash(tuple(listed[at : at + LONG])), set()).add(number)

    def teller(self, words: str, *, but: str) -> str:
        """The first text, other than the one named, in which these words stand in this order; empty where none."""
        listed = words.split()
        if len(listed) < LONG:
            return ""
        for number in sorted(self._starts.get(hash(tuple(listed[:LONG])), ())):
            name, text = self._texts[number]
            if name != but and f" {words} " in text:
                return name
        return ""


def _introduces(lines: Sequence[str], place: int) -> bool:
    """Whether a quoted mail begins at a line: with a banner, with who wrote when, or with heads."""
    line = MARKS.sub("", lines[place])[:400]
    if BANNER.fullmatch(line) or ATTRIBUTION.fullmatch(line):
        return True
    if line.startswith(("On ", "Am ", "Le ")) and place + 1 < len(lines) and len(line) < 200:
        joined = f"{line.rstrip()} {MARKS.sub('', lines[place + 1]).strip()[:200]}"
        if ATTRIBUTION.fullmatch(joined):
            return True
    if not FROM.match(line) or (place and BANNER.fullmatch(MARKS.sub("", lines[place - 1])[:400])):
        return False
    below = lines[place + 1 : place + 1 + HEADS_WITHIN]
    return sum(bool(HEAD.match(MARKS.sub("", other)[:200])) for other in below) >= 2


def _unintroduced(paragraph: str) -> str:
    """A paragraph without the lines that say whose it is."""
    lines = [MARKS.sub("", line) for line in paragraph.split("\n")]
    return "\n".join(
        line
        for line in lines
        if not (
            ATTRIBUTION.fullmatch(line[:400]) or BANNER.fullmatch(line[:400]) or FROM.match(line) or HEAD.match(line)
        )
    )


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, with their marks of quoting; a line of such marks alone parts two."""
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        if MARKS.sub("", line).strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return ["\n".join(lines) for lines in paragraphs if lines]


def _words(text: str) -> str:
    """A text's words in one row: case, signs and line ends do not count."""
    return " ".join(WORD.findall(text.casefold()))


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()).strip()
