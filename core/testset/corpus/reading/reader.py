"""The facts of a collection, chunk by chunk."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.answered import answered_headings
from core.testset.corpus.reading.clauses.facts import Told, clause_facts
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fields.entries import fact_of_entry
from core.testset.corpus.reading.fields.forms import facts_of_form, forms_in_text, is_form
from core.testset.corpus.reading.fields.keys import documents_of_keys, signs_all, values_of_fields
from core.testset.corpus.reading.labels import Labels
from core.testset.corpus.reading.looking_up.cells import look_ups
from core.testset.corpus.reading.looking_up.fields import fields_entered
from core.testset.corpus.reading.looking_up.shown import shown_documents
from core.testset.corpus.reading.naming.documents import document_subjects
from core.testset.corpus.reading.naming.sections import UNDERLINED, called_heading, is_numbered, subjects_of_sections
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.naming.titles import own_titles
from core.testset.corpus.reading.prose import FINDING, MOST_CAUSE_WORDS, Reading, names_itself, read_sentence, resolved
from core.testset.corpus.reading.short_forms import short_forms
from core.testset.corpus.reading.tables.cells import facts_of_grid
from core.testset.corpus.reading.tables.grids import Grid, grids
from core.testset.corpus.reading.tables.numbered import numbered_by, numbers_of_several
from core.testset.corpus.reading.tables.rows import files_of_records, grids_of_records, named
from core.testset.corpus.reading.values import tidy
from core.text.blocks import ENTRY, LONG_LINE, BlockKind, blocks, plain
from core.text.sentences import split_sentences

_COMPANY = re.compile(r"\b[Tt]he Company(?P<of>['’]s)?\b")


_MARK = re.compile(r"^\s*(?:[-*+•▪◦]|\d{1,3}[.)])\s+")
_CLAUSE_MARK = re.compile(r"^(?:(?:§+ ?\d+\w?|\(\d+\)|\d+(?:\.\d+)+)[.)]?|(?:P\. ?S|PS|N\. ?B|NB|Re)[.:]*) +(?=[A-Z])")
"""What stands before the first words of a sentence: the number of its paragraph, "P.S."."""
FEWEST_FIELDS = 3
"""Fields of a passage from which it is a form, whose keys need not stand in other documents."""


class Reader:
    """Reads the facts of chunks.

    Args:
        chunks: Every chunk of the collection: names must tell its documents apart, and its words show letter case.
        titles: Titles of documents by id; a document's first heading replaces a missing title.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str]) -> None:
        self.titles, unnamed = own_titles(chunks, titles)
        self.subjects = document_subjects(chunks, self.titles, unnamed)
        self._labels = Labels(chunk.text for chunk in chunks)
        ordered = sorted(chunks, key=lambda chunk: (chunk.document_id, chunk.start))
        self._before = {
            chunk.id: previous.text[-400:]
            for previous, chunk in pairwise(ordered)
            if previous.document_id == chunk.document_id
        }
        headed = self._subjects_of_headings(ordered) | subjects_of_sections(
            (
                (chunk.document_id, under, words, is_entry)
                for chunk in ordered
                for words, under, _, is_entry in _lines(chunk, chunk.section[-1] if chunk.section else "")
            ),
            self.titles,
        )
        self._headed = {
            (document, heading): subject
            for (document, heading), subject in headed.items()
            if not _one_thing(self.subjects.get(document))
        }
        self._kinds = {document: subject.sort for (document, _), subject in self._headed.items() if subject.sort}
        self._documents_of = documents_of_keys(ordered)
        self._values_of = values_of_fields(ordered)
        self._signs_all = signs_all(self._values_of)
        self._records = files_of_records(ordered)
        self._twice = numbers_of_several(ordered)
        self._shown = shown_documents(ordered, self.titles, self.subjects)

    def read(self, chunk: Chunk) -> tuple[Fact, ...]:
        """The facts a chunk states, in the order of its text; each ``chunk.text[start:end]`` states its value."""
        about = self.subjects.get(chunk.document_id)
        section = self._headed.get((chunk.document_id, chunk.section[-1])) if chunk.section else None
        facts = [
            fact
            for grid in self._grids(chunk)
            for fact in (facts_of_form if is_form(grid, section or about) else facts_of_grid)(
                chunk, grid, section or about, self._labels
            )
        ]
        told = {(fact.start, fact.value) for fact in facts}
        facts += [
            fact
            for grid in self._grids(chunk, every=True)
            for fact in (fields_entered if is_form(grid, section or about) else look_ups)(
                chunk, grid, self._shown.get(chunk.document_id)
            )
            if (fact.start, fact.value) not in told  # and none that a sentence can hold
        ]
        facts += [
            fact
            for form in forms_in_text(chunk.text)
            for fact in fields_entered(chunk, form, self._shown.get(chunk.document_id))
        ]
        facts += self._of_text(chunk, about)
        facts += answered_headings(chunk, about, self._labels)
        facts += short_forms(chunk, about)
        unique = {(fact.identity, key(fact.value)): fact for fact in reversed(facts)}
        return tuple(sorted(unique.values(), key=lambda fact: (fact.start, fact.end, fact.attribute)))

    def _grids(self, chunk: Chunk, *, every: bool = False) -> Iterator[Grid]:
        """The tables of a passage without rows whose number another table of the document has as well.

        Files of records have their properties as columns, or `every` column.
        """
        tables = map(named, grids(chunk.text, self._before.get(chunk.id, "")))
        for grid in (*tables, *grids_of_records(chunk, self._records, every=every)):
            own = [row for row in grid.rows if numbered_by(chunk, grid, row) not in self._twice]
            yield replace(grid, rows=tuple(own))

    def _lone(self, chunk: Chunk, line: str) -> bool:
        """Whether a line reads like a field and is none: "Leiden: Apud Elzevirios" in a list of books.

        Its key stands in no other document, and is a name, ends with a number, or stands alone before words.
        """
        label, _, value = line.partition(":")
        if len(self._documents_of[label.strip(" *_").casefold()]) > 1:
            return False
        named = self._labels.is_name(label.split()[0].strip("*_")) or label.rstrip()[-1:].isdigit()
        worded = read_reference(value.strip()).kind == "text"
        others = sum(bool(ENTRY.match(other)) for other in chunk.text.splitlines())
        return named or (worded and others < FEWEST_FIELDS)

    def _subjects_of_headings(self, chunks: Sequence[Chunk]) -> dict[tuple[str, str], Subject]:
        """Headings whose sections have the same fields as others of their document: they name what those are about."""
        keys: dict[tuple[str, str], set[str]] = defaultdict(set)
        for chunk in chunks:
            heading = chunk.section[-1] if chunk.section else ""
            for words, under, _, is_entry in _lines(chunk, heading):
                if is_entry:
                    keys[chunk.document_id, under].add(words.split(":")[0].casefold())
        shared: dict[str, Counter[str]] = defaultdict(Counter)
        for (document, _), names in keys.items():
            shared[document].update(names)
        headings = Counter(key(heading) for _, heading in keys)
        return {
            (document, heading): Subject(words=called_heading(heading))
            for (document, heading), names in keys.items()
            if heading
            and not heading.isupper()
            and not is_numbered(heading)
            and headings[key(heading)] == 1
            and names_itself(f"the {heading}", self._labels)
            and sum(shared[document][name] > 1 for name in names) >= 2
        }

    def _of_text(self, chunk: Chunk, about: Subject | None) -> Iterator[Fact]:
        heading = chunk.section[-1] if chunk.section else ""
        follows, announced, first, told = False, "", chunk.position == 0, Told(about=False)
        own: Subject | None = None
        for words, under, place, is_entry in _lines(chunk, heading):
            section = self._headed.get((chunk.document_id, under))
            if section is not own:
                own, told = section, Told(about=False)  # "it" is never what another section is about
            twice = (
                section is None
                and len(self._values_of[chunk.document_id, words.split(":")[0].strip(" *_").casefold()]) > 1
            )
            signed = words.split(":")[0].strip(" *_").casefold() in self._signs_all
            if is_entry and (twice or signed or self._lone(chunk, words)):
                follows, announced = False, ""
                continue
            if is_entry:
                yield from fact_of_entry(chunk, words, place, section or about, self._labels, under)
                follows, announced = False, ""
                continue
            sentence = _named(_CLAUSE_MARK.sub("", tidy(words)), about)
            if announced and about is not None:
                value = _inside(sentence.removesuffix("."))
                if 2 <= len(value.split()) <= MOST_CAUSE_WORDS:
                    yield _fact(
                        chunk,
                        place,
                        Reading(rule=FactRule.PROPERTY, subject="", attribute=announced, value=value),
                        about,
                    )
                announced = ""
                continue
            finding = FINDING.fullmatch(sentence)
            if finding is not None:
                announced = finding["attribute"].lower()
                if finding["value"] and about is not None:
                    stated = Reading(
                        rule=FactRule.PROPERTY,
                        subject="",
                        attribute=announced,
                        value=_inside(finding["value"].rstrip(". ")),
                    )
                    yield _fact(chunk, place, stated, about)
                    announced = ""
                continue
            reading = read_sentence(sentence)
            subject = resolved(reading, about, self._labels, follows=follows) if reading is not None else None
            plain_fact: Fact | None = None
            if reading is not None and subject is not None and not _odd(reading, about, first=first):
                if reading.rule is FactRule.DEFINITION and (article := re.match(r"An? (?=[a-z])", reading.subject)):
                    subject = replace(subject, words=f"{article[0].lower()}{subject.bare}")  # "What is a morpheme?"
                yield (plain_fact := _fact(chunk, place, reading, subject))
            kind = self._kinds.get(chunk.document_id, "")
            loose = section is None and bool(kind) and f"the {kind}" in sentence.casefold()
            if (about is None or about.sort != "company") and not loose:
                yield from (
                    fact
                    for fact in clause_facts(chunk, sentence, place, section or about, self._labels, told)
                    if plain_fact is None
                    or not (key(fact.value) in key(plain_fact.value) or key(plain_fact.value) in key(fact.value))
                )
            first = False
            follows = about is not None and sentence.casefold().startswith(
                (about.bare.casefold() + " ", f"the {about.bare.casefold()} ", *(("it ",) if follows else ()))
            )


def _one_thing(about: Subject | None) -> bool:
    """Whether a document is about one company or one numbered event, which its sections only divide."""
    return about is not None and (about.sort == "company" or about.words.startswith(f"{about.sort or '-'} "))


def _inside(value: str) -> str:
    """A sentence that is a value, as it stands inside another."""
    return re.sub(r"^(?:The|An?) ", lambda match: match[0].lower(), value)


def _odd(reading: Reading, about: Subject | None, *, first: bool) -> bool:
    """Whether a reading is not what it looks like: a rule about any sale, or a definition that its page begins with.

    "X is the ..." defines X where it is the first that its own document says.
    """
    if reading.rule is FactRule.AGENT and reading.verb in ("is", "are") and reading.subject.startswith(("A ", "An ")):
        return True
    if reading.rule is not FactRule.DEFINITION or reading.verb == "means":
        return False
    bare = re.sub(r"^(?:the|an?) ", "", reading.subject, flags=re.IGNORECASE)
    own = about is not None and key(bare) in about.keys
    return not (own and first)


def _fact(chunk: Chunk, place: tuple[int, int], reading: Reading, subject: Subject) -> Fact:
    return Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=reading.rule,
        subject=subject,
        attribute=reading.attribute,
        value=reading.value,
        kind=read_reference(reading.value).kind,
        period=reading.period,
        verb=reading.verb,
        rest=reading.rest,
        condition=reading.condition,
        start=place[0],
        end=place[1],
    )


def _lines(chunk: Chunk, heading: str) -> Iterator[tuple[str, str, tuple[int, int], bool]]:
    """Sentences and fields with the heading above them and their places; tables, code and headings are left out."""
    marks = [
        (block.start, block.end, block.kind)
        for block in blocks(chunk.text)
        if block.kind is not BlockKind.PROSE or _bold(chunk.text, block.start, block.end)
    ]
    marks += [
        (match.start("words"), match.end("words"), BlockKind.HEADING) for match in UNDERLINED.finditer(chunk.text)
    ]
    marks.sort()
    place = 0
    for sentence in split_sentences(chunk.text):
        while place < len(marks) and marks[place][0] <= sentence.start:
            start, end, kind = marks[place]
            if kind is BlockKind.HEADING or kind is BlockKind.PROSE:
                heading = plain(chunk.text[start:end].strip("*_ :"))
            place += 1
        if place and marks[place - 1][0] <= sentence.start < marks[place - 1][1]:
            continue
        text = sentence.text.strip()
        is_entry = bool(ENTRY.match(text)) and "\n" not in text
        if is_entry and (_wrapped(chunk.text[: sentence.start]) or not _whole_line(chunk.text, sentence.start, text)):
            continue
        yield text, heading, (sentence.start, sentence.end), is_entry


def _wrapped(before: str) -> bool:
    """Whether what follows goes on with a line of prose: "Proceedings of the symposium on / Imaging: science and"."""
    if not before.endswith("\n"):
        return False
    last = before.removesuffix("\n").rsplit("\n", 1)[-1]
    line = last.strip()
    prose = (len(line) >= LONG_LINE or (len(last) - len(last.lstrip())) >= 2) and not line.endswith(
        (".", ":", ";", "!", "?", "|")
    )
    return prose and not ENTRY.match(line) and not before.endswith("\n\n")


def _whole_line(text: str, start: int, words: str) -> bool:
    """Whether nothing but the mark of a point stands beside a field on its line; others belong to their sentence."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line = text[first : last if last >= 0 else len(text)]
    return _MARK.sub("", plain(line)).strip(" *_|.") == _MARK.sub("", words).strip(" *_|.")


def _bold(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    return before in ("**", "__") and behind.startswith(before) and end - start < 90


def _named(sentence: str, about: Subject | None) -> str:
    """A sentence of a company's own with its name in place of "the Company"."""
    if about is None or about.sort != "company":
        return sentence
    return _COMPANY.sub(lambda match: f"{about.words}{'’s' if match['of'] else ''}", sentence)
