"""What naming topics by a model will take before it is asked: calls, tokens, money, as ranges; nothing is sent."""

from __future__ import annotations

from dataclasses import replace

from core.domain.llm import Structured
from core.domain.topics import Term, Topic, TopicModel, TopicSettings
from core.llm import load_prompt
from core.llm.addresses import split_spec
from core.llm.estimates import Between, CallPart, characters_of, grounds_of, probes_of, sized
from core.llm.structured import held_to
from core.store import chunks, topics
from core.store.database import Store
from core.testset.corpus.topics.clustering import settled
from core.testset.corpus.topics.naming import (
    LONGEST_PASSAGE,
    MOST_OTHERS,
    PROMPT,
    PURPOSE,
    TopicName,
    asked_about,
    nameless,
)
from core.testset.corpus.topics.terms import EXAMPLES, KEPT

TOKENS_A_NAME = (6.0, 40.0)
"""Of a reply that was never measured."""
WORD = "xxxxxxxxxx"
"""Stands for a word of a topic that is not found yet."""
UNKNOWN = "How many topics there will be is not known before they are found; each is one call."


def cost_of_names(store: Store, model: TopicModel, spec: str) -> tuple[CallPart, ...]:
    """The calls that name the topics of a model that have no name yet.

    Raises:
        InvalidInput: The spec cannot be read.
    """
    with store.read() as connection:
        found = topics.topics(connection, model.id)
        shown = {chunk for topic in found for chunk in topic.examples}
        texts = {chunk.id: chunk.text for chunk in chunks.of(connection, model.source_id) if chunk.id in shown}
    asked = nameless(found)
    if not asked:
        return ()
    prompt = load_prompt(PROMPT, store=store, project_id=model.project_id)
    said = [asked_about(prompt, topic, found, texts) for topic in asked]
    told = [held_to(TopicName, messages, Structured.NONE)[0] for messages in said]
    sizes = Between(low=sum(map(characters_of, said)), high=sum(map(characters_of, told)))
    return (_part(store, model.project_id, spec, Between(low=len(asked), high=len(asked)), sizes, len(said)),)


def cost_of_first_names(
    store: Store, project_id: str, source_id: str, settings: TopicSettings, spec: str
) -> tuple[CallPart, ...]:
    """The calls that name topics which are still to be found: at most as many as their least size lets there be.

    Raises:
        InvalidInput: The spec cannot be read, or a setting is out of its bounds.
    """
    with store.read() as connection:
        known = chunks.of(connection, source_id)
    if len(known) < 2:
        return ()
    sized_for = settled(settings, len(known))
    most = sized_for.topics or max(2, len(known) // (sized_for.min_size or 2))
    prompt = load_prompt(PROMPT, store=store, project_id=project_id)
    words = tuple(Term(text=WORD, weight=0.0) for _ in range(KEPT))
    short, long = (
        asked_about(
            prompt,
            Topic(number=0, size=1, terms=words, examples=tuple(map(str, range(EXAMPLES)))),
            [Topic(number=number + 1, size=1, terms=words) for number in range(min(others, MOST_OTHERS))],
            {str(number): "x" * length for number in range(EXAMPLES)},
        )
        for others, length in (
            (1, min(LONGEST_PASSAGE, min(len(chunk.text) for chunk in known))),
            (most, LONGEST_PASSAGE),
        )
    )
    low = sized_for.topics or 0
    sizes = Between(
        low=characters_of(short), high=characters_of(held_to(TopicName, long, Structured.NONE)[0])
    )  # fmt: skip
    return (_part(store, project_id, spec, Between(low=low, high=most), sizes, 1, note=UNKNOWN),)


def _part(
    store: Store, project_id: str, spec: str, calls: Between, characters: Between, of: int, note: str = ""
) -> CallPart:
    model, url = split_spec(spec)
    known = grounds_of(store, project_id)
    prompt = load_prompt(PROMPT, store=store, project_id=project_id)
    part = sized(
        known, PURPOSE, model, url, prompt, calls=calls + probes_of(known, model, url), characters=characters, of=of,
        reply=TOKENS_A_NAME, wanted_at_once=0, repairs=True,
    )  # fmt: skip
    return replace(part, notes=(*part.notes, note)) if note else part
