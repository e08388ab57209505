"""Sentence frames of each form, into which the meaning of a template is filled.

A form is one entry of `FRAMES`; a further one (interrogative, formal...) is another entry. Each frame may use the slots

- ``{answer}``, ``{Answer}``: what is asked for, a noun phrase without an article ("opening date");
- ``{subject}``, ``{Subject}``: what it is asked of, without articles ("branch 'X'");
- ``{named_subject}``: the same with its article and, where it is a name, "called" ("the branch called 'X'");
- ``{of}``: how the two are joined ("of", "for");
- ``{asked}``: the direct question with a small first letter, to go on with;
- ``{clause}``, ``{question}``: the whole as an embedded or a direct question with the answer's own words ("what the
  opening date of the branch 'X' is");
- ``{free_clause}``, ``{free_question}``: the same in other words where there are any ("When did branch 'X' open?").

The first frames keep the answer's own words and the later ones leave them, so that more wordings are more different.
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
        least_words: The fewest words a wording of this form has; a placeholder counts as one word.
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
    about="A fragment or a terse question, as people type into a search field.",
    least_words=1,
    most_words=15,
    frames=(
        "{Answer} {of} {subject}",
        "{question}",
        "Look up {answer} {of} {subject}",
        "{Subject}: {answer}",
        "{free_question}",
        "Get {answer} for {subject}",
        "Find {answer} {of} {subject}",
        "Need {answer} for {subject}",
        "{Subject}, {answer} please",
        "Check {answer} {of} {subject}",
        "Tell me {answer} {of} {subject}",
    ),
)

LONG = Form(
    name="long",
    about="Full sentences of at least 30 words with some background, as people write to a colleague.",
    least_words=30,
    most_words=None,
    frames=(
        "I am preparing a reply to someone who has asked about this today, and before I send it I would like to know "
        "exactly {clause}, as far as you can tell.",
        "Could you please look carefully through everything that is available to you and tell me {clause}, because I "
        "need to confirm it in a letter that I am writing?",
        "When we spoke last week nobody in the room could remember {clause}, so I would be grateful if you could find "
        "it out for me and let me know as soon as you have it.",
        "For an overview that I have been asked to put together by the end of the day, I still need one detail about "
        "{named_subject}, namely the {answer}, so would you please look it up for me?",
        "A colleague who is new to the team has asked me a question that I could not answer myself, namely "
        "{free_clause}, and I would be glad if you could help us with it.",
        "While I was going through my notes I noticed that one thing is missing from them, and I would like you to "
        "tell me {clause}, so that I can complete the page before I pass it on.",
        "Since I want to be sure that what I tell other people about {named_subject} is right, please check the "
        "{answer} for me once more and give me just that one detail without anything around it.",
        "If you could spare a moment to help me with something that came up in a conversation this morning, I would "
        "like to learn {free_clause}, according to what you have been given.",
        "Before we go on with the work that we had planned for this week, somebody has to find out {clause}, and since "
        "you know the papers best, I am asking you to do it.",
        "It may seem like a small matter, but I have already looked in several places without any luck, and I would "
        "really like to know {free_clause} before I close this request.",
    ),
)

INTERROGATIVE = Form(
    name="interrogative",
    about="A direct question.",
    least_words=3,
    most_words=40,
    frames=(
        "{question}",
        "{free_question}",
        "Can you tell me {clause}?",
        "Do you know {clause}?",
        "Could you say {clause}?",
        "May I ask {clause}?",
    ),
)

DIRECTIVE = Form(
    name="directive",
    about="A request in the imperative.",
    least_words=3,
    most_words=40,
    frames=(
        "Tell me {clause}.",
        "Please state {clause}.",
        "Find out {clause}.",
        "Say {clause}.",
        "Check {clause}.",
        "Let me know {free_clause}.",
    ),
)

FORMAL = Form(
    name="formal",
    about="As one writes to somebody one does not know.",
    least_words=8,
    most_words=60,
    frames=(
        "Would you kindly let me know {clause}?",
        "I would be grateful if you could tell me {clause}.",
        "I should like to enquire {clause}.",
        "For our records, could you please confirm {clause}?",
        "Could you please advise me {free_clause}?",
        "With reference to {named_subject}, I would appreciate it if you could state {clause}.",
    ),
)

CASUAL = Form(
    name="casual",
    about="As one speaks to a colleague.",
    least_words=3,
    most_words=40,
    frames=(
        "Hey, {asked}",
        "Any idea {clause}?",
        "Quick question: {asked}",
        "So, {asked}",
        "Just wondering {clause}.",
        "Hi, do you happen to know {free_clause}?",
    ),
)

FRAMES: Mapping[str, Form] = {form.name: form for form in (SHORT, LONG, INTERROGATIVE, DIRECTIVE, FORMAL, CASUAL)}
"""Every built-in form by name."""
