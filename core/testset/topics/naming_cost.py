"""The expected cost of naming topics by a model: calls, tokens and money, as ranges; nothing is sent."""

from __future__ import annotations

from dataclasses import replace

from core.domain.llm import PromptVariant, Structured
from core.domain.sources.topics import Term, Topic, TopicModel, TopicSettings
from core.llm import Prompt, load_prompt
from core.llm.addresses import split_spec
from core.llm.replies.structured import held_to
from core.llm.spending.estimates import Between, CallPart, characters_of, grounds_of, probes_of, sized
from core.llm.variants import variant_of
from core.store.database import Store
from core.store.testset import chunks, topics
from core.testset.topics.geometry.clustering import settled
from core.testset.topics.naming import LONGEST_PASSAGE, MOST_OTHERS, PROMPT, PURPOSE, TopicName, asked_about, nameless
from core.testset.topics.terms import EXAMPLES, KEPT

TOKENS_A_NAME = (6.0, 40.0)
"""Of a reply that was never measured."""
WORD = "xxxxxxxxxx"
"""Stands for a word of a topic that is not found yet."""
UNKNOWN = "The number of topics is not known before they are found; each topic is one call."


def cost_of_names(
    store: Store, model: TopicModel, spec: str, prompts: PromptVariant | None = None
) -> tuple[CallPart, ...]:
    """The calls that name the topics of a model that have no name yet.

    Raises:
        InvalidInput: The spec cannot be read.
    """
    with store.read() as connection:
        model_topics = topics.topics(connection, model.id)
        example_ids = {chunk for topic in model_topics for chunk in topic.examples}
        texts = {chunk.id: chunk.text for chunk in chunks.of(connection, model.source_id) if chunk.id in example_ids}
    unnamed = nameless(model_topics)
    if not unnamed:
        return ()
    prompt = _prompt(store, model.project_id, spec, prompts)
    conversations = [asked_about(prompt, topic, model_topics, texts) for topic in unnamed]
    with_form = [held_to(TopicName, messages, Structured.NONE)[0] for messages in conversations]
    sizes = Between(low=sum(map(characters_of, conversations)), high=sum(map(characters_of, with_form)))
    return (
        _part(
            store,
            model.project_id,
            spec,
            prompt,
            Between(low=len(unnamed), high=len(unnamed)),
            sizes,
            len(conversations),
        ),
    )


def cost_of_first_names(
    store: Store, project_id: str, source_id: str, settings: TopicSettings, spec: str
) -> tuple[CallPart, ...]:
    """The calls that name topics which are still to be found: at most as many as their least size allows.

    Raises:
        InvalidInput: The spec cannot be read, or a setting is out of its bounds.
    """
    with store.read() as connection:
        corpus_chunks = chunks.of(connection, source_id)
    if len(corpus_chunks) < 2:
        return ()
    sized_for = settled(settings, len(corpus_chunks))
    most = sized_for.topics or max(2, len(corpus_chunks) // (sized_for.min_size or 2))
    prompt = _prompt(store, project_id, spec)
    words = tuple(Term(text=WORD, weight=0.0) for _ in range(KEPT))
    short, long = (
        asked_about(
            prompt,
            Topic(number=0, size=1, terms=words, examples=tuple(map(str, range(EXAMPLES)))),
            [Topic(number=number + 1, size=1, terms=words) for number in range(min(others, MOST_OTHERS))],
            {str(number): "x" * length for number in range(EXAMPLES)},
        )
        for others, length in (
            (1, min(LONGEST_PASSAGE, min(len(chunk.text) for chunk in corpus_chunks))),
            (most, LONGEST_PASSAGE),
        )
    )
    low = sized_for.topics or 0
    sizes = Between(low=characters_of(short), high=characters_of(held_to(TopicName, long, Structured.NONE)[0]))
    return (_part(store, project_id, spec, prompt, Between(low=low, high=most), sizes, 1, note=UNKNOWN),)


def _prompt(store: Store, project_id: str, spec: str, asked: PromptVariant | None = None) -> Prompt:
    return load_prompt(PROMPT, variant=variant_of(store, project_id, spec, asked), store=store, project_id=project_id)


def _part(
    store: Store,
    project_id: str,
    spec: str,
    prompt: Prompt,
    calls: Between,
    characters: Between,
    of: int,
    note: str = "",
) -> CallPart:
    model, url = split_spec(spec)
    grounds = grounds_of(store, project_id)
    part = sized(
        grounds,
        PURPOSE,
        model,
        url,
        prompt,
        calls=calls + probes_of(grounds, model, url),
        characters=characters,
        of=of,
        reply=TOKENS_A_NAME,
        wanted_at_once=0,
        repairs=True,
    )
    return replace(part, notes=(*part.notes, note)) if note else part
