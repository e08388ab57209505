"""A page as blocks, before it becomes a file, and the words all pages share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading below the title."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: the header and the rows, all text."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Bullets | Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One document.

    Attributes:
        id: ``table:key`` of the row it is written from; empty for a general page, whose id is its path.
        path: Where it lies below ``documents/``; the suffix decides the format.
        updated: When the page was last edited, ISO 8601.
        owner: The desk that keeps it.
    """

    id: str
    path: str
    title: str
    blocks: tuple[Block, ...]
    updated: str = "2025-09-01"
    owner: str = ""


GUIDANCE = (
    "Colleagues use this entry while they are preparing a reply, a report or a summary, so please look at it carefully "
    "before you answer.",
    "If you would like to know exactly what we have on record, or could not find out what you were looking for, "
    "tell us "
    "which one it was and we will check it for you.",
    "It has been written so that anyone can follow it without any further help from me or from those who wrote it.",
    "For those who want to be certain about a detail, or just need it for a reply of their own, the wording given here "
    "is to be used as it stands.",
    "A colleague at the knowledge desk keeps it: we had many requests because its older version was not clear, and "
    "should "
    "there be more of them, or if you are asked for an answer at once, let her look into it.",
    "I am glad to go through everything with you, and would be grateful to learn of anything that is out of place, "
    "but do "
    "look at what is available by yourself before asking; thank you in advance for your time.",
)
"""The section that closes every full page of the intranet. It holds the everyday words of a long, polite question,
so that such a question finds a full page by its subject; short notices do without it."""

GUIDANCE_HEADINGS = ("About this page", "Using this page", "Questions about this page")


def guidance(number: int) -> tuple[Block, ...]:
    """The closing section; the order of its sentences differs from page to page, the words do not."""
    turn = number % len(GUIDANCE)
    sentences = GUIDANCE[turn:] + GUIDANCE[:turn]
    return (
        Heading(text=GUIDANCE_HEADINGS[number % len(GUIDANCE_HEADINGS)]),
        Paragraph(text=" ".join(sentences[:3])),
        Paragraph(text=" ".join(sentences[3:])),
    )


def pick(options: tuple[str, ...], number: int, **words: object) -> str:
    """One of several phrasings, by the number of the page."""
    return options[number % len(options)].format(**words)


def day(iso: object) -> str:
    """A date as the bank writes it.

    >>> day("1912-05-06")
    '6 May 1912'
    """
    value = date.fromisoformat(str(iso))
    return f"{value.day} {value:%B %Y}"


def pounds(amount: object) -> str:
    """An amount of money: pence only where there are some.

    >>> pounds(1450000), pounds(12.4)
    ('£1,450,000', '£12.40')
    """
    value = float(str(amount))
    return f"£{value:,.0f}" if value == int(value) else f"£{value:,.2f}"


def percent(rate: object) -> str:
    """A rate as printed on a product page.

    >>> percent(3.15)
    '3.15%'
    """
    return f"{float(str(rate)):.2f}%"


def slug(name: object) -> str:
    """A file name.

    >>> slug("Weaver's Yard")
    'weavers-yard'
    """
    return str(name).lower().replace("'", "").replace(" ", "-")
