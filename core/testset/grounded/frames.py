"""Sentence frames of each form: what a wording sounds like before the meaning is put in.

A form is one entry of `FRAMES`; a further one (interrogative, formal...) is another entry. Each frame has the slots
``{answer}`` (a noun phrase), ``{subject}`` (one without an article), ``{the_subject}`` (with one), ``{of}`` and
``{is_}`` ("is" or "are").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A linguistic attribute with its rule.

    Attributes:
        name: As it stands in files and in the URL.
        about: What it is, for people.
        least_words: The fewest words a wording of this form has; a filled placeholder counts as one word.
        most_words: The most, None for no bound.
        frames: In the order they are offered.
    """

    name: str
    about: str
    least_words: int
    most_words: int | None
    frames: tuple[str, ...]


SHORT = Form(
    name="short",
    about="A fragment or a terse request, as people type into a search field.",
    least_words=1,
    most_words=20,
    frames=(
        "{Answer} {of} {subject}",
        "What {is_} the {answer} {of} {subject}?",
        "Look up {answer} {of} {subject}",
        "{Subject}: {answer}",
        "Get {answer} {of} {subject}",
        "{Answer} {of} {subject}?",
        "Find {answer} {of} {subject}",
        "Need the {answer} {of} {subject}",
        "Tell me {answer} {of} {subject}",
        "{Subject}, {answer} please",
    ),
)

LONG = Form(
    name="long",
    about="Full sentences of at least 30 words with some background, as people write to a colleague.",
    least_words=30,
    most_words=None,
    frames=(
        "I am preparing a reply to someone who has asked about this today, and before I send it I would like to know "
        "exactly what the {answer} {of} {the_subject} {is_}, as far as you can tell.",
        "Could you please look carefully through everything that is available to you and tell me what the {answer} "
        "{of} {the_subject} {is_}, because I need to confirm it in a letter that I am writing?",
        "When we spoke about {the_subject} last week nobody in the room could remember it, so I would be grateful if "
        "you could find out what the {answer} {of} {the_subject} {is_} and let me know.",
        "For an overview that I have been asked to put together by the end of the day, I still need one detail about "
        "{the_subject}, and that detail {is_} the {answer}, so would you please look it up for me?",
        "A colleague who is new to the team has asked me a question that I could not answer myself, namely what the "
        "{answer} {of} {the_subject} {is_}, and I would be glad if you could help us with it.",
        "I have been going through my notes about {the_subject} and noticed that one thing is missing from them, so "
        "please tell me what the {answer} {of} {the_subject} {is_} so that I can complete the page.",
        "Since I want to be sure that what I tell other people about {the_subject} is right, I would like you to check "
        "for me what the {answer} {of} {the_subject} {is_} and to give me just that detail.",
        "If you could spare a moment to help me with something that came up in a conversation this morning, I would "
        "like to learn what the {answer} {of} {the_subject} {is_}, according to what you have been given.",
        "Before we go on with the work that we had planned for this week, somebody has to find out what the {answer} "
        "{of} {the_subject} {is_}, and since you know the papers best, I am asking you to do it.",
        "It may seem like a small matter, but I have already looked in several places without any luck, and I would "
        "really like to know what the {answer} {of} {the_subject} {is_} before I close this request.",
    ),
)

FRAMES: Mapping[str, Form] = {form.name: form for form in (SHORT, LONG)}
"""Every built-in form by name."""
